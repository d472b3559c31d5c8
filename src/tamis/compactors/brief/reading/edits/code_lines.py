"""The lines of code that tell most."""

import re
from collections import Counter
from collections.abc import Sequence, Set
from itertools import pairwise, takewhile

from tamis.compactors.brief.reading.deeds.call_text import BREAK, LINE_CHARS, picked, unended
from tamis.ledger.files.definitions import definition, depth_of
from tamis.text.terms import terms_of

PLAIN, TWIN, ASKED = 0.6, 0.3, 0.7
"""What a line without any sign counts, what part of its weight one that stands in the old text, and what a
line counts more that has several words of the request."""

MOST_OPENED = 2
"""Lines that open one another, and are told together."""

_TELLS = re.compile(r"\b(?:raise|if|elif|assert|throw|func|def|class|fn|type(?!\??:)|const)\b|[=(]")
_ASSERTS = re.compile(r"(?:describe|it|test)\([\"'`]|t\.Errorf?\(")
_OPEN = re.compile(r"\b(?:TODO|FIXME)\b")
_DECIDES = re.compile(
    r"\A(?:(?:\}? ?else )?(?:el)?if\b(?!.* err != nil \{)"
    r"|(?:return|raise|throw) .*[\w)\]](?:\(| [^\s\w,{] ?| \w+ \w))"
)
_LOGS = re.compile(r"\A(?:\w+\.)*_?(?:log(?:ger|ging)?|slog|console|warnings|print\w*)\b[.(!]")
STUB = re.compile(r"(?:export )?(?:type|interface|class) \w{1,80}(?:<[^>]{0,80}>)?(?: =)? ?\{")
_PLACE = re.compile(r"= [\"'`][\w.~-]{0,60}/[\w./~-]{2,120}[\"'`]")
"""Where a program puts or takes something."""

_IMPORTS = re.compile(r"(?:import|from|package|use|#include)\b")
_PROSE = re.compile(r"\A(?:[A-Z][a-z]{1,30} \w{1,30} [a-z]{1,30} |\w{1,40} (?:is|are) (?:the|an?) )")
"""Begins a sentence: of a docstring, as a rule."""
_WORD = re.compile(r"\w")
_WORDS = re.compile(r"\w+|\W")
REMARK = re.compile(r"(?:#|//|\"\"\"|\*)\s*\w")
_RECORD = re.compile(r"[\"'][^\"'\n]{1,120}[\"'] ?: ?[{\[(]")
"""Begins a record of data that is told elsewhere, or not at all."""
_SIGNS = re.compile(rf"{BREAK}|[`…;→]|\b(?:added|removed|put in)(?= `)")
_SLIGHT = re.compile(
    r"(?:import|from|package|use|#include)\b|[\"'][^\"']{0,120}[\"'],?\Z|(?:#|//|\*|/\*|<!--)\s{0,8}\S|\w[\w.]{0,80},\Z"
)
HANDS_ON = re.compile(
    r"\A(?:\}? ?else )?if err != nil\b|%w[\"`]|\A(?:\} ?)?catch ?(?:\(\w{1,30}\) ?)?\{"
    r"|\A(?:return|throw|panic|t\.(?:Fatal|Error)f?)\b.{0,200}\berr\b\)?;?\Z"
    r"|\Aexcept(?: Exception(?: as \w{1,30})?)?:"
)
"""Only hands on that something failed."""
_SETS_OUT = re.compile(r", err :?= |= (?:\[\]|\{\}|\"\"|''|0|None|null|nil|false|False);?\Z")
"""Gives a name a first value, or takes an error along."""
BRANCH = re.compile(r"\}? ?(?:else|finally|try) ?[:{]")
_OPENS = re.compile(
    r"\A(?!.* err != nil \{)(?:(?:\}? ?else )?(?:el)?if|for|while|with|switch|match|case|except|\}? ?catch)\b"
    r".{0,300}(?:[:{]|\bthen)\Z"
)
"""Says when something is done, which stands on the next line."""
_DATA = re.compile(r"\A[^()]{1,120}(?:=|:) ?[^\s=>]{0,80}[(\[{]{1,3}\Z")
"""Begins a value of several lines."""
_GOES_ON = re.compile(r"\A(?:\??\.\w|&&|\|\||[?:] |(?:and|or) )")
"""Goes on with the line before."""


def telling_lines(
    lines: Sequence[str], path: str, room: int, beside: Sequence[str] = (), about: Set[str] = frozenset()
) -> str:
    """The lines that say most, in their order: definitions, assertions, conditions, remarks that say why.

    A line stands under the head of what holds it, or not at all. `about` are words of what was asked for.

    >>> telling_lines(["import re", "def read(path):", "    x", "    return sum(rows)"], "a.py", 40)
    'def read(path): …   return sum(rows)'
    >>> telling_lines(["if path:", "    rows = read(path)", "else:", "    rows = []"], "a.py", 60)
    'if path: ⏎   rows = read(path) ⏎ else: ⏎   rows = []'
    """
    told = [at for at, line in enumerate(lines) if _WORD.search(line)]
    words = [lines[at].strip() for at in told]
    if len(BREAK.join(words)) <= room and len(words) == len(set(words)):
        return picked(lines, told, level=set_in)  # `else:` tells where all is told
    units: list[str] = []
    for raw in lines:
        if units and BRANCH.fullmatch(units[-1].strip()):
            units[-1] += f" {raw.strip()}"  # without it, the one would undo the other
        else:
            units.append(raw)
    fresh = {line: at for at, line in reversed([*enumerate(map(str.strip, units))]) if _WORD.search(line)}
    weighed = [
        (-weight, at)
        for line, at in fresh.items()
        if not (BRANCH.fullmatch(line) or _RECORD.fullmatch(line) or HANDS_ON.search(line))
        if not _GOES_ON.match(line)
        if len(line)
        >= (6 if (weight := _weight(units[at], line, path) * TWIN ** (line in beside)) > PLAIN else 12)
    ]
    if about:  # a word that most lines have is what the file is of
        held = {at: about & {*terms_of(units[at])} for _, at in weighed}
        many = Counter(term for own in held.values() for term in own)
        rare = {term for term, n in many.items() if 3 * n <= len(held) + 2}
        weighed = [(weight - ASKED * (len(held[at] & rare) > 1), at) for weight, at in weighed]
    kept: set[int] = set()
    heads = _heads(units, path)
    for weight, at in sorted(weighed):
        if kept and -weight < PLAIN:
            break
        for own in ([*heads[at], *_with_body(units, at)], [*heads[at], at]):
            size = sum(min(len(units[n].strip()), LINE_CHARS) + 3 for n in own if n not in kept)
            if size <= room:
                room -= size
                kept.update(own)
                break
    for before, at in pairwise(at for at, line in enumerate(units) if _WORD.search(line)):
        if units[at].lstrip("} ").startswith(("else:", "else {")) and before not in kept:
            kept.discard(at)  # of what it is the other branch is not told
    while len(kept) > 1 and _OPENS.match(units[max(kept)].strip()):
        kept.remove(max(kept))  # it opens what is not told
    more = bool(kept) and any(map(_WORD.search, units[max(kept) + 1 :]))
    head = (unit.strip() for unit in units[: min(kept, default=0)])
    cut = any(_WORD.search(line) and not (_IMPORTS.match(line) or REMARK.match(line)) for line in head)
    return "… " * cut + (unended if more else str)(picked(units, sorted(kept), level=set_in))


def set_in(lines: Sequence[str]) -> list[str]:
    """The lines of code, each step that sets one in as narrow as it can be seen."""
    depths = [*map(depth_of, lines)]
    steps = {depth: "  " * at for at, depth in enumerate(sorted({*depths}))}
    return [steps[depth] + line.strip() for depth, line in zip(depths, lines, strict=True)]


def _heads(units: Sequence[str], path: str) -> list[tuple[int, ...]]:
    """Of each line those without which it would read as of something else: the function, the keys above."""
    heads: list[tuple[int, ...]] = []
    above: list[tuple[int, tuple[int, ...]]] = []  # what may hold the next line: how far set in, its lines
    for at, line in enumerate(units):
        while above and _WORD.search(line) and above[-1][0] >= depth_of(line):
            above.pop()
        own = above[-1][1] if above else ()
        defines = definition(path, line) is not None
        heads.append(() if defines else own)
        is_key = _DATA.match(line.strip()) or (path[-4:] in (".yml", "yaml") and line.rstrip().endswith(":"))
        if defines or is_key:
            above.append((depth_of(line), (at,) if defines else (*own, at)))
    return heads


def _with_body(units: Sequence[str], at: int) -> list[int]:
    """A line by its position, with those that it opens and without which it says nothing.

    >>> _with_body(["if rows:", "    # all", "    count()"], 0)
    [0, 2]
    """
    own = [at]
    while len(own) <= MOST_OPENED and _OPENS.match(units[own[-1]].strip()):
        says = (n for n in range(own[-1] + 1, len(units)) if _WORD.search(units[n]))
        behind = next((n for n in says if not REMARK.match(units[n].strip())), None)
        if behind is None:
            break
        own.append(behind)
    return own


def particular(text: str, known: Set[str]) -> str:
    r"""The text of a new file, with a gap for each line that was seen elsewhere before.

    >>> particular("import re\nSOURCE = 'mill'", {"import re"})
    "+…\nSOURCE = 'mill'"
    """
    return "\n".join("+…" if line.lstrip("+").strip() in known else line for line in text.splitlines())


def unfenced(text: str) -> list[str | None]:
    r"""The lines of a text in Markdown; none stands for a block of code.

    >>> unfenced("# Plan\n```sh\nmake\n```\nDone.")
    ['# Plan', None, 'Done.']
    """
    lines: list[str | None] = []
    inside = False
    for line in text.splitlines():
        fence = line.lstrip().startswith("```")
        lines += [None] if fence and not inside else [] if fence or inside else [line]
        inside ^= fence
    return lines


def _weight(raw: str, line: str, path: str) -> float:
    if _IMPORTS.match(line):
        return 0.1
    if _OPEN.search(line):
        return 2.0  # what is left to do
    if _DATA.match(line):
        return 0.3
    if definition(path, raw) or _PLACE.search(line):
        return PLAIN if STUB.fullmatch(line) else 2.0
    if "assert" in line or _ASSERTS.match(line):
        return 1.6
    if REMARK.match(line) or _PROSE.match(line):
        return 0.9 if len(line) > 25 else 0.6
    if _LOGS.match(line):
        return 0.4
    if _DECIDES.match(line):
        return 1.3
    return 1.0 if _TELLS.search(line) and not _SETS_OUT.search(line) else PLAIN


def is_slight(hunk: str) -> bool:
    """Whether an edit, as it is told, only brings in names or remarks, or puts a string into a list.

    >>> is_slight('added `"strings"`'), is_slight("`# old` → `# new`"), is_slight("added `limit = 9`")
    (True, True, False)
    """
    lines = [line.strip() for line in _SIGNS.split(hunk)]
    return all(_SLIGHT.match(line) for line in lines if line)


def differing(old: str, new: str) -> tuple[str, str]:
    """What of a line came in the place of what, in whole words.

    >>> differing("a = read_row(1)", "a = load_row(1)")
    ('…read_row…', '…load_row…')
    """
    a, b = map(_WORDS.findall, (old, new))
    head = shared(a, b)
    tail = shared(a[head:][::-1], b[head:][::-1])
    before, after = ("".join(text[head : len(text) - tail]) for text in (a, b))
    return f"…{before}…", f"…{after}…"


def shared(a: Sequence[str], b: Sequence[str]) -> int:
    """How much two have in common from their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
