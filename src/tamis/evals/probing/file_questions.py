"""Questions about the file trail: which files, what was changed in them, and where something was changed."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from posixpath import basename

from tamis.evals.probing.drafts import ProbeDraft, item, word_by_hash
from tamis.evals.probing.probes import Expected
from tamis.ledger.state import FileState, State
from tamis.text.names import names_in

MAX_FILES = 25  # longer lists of files are not asked for as a whole
MAX_TOUCHED = 8

_LISTS: tuple[tuple[str, tuple[str, ...], Callable[[FileState], bool]], ...] = (
    ("created", ("Which files were created?", "Which new files were made?"), lambda f: f.status == "created"),
    (
        "modified",
        ("Which files were modified?", "Which files that were there before have been changed?"),
        lambda f: f.status in ("modified", "renamed"),
    ),
    (
        "deleted",
        ("Which files were deleted?", "Which files were removed?"),
        lambda f: f.status == "deleted" and not f.born,
    ),
    (
        "examined",
        ("Which files were examined but not changed?", "Which files were only read, and left as they are?"),
        lambda f: f.status == "read",
    ),
)
_CHANGED_IN = ("What was changed in {file}?", "Which functions, classes or sections of {file} were edited?")
_WRITTEN_IN = ("What does the new file {file} define?", "Which functions or classes were written in {file}?")
_CHANGED_WHERE = ("In which file was {name} changed?", "Where was {name} edited: in which file?")
_WRITTEN_WHERE = ('Which new file holds "{name}"?', 'In which newly created file does "{name}" stand?')
_RENAMED = ("What is the new name of {file}?", "What was {file} renamed to?")

_NUMBER = re.compile(r"^\d{1,2}[.)] +")
_EVERYWHERE = frozenset(
    {"Meta", "setUp", "tearDown", "setup", "teardown", "main", "test", "run", "constructor"}
)
"""Names that half of all files define."""


def ask_for_files(state: State) -> Iterator[ProbeDraft]:
    """The lists of the trail; a list with an entry that is not certain is not asked for."""
    for form, questions, belongs in _LISTS:
        entries = [entry for entry in state.files if belongs(entry.value)]
        if 0 < len(entries) <= MAX_FILES and all(entry.value.certain for entry in entries):
            paths = [entry.value.path for entry in entries]
            question = word_by_hash(questions, about="\n".join(paths))
            expected = [item(path, "path") for path in paths]
            sources = dict.fromkeys(entry.source.message_id for entry in entries)
            yield _draft(form, question, expected, sources, closed=True)


def ask_about_changes(state: State) -> Iterator[ProbeDraft]:
    """What was changed in a file, in which file something was changed, and what a file is called now."""
    bases = Counter(basename(e.value.path) for e in state.files)
    changed = [e for e in state.files if e.value.status in ("created", "modified") and e.value.certain]
    owners = Counter(name for e in changed for name in _touched(e.value))
    for entry in changed:
        file, is_new = entry.value, entry.value.status == "created"
        touched = [name for name in _touched(file) if owners[name] == 1 and _tells(name)]
        if bases[basename(file.path)] == 1 and 0 < len(touched) <= MAX_TOUCHED:
            forms = _WRITTEN_IN if is_new else _CHANGED_IN
            question = word_by_hash(forms, file=basename(file.path))
            names = [item(name, "identifier") for name in touched]
            yield _draft("changed in", question, names, [entry.source.message_id])
        for name in touched:
            if names_in(name):
                question = word_by_hash(_WRITTEN_WHERE if is_new else _CHANGED_WHERE, name=name)
                yield _draft("file of", question, [item(file.path, "path")], [entry.source.message_id])
    for entry in state.files:
        if entry.value.status == "renamed" and entry.value.renamed_from:
            question = word_by_hash(_RENAMED, file=basename(entry.value.renamed_from))
            yield _draft("renamed", question, [item(entry.value.path, "path")], [entry.source.message_id])


def _draft(
    form: str, question: str, expected: Iterable[Expected], sources: Iterable[str], *, closed: bool = False
) -> ProbeDraft:
    return ProbeDraft(
        "artifact", form, question, expected=tuple(expected), sources=tuple(sources), closed=closed
    )


def _touched(file: FileState) -> list[str]:
    """What was touched, once each; a heading goes by its words, whatever number it bore.

    >>> _touched(FileState(path="a.md", status="modified", touched=("7) Keep", "8) Keep", "save")))
    ['Keep', 'save']
    """
    return list(dict.fromkeys(_NUMBER.sub("", name) for name in file.touched))


def _tells(name: str) -> bool:
    """Whether a function or class can be told from others by its name."""
    return len(name) > 2 and name not in _EVERYWHERE and not (name.startswith("__") and name.endswith("__"))
