"""The parser of bash scripts, in one place.

The grammar's scanner reads outside its tables where a character far from ASCII follows a brace, and takes the
process down with it (tree-sitter-bash issue 337). So nothing but ASCII and sixteen Latin letters is handed to
it: every other character is spelled in those letters, two for a byte, and read back from the tree.
"""

from __future__ import annotations

import re

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

_PARSER = Parser(Language(tree_sitter_bash.language()))

_FIRST_LETTER = 0xE0
_SPELLED = re.compile("(?:[à-ï]{2})+")
_FOREIGN = re.compile(r"[^\x00-\x7f]+")


def parse_bash(source: bytes) -> Node:
    """The root of a script's syntax tree; what is not bash stands in it as errors.

    >>> parse_bash(to_source("ls | wc -l")).named_children[0].type
    'pipeline'
    """
    return _PARSER.parse(source).root_node


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
