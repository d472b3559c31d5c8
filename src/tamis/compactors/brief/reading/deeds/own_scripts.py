"""What a script of the agent's found: its output without what it prints however the run comes out."""

import re
import sys
from collections.abc import Iterator, Sequence, Set
from itertools import groupby

from tamis.compactors.brief.reading.deeds.call_text import BREAK, GAP, SAYS, is_trouble
from tamis.ledger.shell.programs import started

_PRINTS = re.compile(
    r"(?m)^(?P<depth>[ \t]{0,80})(?:print|puts|echo|console\.log|println!|fmt\.Println)[ (]{1,2}[frFR]?"
    r"(?:(?P<long>\"{3}|'{3})(?P<body>(?:(?!(?P=long)).){0,4000})(?P=long)"
    r"|(?P<quote>[\"'`])(?P<text>(?:\\.|(?!(?P=quote))[^\\\n]){1,400})(?P=quote))(?P<end>\)?;?[ \t]{0,9}$)?",
    re.DOTALL,
)
"""A statement that prints a string; one that has no `end` prints more."""

_LABEL = re.compile(r"[^:=\d]{1,60}[:=]")
_DIGITS = re.compile(r"\d++")
SCRIPT_CHARS, ABOVE_CHARS = 20_000, 4000
LEAST_CASES, MOST_CASES, ENDING_CHARS = 3, 12, 24
_VALUE = re.compile(r"[{$]\S|%[-\d.]{0,6}[sdrfgx]")
_BRANCH = re.compile(r"[}\s]{0,9}(?:if|elif|else|try|except|catch|finally|case|then)\b(?! __name__)")
_ASSERTS = re.compile(r"\b(?:assert|raise|throw|exit|set -e)")
_EXPECTS = re.compile(r"(?i)\W{0,40}expect")
_VERDICT = re.compile(r"(?is)\A(?!.*\bshould\b).*(?:\bpass|\bsucce|\bok\b|\bwork|[✓✔✅])")


_RUNS = re.compile(
    r"python[\d.]{0,5}|pypy3?|node(?:js)?|bun|deno|tsx|ts-node|run|ruby|perl|php|Rscript|julia|lua|java|swift"
    r"|(?:ba|da|k|z|fi)?sh|pwsh|source|\."
)
"""Runs the file that it is given."""

HELP_TEXT = "only a help text"
FIXED_TEXT = "only text written in the script"
NOT_THE_WORK = "runs nothing of the work"
"""What is said of a script that shows nothing of what it was written for."""

_IMPORTS = re.compile(r"(?m)^[ \t]{0,40}(?:from|import)[ \t]{1,9}(\.{0,3}\w{0,80})")
_STARTS = re.compile(r"\b(?:subprocess|runpy|importlib|os\.system|exec|eval|__import__|pytest)\b")
_PRINTED = re.compile(r"(?m)^print\(")
_READS = re.compile(r"\b(?:open|read_text|read_bytes|connect|urlopen|argv|stdin|input)\b")
_STRINGS = re.compile(
    r"#[^\n]*|(?P<long>\"{3}|'{3}).*?(?P=long)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL
)
_CALLS = re.compile(r"\b(\w{1,60})\(")
_DOES = re.compile(r"(?m)\b(?:def|class|import|for|while|with|lambda)\b|\bf''")
_AT_IMPORT = re.compile(
    r"(?m)^Traceback \(most recent[^\n]*\n  File \"[^\"\n]{1,300}\", line \d+, in <module>\n"
    r"    (?:from|import) "
)
_LACKS = re.compile(r"(?m)^(?:ImportError|ModuleNotFoundError): ")
ASSERTS = re.compile(r"(?i)assert|\bexpect\(|\braises?\b|\bfail\(|\bexit\b|\bthrow\b")
MOCKS = re.compile(r"\b(?:[Mm]ock|[Ss]imulat|[Ff]ake|[Ss]tub)")
"""Says of a script that it makes up what it tries."""

WELL = re.compile(
    r"(?i)\bpass(?:ed|es)?\b|succe|\bok\b|\bworks?\b|\bfix(?:ed)?\b|[✓✔✅]|\b(?:no|0) errors?\b|\bcorrect"
)


def beside_work(script: str, told: str) -> str:
    r"""What there is to add to what a script printed that loads only what Python brings along.

    One that reads something is so only where it tells of success: what it reads may be what the work made.

    >>> beside_work("import re\nprint('passed')", "passed"), beside_work("import rows", "passed")
    (' (runs nothing of the work)', '')
    """
    names = _IMPORTS.findall(script) if len(script) <= SCRIPT_CHARS else ["?"]
    is_python = bool(names) or _PRINTED.search(script) is not None
    alone = all(name in sys.stdlib_module_names for name in names) and _STARTS.search(script) is None
    shows = (names and WELL.search(told)) or not _READS.search(_STRINGS.sub("", script))
    return f" ({NOT_THE_WORK})" * (is_python and alone and bool(shows))


def recites(script: str) -> bool:
    r"""Whether a script in Python does nothing but print what is written in it.

    >>> recites("note = 'rows'\nprint(note)\nprint('=' * 9)"), recites("print(1 + rows('a'))")
    (True, False)
    """
    code = _STRINGS.sub("''", script[:SCRIPT_CHARS])
    calls = {*_CALLS.findall(code)}
    return calls == {"print"} and _DOES.search(code) is None and _PRINTED.search(script) is not None


def how_far(script: str, output: str) -> str:
    """What there is to add to the error of a script that came before it, or another, did anything."""
    at_import = script and _AT_IMPORT.match(output) and not _LACKS.search(output)
    return " (stopped at its imports: it tried nothing)" if at_import else ""


def runs_one(command: str, names: Set[str]) -> bool:
    """Whether a command runs a file of one of these names: as the program, or as an interpreter's argument.

    >>> runs_one("go build -o shop", {"shop"}), runs_one("MODE=2 ./shop", {"shop"})
    (False, True)
    """
    for words in started(command):
        own = [word.rpartition("/")[2] or word for word in words]
        at = next((n for n, word in enumerate(own) if _RUNS.fullmatch(word)), len(own))
        given = own[at + 1 :] if own[at + 1 : at + 2] not in (["-m"], ["-c"], ["-e"], ["-n"]) else []
        files = (word for word in given if word in names or "." in word[1:])
        if not names.isdisjoint((*own[:1], next(files, ""))):
            return True
    return False


def computed(output: str, script: str) -> str:
    r"""An output without what the script that printed it says in any case: its headings only with values.

    >>> computed("Rows:\n\nrows: 3\n\nAll is well\n", "print('Rows:')\nprint('All is well')")
    'rows: 3'
    >>> computed("rows: 3\n\nOdd ones:\n\nsacks: 2", "print('Odd ones:')")
    'rows: 3\n\n…\n\nsacks: 2'
    """
    fixed = {*_fixed(script)} if script else set()
    if not fixed:
        return output
    told, mark = list[str](), GAP.strip()
    for says, part in groupby(output.splitlines(), key=lambda line: SAYS.search(line) is not None):
        lines, is_cut = [*part], False
        while says and lines and lines[-1].strip() in fixed and not _EXPECTS.match(lines[-1]):
            del lines[-1]
            is_cut = True
        told += [*lines, *[mark] * (is_cut and mark not in told[-2:] + lines)]
    own = [at for at, line in enumerate(told) if SAYS.search(line) and line != mark] or [0]
    told = [line for at, line in enumerate(told) if line != mark or own[0] < at < own[-1]]
    return "\n".join(told).strip("\n")


def cases(output: str, most: int) -> str:
    r"""What was printed for each of several cases, by what is printed of all: no case is left out.

    >>> cases("in: 1\nout = 2 rows\n\nin: 2\nout = 4 rows\n\nin: 3\nout = oh rows", 60)
    'in: 1 | 2 | 3 ⏎ out = 2 | 4 | oh … rows'
    """
    lines = [
        " ".join(line.split()) for line in output.splitlines() if SAYS.search(line) and line != GAP.strip()
    ]
    rows: dict[str, list[str]] = {}
    for line in lines:
        label = _LABEL.match(line)
        rows.setdefault(label[0] if label else _DIGITS.sub("0", line), []).append(line)
    many = max(map(len, rows.values()), default=0)
    rest = [line for row in rows.values() if len(row) < many for line in row]
    told = BREAK.join(_in_row(row) for row in rows.values() if len(row) == many)
    fits = LEAST_CASES <= many <= MOST_CASES and len(told) <= most and not any(map(is_trouble, rest))
    fits = fits and lines[-1] not in rest
    return told if fits and 2 * many * told.count(BREAK) + 2 * many >= len(lines) else ""


def _in_row(lines: Sequence[str]) -> str:
    """The lines in one, with what all of them begin and end with once."""
    if len({*lines}) == 1:
        return f"{lines[0]} ({len(lines)} times)"
    words = [line.split(" ") for line in lines]
    least = min(map(len, words))
    same = next((n for n in range(least) if len({row[n] for row in words}) > 1), least - 1)
    ends = next((n for n in range(least - same) if len({row[-1 - n] for row in words}) > 1), least - same - 1)
    values = [" ".join(row[same : len(row) - ends]) for row in words]
    end = " ".join(["", "…", *words[0][-ends:]]) if ends else ""
    return " ".join([*words[0][:same], " | ".join(values)]) + (end if len(end) <= ENDING_CHARS else " …")


def _fixed(script: str) -> Iterator[str]:
    """The lines that a script prints whatever it finds: of those that hang on a condition not the first."""
    asserts, end = _ASSERTS.search(script), -1
    for found in _PRINTS.finditer(script[:SCRIPT_CHARS]):
        text = found["body"] or found["text"] or ""
        follows = end >= 0 and not script[end : found.start()].strip()
        end = found.end() if found["end"] is not None else script.find("\n", found.end())
        if _VALUE.search(text) or found["end"] is None:
            continue
        hangs, is_verdict = _hangs(script, found.start(), len(found["depth"])), _VERDICT.search(text)
        asserted = asserts and asserts.start() < found.start()
        if not (is_verdict and asserted if not hangs else is_verdict or not follows):
            yield from map(str.strip, re.split(r"\\n|\n", text))


def _hangs(script: str, at: int, depth: int) -> bool:
    """Whether the line at a place is reached on a condition only."""
    for line in reversed(script[max(0, at - ABOVE_CHARS) : at].splitlines()):
        own = len(line) - len(line.lstrip())
        if line.rstrip().endswith(("&&", "||")):
            return True
        if line.strip() and own < depth:
            if _BRANCH.match(line.strip()):
                return True
            depth = own
    return False
