"""Which functions, classes and sections a change touches, told from the lines around it.

A definition is recognised by its line (no parser: hunks are fragments), its extent by indentation.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence

MAX_TOUCHED = 12
"""How many names one change reports."""

_NAME = r"([A-Za-z_$][\w$]*[!?]?)"
_PYTHON = re.compile(rf"\s*(?:async\s+)?(?:def|class)\s+{_NAME}")
_MARKDOWN = re.compile(r"#{1,6}\s+(.+?)\s*#*$")
_GO = re.compile(rf"(?:func\s+(?:\([^)]*\)\s*)?|type\s+){_NAME}")
_RUST = re.compile(
    rf"\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|unsafe\s+|const\s+)*(?:fn|struct|enum|trait|mod|impl(?:<[^>]*>)?)\s+{_NAME}"
)
_RUBY = re.compile(rf"\s*(?:def\s+(?:self\.)?|class\s+|module\s+){_NAME}")
_SCRIPT = re.compile(
    rf"\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|interface|enum|type|namespace)\s+{_NAME}"
    rf"|\s*(?:export\s+)?(?:const|let|var)\s+{_NAME}\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|\w+\s*=>)"
    rf"|\s+(?:(?:public|private|protected|static|async|get|set|readonly|override)\s+)*{_NAME}\s*\([^;]*\)\s*(?::\s*[^=;{{]+)?\{{\s*$"
)
_C_LIKE = re.compile(
    rf"\s*(?:(?:public|private|protected|internal|static|final|abstract|sealed|data|open|export|template<[^>]*>)\s+)*"
    rf"(?:class|struct|enum|interface|union|namespace|record|object|trait|fun|func|def|protocol|extension)\s+{_NAME}"
    rf"|\s*(?!(?:return|else|new|throw|await|case|delete)\b)(?:[\w:<>,\[\]&*?]+\s+)+[*&]*(?:\w+::)*~?{_NAME}\s*\([^;]*$"
)
_SHELL = re.compile(rf"\s*(?:function\s+{_NAME}|{_NAME}\s*\(\)\s*\{{?)")
_TOML = re.compile(r"\s*\[+\s*([^\[\]]+?)\s*\]+\s*$")

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
_NOT_NAMES = frozenset(
    [
        "if",
        "for",
        "while",
        "switch",
        "catch",
        "return",
        "else",
        "elif",
        "do",
        "try",
        "with",
        "new",
        "await",
        "function",
        "match",
        "sizeof",
    ]
)


def definition(path: str, line: str) -> str | None:
    """The name that a line defines, in the language that the path's extension says.

    >>> definition("a.py", "    async def fetch(self):"), definition("a.md", "## Set up")
    ('fetch', 'Set up')
    >>> definition("a.go", "func (s *Server) Run() {"), definition("a.py", "fetch()")
    ('Run', None)
    """
    pattern = _PATTERNS.get(posixpath.splitext(path)[1][1:].lower())
    if pattern is None or not line.strip() or len(line) > 400:
        return None
    match = pattern.match(line)
    if match is None:
        return None
    name = next((group for group in match.groups() if group), None)
    return None if name is None or name in _NOT_NAMES else name


def touched(path: str, lines: Sequence[str], changed: Iterable[int], header: str = "") -> tuple[str, ...]:
    """The definitions that hold the changed lines (indices into `lines`), or that stand on them.

    `header` is what a diff says about the place before the first line (the text behind `@@`).

    >>> touched("a.py", ["def f():", "    x = 1", "", "def g():", "    y = 2"], [1, 3])
    ('f', 'g')
    """
    if posixpath.splitext(path)[1][1:].lower() not in _PATTERNS:
        return ()
    names: dict[str, None] = {}
    for i in changed:
        if not 0 <= i < len(lines) or not lines[i].strip():
            continue
        name = _enclosing(path, lines, i) or (definition(path, header) if header else None)
        if name:
            names[name] = None
        if len(names) >= MAX_TOUCHED:
            break
    return tuple(names)


def _enclosing(path: str, lines: Sequence[str], index: int) -> str | None:
    """The nearest definition at or above a line that is indented less than it (a heading: any above)."""
    if name := definition(path, lines[index]):
        return name
    flat = path.lower().endswith((".md", ".mdx", ".markdown", ".toml", ".ini", ".cfg"))
    depth = _indent(lines[index])
    for line in reversed(lines[:index]):
        if not line.strip():
            continue
        indent = _indent(line)
        if flat or indent < depth or (indent == depth and _closes(lines[index])):
            if name := definition(path, line):
                return name
            if not flat and indent == 0 and depth > 0 and not _continues(line):
                return None
        depth = min(depth, indent) if not flat else depth
    return None


def _indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


def _closes(line: str) -> bool:
    return line.lstrip().startswith(("}", ")", "]", "end"))


def _continues(line: str) -> bool:
    """A line at the margin that ends no definition: its own closing bracket, a comment, a decorator."""
    return line.startswith((")", "}", "]", "{", "#", "//", "/*", "*", "@", "end"))
