"""Words as the full-text index takes them, and the place in a text that shows why it was found.

SQLite's own tokenizer knows words between blanks. Scripts that write without blanks (Chinese, Japanese, Thai
and others) are handed to it character by character, and a run of them is looked for as a phrase, so that a
word of any length is found.
"""

import re

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u31f0-\u31ff"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\uac00-\ud7af"  # Hangul: with blanks, but its words take endings
)
_UNSPACED = re.compile(f"([{UNSPACED}])")
_WORD = re.compile(r"\w+")

SNIPPET_CHARS = 240


def spread(text: str) -> str:
    """The text with a blank on both sides of every character of a script without blanks.

    >>> spread("port 端口 8080").split()
    ['port', '端', '口', '8080']
    """
    return _UNSPACED.sub(r" \1 ", text.encode("utf-8", "replace").decode("utf-8").replace("\0", " "))


def phrases(words: str) -> list[str]:
    """What is looked for, as phrases of the index's query language, quoted, so that none is an operator.

    >>> phrases('src/io.py OR "端口"')
    ['"src/io.py"', '"OR"', '"端  口"']
    """
    spreads = (spread(word.replace('"', " ")).strip() for word in words.split())
    return [f'"{phrase}"' for phrase in spreads if _WORD.search(phrase)]


def snippet(text: str, words: str, size: int = SNIPPET_CHARS) -> str:
    """A line of the text around the first of the words that stands in it; its beginning where none does.

    >>> snippet("a " * 200 + "the port is 8080 " + "b " * 200, "port", size=20)
    '… a the port is 8080 b …'
    """
    folded = text.lower()
    candidates = [word.strip("\"'") for word in words.lower().split()]
    candidates += [piece for word in candidates for piece in _WORD.findall(word)]
    at = next((place for word in candidates if word and (place := folded.find(word)) >= 0), 0)
    start = max(0, at - size // 3)
    end = min(len(text), start + size)
    if start and (blank := text.rfind(" ", max(0, start - 20), start)) >= 0:
        start = blank + 1
    if end < len(text) and (blank := text.find(" ", end, end + 20)) >= 0:
        end = blank
    line = " ".join(text[start:end].split())
    return f"{'… ' if start else ''}{line}{' …' if end < len(text) else ''}"
