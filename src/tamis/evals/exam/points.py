"""Exam points: where a session is cut, and the questions with key points there, as JSON files."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError

from tamis.errors import InputError, OutputExists, UnreadableFile
from tamis.evals.points import Point
from tamis.faults import first_fault
from tamis.messages import Message, Session
from tamis.sessions import read_all
from tamis.sessions.atomic import write_atomic
from tamis.text_files import read_text


class Question(BaseModel, extra="forbid", frozen=True):
    """A question with the answer that the session gives, and what an answer must contain, each by itself."""

    id: str
    kind: str
    question: str
    gold: str
    key_points: list[str] = Field(min_length=1)


class ExamPoint(BaseModel, extra="forbid", frozen=True):
    """One point: the span is the messages from `first` to `last`, without the system prompt.

    `session` is the file, seen from a folder of sessions; `session_id` says which of it, where it holds
    several. `boundary` is the number of the agent's own compaction, where it compacted itself there; `cut`
    the share of the session otherwise.
    """

    id: str
    session: str
    session_id: str | None = None
    span_tokens: int
    budget: int
    first: str
    last: str
    messages: int
    boundary: int | None = None
    cut: float | None = None
    questions: list[Question] = Field(min_length=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Located:
    """What a point stands for: its span, and the summary that the agent made there itself."""

    point: ExamPoint
    span: tuple[Message, ...] = field(repr=False)
    recorded: Message | None = field(default=None, repr=False)


def read_points(folder: Path) -> list[ExamPoint]:
    """The points of a folder, one to a file, by name.

    Raises:
        UnreadableFile: the folder holds none, or a file cannot be read.
        InputError: a file is no point.
    """
    files = sorted(folder.glob("*.json"))
    if not files:
        raise UnreadableFile(f"{folder}: holds no exam points (*.json); write some with tamis exam write")
    points = []
    for path in files:
        text = read_text(path, "mend it or take it out of the folder")
        try:
            points.append(ExamPoint.model_validate_json(text))
        except ValidationError as error:
            raise InputError(f"{path}: no exam point; {first_fault(error, 'the file')}; correct it") from None
    return points


def write_point(folder: Path, point: ExamPoint) -> Path:
    """Write a point as `ID.json`.

    Raises:
        OutputExists: there is one of that name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{point.id}.json"
    if path.exists():
        raise OutputExists(f"{path} exists; name another folder with -o")
    return write_atomic(path, [point.model_dump_json(indent=1, exclude_none=True), "\n"])


def exam_point(
    point: Point, questions: Sequence[Question], *, name: str, session: str, budget: int
) -> ExamPoint:
    """A compaction point with its questions."""
    return ExamPoint(
        id=name,
        session=session,
        session_id=point.session_id,
        span_tokens=point.span_tokens,
        budget=budget,
        first=point.span[0].id,
        last=point.span[-1].id,
        messages=sum(message.role != "system" for message in point.span),
        questions=list(questions),
    )


def locate(point: ExamPoint, sessions: Path) -> Located:
    """Find the span of a point in the sessions.

    Raises:
        InputError: the session does not hold these messages.
    """
    for session in read_all(sessions / point.session):
        if point.session_id in (None, session.id) and (found := _locate(point, session)):
            return found
    raise InputError(
        f"{point.id}: {sessions / point.session} does not hold the {point.messages} messages "
        f"from {point.first} to {point.last}; give the folder of sessions that the points were written from"
    )


def _locate(point: ExamPoint, session: Session) -> Located | None:
    ids = [message.id for message in session.messages]
    if point.first not in ids or point.last not in ids:
        return None
    between = session.messages[ids.index(point.first) : ids.index(point.last) + 1]
    span = tuple(message for message in between if message.role != "system")
    if len(span) != point.messages:
        return None
    summary = None
    if point.boundary is not None and point.boundary < len(session.boundaries):
        wanted = session.boundaries[point.boundary].summary_id
        summary = next((message for message in session.messages if message.id == wanted), None)
    return Located(point=point, span=span, recorded=summary)
