"""The house on one page: its rooms, what each is for, and who uses whom; read off the code.

`docs/generate.py` writes `docs/map.md` with it. A room is a package; a line is the head of its docstring.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "tamis"

WALK = (
    ("src/tamis/cli/compact.py", "declares `-b`, and hands over what was typed"),
    ("src/tamis/cli/work/compact.py", "reads the session, calls `compact`, prints what came"),
    ("src/tamis/api.py", "`compact`: a session or an API's messages in, the same form out; names the method"),
    ("src/tamis/compactors/budget.py", "`parse_budget`: `8000`, `5%` or a share become tokens of the span"),
    (
        "src/tamis/compactors/method.py",
        "holds for every method: what is replaced, when; never over the budget",
    ),
    ("src/tamis/compactors/methods/ledger.py", "reads the span, and asks for a brief within the tokens"),
    ("src/tamis/compactors/brief/writing/writer.py", "rules, story, state and next: text within the tokens"),
    ("src/tamis/compactors/gate.py", "looks before anything is replaced: repairs, or leaves the original"),
)
"""How a budget walks from the command to the text. `check_walk` holds that the files are there."""

JOINING = (
    "and|as|by|for|from|how|in|not|of|off|read|so|that|the|to|when|where|whether|which|whose|with|without"
)
LONG, SHORT = 6, 3
"""Words: a line above `LONG` is cut where at least `SHORT` stay."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Room:
    """A package: its modules with their lines, and the rooms that it imports from."""

    name: str
    line: str
    modules: dict[str, str]
    source_lines: int
    uses: frozenset[str]


def house_map() -> str:
    """The page, as Markdown."""
    rooms = read_rooms()
    table = [
        f"| [{r.name}](#{r.name}) | {_first_sentence(r.line)} | {round(r.source_lines, -2):,} "
        f"| {', '.join(sorted(r.uses)) or '–'} |"
        for r in rooms
    ]
    return "\n".join(
        [
            "# The house",
            "",
            "Rooms from the front door down. A room uses only those below it, or the build fails.",
            "",
            "| room | what it is for | lines | uses |",
            "|---|---|---|---|",
            *table,
            "",
            "## How a budget walks",
            "",
            "`tamis compact session.jsonl -b 5%`, from the command to the packed text:",
            "",
            *(f"{n}. `{check_walk(file)}`: {what}" for n, (file, what) in enumerate(WALK, 1)),
            "",
            "## Modules",
            "",
            "Each with the head of its docstring. Modules of `cli` and `cli/work` that bear the name of a",
            "[command](reference/cli.md) and say no more than its help are left out.",
            "",
            *(line for room in [_hall(), *rooms] for line in _described(room)),
        ]
    )


def read_rooms() -> list[Room]:
    """Every package right below `tamis`, in the order of the import contract."""
    order = _layers()
    folders = [path for path in SOURCE.iterdir() if (path / "__init__.py").is_file()]
    return [_room(folder) for folder in sorted(folders, key=lambda folder: order[folder.name])]


def _hall() -> Room:
    """The modules beside the rooms, which any room may use."""
    heads = {
        path.name: _first_line(ast.parse(path.read_text(encoding="utf-8"))) for path in SOURCE.glob("*.py")
    }
    told = {name: head for name, head in sorted(heads.items()) if head and not name.startswith("_")}
    return Room(name="beside the rooms", line="", modules=told, source_lines=0, uses=frozenset())


def check_walk(file: str) -> str:
    """The file's place below `src/tamis`.

    Raises:
        FileNotFoundError: it is not there, so the walk is not true any more.
    """
    if not (ROOT / file).is_file():
        raise FileNotFoundError(f"docs/house_map.py says that a budget walks through {file}: correct WALK")
    return file.removeprefix("src/tamis/")


def _layers() -> dict[str, int]:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    listed = text.partition("layers = [")[2].partition("]")[0]
    names = [name.strip().strip('"').removeprefix("tamis.") for name in listed.replace("|", ",").split(",")]
    return {name.removeprefix('"').removeprefix("tamis."): n for n, name in enumerate(names)}


def _room(folder: Path) -> Room:
    uses: set[str] = set()
    modules = {}
    source_lines = 0
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        source_lines += text.count("\n")
        modules[path.relative_to(folder).as_posix()] = _first_line(tree)
        uses |= {room for node in ast.walk(tree) for room in _rooms_of(node)}
    line = modules.pop("__init__.py")
    return Room(
        name=folder.name,
        line=line,
        modules={name: told for name, told in modules.items() if told},
        source_lines=source_lines,
        uses=frozenset(uses - {folder.name}),
    )


def _first_line(tree: ast.Module) -> str:
    return (ast.get_docstring(tree) or "").partition("\n")[0].replace("|", "\\|")


def _first_sentence(line: str) -> str:
    return re.split(r"\.(?= )", line)[0].removesuffix(".")


def _head(line: str, module: str) -> str:
    """A docstring's first sentence, less the module's own name; if long, up to a colon or an added clause."""
    head = _first_sentence(re.sub(r"^(The work of )?`tamis [\w -]+`: ", "", line))
    label, _, rest = head.partition(": ")
    if rest and re.sub(r"\W|s\b", "", label.lower().removeprefix("the ")) == re.sub(r"\W|_|s$", "", module):
        head = rest
    for mark in (r"[;:] ", rf"(?<=[^,]), (?=(?:{JOINING})\b)"):
        shorter = re.split(mark, head, maxsplit=1)[0]
        in_list = mark[0] != "[" and "," in shorter
        if len(head.split()) > LONG and len(shorter.split()) >= SHORT and not in_list:
            head = shorter
    return head[:1].upper() + head[1:]


def _rooms_of(node: ast.AST) -> list[str]:
    """The rooms that an import is from; none for what is no import, or is from beside the rooms."""
    if isinstance(node, ast.ImportFrom) and node.module:
        named = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    elif isinstance(node, ast.Import):
        named = [alias.name for alias in node.names]
    else:
        return []
    parts = [name.split(".") for name in named if name.startswith("tamis.")]
    return [part[1] for part in parts if (SOURCE / part[1]).is_dir()]


def _described(room: Room) -> list[str]:
    """A room's modules; those of an inner room behind that room's own line."""
    lines = [f"### {room.name}", ""]
    said: set[str] = set()
    for name, told in room.modules.items():
        *folders, module = name.removesuffix("/__init__.py").removesuffix(".py").split("/")
        inner = name.endswith("/__init__.py")
        head = _head(told, module)
        if head in said:  # the room says the first half: the module is told by the second
            head = _head(told.partition(": ")[2], module) or head
        if inner or not told.startswith("`tamis "):
            lines.append(f"{'    ' * len(folders)}- {f'**{module}/**' if inner else module}: {head}")
        said.add(head)
    return [*lines, ""]
