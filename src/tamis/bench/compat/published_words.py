"""The published benchmark's word lists, read from an installation or a folder of text files.

An installation is read as source, not imported: nothing of it runs, and its dependencies need not be there.
A folder holds a file for each list, one entry a line: `person_name.txt` and so on for the generators,
`user_distractors.txt`, `assistant_distractors.txt` and `continuation_prompts.txt`.
"""

import ast
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tamis.errors import InputError

LEXICONS: Final = ("action_phrase", "org_name", "person_name", "project_noun")
PACKAGE: Final = "compactbench"
_REMEDY = f"pip install {PACKAGE} (anywhere), and name its folder; or name a folder with a file for each list"


@dataclass(frozen=True, kw_only=True)
class PublishedWords:
    """The lists that cases and continuations are drawn from."""

    lexicons: Mapping[str, tuple[str, ...]]
    user_distractors: tuple[str, ...]
    assistant_distractors: tuple[str, ...]
    continuation_prompts: tuple[str, ...]


def read_published_words(place: Path | None = None) -> PublishedWords:
    """The lists at `place`, or of the installation that Python finds.

    Raises:
        InputError: there are none; says what is accepted.
    """
    spec = importlib.util.find_spec(PACKAGE)
    folder = place or (Path(spec.origin).parent if spec and spec.origin else None)
    if folder is None:
        raise InputError(f"the published word lists are not part of this package; {_REMEDY}")
    for package in (folder, folder / PACKAGE):
        if (package / "dsl" / "generators.py").is_file():
            return _from_source(package)
    return _from_texts(folder)


def _from_source(package: Path) -> PublishedWords:
    generators = _constants(package / "dsl" / "generators.py")
    distractors = _constants(package / "engine" / "distractors.py")
    continuation = _constants(package / "runner" / "continuation.py")
    return PublishedWords(
        lexicons={name: _taken(generators, where, package) for name, where in _lexicons(package).items()},
        user_distractors=_taken(distractors, "_USER_DISTRACTORS", package),
        assistant_distractors=_taken(distractors, "_ASSISTANT_DISTRACTORS", package),
        continuation_prompts=_taken(continuation, "_CONTINUATION_PROMPTS", package),
    )


def _from_texts(folder: Path) -> PublishedWords:
    def read(name: str) -> tuple[str, ...]:
        path = folder / f"{name}.txt"
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: no word list ({error}); {_REMEDY}") from None
        return tuple(line for line in lines if line)

    return PublishedWords(
        lexicons={name: read(name) for name in LEXICONS},
        user_distractors=read("user_distractors"),
        assistant_distractors=read("assistant_distractors"),
        continuation_prompts=read("continuation_prompts"),
    )


def _constants(path: Path) -> dict[str, tuple[str, ...]]:
    """The tuples of texts that a module assigns at its top."""
    found: dict[str, tuple[str, ...]] = {}
    for node in _tree(path).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and isinstance(value, ast.Tuple):
            found[target.id] = tuple(ast.literal_eval(value))
    return found


def _lexicons(package: Path) -> dict[str, str]:
    """Which constant each lexicon generator draws from: `LexiconGenerator(name=..., lexicon=CONSTANT)`."""
    found = {}
    for node in ast.walk(_tree(package / "dsl" / "generators.py")):
        if isinstance(node, ast.Call):
            given = {k.arg: k.value for k in node.keywords}
            name, lexicon = given.get("name"), given.get("lexicon")
            if isinstance(name, ast.Constant) and isinstance(lexicon, ast.Name):
                found[str(name.value)] = lexicon.id
    return found


def _tree(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError) as error:
        raise InputError(f"{path}: cannot be read ({error}); {_REMEDY}") from None


def _taken(found: Mapping[str, tuple[str, ...]], name: str, package: Path) -> tuple[str, ...]:
    if name not in found:
        raise InputError(f"{package}: no word list {name} in this version; {_REMEDY}")
    return found[name]
