"""Expanding a shell script's words as far as the script tells."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tree_sitter import Node

from tamis.ledger.shell.bash_tree import from_source, node_text


@dataclass(frozen=True, kw_only=True, slots=True)
class Word:
    """One word after expansion.

    `certain` is False where a part of it could not be known: a variable from outside, the output of a
    command, a file pattern.
    """

    text: str
    certain: bool = True


MAX_BRACES = 200
"""How many words braces may become."""

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_QUOTED_ESCAPE = re.compile(r'\\(["\\$`\n])')
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_GLOB = re.compile(r"(?<!\\)[*?]|(?<!\\)\[(?:[^\[\]\\]|\\.)+\]")
_ANSI = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b"}


def expand(node: Node, variables: Mapping[str, Word], cwd: str | None = None) -> list[Word]:
    """The words that a node of the syntax tree becomes: one, or several for braces.

    An unknown variable stays as it is written, and makes the word uncertain.
    """
    word = _piece(node, variables, cwd)
    if not _has_braces(node):
        return [word]
    return [Word(text=text, certain=word.certain) for text in _braces(word.text)]


def _piece(node: Node, variables: Mapping[str, Word], cwd: str | None) -> Word:
    text = node_text(node)
    match node.type:
        case "word":
            return Word(text=_ESCAPE.sub(r"\1", text), certain=not _GLOB.search(text))
        case "raw_string":
            return Word(text=text[1:-1])
        case "ansi_c_string":
            return Word(text=_ESCAPE.sub(lambda m: _ANSI.get(m[1], m[1]), text[2:-1]))
        case "string":
            return _string(node, text, variables, cwd)
        case "command_name" if node.named_child_count == 1:
            return _piece(node.named_children[0], variables, cwd)
        case "concatenation" | "command_name":
            pieces = [_piece(child, variables, cwd) for child in node.children]
            return Word(text="".join(p.text for p in pieces), certain=all(p.certain for p in pieces))
        case "simple_expansion" | "expansion":
            return _variable(text, variables, cwd)
        case "command_substitution":
            inner = text.strip("$()` ")
            return Word(text=cwd, certain=True) if inner == "pwd" and cwd else Word(text=text, certain=False)
        case "process_substitution" | "arithmetic_expansion" | "brace_expression":
            return Word(text=text, certain=False)
        case _:
            return Word(text=text)


def _string(node: Node, text: str, variables: Mapping[str, Word], cwd: str | None) -> Word:
    """A double-quoted string: its expansions are replaced in place, the rest stands."""
    origin = node.start_byte
    source = node.text or b""
    parts: list[str] = []
    certain, at = True, 1
    for child in node.named_children:
        if child.type == "string_content":
            continue
        parts.append(_unquote(source[at : child.start_byte - origin]))
        piece = _piece(child, variables, cwd)
        parts.append(piece.text)
        certain = certain and piece.certain
        at = child.end_byte - origin
    end = len(source) - 1 if text.endswith('"') and len(text) > 1 else len(source)
    parts.append(_unquote(source[at:end]))
    return Word(text="".join(parts), certain=certain)


def _unquote(raw: bytes) -> str:
    return _QUOTED_ESCAPE.sub(lambda m: "" if m[1] == "\n" else m[1], from_source(raw))


def _variable(text: str, variables: Mapping[str, Word], cwd: str | None) -> Word:
    match = re.fullmatch(r"\$\{?(\w+|[@*#?!$-])(?::?-([^{}]*))?\}?", text)
    if match is None:
        return Word(text=text, certain=False)
    name, default = match[1], match[2]
    if name in variables:
        return variables[name]
    if name == "PWD" and cwd:
        return Word(text=cwd)
    if name == "HOME":
        return Word(text="~")
    return Word(text=default or text, certain=False)


def _has_braces(node: Node) -> bool:
    """Whether a brace stands outside quotes and expansions."""
    pieces = node.children if node.type in ("concatenation", "command_name") else [node]
    return any(piece.type == "word" and b"{" in (piece.text or b"") for piece in pieces)


def _braces(text: str) -> list[str]:
    """`a{b,c}` becomes `ab` and `ac`; more than `MAX_BRACES` words are left as they stand."""
    done, waiting = [], [text]
    while waiting:
        whole = waiting.pop()
        match = _BRACES.search(whole)
        if match is None:
            done.append(whole)
            continue
        options = match[1].split(",")
        waiting += [whole[: match.start()] + option + whole[match.end() :] for option in reversed(options)]
        if len(done) + len(waiting) > MAX_BRACES:
            return [text]
    return done
