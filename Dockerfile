# The proxy and the viewer, without anything else on the machine:
#   docker build -t tamis .
#   docker run --rm --network host -v tamis:/data tamis proxy --upstream https://api.openai.com --archive archive.db
#   docker run --rm --network host -v "$PWD/runs:/runs:ro" tamis view /runs/mine
# Both listen on the loopback address only, so they take part in the host's network.
FROM python:3.12-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN pip wheel --no-cache-dir --wheel-dir /wheels .

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels tamis && rm -rf /wheels \
    && useradd --create-home tamis && install -d -o tamis /data
USER tamis
ENV HOME=/data
WORKDIR /data
VOLUME /data
ENTRYPOINT ["tamis"]
CMD ["--help"]
