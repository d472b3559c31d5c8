"""What trials need beside tamis itself; importing this says so where it is missing."""

from importlib.util import find_spec

from tamis.errors import MissingExtra

for _library, _extra in (
    ("scipy", "evals"),
    ("httpx", "proxy"),
    ("starlette", "proxy"),
    ("uvicorn", "proxy"),
):
    if find_spec(_library) is None:
        raise MissingExtra(f"tamis ab needs {_library}; install it with: pip install 'tamis[{_extra}]'")
