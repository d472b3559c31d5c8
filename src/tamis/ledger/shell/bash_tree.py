"""The parser of bash scripts, in one place.

The grammar's scanner reads outside its tables where a character far from ASCII follows a brace, and takes the
process down with it (tree-sitter-bash issue 337). So nothing but ASCII and sixteen Latin letters is handed to
it: every other character is spelled in those letters, two for a byte, and read back from the tree.
"""

import re

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

_PARSER = Parser(Language(tree_sitter_bash.language()))

MAX_BARE_CHARS = 1_000
"""The longest word outside of quotes: the parser's time can grow with its square."""

MAX_PIPES = 400
"""The most pipes and backticks in a script, for the same reason."""

_QUOTED = re.compile(rb"'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_HEREDOC = re.compile(rb"<<-?\s{0,8}['\"\\]?(\w{1,80})")
_COSTLY = re.compile(rb"[|`]|<<")
_FIRST_LETTER = 0xE0
_SPELLED = re.compile("(?:[à-ï]{2})+")
_FOREIGN = re.compile(r"[^\x00-\x7f]+")


def parse_bash(source: bytes) -> Node:
    """The root of a script's syntax tree; what is not bash stands in it as errors.

    A script beyond the bounds that no program meant to be read reaches is taken as empty.

    >>> parse_bash(to_source("ls | wc -l")).named_children[0].type
    'pipeline'
    """
    return _PARSER.parse(source if _is_within_bounds(source) else b"").root_node


def _is_within_bounds(source: bytes) -> bool:
    """Whether the parser can read a script in time: no endless word, no endless pipeline, bodies aside."""
    if len(source) <= MAX_PIPES:
        return True
    bare = _QUOTED.sub(b"''", _without_bodies(source))
    if any(len(word) > MAX_BARE_CHARS for word in bare.split()):
        return False
    return sum(1 for _ in _COSTLY.finditer(bare)) <= MAX_PIPES


def _without_bodies(source: bytes) -> bytes:
    """The script without what its here-documents hold; all of it where one does not end."""
    kept: list[bytes] = []
    ending = None
    for line in source.split(b"\n"):
        if ending is None:
            kept.append(line)
            opens = _HEREDOC.search(line)
            ending = opens[1] if opens else None
        elif line.strip() == ending:
            ending = None
    return b"\n".join(kept) if ending is None else source


def to_source(text: str) -> bytes:
    """A script as the parser may see it.

    >>> from_source(to_source("echo 你好 é 🎉 > x"))
    'echo 你好 é 🎉 > x'
    """
    return text.encode() if text.isascii() else _FOREIGN.sub(_spell, text).encode()


def from_source(source: bytes) -> str:
    """What a piece of such a source says."""
    text = source.decode("utf-8", "replace")
    return text if text.isascii() else _SPELLED.sub(_unspell, text)


def node_text(node: Node) -> str:
    """What stands at a node."""
    return from_source(node.text or b"")


def _spell(match: re.Match[str]) -> str:
    data = match[0].encode("utf-8", "replace")
    return "".join(chr(_FIRST_LETTER + half) for byte in data for half in divmod(byte, 16))


def _unspell(match: re.Match[str]) -> str:
    halves = [ord(letter) - _FIRST_LETTER for letter in match[0]]
    pairs = zip(halves[::2], halves[1::2], strict=True)
    return bytes(16 * high + low for high, low in pairs).decode("utf-8", "replace")
