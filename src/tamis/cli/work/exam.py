"""The work of `tamis exam`: write, deal, answer, grade, score."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

import click

from tamis.api import compact
from tamis.cli.work.inputs import find_files
from tamis.cli.work.output import print_json, print_tables, progress, serve_pages, table
from tamis.compactors.budget import parse_budget
from tamis.errors import InputError, ModelError
from tamis.evals.exam.asking import answer_all, grade_all, write_questions
from tamis.evals.exam.dealing import collect, read_grades, write_grades
from tamis.evals.exam.dealing import deal as deal_texts
from tamis.evals.exam.points import Located, exam_point, locate, read_points, write_point
from tamis.evals.exam.scoring import MethodScore, score_exam
from tamis.evals.hindsight import NotMeasured
from tamis.evals.points import At, NoPoint, find_points
from tamis.messages import get_counter
from tamis.messages.plain_text import prose
from tamis.models import get_model
from tamis.reports.sitting import JudgeSeat, ReaderSeat, open_sitting
from tamis.sessions import read_all

_HARNESS = re.compile(
    r"(?:If you need specific details from before compaction|Please continue the conversation from where).*",
    re.DOTALL,
)
"""What an agent's program says behind the summary; it would tell a reader whose text it is."""


def write(
    paths: Sequence[str],
    *,
    writer: str,
    output: str,
    at: Sequence[str],
    budget: str,
    most: int,
    tokenizer: str,
) -> None:
    model, counter, places = get_model(writer), get_counter(tokenizer), [At.parse(place) for place in at]
    written = 0
    for _, path in find_files(paths)[0]:
        for session in read_all(path):
            for point in find_points(session, places, counter):
                if isinstance(point, NoPoint):
                    click.echo(f"note: {point.session_id} at {point.label}: {point.reason}", err=True)
                    continue
                name = f"{session.id}-{point.label.strip('%#')}".replace("/", "-").replace(":", "-")
                asked = write_questions(model, point, point_id=name, counter=counter, most=most)
                try:
                    questions = asyncio.run(asked)
                except ModelError as error:
                    click.echo(f"note: {session.id} at {point.label}: {error}", err=True)
                    continue
                if questions:
                    room, seen = parse_budget(budget).resolve(point.span_tokens), _seen_from(path, paths)
                    made = exam_point(point, questions, name=name, session=seen, budget=room)
                    click.echo(f"{write_point(Path(output), made)}: {len(questions)} questions")
                    written += 1
    if not written:
        raise InputError("no questions were written; see the notes")


def _seen_from(path: Path, given: Sequence[str]) -> str:
    """The path as it stands in the folder that was given; a file's name by itself."""
    folders = (folder for folder in given if Path(folder).is_dir() and path.is_relative_to(folder))
    return path.relative_to(next(folders, path.parent)).as_posix()


def deal(points: str, *, folder: str, methods: Sequence[str], sessions: str, tokenizer: str) -> None:
    known = read_points(Path(points))
    texts: dict[tuple[str, str], str] = {}
    with progress("compacting", total=len(known)) as done:
        for point in known:
            found = locate(point, Path(sessions))
            for method in methods:
                text = _text_of(found, method, tokenizer)
                if text is None:
                    click.echo(f"note: {point.id}: {method} leaves no text there", err=True)
                else:
                    texts[point.id, method] = text
            done()
    if not texts:
        raise InputError("no method leaves a text at any point; name other methods with -m")
    dealt = deal_texts(Path(folder), known, texts)
    click.echo(f"{dealt} texts dealt to {len(set(methods))} readers in {folder}; keep key.json from them")


def _text_of(found: Located, method: str, tokenizer: str) -> str | None:
    if method == "full":
        return prose(found.span)
    if method == "recorded":
        return None if found.recorded is None else _HARNESS.sub("", found.recorded.text)
    done = compact(found.span, budget=found.point.budget, method=method, tokenizer=tokenizer)
    return None if done.outcome == "unmet" else done.text


def answer(folder: str, *, reader: str) -> None:
    _note(asyncio.run(answer_all(get_model(reader), Path(folder))))


def grade(folder: str, *, judge: str | None) -> None:
    place = Path(folder)
    sheet = collect(place)
    click.echo(f"{len(sheet)} questions in {place / 'sheet.json'}; keep who.json from the judge")
    if judge is not None:
        known = read_grades(place) if (place / "grades.json").exists() else {}
        grades, failures = asyncio.run(grade_all(get_model(judge), sheet, known))
        write_grades(place, grades)
        _note(failures)


def _note(failures: Sequence[str]) -> None:
    for failure in failures:
        click.echo(f"note: {failure}", err=True)
    if failures:
        click.get_current_context().exit(1)


def sit(folder: str, *, reader: int | None, grades: str | None, port: int, opens: bool) -> None:
    if (reader is None) == (grades is None):
        raise InputError("say who you are: --reader N answers, --grades FILE grades")
    place = Path(folder)
    seat = JudgeSeat(place, grades) if grades is not None else ReaderSeat(place, reader or 0)
    with open_sitting(seat, port=port) as viewer:
        ends = "Ctrl-C ends it, and all that was sent is kept"
        click.echo(f"serving at {viewer.url} (this machine only); {ends}")
        serve_pages(viewer, opens=opens)


def score(folder: str, *, against: str | None, as_json: bool) -> None:
    scored = score_exam(Path(folder), against=against)
    if as_json:
        print_json(scored)
        return
    kinds = sorted({kind for one in scored.methods for kind in one.kinds})
    columns = ["method", ">score (95 %)", ">answers", ">points", ">false claims", ">rating"]
    rows = [_cells(one, kinds) for one in scored.methods]
    print_tables(table("exam: share of the key points", [*columns, *(f">{kind}" for kind in kinds)], rows))
    if scored.ungraded:
        click.echo(f"{scored.ungraded} answers are not graded, and count nowhere")
    agreed = scored.agreement
    if not isinstance(agreed, NotMeasured):
        click.echo(agreed.told)


def _cells(one: MethodScore, kinds: Sequence[str]) -> list[str]:
    within = "" if one.low is None or one.high is None else f" ({one.low:.2f} to {one.high:.2f})"
    rating = "–" if one.rating is None else f"{one.rating:.1f}"
    counts = (str(one.answers), str(one.points), str(one.false_claims))
    of_kinds = (f"{one.kinds[kind]:.2f}" if kind in one.kinds else "–" for kind in kinds)
    return [one.method, f"{one.score:.2f}{within}", *counts, rating, *of_kinds]
