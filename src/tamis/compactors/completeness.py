"""What must not be missing from a compaction: the newest requests, the rules, the file trail, the open tasks.

It is read off the state and looked for in the text that was made, in the user's words, with runs of white
space as one blank.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Literal

from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger import Entry, FileState, Request, State
from tamis.ledger.events import Constraint
from tamis.ledger.files.paths import is_aside, is_temporary, is_trial
from tamis.ledger.speech.prose import looks_pasted, sentences_of
from tamis.messages import Message, part_text
from tamis.text import stands_in
from tamis.text.cues.courtesy import is_small_talk
from tamis.text.cues.discourse_cues import is_frame, is_pleasantry, is_praise, leans, wants, without_praise
from tamis.text.cues.printed_lines import is_code
from tamis.text.terms import run_of

DemandSection = Literal["asked", "rules", "files", "open"]
TITLES: dict[DemandSection, str] = {
    "asked": "Asked",
    "rules": "Rules",
    "files": "Files",
    "open": "Open tasks",
}

LEADING = 2
"""Of the newest request, so many sentences must be there, and the first that asks; the rest is detail."""

LEAST_CHARS = 12
"""A shorter sentence (`Good.`, `Rules:`) asks for nothing by itself."""

MAX_CHARS = 600
"""A rule that is longer is something pasted; of a longer sentence the beginning is demanded."""

BEGINNING_CHARS = 160

MANY_ITEMS = 6
"""A request of so many items is a list of steps for one work."""

STANDING = re.compile(
    r"\b(?:always|never|ever|from now|going forward|any|all|every|each|when(?:ever)?|in general)\b", re.I
)
"""Holds beyond the request in which it is said."""

LEAST_BEGUN = 45
"""With so many of its first characters a request is known, where a mark says that the rest had no room."""

SAYS_WHICH = 40
"""With more characters, a line that opens a list says which request it was, better than its first item."""


_GROUP = re.compile(r"(?<![\w./-])([\w./-]++)\*(\.\w++) \(\d++\)")
"""Files of one kind, as a brief tells many of them: `tests/test_*.py (13)`."""
_OF_ONE_FOLDER = re.compile(r"(?<![\w./@-])([\w./@-]++)(?<=/): ([^;\n]++)")
"""Files of one folder: `tests/: conftest.py, test_rows.py`."""
_OF_TRIAL = re.compile(r"(?:\A|/)test_[\w-]{1,40}/|/__init__\.py\Z")
"""Is in a folder that an agent makes to try something out, or only makes a folder a package."""

_BOLD_LINE = re.compile(r"\*\*[^*\n]{2,90}\*\*:?")
_OPENS_PASTE = re.compile(
    r"\A(?:(?:but|now|and|so|still|when) )?(?:i|we)(?: \w{1,12})? (?:get|got|see|have)\b[^:\n]{6,120}:\s*\Z",
    re.IGNORECASE,
)
"""Opens what the user has pasted: it says what is wrong, and what is pasted does not."""
_REMOVED = re.compile(
    r"\bI(?:['’]ve| have)?(?: just| already| now)? (?:removed|deleted|got rid of)"
    r"(?P<what> (?:(?!from\b|in\b|so\b|but\b)[\w./`'\"-]{1,80} ?){1,9})",
    re.IGNORECASE,
)
"""Says what the user took away."""
_OF_FOLDER = re.compile(r"([\w.-]{2,40})/? (?:files?|folder|directory|dir|scripts?)\b")

_PART = re.compile(r"[`'\"]([\w-]{3,40})[`'\"] (?:file|script)\b")
"""A file by a part of its name."""
_WORDS = re.compile(r"[^\W_]+")
_OF_TEMPLATE = re.compile(
    r"[-*\s]{0,4}(?:Current|Recent) (?:git|(?:un)?(?:tracked|staged)|pull request|PR|branch|commits?|diff)\b"
    r"[^:\n]{0,40}:"
)
"""What a command's template has printed before the task."""
_HEADS = {"created": "- made: ", "modified": "- changed: "}
_ITEM = re.compile(r"(?m)^[ \t]{0,8}(?:[-*+•]|\d{1,3}[.)])[ \t]")
_LIST_MARK = re.compile(r"^(?:[-*+•]|\d{1,3}[.)])\s+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Demand:
    """What must be there: where it belongs, its words, and the `line` that the gate adds for it."""

    section: DemandSection
    words: str
    line: str


def together(lines: Sequence[str]) -> list[str]:
    """The lines of demands, files of one fate in one line.

    >>> together(["- made: a.py", "- b.py: deleted", "- made: c.py"])
    ['- made: a.py, c.py', '- b.py: deleted']
    """
    told: dict[str, str] = {}
    for line in lines:
        head = next((head for head in _HEADS.values() if line.startswith(head)), line)
        told[head] = f"{told[head]}, {line.removeprefix(head)}" if head in told else line
    return [*told.values()]


def find_missing(state: State, messages: Sequence[Message]) -> list[Demand]:
    """What the state demands and the messages do not say, the most important first."""
    text = "\n".join(part_text(part) for message in messages for part in message.parts)
    said = fold(text)
    gone = {fold(entry.value.old) for entry in state.corrections}
    words = (demand for demand in _words_demanded(state) if fold(demand.words) not in gone)
    return [*_unsaid(words, said), *_unnamed(state, text), *_unsaid(_tasks(state), said)]


def binding(state: State) -> list[Entry[Constraint]]:
    """The rules but those of a form that a newer request follows, and what was forbidden and then ordered.

    Of a request that was a list of steps, once another such list follows, what it forbids still binds, and
    how its own steps were to be done does not.
    """
    orders = {run_of(e.value.text): e.last_turn for e in state.requests}
    newest = max(orders.values(), default=-1)
    again = (e for e in state.requests if e.first_turn < e.last_turn < newest)
    forms = {(e.first_turn, e.last_turn) for e in again if len(e.value.text) > BEGINNING_CHARS}
    lists = {e.last_turn for e in state.requests if len(_ITEM.findall(e.value.text)) >= MANY_ITEMS}
    done = lists - {max(lists, default=-1)}

    def is_over(rule: Entry[Constraint]) -> bool:
        forbidden = run_of(rule.value.text).removeprefix("do not ").removeprefix("don t ")
        own = rule.value.by == "user" and rule.value.polarity != "must_not" and rule.last_turn in done
        own = own and not STANDING.search(rule.value.text)
        return own or orders.get(forbidden, -1) > rule.last_turn or (rule.first_turn, rule.last_turn) in forms

    return [rule for rule in state.constraints if not is_over(rule)]


def asked_words(state: State) -> tuple[str, ...]:
    """The words of the newest and the first request that must be there, folded."""
    return tuple(fold(demand.words) for demand in _words_demanded(state) if demand.section == "asked")


def fold(text: str) -> str:
    """Text for comparing words: quotation marks, bold type and frames gone, white space as single blanks."""
    return " ".join(re.sub(r"(?m)^[ \t]*> |\*\*|[\u2500-\u257f]", "", text).split())


def taken_away(entries: Sequence[Entry[FileState]], said: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The files that the user says to have removed, after they were last touched, with the turn."""
    gone: dict[str, int] = {}
    paths = {e.value.path.rpartition("/")[2] for e in entries}
    for text, turn in said:
        for found in _REMOVED.finditer(text):
            what = found["what"]
            named = {word.strip("`'\".") for word in what.split() if "." in word.strip("`'\".")}
            parts = ({p for p in paths if part in _WORDS.findall(p)} for part in _PART.findall(what))
            named = named.union(*(own for own in parts if len(own) == 1))
            folders = {f"/{name}/" for name in _OF_FOLDER.findall(what)}
            gone |= {
                path: turn
                for e in entries
                if e.last_turn < turn
                and (path := e.value.path)
                and (any(path.endswith(f"/{n}") for n in named) or any(f in path for f in folders))
            }
    return gone


def asks_alone(sentence: str) -> bool:
    """Whether a sentence may ask for something by itself.

    >>> asks_alone("Fix the parser."), asks_alone("Good."), asks_alone("Some more rules:")
    (True, False, False)
    """
    return len(sentence) >= LEAST_CHARS and not _opens(sentence)


def _is_thanks(sentence: str) -> bool:
    return is_praise(sentence) or is_small_talk(sentence) or (is_pleasantry(sentence) and not wants(sentence))


def _asks(sentence: str) -> bool:
    return wants(sentence) or sentence.rstrip().endswith("?")


def _opens(sentence: str) -> bool:
    """Whether it only opens what follows."""
    return sentence.rstrip().endswith((":", "："))


def _is_begun(words: str, said: str) -> bool:
    """Whether the beginning of a request stands there, and "…" where it was cut.

    >>> asked = "Please write down what each of the carriers sends, and the limit."
    >>> _is_begun(asked, "Please write down what each of the carriers sends… "), _is_begun(asked, asked[:50])
    (True, False)
    """
    _, _, rest = said.partition(words[:LEAST_BEGUN])
    same = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(words[LEAST_BEGUN:], rest, strict=False))
    )
    return rest[same:].lstrip().startswith("…")


def _unsaid(demands: Iterable[Demand], said: str) -> Iterator[Demand]:
    seen: set[str] = set()
    for demand in demands:
        words = fold(demand.words)
        begun = demand.section == "asked" and _is_begun(words, said)
        if not begun and words not in said and words not in seen:
            seen.add(words)
            yield demand


def _words_demanded(state: State) -> Iterator[Demand]:
    """The newest request, the user's rules from the newest on, then the first request where it is another."""
    requests = sorted(state.requests, key=lambda e: e.last_turn)
    begun = any(e.value.status == "done" and e.last_turn > requests[-1].last_turn for e in state.tasks)
    yield from islice(_request(requests, at=-1), 1 if begun else None)  # of its steps the tasks tell
    for rule in sorted(binding(state), key=lambda e: -e.last_turn):
        text = rule.value.text
        if rule.value.by == "user" and len(text) <= MAX_CHARS and not _opens(text):
            yield Demand(section="rules", words=text, line=_quoted(text))
    if requests and requests[0].source.message_id != requests[-1].source.message_id:
        yield from _request(requests, at=0)


def _request(requests: Sequence[Entry[Request]], *, at: int) -> Iterator[Demand]:
    """How the message begins that says one of the requests; of a long one the ledger has it in parts."""
    said_in = {entry.source.message_id for entry in requests[at:][:1]}
    parts = [entry for entry in requests if entry.source.message_id in said_in]
    texts = [entry.value.text for entry in sorted(parts, key=lambda e: (e.source.part, e.source.start))]
    telling = (
        s
        for n, text in enumerate(texts)
        for k, s in enumerate(_sentences(text, begins=n == 0))
        if (
            asks_alone(s)
            or (len(s) > SAYS_WHICH and ((at == 0 and wants(s)) or (at and n == k == 0)))
            or (at and _OPENS_PASTE.match(s))
        )
        and not (is_frame(s) or _is_thanks(s) or looks_pasted(s) or is_code(s) or _OF_TEMPLATE.match(s))
    )
    # What an older or a long one begins with says which it was.
    whole = at and len(parts) == 1
    first = [s for _, s in zip(range(LEADING if whole else 1), telling, strict=False)]
    first = first[: 1 if any(map(_OPENS_PASTE.match, first[:1])) else LEADING]  # the paste is no wish
    first = [s for k, s in enumerate(first) if not (k and s.endswith("?") and leans(s))]
    asked = islice(filter(_asks, telling), 0 if any(map(_asks, first)) else 1)
    asks = (s for s in asked if not leans(s))  # alone it says nothing
    for sentence in (*first, *asks):
        words = without_praise(_LIST_MARK.sub("", sentence))  # it may stand without either
        if len(sentence) > MAX_CHARS:
            words = " ".join(words[:BEGINNING_CHARS].split())
            words = words.rpartition(" ")[0] or words
            sentence = f"{words} …"
        sentence += " …" if _opens(sentence) else ""
        line = _quoted(sentence) if at else f"- at first (#{parts[0].first_turn}):\n{_quoted(sentence)}"
        yield Demand(section="asked", words=words, line=line)


def _sentences(text: str, *, begins: bool) -> Iterator[str]:
    for s in sentences_of(text):
        words = text[s.start : s.end]
        if s.kind == "heading" or (s.kind == "prose" and _BOLD_LINE.fullmatch(words)):
            if begins:  # what a plan is for
                yield text[s.body : s.end]
        elif s.kind in ("prose", "item"):
            yield words
        begins = begins and is_frame(words)


def _unnamed(state: State, text: str) -> Iterator[Demand]:
    """Changed files that are not named, the newest first; an end of the path that only it has is a name.

    What the user took away, what the session made and put aside itself, a backup or a file in `/tmp`, or
    has deleted again, nobody has to be told; nor a path that a shell has still to fill in; nor, beside
    work on files that were there, what only tried it out: by its name, or as a script that was run.
    """
    gone = taken_away(state.files, ((e.value.text, e.last_turn) for e in state.requests))
    there = sorted((e for e in state.files if e.value.path not in gone), key=lambda e: -e.last_turn)
    changed = [e.value for e in there if e.value.status != "read"]
    works = any(not f.born for f in changed)
    ran = {word.rpartition("/")[2] for e in state.commands for word in e.value.command.split()}

    def is_by_the_way(file: FileState) -> bool:
        name = file.path.rpartition("/")[2]
        tries = works and (is_trial(file.path) or name in ran or _OF_TRIAL.search(file.path) is not None)
        aside = is_aside(file.path) or is_temporary(file.path) or tries
        passing = file.born and (aside or file.status == "deleted")
        return (
            "$" in file.path
            or passing
            or (is_temporary(file.path) and not (file.certain and file.status != "deleted"))
        )

    changed = [f for f in changed if not is_by_the_way(f)]
    shared = Counter(end for file in changed for end in _ends(file.path))
    groups = _GROUP.findall(text)
    by_folder = _OF_ONE_FOLDER.findall(text)
    text += "".join(f"\n{folder}{name}" for folder, names in by_folder for name in names.split(", "))
    for file in sorted(changed, key=lambda f: "/." in f.path):  # what a program keeps in the home comes last
        if any(
            end.startswith(head) and end.endswith(tail) for end in _ends(file.path) for head, tail in groups
        ):
            continue
        telling = (end for end in _ends(file.path) if shared[end] == 1 or end == file.path)
        if not any(stands_in(name, text) for name in telling):
            status = file.status if file.certain else f"perhaps {file.status}"
            was = f" from {one_line(file.renamed_from)}" if status == "renamed" and file.renamed_from else ""
            line = f"- {one_line(file.path)}: {status}{was}"
            if ", " not in line and (head := _HEADS.get(status)):
                line = f"{head}{one_line(file.path)}"
            yield Demand(section="files", words=file.path, line=line)


def _ends(path: str) -> Iterator[str]:
    """The path and what stands behind each slash in it, the longest first."""
    yield path
    for slash in re.finditer("/", path):
        if end := path[slash.end() :]:
            yield end


def _tasks(state: State) -> Iterator[Demand]:
    newest = max((e.last_turn for e in state.requests), default=-1)
    for entry in reversed(state.tasks):
        task, since = entry.value, f" (as of #{entry.last_turn})" if entry.last_turn < newest else ""
        if task.status in ("open", "in_progress") and len(task.text) <= MAX_CHARS:
            mark = "[ ]" if task.status == "open" else "[~]"
            yield Demand(
                section="open", words=one_line(task.text), line=f"- {mark} {one_line(task.text)}{since}"
            )


def _quoted(text: str) -> str:
    return "\n".join(f"> {line.strip()}" for line in text.splitlines() if line.strip())
