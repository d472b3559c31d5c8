"""Answers that a chat needs again: `python benchmarks/long_chats.py SESSIONS`.

Support chats (tau-bench, tau2-bench) and talks of several agents (who-and-when) are cut. A question is made
wherever something said or called behind the cut uses a value (an id, an amount, a date, a time, a name in
several words) that somebody said in the span, and that nobody said since. It is answered where one place of
the compacted text says the sentence that the value was said in, value and all. Prints Markdown: each method
at each budget beside whole messages drawn at random, with 95 % intervals, whole tasks resampled.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from control_arms import CONTROLS
from hindsight import mean, session_key, table
from splits import cluster_of, session_files
from statements import FILE_SESSIONS, drawn_files

from tamis.compactors import CompactionRequest, get_method, run_compactor
from tamis.compactors.budget import parse_budget
from tamis.errors import TamisError
from tamis.evals import At, Point, find_points
from tamis.evals.statements.coverage import Rarity, SearchTarget, best_window, wanted
from tamis.evals.statements.keypoints import COVERED, PlaceCache
from tamis.evals.statements.normalization import tokens
from tamis.evals.statements.places import join, read_text, texts_said
from tamis.messages import Message, Session, Text, get_counter, identify
from tamis.sessions import read_all
from tamis.text.sentences import split_sentences

CHATS = ("tau-bench", "tau2-bench")
TALKS = "who-and-when"
METHODS = ("ledger", "mask", "truncate")
RANDOM = "random"
BUDGETS = ("5%", "10%", "20%")
CUT = "60%"
SEEDS = 10
MOST_QUESTIONS = 20
WORDS = range(4, 61)

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_VALUE = re.compile(
    rf"""(?x)
    [$€£]\s?\d[\d,]*(?:\.\d+)?                                     # an amount
    | \#?\b(?=[A-Z0-9_-]*\d)(?=[A-Z0-9_-]*[A-Z])[A-Z0-9_-]{{5,}}\b   # an id
    | \b[a-z]+_[a-z]+_\d{{3,}}\b
    | \b\d{{4}}-\d\d-\d\d\b | \b{_MONTH}\ \d{{1,2}}(?:,\ \d{{4}})?\b    # a date
    | \b\d{{1,2}}:\d\d\b | \b\d+(?:\.\d+)?\ ?% | \b\d{{3,}}(?:[.,]\d+)*\b
    | \b[A-Z][a-z]{{2,}}(?:\ [A-Z][a-z]{{2,}}){{1,3}}\b                 # a name
    """
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A value that is used behind the cut, and the sentence of the span that says it.

    `reach` is how much of the sentence one place of the span holds, which is less than all of a long one.
    """

    value: str
    sentence: str
    source: str
    used_by: str
    wanted: SearchTarget
    reach: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """The share of a point's questions that one method's text answers; None where it gave no text."""

    set: str
    method: str
    budget: str
    cluster: str
    questions: int
    answered: float | None


def make_questions(point: Point, *, most: int = MOST_QUESTIONS) -> list[Question]:
    """The questions at a point, in the order in which their values are used; the same every time."""
    said = _said_in(point.span)
    known = {value for message in point.system for value in _values(_plain(message))}
    read = PlaceCache()
    span = join(read(m) for m in point.span)
    rarity = Rarity([span])
    found: dict[str, Question] = {}
    for message in point.tail:
        text = _plain(message)
        values = _values(text)
        if message.role == "assistant":
            for value in values:
                if value in said and value not in known and value not in found:
                    sentence, source = max(said[value], key=lambda s: (_shared(s[0], text), s[2]))[:2]
                    what = wanted(sentence, rarity)
                    found[value] = Question(
                        value=value,
                        sentence=sentence,
                        source=source,
                        used_by=message.id,
                        wanted=what,
                        reach=best_window(what, span).share,
                    )
        known.update(values)
    questions = list(found.values())
    if len(questions) <= most:
        return questions
    return [questions[i * len(questions) // most] for i in range(most)]


def _said_in(span: Sequence[Message]) -> dict[str, list[tuple[str, str, int]]]:
    """For each value the sentences in which somebody said it, with their message and its position."""
    said: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for position, message in enumerate(span):
        for part in message.parts:
            if isinstance(part, Text):
                plain = part.text.replace("\\n", "\n")  # some answer in JSON
                for sentence in split_sentences(plain):
                    text = " ".join(plain[sentence.body : sentence.end].split())
                    if sentence.kind in ("prose", "item") and _weight(text) in WORDS:
                        for value in _values(text):
                            said[value].append((text, message.id, position))
    return said


def _plain(message: Message) -> str:
    return "\n".join(texts_said(message))


def _values(text: str) -> list[str]:
    return list(dict.fromkeys(match.group() for match in _VALUE.finditer(text)))


def _weight(text: str) -> int:
    return sum(bool(token.forms) for token in tokens(text))


def _shared(sentence: str, text: str) -> int:
    return len(_forms(sentence) & _forms(text))


def _forms(text: str) -> set[str]:
    return {form for token in tokens(text) for form in token.forms}


def answered(questions: Sequence[Question], texts: Sequence[str]) -> float:
    """The share of the questions that the texts answer."""
    read = read_text(texts)
    whole = "\n".join(texts)
    return statistics.mean(
        question.value in whole and best_window(question.wanted, read).share >= COVERED * question.reach
        for question in questions
    )


def measure(
    set_name: str, session: Session, methods: Sequence[str], budgets: Sequence[str]
) -> Iterator[Figure]:
    """Every method at every budget where a session is cut."""
    counter = get_counter()
    for point in find_points(session, [At.parse(CUT)], counter):
        if not isinstance(point, Point):
            continue
        questions = make_questions(point)
        for budget in budgets:
            room = parse_budget(budget).resolve(point.span_tokens)
            for method in methods:
                yield Figure(
                    set=set_name,
                    method=method,
                    budget=budget,
                    cluster=cluster_of(session, set_name),
                    questions=len(questions),
                    answered=_answered_by(method, point, questions, room) if questions else None,
                )


def _answered_by(method: str, point: Point, questions: Sequence[Question], room: int) -> float | None:
    counter = get_counter()
    if control := CONTROLS.get(method):
        drawn = ([control(point.span, room, counter, seed)] for seed in range(SEEDS))
        return statistics.mean(answered(questions, texts) for texts in drawn)
    if method == "full":
        return answered(questions, [text for m in point.span for text in texts_said(m)])
    request = CompactionRequest(span=point.span, budget_tokens=room, counter=counter)
    made = run_compactor(get_method(method), request)
    if made.outcome == "unmet":
        return None
    return answered(questions, [text for m in made.messages for text in texts_said(m)])


def read_talk(path: Path) -> Session:
    """A failed run of several agents, as the who-and-when set writes it; its task is the question asked."""
    data = json.loads(lzma.decompress(path.read_bytes()))
    messages = [
        Message(
            id="",
            role="user" if turn["role"] in ("human", "user") and not turn.get("name") else "assistant",
            parts=(Text(text=f"{turn.get('name') or turn['role']}: {turn['content']}"),),
        )
        for turn in data["history"]
        if turn.get("content")
    ]
    question = path.name.split("__")[0]
    return Session(id=path.name, format=TALKS, messages=identify(messages), meta={"instance_id": question})


def sessions_in(folder: Path, sets: Sequence[str], limit: int | None) -> Iterator[tuple[str, Session]]:
    """The sessions of the sets; at most so many files of them all, evenly."""
    files = [*session_files(folder, [name for name in sets if name in CHATS])]
    if TALKS in sets:
        files += [(TALKS, path) for path in sorted((folder / TALKS).rglob("*.json.xz"))]
    for name, path in drawn_files(files, limit):
        try:
            found = [read_talk(path)] if name == TALKS else list(read_all(path))
            found.sort(key=lambda session: session_key(name, path, session))
            for session in found[: FILE_SESSIONS if limit else None]:
                yield name, session
        except (TamisError, KeyError, ValueError) as error:
            print(f"not read: {path.name}: {error}")


def print_tables(figures: Sequence[Figure], methods: Sequence[str], budgets: Sequence[str]) -> None:
    """All sets together, then each."""
    for name in ("all", *dict.fromkeys(f.set for f in figures)):
        of = [f for f in figures if name in ("all", f.set)]
        one = [f for f in of if (f.method, f.budget) == (methods[0], budgets[0])]
        asked = [f for f in one if f.questions]
        print(
            f"### {name}: {sum(f.questions for f in asked)} questions at {len(asked)} points in "
            f"{len({f.cluster for f in asked})} tasks; none at {len(one) - len(asked)}\n"
        )
        table(
            ["method", *budgets, f"times random at {budgets[0]}"],
            [[m, *(_mean(of, m, b) for b in budgets), _times(of, m, budgets[0])] for m in methods],
        )


def _mean(of: Sequence[Figure], method: str, budget: str) -> str:
    found = [f for f in of if (f.method, f.budget) == (method, budget)]
    return mean((f.answered, f.cluster) for f in found if f.answered is not None)


def _times(of: Sequence[Figure], method: str, budget: str) -> str:
    """A method over random messages, at the same points."""
    mine, random = ([f.answered for f in of if (f.method, f.budget) == (m, budget)] for m in (method, RANDOM))
    pairs = [(a, b) for a, b in zip(mine, random, strict=False) if a is not None and b is not None]
    below = sum(b for _, b in pairs)
    return f"{sum(a for a, _ in pairs) / below:.1f}" if below else "–"


def main() -> None:
    """Ask, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="the folder with a folder for each set")
    parser.add_argument("--method", nargs="+", default=list(METHODS), metavar="METHOD")
    parser.add_argument("--budget", nargs="+", default=list(BUDGETS), metavar="BUDGET")
    parser.add_argument("--sets", nargs="+", default=[*CHATS, TALKS], metavar="SET")
    parser.add_argument("--limit", type=int, metavar="N", help="at most N files, evenly from the sets")
    parser.add_argument("--show", action="store_true", help="print the questions instead")
    options = parser.parse_args()
    methods = (*dict.fromkeys((*options.method, RANDOM)),)
    figures: list[Figure] = []
    for name, session in sessions_in(options.folder, options.sets, options.limit):
        if options.show:
            for point in find_points(session, [At.parse(CUT)], get_counter()):
                if isinstance(point, Point):
                    for question in make_questions(point):
                        print(f"{name} {question.source} {question.value!r}: {question.sentence}")
            continue
        figures.extend(measure(name, session, methods, options.budget))
    if figures:
        print_tables(figures, methods, options.budget)


if __name__ == "__main__":
    main()
