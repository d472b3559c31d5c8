"""Every pattern of a package: those that stand in its modules, and those inside its functions."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tamis.text.cues.phrases import Cue

Found = tuple[str, re.Pattern[Any]]

_CALLS = {"search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split", "compile"}
_FLAGS_FIRST = re.compile(r"\(\?([aiLmsux]+)\)")


def patterns_in(package: str) -> Iterator[Found]:
    """The patterns of a package, each once, by the name of the module and the place where it stands."""
    seen: set[re.Pattern[Any]] = set()
    for module in _modules(package):
        found = [*_standing(module.__name__, vars(module)), *_written(module)]
        for where, pattern in found:
            if pattern not in seen:
                seen.add(pattern)
                yield where, pattern


def _modules(package: str) -> Iterator[ModuleType]:
    root = importlib.import_module(package)
    yield root
    for found in pkgutil.walk_packages(getattr(root, "__path__", ()), f"{package}."):
        if found.name.endswith("__main__"):
            continue
        try:
            yield importlib.import_module(found.name)
        except ImportError:  # a library that is not installed
            continue


def _standing(name: str, value: object) -> Iterator[Found]:
    """The patterns in a value: in what it holds, and in the fields of what tamis defines."""
    if isinstance(value, re.Pattern):
        yield name, value
    elif isinstance(value, Cue):
        yield name, re.compile(value.pattern, value._flags)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _standing(f"{name}.{key}", inner)
    elif isinstance(value, tuple | list):
        for number, inner in enumerate(value):
            yield from _standing(f"{name}[{number}]", inner)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _standing(f"{name}.{field.name}", getattr(value, field.name, None))


def _written(module: ModuleType) -> Iterator[Found]:
    """The patterns that functions write down where they use them; what is put into one stands as `x`."""
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text())):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        of, name = node.func.value, node.func.attr
        if not (isinstance(of, ast.Name) and of.id == "re" and name in _CALLS):
            continue
        source = _text_of(node.args[0], module)
        if source is None:
            continue
        flags = re.NOFLAG
        for given in (*node.args[1:], *(word.value for word in node.keywords)):
            flags |= _flags_of(given)
        if name in ("match", "fullmatch"):
            source = _anchored(source)
        yield f"{module.__name__}:{node.lineno}", re.compile(source, flags)


def _text_of(node: ast.expr, module: ModuleType) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        sides = [_text_of(side, module) for side in (node.left, node.right)]
        if None in sides:
            return None
        is_bytes = any(isinstance(side, bytes) for side in sides)
        joined = "".join(side if isinstance(side, str) else side.decode("latin-1") for side in sides)
        return joined.encode("latin-1") if is_bytes else joined
    if isinstance(node, ast.Call):  # `re.escape(...)`
        return "x"
    if not isinstance(node, ast.JoinedStr):
        return None
    pieces = [
        str(part.value)
        if isinstance(part, ast.Constant)
        else str(getattr(module, part.value.id, "x"))
        if isinstance(part, ast.FormattedValue) and isinstance(part.value, ast.Name)
        else "x"
        for part in node.values
    ]
    return "".join(pieces)


def _flags_of(node: ast.expr) -> re.RegexFlag:
    if isinstance(node, ast.BinOp):
        return _flags_of(node.left) | _flags_of(node.right)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "re":
        return getattr(re, node.attr)  # type: ignore[no-any-return]
    return re.NOFLAG


def _anchored(source: Any) -> Any:
    if isinstance(source, bytes):
        return rb"\A(?:" + source + rb")"
    flags = _FLAGS_FIRST.match(source)
    head = flags[0] if flags else ""
    return rf"{head}\A(?:{source[len(head) :]})"
