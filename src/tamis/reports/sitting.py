"""A sitting of an exam in the browser: a person answers as one of its readers, or grades as a judge.

Text by text, question by question, without a word of which method wrote what. Each page is kept as soon as it
is sent, so that the work can be left and taken up again. A person's grades stand in a file of their own,
beside the judge's; behind the last question the page says how far the two agree.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qs, urlsplit

from tamis.errors import InputError, TamisError
from tamis.evals.exam import dealing
from tamis.evals.exam.dealing import Answers, Grade
from tamis.evals.exam.scoring import grade_agreement
from tamis.evals.hindsight import NotMeasured
from tamis.reports.local_server import LocalHandler, LocalServer, Viewer, page_file, serving
from tamis.reports.template_engine import page_template

MOST_BYTES: Final = 1_000_000
JUDGE = "grades.json"
Fields = Mapping[str, str]


class ReaderSeat:
    """One reader: a text, its questions, a rating, the next action. `kind` names the template's part."""

    kind = "answer"

    def __init__(self, folder: Path, reader: int) -> None:
        """`reader` is the number of its folder, `rN`."""
        self.folder, self.reader = folder, reader
        self._key = dealing.read_key(folder)
        if not self.pages():
            readers = sorted({int(item.partition("/")[0]) for item in self._key.items})
            raise InputError(f"{folder}: there is no reader {reader}; choose one of {readers}")

    def pages(self) -> list[str]:
        """The items that were dealt to this reader."""
        dealt = (item.partition("/") for item in self._key.items)
        return sorted((item for reader, _, item in dealt if reader == str(self.reader)), key=int)

    def done(self) -> set[str]:
        """The items with answers."""
        return set(dealing.read_answers(self.folder, self.reader))

    def show(self, page: str) -> dict[str, Any]:
        """The text and its questions, with what was answered."""
        text = self.folder / f"r{self.reader}" / f"item{page}_context.txt"
        return {
            "text": text.read_text(encoding="utf-8"),
            "questions": self._key.points[int(page)].questions,
            "given": dealing.read_answers(self.folder, self.reader).get(page, Answers(answers={})),
        }

    def keep(self, page: str, fields: Fields) -> None:
        """Keep the answers; one left empty says that the text does not tell.

        Raises:
            InputError: there is no rating.
        """
        if fields.get("rating") not in ("1", "2", "3", "4", "5"):
            raise InputError("say from 1 to 5 how well the work could be gone on with")
        ids = [question.id for question in self._key.points[int(page)].questions]
        made = Answers(
            answers={one: fields.get(f"q-{one}", "").strip() or "not in the text" for one in ids},
            rating=float(fields["rating"]),
            next_action=fields.get("next_action", "").strip(),
        )
        given = dealing.read_answers(self.folder, self.reader)
        dealing.write_answers(self.folder, self.reader, {**given, page: made})


class JudgeSeat:
    """One judge: a question, its key points, and the answers under letters."""

    kind = "grade"

    def __init__(self, folder: Path, name: str) -> None:
        """`name` is the file for the grades, beside the sitting's others."""
        if not name.startswith("grades") or Path(name).name != name or not name.endswith(".json"):
            raise InputError(f"grades cannot be kept in {name!r}; name a file such as grades-anna.json")
        self.folder, self.name = folder, name
        self._rows = {row.id: row for row in dealing.collect(folder)}

    def pages(self) -> list[str]:
        """The questions."""
        return list(self._rows)

    def done(self) -> set[str]:
        """The questions of which every answer has its grade."""
        given = self._grades()
        return {one for one, row in self._rows.items() if set(row.answers) <= set(given.get(one, {}))}

    def show(self, page: str) -> dict[str, Any]:
        """A question with its answers and what was given."""
        return {"row": self._rows[page], "given": self._grades().get(page, {})}

    def keep(self, page: str, fields: Fields) -> None:
        """Keep the grades of all answers to a question.

        Raises:
            InputError: a key point has no grade.
        """
        row = self._rows[page]
        made = {}
        for letter in row.answers:
            points = [fields.get(f"{letter}-{number}", "") for number in range(len(row.key_points))]
            if not set(points) <= {"0", "0.5", "1"}:
                raise InputError(f"grade every key point of answer {letter}")
            made[letter] = Grade(points=[float(one) for one in points], false=f"{letter}-false" in fields)
        dealing.write_grades(self.folder, {**self._grades(), page: made}, self.name)

    def agreement(self) -> str:
        """How far this judge and the sitting's own agree, where both graded."""
        if self.name == JUDGE or not (self.folder / JUDGE).exists() or not self._grades():
            return ""
        found = grade_agreement(self.folder, self.name)
        return "" if isinstance(found, NotMeasured) else found.told

    def _grades(self) -> dict[str, dict[str, Grade]]:
        return dealing.read_grades(self.folder, self.name) if (self.folder / self.name).exists() else {}


Seat: TypeAlias = ReaderSeat | JudgeSeat
"""What one person does in a sitting, page by page."""


def open_sitting(seat: Seat, *, port: int) -> AbstractContextManager[Viewer]:
    """Serve the pages of a seat.

    Raises:
        InputError: the port is taken.
    """
    return serving(seat, _Handler, port)


class _Handler(LocalHandler):
    server: LocalServer[Seat]
    form_action = "'self'"

    def do_GET(self) -> None:  # noqa: N802 - the library's name
        address = urlsplit(self.path)
        if not self.is_addressed:
            self.send(HTTPStatus.FORBIDDEN, "text/plain", b"this server answers to its own address only")
        elif address.path in ("/page.css", "/sitting.css"):
            self.send(HTTPStatus.OK, "text/css", page_file(address.path[1:]))
        else:
            self._show(parse_qs(address.query).get("page", [""])[-1])

    def do_POST(self) -> None:  # noqa: N802 - the library's name
        length = self.headers.get("Content-Length", "")
        if not self.is_addressed or not length.isdigit() or int(length) > MOST_BYTES:
            self.close_connection = True
            self.send(HTTPStatus.FORBIDDEN, "text/plain", b"this server keeps its own pages only")
            return
        sent = parse_qs(self.rfile.read(int(length)).decode(errors="replace"), keep_blank_values=True)
        fields = {name: values[-1] for name, values in sent.items()}
        page = fields.pop("page", "")
        try:
            if page not in self.server.served.pages():
                raise InputError(f"there is no page {page[:80]!r}")
            self.server.served.keep(page, fields)
        except TamisError as error:
            self._show(page, told=str(error), fields=fields)
        else:
            self.send(HTTPStatus.SEE_OTHER, "text/plain", b"", Location="/")

    def _show(self, page: str, *, told: str = "", fields: Fields | None = None) -> None:
        seat = self.server.served
        pages, done = seat.pages(), seat.done()
        shown = page if page in pages else next((one for one in pages if one not in done), "")  # what is open
        html = page_template("sitting.html").render(
            kind=seat.kind if shown else "end",
            page=shown,
            pages=pages,
            done=done,
            told=told,
            fields=fields or {},
            agreement=seat.agreement() if isinstance(seat, JudgeSeat) and not shown else "",
            **(seat.show(shown) if shown else {}),
        )
        self.send(HTTPStatus.OK, "text/html", html.encode(errors="replace"))
