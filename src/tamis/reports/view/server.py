"""Serving runs to the browser of this machine: a page, and the API that it asks."""

import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from functools import cached_property
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from tamis.errors import TamisError
from tamis.evals.rundir.results import Run
from tamis.evals.rundir.text_store import Texts
from tamis.reports.local_server import LocalHandler, LocalServer, Viewer, page_file, serving
from tamis.reports.view.details import NotInRun, OpenRun
from tamis.reports.view.overview import describe_run, run_figures
from tamis.reports.view.queries import Query, list_answers, list_contexts
from tamis.reports.view.run_index import build_index

DEFAULT_PORT: Final = 8642

_ASSETS = {
    "/": ("view.html", "text/html"),
    "/page.css": ("page.css", "text/css"),
    "/view.css": ("view.css", "text/css"),
    "/view.js": ("view.js", "text/javascript"),
    "/detail.js": ("detail.js", "text/javascript"),
}


@contextmanager
def open_viewer(folders: Sequence[Path], *, port: int = DEFAULT_PORT) -> Iterator[Viewer]:
    """Index runs and make ready to serve them; the index is gone when the block ends.

    Port 0 takes one that is free.

    Raises:
        InputError: the port is taken.
        UnreadableFile: a folder holds no finished run.
        NotComparable: a run is of another version of the format.
    """
    with tempfile.TemporaryDirectory(prefix="tamis-view-") as folder:
        index = Path(folder) / "index.sqlite"
        library = Library(folders=tuple(folders), index=index, runs=build_index(index, folders))
        with serving(library, _Handler, port) as viewer:
            yield viewer


@dataclass(frozen=True, kw_only=True)
class Library:
    """The runs that are served, the index over them, and what each answer of the server is made of."""

    folders: tuple[Path, ...]
    index: Path
    runs: Sequence[Run]
    _made: dict[int, Any] = field(default_factory=dict)
    _making: Lock = field(default_factory=Lock)

    def get(self, path: str, asked: Mapping[str, str]) -> Any:
        """What stands at a path of the API.

        Raises:
            NotInRun: nothing does.
            ValidationError: the query has another form.
        """
        match path:
            case "/api/runs":
                return self._described
            case "/api/figures":
                return self._figures(self._number(asked))
            case "/api/answers" | "/api/contexts":
                query = Query.model_validate_json(asked.get("query", ""))
                with self._searched(query.a.run) as connection:
                    listed = list_answers if path == "/api/answers" else list_contexts
                    return listed(connection, query)
            case "/api/answer" | "/api/context":
                number = self._number(asked)
                folder = self.folders[number]
                with closing(self._connect()) as connection, closing(Texts(folder)) as texts:
                    run = OpenRun(number=number, folder=folder, index=connection, texts=texts)
                    opened = run.answer if path == "/api/answer" else run.context
                    return opened(asked.get("key", ""))
        raise NotInRun(f"there is nothing at {path}")

    @cached_property
    def _described(self) -> list[dict[str, Any]]:
        with closing(self._connect()) as connection:
            return [
                describe_run(run, folder, number, connection)
                for number, (run, folder) in enumerate(zip(self.runs, self.folders, strict=True))
            ]

    def _figures(self, number: int) -> Any:
        """The averages of a run, worked out when they are first asked for, one run at a time."""
        with self._making:
            if number not in self._made:
                self._made[number] = run_figures(self.runs[number])
            return self._made[number]

    def _number(self, asked: Mapping[str, str]) -> int:
        number = asked.get("run", "")
        if not (number.isascii() and number.isdigit() and len(number) < 10 and int(number) < len(self.runs)):
            raise NotInRun(f"there is no run {number[:80]!r}")
        return int(number)

    @contextmanager
    def _searched(self, number: int) -> Iterator[sqlite3.Connection]:
        """The index, with `says` to look into what was answered in a run; texts are read as they come up."""
        there = closing(Texts(self.folders[number])) if number < len(self.folders) else nullcontext()
        with closing(self._connect()) as connection, there as texts:

            def says(key: str | None, word: str) -> bool:
                if key is None or texts is None:
                    return False
                answered: str = from_json(texts[key])["text"]
                return word in answered.casefold()

            connection.create_function("says", 2, says)
            yield connection

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(f"file:{self.index}?mode=ro", uri=True)


class _Handler(LocalHandler):
    server: LocalServer[Library]

    def do_GET(self) -> None:  # noqa: N802 - the library's name
        """Answer one request; what goes wrong becomes one line of JSON."""
        address = urlsplit(self.path)
        if not self.is_addressed:
            self._send_error(HTTPStatus.FORBIDDEN, "this server answers to its own address only")
        elif address.path in _ASSETS:
            name, media = _ASSETS[address.path]
            self.send(HTTPStatus.OK, media, page_file(name))
        else:
            self._answer(address.path, {name: values[-1] for name, values in parse_qs(address.query).items()})

    def _answer(self, path: str, asked: Mapping[str, str]) -> None:
        try:
            found = self.server.served.get(path, asked)
        except NotInRun as error:
            self._send_error(HTTPStatus.NOT_FOUND, str(error))
        except ValidationError as error:
            self._send_error(HTTPStatus.BAD_REQUEST, str(error.errors(include_url=False)[0]["msg"]))
        except (TamisError, OSError, sqlite3.Error, KeyError, ValueError) as error:
            self._send_error(HTTPStatus.INTERNAL_SERVER_ERROR, f"the run cannot be read: {error}")
        else:
            self.send(HTTPStatus.OK, "application/json", _json(found))

    def _send_error(self, status: HTTPStatus, said: str) -> None:
        self.send(status, "application/json", _json({"error": said}))


def _json(value: Any) -> bytes:
    """JSON as bytes; a lone surrogate, which UTF-8 cannot hold, becomes an escape."""
    try:
        return to_json(value)
    except ValueError:
        return json.dumps(value, default=asdict, ensure_ascii=True).encode()
