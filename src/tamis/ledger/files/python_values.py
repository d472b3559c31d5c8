"""What the expressions of a Python script come to: strings, paths and collections, where that is plain."""

import ast
import posixpath
from collections.abc import Mapping

PythonValue = str | tuple["PythonValue", ...] | dict[str, "PythonValue"] | None
"""What is known of an expression: a string (a path is one too), a sequence, a dictionary, or nothing."""

_SAME = frozenset({"resolve", "absolute", "expanduser", "as_posix", "strip"})
"""Methods of a path or a string that leave it the same file."""

_UNCHANGED = frozenset({"str", "os.path.abspath", "os.path.expanduser", "os.path.realpath", "os.fspath"})
_JOINS = frozenset({"Path", "PurePath", "pathlib.Path", "pathlib.PurePath", "os.path.join", "join"})
_COPIES = frozenset({"list", "sorted", "tuple", "set"})


def evaluate(node: ast.AST, names: Mapping[str, PythonValue], cwd: str | None = None) -> PythonValue:
    """What an expression is, as far as the script itself tells.

    >>> evaluate(ast.parse("Path('a') / name", mode="eval").body, {"name": "b.py"})
    'a/b.py'
    """
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name):
            return names.get(name)
        case ast.FormattedValue(value=inner):
            return evaluate(inner, names, cwd)
        case ast.JoinedStr(values=pieces):
            return _joined([evaluate(piece, names, cwd) for piece in pieces])
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return tuple(evaluate(item, names, cwd) for item in items)
        case ast.Dict(keys=keys, values=values):
            known = [evaluate(key, names, cwd) if key else None for key in keys]
            pairs = zip(known, values, strict=True)
            return {key: evaluate(value, names, cwd) for key, value in pairs if isinstance(key, str)}
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _joined([evaluate(left, names, cwd), evaluate(right, names, cwd)])
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _path([evaluate(left, names, cwd), evaluate(right, names, cwd)])
        case ast.Subscript(value=owner, slice=ast.Constant(value=key)):
            return _item(names.get(dotted(owner)) or evaluate(owner, names, cwd), key)
        case ast.Attribute(value=owner, attr="parent"):
            path = evaluate(owner, names, cwd)
            return posixpath.dirname(path) or "." if isinstance(path, str) else None
        case ast.Call():
            return _call(node, names, cwd)
        case _:
            return None


def _joined(parts: list[PythonValue]) -> str | None:
    texts = [part for part in parts if isinstance(part, str)]
    return "".join(texts) if len(texts) == len(parts) else None


def _path(parts: list[PythonValue]) -> str | None:
    texts = [part for part in parts if isinstance(part, str)]
    return posixpath.join(*texts) if texts and len(texts) == len(parts) else None


def _item(owner: PythonValue, key: object) -> PythonValue:
    if isinstance(owner, dict) and isinstance(key, str):
        return owner.get(key)
    if isinstance(owner, tuple) and isinstance(key, int) and -len(owner) <= key < len(owner):
        return owner[key]
    return None


def _call(node: ast.Call, names: Mapping[str, PythonValue], cwd: str | None) -> PythonValue:
    name = dotted(node.func)
    args = [evaluate(arg, names, cwd) for arg in node.args]
    if name in ("os.getcwd", "Path.cwd", "pathlib.Path.cwd"):
        return cwd or "."
    if name in _JOINS:
        return _path(args)
    if args and isinstance(args[0], str):
        if name == "os.path.dirname":
            return posixpath.dirname(args[0])
        if name in _UNCHANGED:
            return args[0]
    if args and name in _COPIES:
        return tuple(args[0]) if isinstance(args[0], (tuple, dict)) else None
    if isinstance(node.func, ast.Attribute):
        return _method(evaluate(node.func.value, names, cwd), node.func.attr)
    return None


def _method(owner: PythonValue, name: str) -> PythonValue:
    if isinstance(owner, dict) and name == "items":
        return tuple(owner.items())
    if isinstance(owner, dict) and name in ("keys", "values"):
        return tuple(owner if name == "keys" else owner.values())
    return owner if isinstance(owner, str) and name in _SAME else None


def dotted(node: ast.AST) -> str:
    """`os.path.join` of an attribute chain, or nothing."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""
