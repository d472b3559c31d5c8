"""The house on one page: its rooms, what each is for, and who uses whom; read off the code.

`docs/generate.py` writes `docs/map.md` with it. A room is a package; a line is the first of its docstring.
"""

from __future__ import annotations

import ast
from collections import defaultdict
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
    used_by: dict[str, set[str]] = defaultdict(set)
    for room in rooms:
        for used in room.uses:
            used_by[used].add(room.name)
    table = [
        f"| [`{r.name}/`](#{r.name}) | {r.line} | {_names(r.uses)} | {_names(used_by[r.name])} |"
        for r in rooms
    ]
    return "\n".join(
        [
            "# The house",
            "",
            "Rooms from the front door down; a room uses only those below it, and an import contract in CI",
            "keeps it so. Below stands every module with its line: search the page for what you seek.",
            "",
            "| room | what it is for | uses | is used by |",
            "|---|---|---|---|",
            *table,
            "",
            "## How a budget walks",
            "",
            "`tamis compact session.jsonl -b 5%`, from the command to the packed text:",
            "",
            *(f"{n}. `{check_walk(file)}`: {what}" for n, (file, what) in enumerate(WALK, 1)),
            "",
            *(line for room in rooms for line in _described(room)),
        ]
    )


def read_rooms() -> list[Room]:
    """Every package right below `tamis`, in the order of the import contract."""
    order = _layers()
    folders = [path for path in SOURCE.iterdir() if (path / "__init__.py").is_file()]
    return [_room(folder) for folder in sorted(folders, key=lambda folder: order[folder.name])]


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


def _names(rooms: frozenset[str] | set[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(rooms)) or "–"


def _described(room: Room) -> list[str]:
    """A room's modules, those of an inner room behind that room's own line."""
    lines = [f"## {room.name}", "", f"{room.line} {room.source_lines:,} lines.", ""]
    for name, told in room.modules.items():
        inner = name.endswith("/__init__.py")
        shown = f"**`{name.removesuffix('__init__.py')}`**" if inner else f"`{name}`"
        lines.append(f"- {shown} {told}")
    return [*lines, ""]
