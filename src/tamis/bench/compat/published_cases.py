"""Cases as the published program derives them: the same templates and words give the same cases.

Seeds are the first eight bytes of SHA-256, and each variable and each distractor block has a `random.Random`
of its own. How that draws from a list is CPython's, and has been the same since Python 3.2.
"""

import ast
import hashlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final, Literal

from tamis.bench.template import (
    DISTRACTOR_COUNT,
    Difficulty,
    EvaluationItem,
    GroundTruth,
    Template,
    filled,
    references_in,
    substitute,
)
from tamis.errors import InputError
from tamis.messages.conversation import Role

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
    """The lists at `place`, or of the installation that Python finds; raises InputError for neither."""
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


Derivation = Literal["template", "suite"]
"""What a case's seed is derived from: the template too, or (release 0.1.0) the suite alone."""


@dataclass(frozen=True, kw_only=True)
class PublishedTurn:
    """One turn of a published transcript. `tags` are for comparing; no method is handed them."""

    id: int
    role: Role
    content: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PublishedCase:
    """A case of the published benchmark."""

    case_id: str
    template_key: str
    template_version: str
    seed: int
    difficulty: Difficulty
    turns: tuple[PublishedTurn, ...]
    ground_truth: GroundTruth
    items: tuple[EvaluationItem, ...]


def derive_seed(text: str) -> int:
    """The seed of a text.

    >>> derive_seed("starter@1.0.0:default:0")
    10920803247163762022
    """
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def case_seed(suite: str, template: Template, seed_group: str, slot: int, *, derivation: Derivation) -> int:
    """The seed of a slot; `suite` is `key@version`."""
    own = f"/{template.key}@{template.version}" if derivation == "template" else ""
    return derive_seed(f"{suite}{own}:{seed_group}:{slot}")


def make_published_case(
    template: Template, seed: int, difficulty: Difficulty, words: PublishedWords
) -> PublishedCase:
    """The case of a template with a seed.

    Raises:
        InputError: the template uses what only this package's own templates may.
    """
    bindings = template.difficulty_bindings(difficulty)
    for variable in template.variables:
        own = derive_seed(f"{seed}:{variable.name}")
        bindings[variable.name] = _draw(variable.generator, own, words)
    turns: list[PublishedTurn] = []
    for at, turn in enumerate(template.transcript.turns):
        if turn.role == "distractor_block":
            drawn = derive_seed(f"{seed}:distractor_block_{at}")
            is_named = isinstance(turn.count, str) and references_in(turn.count) == [DISTRACTOR_COUNT]
            many = template.distractors(difficulty) if is_named else int(turn.count or 0)
            turns += _distractors(many, len(turns), drawn, words)
        elif turn.template is None or turn.role not in ("user", "assistant", "system"):
            raise InputError(
                f"template {template.key}: turn {at} is not in the published format; run it without --compat"
            )
        else:
            content = substitute(turn.template, bindings)
            turns.append(PublishedTurn(id=len(turns), role=turn.role, content=content, tags=tuple(turn.tags)))
    return PublishedCase(
        case_id=f"{template.key}:s{seed}:d{difficulty}",
        template_key=template.key,
        template_version=template.version,
        seed=seed,
        difficulty=difficulty,
        turns=tuple(turns),
        ground_truth=filled(template.ground_truth, bindings),
        items=tuple(_item(item, bindings) for item in template.evaluation_items),
    )


def continuation_prompt(seed: int, cycle: int, words: PublishedWords) -> str:
    """What the user says before a later cycle."""
    return Random(derive_seed(f"{seed}:continuation_prompt_{cycle}")).choice(words.continuation_prompts)


def _item(item: EvaluationItem, bindings: Mapping[str, str]) -> EvaluationItem:
    """The published program fills the texts of what is expected, but not those in its lists."""
    expected = {
        name: substitute(value, bindings) if isinstance(value, str) else value
        for name, value in item.expected.model_dump(exclude_unset=True).items()
    }
    prompt = substitute(item.prompt, bindings)
    return EvaluationItem.model_validate({**item.model_dump(), "prompt": prompt, "expected": expected})


def _draw(generator: str, seed: int, words: PublishedWords) -> str:
    if generator in words.lexicons:
        return Random(seed).choice(words.lexicons[generator])
    if generator in _MADE:
        return _MADE[generator](Random(seed))
    known = ", ".join(sorted([*words.lexicons, *_MADE]))
    raise InputError(f"the published benchmark has no generator {generator!r}; it has {known}")


def _date(random: Random) -> str:
    return f"{random.randint(2024, 2026):04d}-{random.randint(1, 12):02d}-{random.randint(1, 28):02d}"


def _amount(random: Random) -> str:
    digits = random.choice((2, 3, 4, 5))
    return f"${random.randint(10 ** (digits - 1), 10**digits - 1):,}"


def _sku(random: Random) -> str:
    prefix = random.choice(("SKU", "PRD", "ITEM", "ART"))
    letters = "".join(random.choices("ABCDEFGHJKLMNPQRTUVWXYZ", k=2))
    return f"{prefix}-{letters}{random.randint(100, 9999)}"


_MADE: Mapping[str, Callable[[Random], str]] = {"date_iso": _date, "amount_usd": _amount, "product_sku": _sku}


def _distractors(count: int, first: int, seed: int, words: PublishedWords) -> list[PublishedTurn]:
    random = Random(seed)
    said: tuple[tuple[Role, tuple[str, ...]], ...] = (
        ("user", words.user_distractors),
        ("assistant", words.assistant_distractors),
    )
    turns = []
    for at in range(count):
        role, lines = said[at % 2]
        text = random.choice(lines)
        turns.append(PublishedTurn(id=first + at, role=role, content=text, tags=("distractor",)))
    return turns
