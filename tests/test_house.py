"""The rules of the house that no other tool checks."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import tamis

ROOT = Path(__file__).resolve().parents[1]
CODE = sorted(
    p for folder in ("src", "tests", "examples", "docs", "benchmarks") for p in (ROOT / folder).rglob("*.py")
)
DATA = "examples/stories/"
"""What was said and written in the example sessions; not code of ours to read."""

MAX_LINES = 400
FORBIDDEN = {"utils", "util", "helpers", "helper", "core", "manager", "common", "misc"}
HEAVY = ("pydantic", "rich", "numpy", "click", "toktok", "tree_sitter", "unidiff", "tamis.api", "tamis.evals")
MODULES = sorted(
    m.name for m in pkgutil.walk_packages(tamis.__path__, "tamis.") if not m.name.endswith("__main__")
)


def test_no_file_is_too_long_to_read() -> None:
    lengths = {str(p.relative_to(ROOT)): len(p.read_text(encoding="utf-8").splitlines()) for p in CODE}
    assert {n: c for n, c in lengths.items() if c > MAX_LINES and not n.startswith(DATA)} == {}


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [str(p) for p in CODE if p.stem in FORBIDDEN] == []


def test_every_module_says_its_purpose_first() -> None:
    without = [m for m in MODULES if not ast.get_docstring(ast.parse(_source(m)))]
    assert without == []


@pytest.mark.parametrize("name", MODULES)
def test_all_names_what_is_there_and_nothing_twice(name: str) -> None:
    module = importlib.import_module(name)
    exported = getattr(module, "__all__", [])
    assert len(exported) == len(set(exported))
    assert [n for n in exported if not hasattr(module, n)] == []


@pytest.mark.parametrize("name", [m for m in MODULES if m.count(".") == 1 and m not in ("tamis._version",)])
def test_a_package_exports_exactly_what_it_imports(name: str) -> None:
    """`__all__` of a package is what its `__init__` brings in, so that neither can grow alone."""
    path = Path(importlib.import_module(name).__file__ or "")
    if path.name != "__init__.py" or name == "tamis.cli":
        pytest.skip("not a package of names")
    body = ast.parse(path.read_text(encoding="utf-8")).body
    lazily = [n for node in body if isinstance(node, ast.If) for n in node.body]  # if TYPE_CHECKING
    imports = [n for n in lazily or body if isinstance(n, ast.ImportFrom)]
    imported = {a.asname or a.name for n in imports for a in n.names}
    assert set(importlib.import_module(name).__all__) == imported - {"annotations"}


def test_every_top_level_export_is_there() -> None:
    assert sorted(tamis.__all__, key=str) == sorted(dir(tamis))
    assert all(getattr(tamis, name) is not None for name in tamis.__all__)


def test_top_level_exports_agree_with_what_type_checkers_see() -> None:
    tree = ast.parse(Path(tamis.__file__ or "").read_text(encoding="utf-8"))
    guarded = next(n for n in tree.body if isinstance(n, ast.If))
    seen = {(n.module, a.name) for n in guarded.body if isinstance(n, ast.ImportFrom) for a in n.names}
    assert seen == {(home, name) for home, names in tamis._HOMES.items() for name in names}
    assert {name for _, name in seen} | {"__version__"} == set(tamis.__all__)


def test_an_unknown_export_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nosuch"):
        tamis.nosuch  # noqa: B018


@pytest.mark.parametrize(("statement", "allowed"), [("import tamis", ()), ("import tamis.cli", ("click",))])
def test_importing_loads_nothing_heavy(statement: str, allowed: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {statement}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert loaded & set(HEAVY) - set(allowed) == set()


def test_help_loads_no_command() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "tamis.cli", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines()}
    assert loaded & set(HEAVY) - {"click"} == set()


def test_the_licence_is_there() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in project["project"]
    assert project["tool"]["hatch"]["version"]["path"] == "src/tamis/_version.py"
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## \[(Unreleased|" + re.escape(tamis.__version__) + r")\]", changelog, re.MULTILINE)


def test_nothing_mentions_where_it_was_made() -> None:
    places = re.compile(r"/work/(?:main|shared)|/root/")
    texts = [p for p in CODE if p != Path(__file__)] + [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    assert [str(p) for p in texts if places.search(p.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    "kinds", [("top",), ("top", "function"), ("top", "types"), ("top", "function", "types")]
)
def test_no_modules_import_each_other_in_a_circle(kinds: tuple[str, ...]) -> None:
    """Nor do they when imports inside functions, or for type checkers, are counted in."""
    left = {name: {used for kind in kinds for used in uses[kind]} for name, uses in _imports().items()}
    while leaves := [name for name, used in left.items() if not used & left.keys()]:
        for name in leaves:
            del left[name]
    assert left == {}  # each of these stands in a circle, or leads to one


def test_no_public_class_name_is_borne_twice() -> None:
    homes: dict[str, list[str]] = {}
    for module in MODULES:
        for node in ast.parse(_source(module)).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(module)
    assert {name: at for name, at in homes.items() if len(at) > 1} == {}


def test_the_glossary_has_each_word_once_and_in_order() -> None:
    text = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    words = re.findall(r"^(\S.*)\n: ", text, re.MULTILINE)
    assert len(words) > 50
    assert words == sorted(set(words))


def _imports() -> dict[str, dict[str, set[str]]]:
    """The modules that each module imports: at its top, inside functions, and for type checkers only."""
    return {name: _imports_of(name) for name in MODULES}


def _imports_of(name: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {"top": set(), "function": set(), "types": set()}
    todo: list[tuple[ast.AST, str]] = [(ast.parse(_source(name)), "top")]
    while todo:
        node, kind = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            kind = "function"
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            kind = "types"
        elif isinstance(node, ast.Import):
            found[kind].update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:  # no import of the house is relative
            inner = {f"{node.module}.{alias.name}" for alias in node.names} & set(MODULES)
            found[kind].update(inner or {node.module})
        todo += [(child, kind) for child in ast.iter_child_nodes(node)]
    return found


def _source(module: str) -> str:
    path = ROOT / "src" / Path(*module.split("."))
    package = path / "__init__.py"  # a folder of data may bear the name of the module that reads it
    return (package if package.is_file() else path.with_suffix(".py")).read_text(encoding="utf-8")
