"""What a Python script does to files, read off its syntax tree.

A small interpreter for the simple cases: string constants, f-strings, `Path`, `os.path.join`, variables,
loops over written-out lists, calls of functions that the script defines. A path that it cannot work out is
left out; what stands in a branch is uncertain. Nothing is ever run.
"""

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from tamis.ledger.files.diffs import DiffStat, compare, total
from tamis.ledger.files.file_effects import FileEffect, FileEffectKind
from tamis.ledger.files.paths import same_file
from tamis.ledger.files.python_values import PythonValue, dotted, evaluate

MAX_STEPS = 2_000
"""Statements walked at most, loops unrolled."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PythonEffects:
    """The files that a script works on, and the shell commands that it runs, in order."""

    deeds: tuple[FileEffect, ...] = ()
    shell: tuple[str, ...] = ()


@lru_cache(maxsize=256)
def read_python(code: str, cwd: str | None = None, argv: tuple[str, ...] = ()) -> PythonEffects:
    r"""The effects of a script that starts in `cwd` with these arguments; none if it is not valid Python.

    >>> [(d.action, d.path) for d in read_python("p = 'a.py'\nwith open(p, 'w') as f: f.write('x')").deeds]
    [('written', 'a.py')]
    """
    if not _WORKS_ON_FILES.search(code):  # most scripts of agents only try something out
        return PythonEffects()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return PythonEffects()
    walk = _Walk(cwd, argv)
    try:
        walk.body(tree.body, walk.names)
    except RecursionError:  # an expression nested beyond anything written by hand: no more is known
        return PythonEffects()
    written = {deed.path for deed in walk.deeds if deed.action != "read"}
    rewritten = written & {deed.path for deed in walk.deeds if deed.action == "read"}
    deeds = [
        _rewritten(d) if d.path in rewritten else d
        for d in walk.deeds
        if d.action != "read" or d.path not in written
    ]
    if len(rewritten) == 1 and walk.replacements:
        path = next(iter(rewritten))
        change = total(compare(path, old, new) for old, new in walk.replacements)
        deeds = [_with_change(deed, change) if deed.path == path else deed for deed in deeds]
    return PythonEffects(deeds=tuple(deeds), shell=tuple(walk.shell))


def part_about(script: str, path: str) -> str:
    r"""Of a script that opens several files and puts its strings right into them, what it does to this one.

    >>> part_about("open('a', 'w').write('x')\nopen('b', 'w').write('y')\n", "/repo/b")
    "'b', 'w').write('y')\n"
    """
    parts = re.split(r"\bopen\((?=['\"])", script)[1:]
    names = [part[1 : max(part.find(part[0], 1), 1)] for part in parts]
    own = [part for part, name in zip(parts, names, strict=True) if name and same_file(name, path)]
    direct = own and all(_WRITES_TEXT.search(part) for part in own)
    return "".join(own) if direct and len({*names}) > 1 else script


def _rewritten(deed: FileEffect) -> FileEffect:
    """What a script reads and then writes was there before."""
    return replace(deed, action="modified") if deed.action == "written" else deed


def _with_change(deed: FileEffect, change: DiffStat) -> FileEffect:
    if deed.action != "modified" or deed.content is not None:
        return deed
    return deed.changed_by(change)


@dataclass(kw_only=True, slots=True)
class _Names:
    values: dict[str, PythonValue] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    certain: bool = True
    depth: int = 0


class _Walk:
    def __init__(self, cwd: str | None, argv: Sequence[str]) -> None:
        self.deeds: list[FileEffect] = []
        self.shell: list[str] = []
        self.replacements: list[tuple[str, str]] = []
        self.names = _Names(values={"sys.argv": tuple(argv)})
        self._cwd = cwd
        self._steps = 0

    def body(self, statements: Sequence[ast.stmt], names: _Names) -> None:
        for statement in statements:
            self._steps += 1
            if self._steps > MAX_STEPS:
                return
            self._statement(statement, names)

    def _statement(self, node: ast.stmt, names: _Names) -> None:
        match node:
            case ast.FunctionDef():
                names.functions[node.name] = node
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.Assign(targets=[target], value=value)
            ):
                self._calls(value, names)
                self._bind(target, evaluate(value, names.values, self._cwd), names)
            case ast.With():
                for item in node.items:
                    self._calls(item.context_expr, names)
                    if item.optional_vars is not None:
                        self._bind(item.optional_vars, None, names)
                self.body(node.body, names)
            case ast.If():
                self._calls(node.test, names)
                main = isinstance(node.test, ast.Compare) and ast.unparse(node.test.left) == "__name__"
                self._maybe(node.body, names, certain=main)
                self._maybe(node.orelse, names)
            case ast.For():
                self._for(node, names)
            case ast.While():
                self._maybe(node.body, names)
            case ast.Try():
                self.body(node.body, names)
                for handler in node.handlers:
                    self._maybe(handler.body, names)
                self.body(node.orelse, names)
                self.body(node.finalbody, names)
            case ast.Expr() | ast.Return() | ast.AugAssign() | ast.Assert() | ast.Delete():
                self._calls(node, names)

    def _maybe(self, statements: Sequence[ast.stmt], names: _Names, *, certain: bool = False) -> None:
        before, names.certain = names.certain, names.certain and certain
        self.body(statements, names)
        names.certain = before

    def _for(self, node: ast.For, names: _Names) -> None:
        self._calls(node.iter, names)
        values = evaluate(node.iter, names.values, self._cwd)
        if isinstance(values, (tuple, dict)):
            for value in values:
                self._bind(node.target, value, names)
                self.body(node.body, names)
        else:
            self._bind(node.target, None, names)
            self._maybe(node.body, names)

    def _bind(self, target: ast.expr, value: PythonValue, names: _Names) -> None:
        if isinstance(target, ast.Name):
            names.values[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            known = isinstance(value, tuple) and len(value) == len(target.elts)
            values = value if known and isinstance(value, tuple) else (None,) * len(target.elts)
            for part, item in zip(target.elts, values, strict=True):
                self._bind(part, item, names)

    def _calls(self, node: ast.AST, names: _Names) -> None:
        for inner in _in_order(node):
            if isinstance(inner, ast.Call):
                self._call(inner, names)

    def _call(self, node: ast.Call, names: _Names) -> None:
        name = dotted(node.func)
        args = [evaluate(arg, names.values, self._cwd) for arg in node.args]
        first = args[0] if args else None
        if isinstance(node.func, ast.Name) and node.func.id in names.functions:
            self._function(names.functions[node.func.id], node, args, names)
        elif name in ("open", "io.open", "codecs.open"):
            self._open(first, self._mode(node, names, at=1), names)
        elif name in ("os.remove", "os.unlink", "shutil.rmtree"):
            self._add(first, "deleted", names)
        elif name in ("os.rename", "os.replace", "shutil.move") and len(args) > 1:
            self._add(args[1], "renamed", names, origin=first)
        elif name in ("shutil.copy", "shutil.copy2", "shutil.copyfile") and len(args) > 1:
            self._add(args[1], "copied", names, origin=first)
        elif name in ("os.system", "os.popen") or name.startswith("subprocess."):
            self._spawn(first, names)
        elif isinstance(node.func, ast.Attribute):
            self._method(node.func, node, args, names)

    def _method(
        self, func: ast.Attribute, node: ast.Call, args: Sequence[PythonValue], names: _Names
    ) -> None:
        match args:
            case [str(old), str(new), *_] if func.attr == "replace":
                self.replacements.append((old, new))
        owner = evaluate(func.value, names.values, self._cwd)
        match func.attr:
            case "write_text" | "write_bytes":
                content = args[0] if args and isinstance(args[0], str) else None
                self._add(owner, "written", names, content=content)
            case "read_text" | "read_bytes":
                self._add(owner, "read", names)
            case "open":
                self._open(owner, self._mode(node, names, at=0), names)
            case "unlink":
                self._add(owner, "deleted", names)
            case "touch":
                self._add(owner, "ensured", names)
            case _ if func.attr in _EXPORTS:
                self._add(args[0] if args else None, "written", names)
            case "rename" if len(args) == 1:
                self._add(args[0], "renamed", names, origin=owner)

    def _function(
        self, body: ast.FunctionDef, node: ast.Call, args: Sequence[PythonValue], names: _Names
    ) -> None:
        if names.depth >= 3:
            return
        local = _Names(
            values=dict(names.values), functions=names.functions, certain=names.certain, depth=names.depth + 1
        )
        parameters = [parameter.arg for parameter in body.args.args]
        defaults = [evaluate(default, names.values, self._cwd) for default in body.args.defaults]
        local.values.update(zip(parameters[len(parameters) - len(defaults) :], defaults, strict=True))
        local.values.update(zip(parameters, args, strict=False))
        local.values.update(
            {word.arg: evaluate(word.value, names.values, self._cwd) for word in node.keywords if word.arg}
        )
        self.body(body.body, local)

    def _mode(self, node: ast.Call, names: _Names, *, at: int) -> str:
        mode: PythonValue = "r"
        if len(node.args) > at:
            mode = evaluate(node.args[at], names.values, self._cwd)
        for word in node.keywords:
            if word.arg == "mode":
                mode = evaluate(word.value, names.values, self._cwd)
        return mode if isinstance(mode, str) else "r"

    def _open(self, path: PythonValue, mode: str, names: _Names) -> None:
        if "x" in mode:
            self._add(path, "created", names)
        elif "w" in mode or "a" in mode:
            self._add(path, "written", names)
        else:
            self._add(path, "modified" if "+" in mode else "read", names)

    def _spawn(self, command: PythonValue, names: _Names) -> None:
        if isinstance(command, tuple):  # a list of words
            command = " ".join(f"'{word}'" for word in command if isinstance(word, str))
        if isinstance(command, str) and command and names.certain:
            self.shell.append(command)

    def _add(
        self,
        path: PythonValue,
        action: FileEffectKind,
        names: _Names,
        *,
        origin: PythonValue = None,
        content: str | None = None,
    ) -> None:
        if not isinstance(path, str) or not path or "\n" in path:
            return
        self.deeds.append(
            FileEffect(
                path=path,
                action=action,
                cwd=self._cwd,
                origin=origin if isinstance(origin, str) else None,
                content=content,
                certain=names.certain,
            )
        )


_WORKS_ON_FILES = re.compile(
    "open|remove|unlink|rmtree|rename|replace|move|copy|system|subprocess|write_|read_|touch|im(?:save|write)|savefig|to_"
)
"""A piece of the name of one of the calls that `_Walk` knows must stand in a script."""

_WRITES_TEXT = re.compile(r"\.write\(\s{0,80}['\"]")
_EXPORTS = frozenset(
    {"imsave", "imwrite", "savefig", "to_csv", "to_excel", "to_html", "to_json", "to_parquet"}
)
"""Methods of well-known libraries that write the file that their first argument names."""


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of an expression, inner ones first; functions and classes inside it are left alone."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.Lambda, ast.stmt)):
            yield from _in_order(child)
    yield node
