"""Questions made from a ledger's state, one kind of probe at a time.

Each function yields drafts, in a fixed order. A question names what it is about by something else than its
answer: an error by its type and place, a decision by its reason, a file by what was changed in it. The words
are ours, not the ledger's, and a hash chooses among several ways to ask, so that no layout of a brief is the
one that the questions are worded like.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from posixpath import basename, dirname, splitext

from tamis.evals.probing.drafts import ProbeDraft, is_askable, item, phrase_of, type_of, word_by_hash
from tamis.evals.probing.file_questions import ask_about_changes, ask_for_files
from tamis.evals.probing.probes import ItemType
from tamis.evals.probing.work_questions import ask_for_decisions, ask_for_rules, ask_for_work
from tamis.ledger.files.paths import looks_like_file
from tamis.ledger.shell.programs import PREPARING, only_reads
from tamis.ledger.state import State
from tamis.text.names import names_in

MAX_VALUE_CHARS = 80  # a longer value is a sentence
_VERSION_LIKE = re.compile(r"v?\d[\w.+-]{0,30}")
_ERROR_AT = ("What did the {type} at {place} say?", "Which message came with the {type} at {place}?")
_ERROR_ABOUT = (
    'Which error message mentions "{phrase}"? Give it in full.',
    'What was the whole error message that speaks of "{phrase}"?',
)
_ERROR_FILE = ("In which file was the {type} raised?", "Which file does the {type} come from?")
_VERSION = ("Which version of {what} is named?", "What version of {what} was it?")
_VALUE = ("What is the value of {name}?", "Which value was given for {name}?")
_ROLE = ("Who or what is {name}?", "What is the role of {name}?")
_TESTED = ("With which command were the {runner} tests run?", "How were the tests run with {runner}?")
_ENDED = ("Which command failed with exit code {code}?", "Which command ended with exit status {code}?")
_RAN = ("What was the full command line that ran {program}?", "With which arguments was {program} called?")


def draft_questions(state: State) -> Iterator[ProbeDraft]:
    """Every question that the state answers."""
    of_ledger = (_errors, _facts, _commands, ask_for_files, ask_about_changes)
    for ask in (*of_ledger, ask_for_work, ask_for_decisions, ask_for_rules):
        yield from ask(state)


def _errors(state: State) -> Iterator[ProbeDraft]:
    """Errors by type and place, a place by the type, where that tells one error from the others."""
    places = Counter((e.value.error.type, e.value.error.place) for e in state.errors)
    types = Counter(e.value.error.type for e in state.errors)
    for entry in state.errors:
        error = entry.value.error
        if not is_askable(error.message):
            continue
        kind, place = error.type or "", error.place or ""
        is_named = type_of(kind) != "text" and bool(names_in(kind))
        others = [e.value.error.message for e in state.errors if e is not entry]
        question = ""
        if is_named and place and places[error.type, error.place] == 1:
            question = word_by_hash(_ERROR_AT, type=kind, place=basename(place))
        elif phrase := phrase_of(error.message, others):
            question = word_by_hash(_ERROR_ABOUT, phrase=phrase)
        sources = (entry.source.message_id,)
        if question:
            expected = (item(error.message, "text"),)
            yield ProbeDraft("recall", "error", question, expected=expected, sources=sources)
        file = place.partition(":")[0]
        if looks_like_file(file) and is_named and types[error.type] == 1:
            question, expected = word_by_hash(_ERROR_FILE, type=kind), (item(file, "path"),)
            yield ProbeDraft("recall", "error place", question, expected=expected, sources=sources)


def _facts(state: State) -> Iterator[ProbeDraft]:
    """Values under a name that tells: a plain word (`total`, `number`) could mean anything."""
    for entry in state.facts:
        name, value = entry.value.name, entry.value.value
        tells = len(name.split()) > 1 or bool(names_in(name))
        masked = len(set(value)) == 1
        if not (tells and is_askable(value) and len(value) <= MAX_VALUE_CHARS) or masked:
            continue
        what = name.removesuffix(" version")
        if what != name and not (_VERSION_LIKE.fullmatch(value) and " " not in what):
            continue
        kind: ItemType | None = "identifier" if what != name else None  # 3.1 is another version than 3.10
        old = {f.value for f in entry.superseded} - {value}
        yield ProbeDraft(
            "recall",
            "value",
            word_by_hash(_VALUE, name=name) if what == name else word_by_hash(_VERSION, what=what),
            expected=(item(value, kind),),
            superseded=tuple(item(was, kind) for was in sorted(old)),
            sources=(entry.source.message_id,),
            subject=name,
        )
    for role in state.entities:
        question, expected = word_by_hash(_ROLE, name=role.value.name), (item(role.value.role, "text"),)
        yield ProbeDraft("recall", "role", question, expected=expected, sources=(role.source.message_id,))


def _commands(state: State) -> Iterator[ProbeDraft]:
    """The commands of tests, of failures (by exit code), and of programs that ran only once.

    Those that only look at files are not asked for: nobody need know how something was looked up.
    """
    for run in state.tests:
        command, runner = run.value.command, run.value.runner
        if is_askable(command) and sum(r.value.runner == runner for r in state.tests) == 1:
            yield _command(word_by_hash(_TESTED, runner=runner), command or "", run.source.message_id)
    codes = Counter(e.value.exit_code for e in state.commands)
    programs = Counter(_program(e.subject) for e in state.commands)
    for entry in state.commands:
        command, code, program = entry.value.command, entry.value.exit_code, _program(entry.subject)
        if not is_askable(command) or "\n" in command or only_reads(command, None):
            continue
        if code and codes[code] == 1:
            yield _command(word_by_hash(_ENDED, code=str(code)), command, entry.source.message_id)
        elif program and program not in PREPARING and programs[program] == 1 and _arguments(command, program):
            yield _command(word_by_hash(_RAN, program=program), command, entry.source.message_id)


def _command(question: str, command: str, source: str) -> ProbeDraft:
    expected = (item(command, "text"),)
    return ProbeDraft("recall", "command", question, expected=expected, sources=(source,))


def _arguments(command: str, program: str) -> str:
    """What stands behind the program, without where its output goes.

    >>> _arguments("cd /x && go test ./... -v 2>&1 | tail -5", "go test"), _arguments("make > log", "make")
    ('./... -v', '')
    """
    return re.split(r"\d?>|\|", command.rpartition(program)[2], maxsplit=1)[0].strip()


def _program(subject: str) -> str:
    """The program that a run is of; with the script or module of Python.

    >>> _program("python -m loader --strict"), _program("cd /x && go test ./..."), _program('python -c "1"')
    ('python -m loader', 'go test', '')
    """
    words = subject.rpartition(" && ")[2].split()
    if words and words[0].startswith("python"):
        if words[1:2] == ["-m"]:
            return " ".join(words[:3])
        return "" if words[1:2] and words[1].startswith("-") else " ".join(words[:2])
    return " ".join(words[:2]) if len(words) > 2 and words[1].isalpha() else "".join(words[:1])


MOST = 3

_WORDS = """
zephyr quokka tundra marigold obsidian larkspur tamarind cobalt heron juniper saffron walrus basalt clover
gannet thistle ocelot pumice sorrel vermilion
"""

_FORMS = (
    "What was changed in {folder}{word}_settings{ending}?",
    "What was decided about the {word} migration, and why?",
    "What did the {title}Error at {word}_loader{ending}:88 say?",
    "In which file was {word}_timeout changed?",
    "Which version of {word} is named?",
    "With which arguments was {word}-cli called?",
    'What is the rule about "the {word} folder"?',
    "What is the value of {word}_limit?",
)


def draft_unanswerable(state: State, known: str) -> Iterator[ProbeDraft]:
    """So many questions about what stands nowhere in `known`."""
    neighbour = state.files[-1].value.path if state.files else "src/app.py"
    folder = dirname(neighbour)
    ending = splitext(neighbour)[1] or ".py"
    folded = known.lower()
    words = _shuffled([word for word in _WORDS.split() if word not in folded], neighbour + str(state.turns))
    forms = _shuffled(list(_FORMS), neighbour + str(state.turns))
    for word, form in list(zip(words, forms, strict=False))[:MOST]:
        question = form.format(
            word=word, title=word.title(), folder=f"{folder}/" if folder else "", ending=ending
        )
        yield ProbeDraft("unanswerable", form, question, expected=(), sources=())


def _shuffled(texts: list[str], seed: str) -> list[str]:
    def place(text: str) -> bytes:
        return hashlib.sha256(f"{seed}\0{text}".encode("utf-8", "surrogatepass")).digest()

    return sorted(texts, key=place)
