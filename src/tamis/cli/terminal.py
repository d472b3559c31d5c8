"""Text that a terminal shows and does not obey."""

_BIDIRECTIONAL = (0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_CONTROLS = (*range(0x20), *range(0x7F, 0xA0), *_BIDIRECTIONAL)
"""What a terminal obeys instead of showing it, or shows in another order."""
_AS_TEXT = {code: ascii(chr(code))[1:-1] for code in _CONTROLS if code not in (9, 10)}
_AS_JSON = {code: f"\\u{code:04x}" for code in _CONTROLS if code >= 0x7F}


def visible(text: str) -> str:
    r"""A text of a session's as a terminal may have it: what would move, colour or command it is written out.

    >>> visible("\x1b]0;mine\x07 a title")
    '\\x1b]0;mine\\x07 a title'
    """
    return text.translate(_AS_TEXT)


def visible_json(data: str) -> str:
    r"""JSON with such characters as escapes, so that it still holds the same values.

    >>> visible_json('"\x9b31m"')
    '"\\u009b31m"'
    """
    return data.translate(_AS_JSON)
