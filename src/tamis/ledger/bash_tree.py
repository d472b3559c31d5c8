"""The parser of bash scripts, in one place."""

from __future__ import annotations

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

_PARSER = Parser(Language(tree_sitter_bash.language()))


def parse_bash(source: bytes) -> Node:
    """The root of a script's syntax tree; what is not bash stands in it as errors.

    >>> parse_bash(b"ls | wc -l").named_children[0].type
    'pipeline'
    """
    return _PARSER.parse(source).root_node
