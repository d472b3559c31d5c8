"""Taking here-documents out of a script, so that what is left parses as plain commands.

The grammar of the parser nests whatever follows `<<EOF` on its line inside the redirection. Each
here-document is replaced by `< NAME`; the body is handed back beside the script, under that name.
"""

import re
from bisect import bisect_left

from tree_sitter import Node

from tamis.ledger.shell.bash_tree import from_source, parse_bash, to_source

_OPENS = re.compile(r"(?<!<)<<-?[ \t]*\\?['\"]?(?P<mark>\w+)")
_FIRST_WORD = re.compile(r"\A\s*(\w+)")


def lift_heredocs(text: str) -> tuple[bytes, dict[str, str]]:
    r"""The script as bytes with stand-in files for its here-documents, and each stand-in's text.

    >>> lift_heredocs("cat > a <<'EOF' && ls\nhi\nEOF\npwd")
    (b'cat > a < __HEREDOC_0__ && ls\npwd', {'__HEREDOC_0__': 'hi\n'})
    """
    source = to_source(text)
    bodies: dict[str, str] = {}
    if b"<<" not in source:
        return source, bodies
    cuts: list[tuple[int, int, bytes]] = []
    for node in _heredocs(parse_bash(source)):
        start = next((c for c in node.children if c.type == "heredoc_start"), None)
        operator = next((c for c in node.children if c.type in ("<<", "<<-")), None)
        end = next((c for c in node.children if c.type == "heredoc_end"), None)
        if start is None or operator is None:
            continue
        name = f"__HEREDOC_{len(bodies)}__"
        opening = source.find(b"\n", start.end_byte)
        if cuts and opening < cuts[-1][1]:  # a second here-document on the same line begins behind the first
            opening = cuts[-1][1] - 1
        delimiter = re.sub(rb"['\"\\]", b"", source[start.start_byte : start.end_byte])
        closing = end.start_byte if end is not None else _closing(source, opening, delimiter)
        body = source[opening + 1 : closing] if opening >= 0 else b""
        if operator.type == "<<-":
            body = re.sub(rb"(?m)^\t+", b"", body)
        bodies[name] = from_source(body)
        cuts.append((operator.start_byte, start.end_byte, b"< " + name.encode()))
        if opening >= 0:
            line_end = source.find(b"\n", closing)
            cuts.append((opening + 1, len(source) if line_end < 0 else line_end + 1, b""))
    for start_byte, end_byte, new in sorted(cuts, reverse=True):
        source = source[:start_byte] + new + source[end_byte:]
    return source, bodies


def _heredocs(root: Node) -> list[Node]:
    found, stack = [], [root]
    while stack:
        node = stack.pop()
        if node.type == "heredoc_redirect":
            found.append(node)
        stack.extend(node.children)
    return sorted(found, key=lambda node: node.start_byte)


def _closing(source: bytes, opening: int, delimiter: bytes) -> int:
    match = re.compile(rb"(?m)^\t*" + re.escape(delimiter) + rb"[ \t]*$").search(source, opening + 1)
    return match.start() if match else len(source)


def cut_heredocs(text: str, sign: str = "<<") -> tuple[str, list[str]]:
    r"""A text with `sign` for each here-document that ends in it, and what those hold; it may be no script.

    >>> cut_heredocs("git commit -F - <<'EOF'\nWhy\nEOF\ngit push")
    ('git commit -F - <<\ngit push', ['Why'])
    """
    if "<<" not in text:
        return text, []
    lines = text.split("\n")
    beginning: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        if word := _FIRST_WORD.match(line):
            beginning.setdefault(word[1], []).append(number)
    left, bodies, at, line = [], [], 0, lines[0]
    while at < len(lines):
        for opening in _OPENS.finditer(line):
            ends = beginning.get(opening["mark"], [])
            place = bisect_left(ends, at + 2)  # the word on the very next line would end nothing
            if place < len(ends):
                bodies.append("\n".join(lines[at + 1 : ends[place]]).rstrip())
                at = ends[place]
                left.append(line[: opening.start()] + sign)
                line = lines[at].lstrip().removeprefix(opening["mark"])
                break
        else:
            left.append(line + "\n")
            at += 1
            line = lines[at] if at < len(lines) else ""
    return "".join(left)[:-1], bodies
