"""Names: the exact strings that an agent cannot paraphrase.

A path, an identifier, an error, a number or version, a flag, a URL, a quoted value: an agent that wants to
use one must have it to the letter. They are what hindsight counts and what the index lists.

Text is cut into runs of name characters in one pass, and each distinct run is classified once per process,
so the cost is about that of one regular expression over the text. Classification is by form alone: no
dictionary, no language. Plain words are never names, unless somebody put them in quotes.
"""

import errno
import re
import signal
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Literal, NamedTuple, get_args

from tamis.messages import Media, Message, Part, ToolCall
from tamis.text.file_types import FILE_EXTENSIONS, FILE_NAMES

NameKind = Literal["path", "identifier", "error", "number", "flag", "url", "quoted"]
KINDS: tuple[NameKind, ...] = get_args(NameKind)

MAX_NAME_CHARS = 200
"""Longer runs are blobs (base64, minified code), not names that anybody types."""


MAX_CLASSIFIED = 1 << 17
"""Runs remembered; a session of a million tokens has some twenty thousand."""


class Name(NamedTuple):
    """A name and its kind."""

    kind: NameKind
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundName:
    """A name and where it stands in the text, end exclusive."""

    kind: NameKind
    text: str
    start: int
    end: int


_CHARS = "A-Za-z0-9_./:@+~%$#\u00c0-\u024f\u0370-\u04ff-"  # no CJK: names stand unspaced in Chinese prose
_RUN = re.compile(f"[{_CHARS}]{{3,}}")
_BLANKED = bytes(code if re.match(f"[{_CHARS}]", chr(code)) else ord(" ") for code in range(256))
"""For `bytes.translate`: what no run holds becomes a blank. Splitting there is much faster than `_RUN`."""
_URL = re.compile(r"https?://[^\s\"'`<>()\[\]{}|\\^]+")
_QUOTED = re.compile(r"\"([^\"\n\\]{3,60})\"|`([^`\n]{3,60})`|'([^'\n\\]{3,60})'")
_SINGLE = 3
_STRING_PREFIX = re.compile(r"(?<!\w)[bfruBFRU]{1,2}")
"""Letters that Python allows right before a string's opening mark."""
_VALUE = re.compile(r"\A[\w<$@#/.*~^-](?:.*[\w>%!?.)/*$-])?")
_TEMPLATE = re.compile(r"[{}]|%[sdrvwfq(]|\$\(")
_THOUSANDS = re.compile(r",\d{3}(?:,\d{3})*(?:\.\d+)?(?![\w,])")  # by its comma it is found fast
_BEFORE_THOUSANDS = re.compile(r"(?<![\w.,])[$€£¥]?\d{1,3}$")
_LINE_NUMBERS = re.compile(r"\n[ \t]*\d{1,6}(?=[\t:→│|]|-(?!\d))")
"""The column that `cat -n`, `grep -n` and editors' views put before each line; a position, not a name. Looked
for with the line break in front, as a plain character is found several times faster than a place."""

_FLAG = re.compile(r"--[A-Za-z][A-Za-z0-9_-]*[A-Za-z0-9]")
_URL_TAIL = ".,;:!?*_~"
_SHORT_ESCAPES = re.compile(r"\\[ntrbf]")
_ESCAPES = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})|</[\w:.-]+>")
_VERSION = re.compile(
    r"\A(?:v?\d+(?:\.\d+)+|v?\d+(?:\.\d+){2,}[-+.]?[A-Za-z]+[\w.-]*|v\d+(?:[-.]\w+)*|\d+\.\d+[abr]c?\d+)"
)
_INTEGER = re.compile(r"\$?\d{3,}%?")
_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?(?:T[\d:.+Z-]+)?")
_NUMBERS = (_VERSION, _INTEGER, _DATE)
_ERROR = re.compile(
    r"\A(?:(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Warning|Failure|Fault|Interrupt)"
    r"|[A-Z]{1,5}\d{3,5})"
)
_ERROR_WORDS = frozenset(errno.errorcode.values()) | {s.name for s in signal.Signals}
_IDENTIFIER = re.compile(r"[$@]?[^\W\d]\w*(?:(?:\.|::|#|->)[^\W\d]\w*)*")
_TELLING = re.compile(r"[^\W_]_\w|_[^\W\d_]|[a-z\d][A-Z]|[A-Z][A-Z][a-z]|[A-Za-z]\d")
_CODE = re.compile(r"\A(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*")
_SUBSTITUTION = re.compile(r"\A(?:\d*,?\$?)?[sy]/[^/]*/[^/]*$")
"""`s/old/new`: a command of sed, not a path."""
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}")
_MARKED = re.compile(r"[\d_.@]")
_RECEIVER = re.compile(r"^(?:self|this|cls|super)\.")
_GREP_PLACE = re.compile(r"(\.[A-Za-z]\w{0,5})-\d+$")
"""`io.go-214`: how `grep -C` joins a file and a line number."""
_DOTS_ONLY_WORDS = re.compile(r"\A(?:[A-Z]?[a-z]+\.)+[A-Z][a-z]*")
"""`done.Next`: two sentences without a space between them, not a qualified name."""


def find_names(text: str) -> list[FoundName]:
    """Every name in the text, in order, with its place.

    >>> [(n.kind, n.text) for n in find_names("run pytest -q tests/test_io.py, not test_all --slow")]
    [('path', 'tests/test_io.py'), ('identifier', 'test_all'), ('flag', '--slow')]
    """
    text = _LINE_NUMBERS.sub(lambda m: "\n" + " " * (len(m.group()) - 1), "\n" + _without_escapes(text))[1:]
    found = list(_specials(text))
    for match in _RUN.finditer(text):
        at = match.start()
        for name in _names_of(match.group()):
            at = text.index(name.text, at)
            found.append((at, name))
            at += len(name.text)
    found.sort()
    return [FoundName(kind=n.kind, text=n.text, start=at, end=at + len(n.text)) for at, n in found]


def names_in(text: str) -> set[Name]:
    """The distinct names of a text. The fast way: no places, each distinct run classified once.

    >>> sorted(n.text for n in names_in("see src/app.py, then src/app.py again"))
    ['src/app.py']
    """
    text = _LINE_NUMBERS.sub("\n", "\n" + _without_escapes(text))
    names = {name for _, name in _specials(text)}
    names.update(chain.from_iterable(filter(None, map(_names_of, _distinct_runs(text)))))
    return names


def _distinct_runs(text: str) -> set[str]:
    """The runs of name characters, each once, and perhaps shorter ones, which name nothing."""
    if text.isascii():
        return set(text.encode("ascii").translate(_BLANKED).decode("ascii").split())
    return set(_RUN.findall(text))


def texts_of(part: Part) -> Iterator[str]:
    """The texts in which a part's names stand: for a call its name and the strings among its arguments."""
    if isinstance(part, ToolCall):
        yield part.name
        if part.raw_arguments is not None:
            yield part.raw_arguments
        else:
            yield from _strings(part.arguments)
    elif not isinstance(part, Media):
        yield part.text


def message_names(message: Message, *, parts: Iterable[Part] | None = None) -> set[Name]:
    """The distinct names in a message, or in the given parts of it."""
    names: set[Name] = set()
    for part in message.parts if parts is None else parts:
        for text in texts_of(part):
            names |= names_in(text)
    return names


def stands_in(name: str, text: str) -> bool:
    """Whether the name stands in the text as itself, not as a piece of a longer word.

    A path may be the end of a longer path: who has `src/app/io.py` has `app/io.py`.

    >>> stands_in("io.py", "see src/io.py:12"), stands_in("io.py", "radio.py"), stands_in("8080", "18080")
    (True, False, False)
    """
    at = text.find(name)
    while at >= 0:
        before = text[at - 1] if at else " "
        after = text[at + len(name)] if at + len(name) < len(text) else " "
        if not (_joins(before) and _joins(name[0])) and not (_joins(after) and _joins(name[-1])):
            return True
        at = text.find(name, at + 1)
    return False


def parts_stand_in(name: str, text: str) -> bool:
    """Whether the name stands in the text, or is joined of parts that do: folder and file, class and method.

    >>> parts_stand_in("src/io.py", "in src: io.py, os.py"), parts_stand_in("src/ghost.py", "in src: io.py")
    (True, False)
    >>> parts_stand_in("Till.close", "class Till: def close(self)"), parts_stand_in("Till.open", "a Till")
    (True, False)
    """
    if stands_in(name, text):
        return True
    parts = name.split("/") if "/" in name else name.split(".")
    dotted = len(parts) > 1 and all(len(part) >= _SINGLE and part.isidentifier() for part in parts)
    return ("/" in name or dotted) and all(stands_in(part, text) for part in parts if part)


def classify(run: str) -> tuple[Name, ...]:
    """The names in one run of name characters: usually none or one, more where a colon joins them."""
    if run.isalpha() and (run.islower() or run.istitle()):  # a plain word, as most are
        return (Name("path", run),) if run in FILE_NAMES else ()
    if "://" in run:
        return ()
    names = []
    after_path = False
    for i, piece in enumerate(run.split(":")):
        name = _classify_piece(piece)
        if name is None or len(name.text) > MAX_NAME_CHARS:
            after_path = piece.isdigit()
            continue
        position = name.kind == "number" and (after_path or (i == 0 and ":" in run))
        if not position:  # `io.py:120` and `120:code` are places in a file, `09:30:12.5` is a time
            names.append(name)
        after_path = name.kind == "path" or position
    return tuple(names)


class _Classified(dict[str, tuple[Name, ...]]):
    """The runs that were met before: as quick as `lru_cache`, and without its link for each of very many."""

    def __missing__(self, run: str) -> tuple[Name, ...]:
        if len(self) >= MAX_CLASSIFIED:
            self.clear()
        names = self[run] = classify(run)
        return names


_names_of = _Classified().__getitem__


def _classify_piece(piece: str) -> Name | None:
    if piece.startswith("--") and (flag := _FLAG.match(piece)):
        return Name("flag", flag.group())
    piece = piece.lstrip("-+#%")
    piece = piece.rstrip(".-+~#@$/" if "/" not in piece else ".-+~#@$")
    if len(piece) < 3:
        return None
    if "/" in piece:
        return _classify_path(piece)
    stem, dot, extension = piece.rpartition(".")
    if piece in FILE_NAMES or (dot and stem.strip(".") and extension.lower() in FILE_EXTENSIONS):
        return Name("path", piece)
    if (piece[0] in "v$" or piece[0].isdecimal()) and any(form.fullmatch(piece) for form in _NUMBERS):
        return Name("number", piece)
    if dot:
        piece = _RECEIVER.sub("", piece)
    piece = piece.strip(".@~%#")
    if piece in _ERROR_WORDS or (not piece.islower() and _ERROR.fullmatch(piece)):
        return Name("error", piece)
    if _IDENTIFIER.fullmatch(piece):
        dotted = "." in piece and not _DOTS_ONLY_WORDS.fullmatch(piece) and len(piece) > 4
        if dotted or _TELLING.search(piece) or piece[0] == "$":
            return Name("identifier", piece)
    if len(piece) > 3 and _CODE.fullmatch(piece):
        return Name("identifier", piece)
    return None


def _classify_path(piece: str) -> Name | None:
    if piece[:2] in ("a/", "b/") and piece.count("/") > 1:
        piece = piece[2:]  # the sides of a git diff
    piece = _GREP_PLACE.sub(r"\1", piece)
    body = piece.strip("/.~")
    if "//" in piece or _SUBSTITUTION.match(piece) or not _TWO_LETTERS.search(body):
        return None
    rooted = piece.startswith(("/", "./", "../", "~/")) and len(body) > 2
    last = body.rpartition("/")[2]
    deep = body.count("/") >= 2 or piece.endswith("/")
    if rooted or deep or last.rpartition(".")[2].lower() in FILE_EXTENSIONS or _MARKED.search(body):
        return Name("path", piece.rstrip("/") if len(piece) > 1 else piece)
    return None


def _specials(text: str) -> Iterator[tuple[int, Name]]:
    """Names that hold characters which no run holds: URLs, quoted values, amounts with commas."""
    for match in _URL.finditer(text) if "://" in text else ():
        url = match.group().rstrip(_URL_TAIL)
        if len(url) <= MAX_NAME_CHARS:
            yield match.start(), Name("url", url)
    for start, quoted in _quoted(text):
        if _is_value(quoted):
            yield start, Name("quoted", quoted)
    for match in _THOUSANDS.finditer(text):
        head = _BEFORE_THOUSANDS.search(text, max(0, match.start() - 5), match.start())
        if head:
            yield head.start(), Name("number", text[head.start() : match.end()])


def _quoted(text: str) -> Iterator[tuple[int, str]]:
    """What stands between quotation marks, with its place.

    A single mark inside or at the end of a word is an apostrophe. That is looked at behind the match, as a
    look-behind in front of the alternatives makes the scan several times slower.
    """
    at = 0
    while match := _QUOTED.search(text, at):
        start, at = match.span()
        if match.lastindex == _SINGLE and not (_opens(text, start) and not _joins(text[at : at + 1])):
            at = start + 1
        else:
            yield start + 1, match.group(match.lastindex or 0)


def _opens(text: str, mark: int) -> bool:
    """Whether a single quotation mark opens a string here, and is no apostrophe."""
    if not mark or not _joins(text[mark - 1]):
        return True
    return any(_STRING_PREFIX.fullmatch(text, at, mark) for at in (mark - 1, mark - 2) if at >= 0)


def _without_escapes(text: str) -> str:
    """The text with escapes of quoted code and closing tags as blanks: they hold no letter of a name."""
    if "\\" in text:
        text = _SHORT_ESCAPES.sub("  ", text)
    elif "</" not in text:
        return text
    return _ESCAPES.sub(lambda match: " " * len(match.group()), text)


@lru_cache(maxsize=1024)
def _is_value(quoted: str) -> bool:
    """Whether a quoted string is a value of its own.

    Not what stands between the closing mark of one string and the opening mark of the next, not a template
    with holes to be filled, and not what is already a name of another kind.
    """
    if not _VALUE.fullmatch(quoted) or _TEMPLATE.search(quoted):
        return False
    return not (_RUN.fullmatch(quoted) and _names_of(quoted)) and "://" not in quoted


def _joins(char: str) -> bool:
    """Whether a letter or digit goes on with a word; Chinese and Japanese stand beside names unspaced."""
    return char == "_" or (char.isalnum() and char < "\u2e80")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
