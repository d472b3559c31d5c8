"""Which functions, classes and sections a change touches.

A definition is recognised by its line (no parser: hunks are fragments), its extent by indentation.
"""

import math
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

MAX_TOUCHED = 12
"""How many names one change reports."""

_NAME = r"([A-Za-z_$][\w$]*[!?]?)"
_PYTHON = re.compile(rf"\A\s*(?:async\s+)?(?:def|class)\s+{_NAME}")
_MARKDOWN = re.compile(r"\A#{1,6}\s+(.+)")
_GO = re.compile(rf"\A(?:func\s+(?:\([^)]*\)\s*)?|type\s+){_NAME}")
_RUST = re.compile(
    rf"\A\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|unsafe\s+|const\s+)*(?:fn|struct|enum|trait|mod|impl(?:<[^>]*>)?)\s+{_NAME}"
)
_RUBY = re.compile(rf"\A\s*(?:def\s+(?:self\.)?|class\s+|module\s+){_NAME}")
_SCRIPT = re.compile(
    rf"\A(?:\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|interface|enum|type|namespace)\s+{_NAME}"
    rf"|\s*(?:export\s+)?(?:const|let|var)\s+{_NAME}\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|\w+\s*=>)"
    rf"|\s+(?:(?:public|private|protected|static|async|get|set|readonly|override)\s+)*{_NAME}(?:<[^<>()]{{0,80}}>)?\s*\([^;]*\)\s*(?::[^=;{{)]+)?\{{\s*$)"
)
_C_LIKE = re.compile(
    rf"\A(?:\s*(?:(?:public|private|protected|internal|static|final|abstract|sealed|data|open|export|template<[^>]*>)\s+)*"
    rf"(?:class|struct|enum|interface|union|namespace|record|object|trait|fun|func|def|protocol|extension)\s+{_NAME}"
    rf"|\s*(?!(?:return|else|new|throw|await|case|delete)\b)(?:[\w:<>,\[\]&*?]+\s+)+[*&]*(?:\w+::)*~?{_NAME}\s*\([^;]*$)"
)
_SHELL = re.compile(rf"\A\s*(?:function\s+{_NAME}|{_NAME}\s*\(\)\s*\{{?)")
_TOML = re.compile(r"\A\s*\[+([^\[\]]+)\]+\s*$")

_PATTERNS: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(("py", "pyi", "pyx"), _PYTHON),
    **dict.fromkeys(("md", "mdx", "markdown"), _MARKDOWN),
    **dict.fromkeys(("js", "jsx", "ts", "tsx", "mjs", "cjs", "vue", "svelte"), _SCRIPT),
    **dict.fromkeys(
        ("c", "h", "cc", "cpp", "cxx", "hpp", "hh", "java", "kt", "cs", "swift", "scala", "php"), _C_LIKE
    ),
    **dict.fromkeys(("sh", "bash", "zsh"), _SHELL),
    **dict.fromkeys(("toml", "ini", "cfg"), _TOML),
    "go": _GO,
    "rs": _RUST,
    "rb": _RUBY,
}
_FLAT = frozenset({"cfg", "ini", "markdown", "md", "mdx", "toml"})
"""Languages whose sections reach to the next heading, whatever the indentation."""

_NOT_NAMES = frozenset(
    {"await", "catch", "do", "elif", "else", "for", "function", "if", "match", "new", "return", "sizeof"}
    | {"switch", "try", "while", "with"}
)


def definition(path: str, line: str) -> str | None:
    """The name that a line defines, in the language that the path's extension says.

    >>> definition("a.py", "    async def fetch(self):"), definition("a.md", "## Set up")
    ('fetch', 'Set up')
    >>> definition("a.go", "func (s *Server) Run() {"), definition("a.py", "fetch()")
    ('Run', None)
    """
    pattern = _PATTERNS.get(_ending(path))
    if pattern is None or not line.strip() or len(line) > 400:
        return None
    match = pattern.match(line)
    if match is None:
        return None
    name = next((group for group in match.groups() if group), "").strip().rstrip("# \t")
    return name if name and name not in _NOT_NAMES else None


def is_source(path: str) -> bool:
    """Whether a file holds code, by its ending: `a.py`, not `a.md` nor `a.toml`."""
    return _ending(path) in _PATTERNS.keys() - _FLAT


def touched(path: str, lines: Sequence[str], changed: Iterable[int], header: str = "") -> tuple[str, ...]:
    """The definitions that hold the changed lines (indices into `lines`), or that stand on them.

    `header` is what a diff says about the place before the first line (the text behind `@@`); a line that is
    not set in is behind its end.

    >>> touched("a.py", ["def f():", "    x = 1", "", "def g():", "    y = 2"], [1, 3])
    ('f', 'g')
    >>> touched("a.py", ["    return x", "", "# Made in May.", "def g():"], [2], "def f():")
    ()
    """
    wanted = {i for i in changed if 0 <= i < len(lines) and lines[i].strip()}
    ending = _ending(path)
    if not wanted or ending not in _PATTERNS:
        return ()
    outermost = definition(path, header) if header else None
    first, last = min(wanted), max(wanted)
    scopes = _scopes_above(path, lines, first)
    names: dict[str, None] = {}
    for i in range(first, last + 1):
        if lines[i].strip():
            _step(scopes, path, lines[i])
            within = ending in _FLAT or lines[i][0] in " \t)]}"
            name = scopes[-1][1] if scopes else outermost if within else None
            if i in wanted and name and (ending in _FLAT or not _stands_above(lines[i], scopes)):
                names[name] = None
                if len(names) >= MAX_TOUCHED:
                    break
    return tuple(names)


@lru_cache(maxsize=64)
def _ending(path: str) -> str:
    return posixpath.splitext(path)[1][1:].lower()


def _scopes_above(path: str, lines: Sequence[str], index: int) -> list[tuple[int, str]]:
    """The definitions that are open in front of a line, outermost first: their indentation and name."""
    flat = _ending(path) in _FLAT
    scopes: list[tuple[int, str]] = []
    depth: float = math.inf
    for i in range(index - 1, -1, -1):
        line = lines[i]
        if not line.strip() or (not flat and _continues(line)):
            continue
        indent = 0 if flat else depth_of(line)
        if indent < depth or flat:
            if name := definition(path, line):
                scopes.append((indent, name))
                if flat:
                    break
            depth = indent
            if depth == 0 and not flat:
                break
    return scopes[::-1]


def _step(scopes: list[tuple[int, str]], path: str, line: str) -> None:
    """Close the definitions that a line ends, and open the one that it begins."""
    name = definition(path, line)
    if _ending(path) in _FLAT:
        scopes[:] = [(0, name)] if name else scopes
        return
    indent = depth_of(line)
    while scopes and (scopes[-1][0] > indent or (scopes[-1][0] == indent and not _continues(line))):
        scopes.pop()
    if name:
        scopes.append((indent, name))


def _stands_above(line: str, scopes: Sequence[tuple[int, str]]) -> bool:
    """Whether a line is a remark on what follows, behind the end of the definition that is still open."""
    remark = line.lstrip()
    depth = depth_of(line) - remark.startswith("*")  # the lines of a block are set in by one
    return bool(scopes) and depth <= scopes[-1][0] and remark.startswith(("#", "//", "/*", "* ", "*/"))


def depth_of(line: str) -> int:
    """How far a line is set in, a tab as four."""
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


def _continues(line: str) -> bool:
    """A line that ends no definition, however little indented: a closing bracket, a comment."""
    return line.lstrip().startswith((")", "}", "]", "{", "#", "//", "/*", "* ", "*/", "end"))
