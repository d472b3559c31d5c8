"""The lines of code that tell most."""

import re
from collections import Counter
from collections.abc import Sequence, Set
from itertools import takewhile

from tamis.compactors.brief.reading.deeds.call_text import BREAK, GAP, shortened, unended
from tamis.ledger.files.definitions import definition, depth_of
from tamis.text.terms import terms_of

PLAIN, SLIGHT, IMPORT, ASKED, CUT = 0.6, 0.3, 0.1, 0.7, 0.7
"""What a line without any sign counts at most, what part of that beside others, and what one that only takes
something from elsewhere; what a line counts more that has several words of the request; what part of their
weight lines have that begin amid something."""

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
_ENDS_CODE = re.compile(r"[)\]}]{1,6}[:;,]?")
_DRAWN = re.compile(r"[\u2500-\u257f\u25b2-\u25c4]")
REMARK = re.compile(r"(?:#|//|\"\"\"|\*)\s*\w")
_SIGNS = re.compile(rf"{BREAK}|[`…;→]|\b(?:added|removed|put in)(?= `)")
_SLIGHT = re.compile(
    r"(?:import|from|package|use|#include)\b|[\"'][^\"']{0,120}[\"'],?\Z|(?:#|//|\*|/\*|<!--)\s{0,8}\S|\w[\w.]{0,80},\Z"
    r"|\w{1,40}(?:, \w{1,40}){1,12},?\Z"
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
    """All lines where they fit; of more, those that say most and stand one behind another.

    Lines picked here and there are no code that can be read. A gap among the lines ends what is told.
    `beside` are lines that were there before, `about` are words of what was asked for.

    >>> telling_lines(["import re", "def read(path):", "    x", "    return sum(rows)"], "a.py", 46)
    'def read(path): ⏎   x ⏎   return sum(rows)'
    >>> telling_lines(["if path:", "    rows = read(path)", "else:", "    rows = []"], "a.py", 60)
    'if path: ⏎   rows = read(path) ⏎ else: ⏎   rows = []'
    """
    lines = _without_docs(_without_drawings(lines))
    told = [at for at, line in enumerate(lines) if _WORD.search(line)]
    if len(BREAK.join(lines[at].strip() for at in told)) <= room:
        return _closed(_joined(lines, told), lines[told[-1] + 1 :]) if told else ""
    worth = _worths(lines, path, beside, about)
    begins = [n for n, at in enumerate(told) if _begins(lines[at].strip())]
    windows = [own for n in begins if (own := _window(lines, told[n:], _head(lines, told[n], path), room))]
    best = max(windows, key=lambda own: _of_window(lines, own, worth), default=None)
    if best is None:
        return shortened(lines[max(told, key=worth.__getitem__)].strip(), room) if told else ""
    before = (lines[at].strip() for at in told if at < best[0])
    is_cut = any(not (_IMPORTS.match(line) or REMARK.match(line)) for line in before)
    text = GAP.lstrip() * is_cut + _joined(lines, best)
    return unended(text) if best[-1] < told[-1] else text


def _without_drawings(lines: Sequence[str]) -> Sequence[str]:
    """The lines, with a gap in the place of those that a drawing is made of."""
    drawn = [_DRAWN.search(line) is not None for line in lines]
    return [GAP.strip() if is_drawn else line for line, is_drawn in zip(lines, drawn, strict=True)]


def _without_docs(lines: Sequence[str]) -> Sequence[str]:
    """The lines but for what stands in quotes over several of them, where others are left."""
    kept, within = [], False
    for line in lines:
        ends = line.count('"""') % 2 == 1
        if not (within or (ends and line.strip().startswith('"""'))):
            kept.append(line)
        within ^= ends
    return kept if any(map(_WORD.search, kept)) and not within else lines


def _joined(lines: Sequence[str], told: Sequence[int]) -> str:
    """The lines at these positions in one, set in, with a mark where others stand between them."""
    text = ""
    for before, at, line in zip([None, *told], told, set_in([lines[at] for at in told]), strict=False):
        text += "" if before is None else GAP if _has_gap(lines[before + 1 : at]) else BREAK
        text += line
    return text


def _closed(text: str, behind: Sequence[str]) -> str:
    """Code with the line right behind it that is nothing but brackets, where some of its own stand open."""
    is_open = sum(map(text.count, "([{")) > sum(map(text.count, ")]}"))
    ends = behind[0].strip() if behind else ""
    return f"{text}{BREAK}{ends}" if is_open and _ENDS_CODE.fullmatch(ends) else text


def _has_gap(lines: Sequence[str]) -> bool:
    return any(_WORD.search(line) or line.strip("+ ") == GAP.strip() for line in lines)


def _head(lines: Sequence[str], at: int, path: str) -> list[int]:
    """The line, by its position, that names what holds a line: a function, a key of data."""
    depth = 0 if definition(path, lines[at]) else depth_of(lines[at])
    for n in range(at - 1, -1, -1):
        if _WORD.search(lines[n]) and depth_of(lines[n]) < depth:
            if definition(path, lines[n]) or _DATA.match(lines[n].strip()):
                return [n]
            depth = depth_of(lines[n])
    return []


def _window(lines: Sequence[str], told: Sequence[int], head: list[int], room: int) -> list[int]:
    """A head, and the lines that fit, up to a gap; none at the end that opens what is not told."""
    own: list[int] = []
    room -= sum(len(lines[at].strip()) + len(GAP) for at in head)
    for at in told:
        room -= len(lines[at].strip()) + len(BREAK)
        if room < 0 or (own and _has_gap(lines[own[-1] + 1 : at])):
            break
        own.append(at)
    while own and own[-1] != told[-1] and _opens(lines[own[-1]].strip()):
        own.pop()
    return [*head, *own] if own else []


def _begins(line: str) -> bool:
    """Whether what a line says can be made out without the line before it."""
    return not (BRANCH.match(line) or _GOES_ON.match(line))


def _opens(line: str) -> bool:
    return bool(_OPENS.match(line) or BRANCH.fullmatch(line) or _DATA.match(line) or REMARK.match(line))


def _of_window(lines: Sequence[str], own: Sequence[int], worth: Sequence[float]) -> float:
    """What lines are worth together; less, where they begin amid something that ends among them."""
    depths = [depth_of(lines[at]) for at in own]
    return sum(worth[at] for at in own) * (CUT if min(depths) < depths[0] else 1)


def _worths(lines: Sequence[str], path: str, beside: Sequence[str], about: Set[str]) -> list[float]:
    """What each line tells; a line that only hands something on, or says it again, hardly anything."""
    held = [about & {*terms_of(line)} for line in lines] if about else [set[str]()] * len(lines)
    many = Counter(term for own in held for term in own)
    rare = {term for term, n in many.items() if 3 * n <= len(lines) + 2}  # others are what the file is of
    worth, seen = [], {*beside}
    for raw, own in zip(lines, held, strict=True):
        line = raw.strip()
        slight = not _WORD.search(line) or line in seen or HANDS_ON.search(line) or BRANCH.fullmatch(line)
        own_weight = 0.0 if slight else weight(raw, path)
        worth.append(own_weight * (own_weight > PLAIN or SLIGHT) + ASKED * (len(own & rare) > 1))
        seen.add(line)
    return worth


def set_in(lines: Sequence[str]) -> list[str]:
    """The lines of code, each step that sets one in as narrow as it can be seen."""
    depths = [*map(depth_of, lines)]
    steps = {depth: "  " * at for at, depth in enumerate(sorted({*depths}))}
    return [steps[depth] + line.strip() for depth, line in zip(depths, lines, strict=True)]


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


def weight(raw: str, path: str) -> float:
    """What a line of code tells: what it defines or decides, what is left to do, most."""
    line = raw.strip()
    if _IMPORTS.match(line):
        return IMPORT
    if _OPEN.search(line):
        return 2.0  # what is left to do
    if _DATA.match(line):
        return 0.3
    if definition(path, raw) or _PLACE.search(line):
        return PLAIN if STUB.fullmatch(line) else 1.5
    if "assert" in line or _ASSERTS.match(line):
        return 1.6
    if REMARK.match(line) or _PROSE.match(line):
        return 0.9 if len(line) > 25 else 0.6
    if _LOGS.match(line):
        return 0.4
    if _DECIDES.match(line):
        return 1.3
    return 0.8 if _TELLS.search(line) and not _SETS_OUT.search(line) else PLAIN


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
