"""What the programs in a script are for: which only read, which only prepare, which do the work."""

import hashlib
import re
import shlex
from collections.abc import Iterator
from itertools import pairwise

from tamis.ledger.files.paths import resolve
from tamis.ledger.shell.heredocs import cut_heredocs
from tamis.ledger.shell.parser import SimpleCommand, parse_script
from tamis.ledger.shell.wrapper_commands import started_by
from tamis.text.cues.phrases import word_set

READING = word_set("""
    ag awk bat batcat cat column cut diff egrep fd fgrep file find grep head hexdump jq less ls more nl od
    pwd rg sed sort stat strings tac tail tee tree tr type uniq wc which xargs xxd zcat
""")
"""Programs that print what others wrote: an error message in their output is a quotation."""

READING_GIT = frozenset({"blame", "branch", "diff", "grep", "log", "ls-files", "ls-tree", "show", "status"})

PREPARING = word_set("""
    cd chmod clear cp echo export mkdir mv printf pushd popd rm set sleep source . touch true : ulimit unset
    wait
""")
"""Programs that set the scene for the one that matters."""

WRAPPERS = frozenset({"command", "env", "exec", "nice", "nohup", "stdbuf", "sudo", "time", "timeout"})
"""Programs that run another; their own options and numbers stand before it."""

LOG_ENDINGS = (".log", ".out", ".err", ".txt")
"""Who reads one of these sees what a program printed after all."""

MAX_SUBJECT_CHARS = 200

MAX_NESTING = 4
"""How deep `bash -c "docker exec web ..."` is followed."""

_LINE_END = re.compile(r"('[^']*'|\"[^\"]*\")|(?<![\s;&|\\\\])[ \t]{0,9}\n\s{0,200}")
"""Where one command of a script ends without a sign; what stands in quotes is one word."""

_REMARK = re.compile(r"\A(?:#[^\n]{0,300}\n\s{0,80}){1,9}")
_PLAIN = re.compile(r"[^\s'\"\\$`|&;<>()]+")
_CHECKS = re.compile(
    r"\b(?:py\.?test|unittest|runtests|tox|nox|jest|vitest|mocha|playwright|cypress|rspec|phpunit|ctest|make"
    r"|golangci-lint|eslint|ninja|mvn|gradlew?|biome|ruff|mypy|pyright|flake8|pylint|tsc|tsgo|shellcheck|pre-commit|py_compile"
    r"|(?:go|cargo) (?:test|check|build|clippy|nextest|vet))\b"
    r"|(?<![\w/.])(?:test|tests|check|lint|build|typecheck|type-check|verify)(?![\w/.])"
    r"|\Agh (?:run (?:watch|view)|pr checks)\b"
)
_NO_CHECK = frozenset(word_set("apt apt-get brew curl git ls pip pip3 rsync test vi vim wget"))
_INSTALLS = frozenset(
    {"i", "add", "ci", "install", "lock", "remove", "sync", "uninstall", "update", "upgrade"}
)
_PLACES = re.compile(r"\A\w{1,20}PATH=")
"""Variables that say where a run finds what: it is told by them, and is the same run without."""

_SCENE = re.compile(
    r"\A(?:CI|\w{0,20}(?:COLOR|PAGER|PATH)|TERM|LANG|LC_\w{1,20}|GIT_\w{1,40}|DEBIAN_FRONTEND|PYTHON\w{1,40}|COLUMNS|HOME)="
)
"""Variables that a run is not told by."""

_ASSIGNS = re.compile(r"\A[A-Za-z_]\w{0,80}=")

_SIFTING = (["grep"], ["egrep"], ["fgrep"], ["rg"])
_SIFTS = re.compile(r"-[a-zA-Z]{0,9}[vc][a-zA-Z]{0,9}|--(?:count|invert-match)")
_FETCHES = re.compile(r"\A(?:curl|wget|gh|docker|kubectl|ps|journalctl|strings|nm)\b")
"""Prints what is elsewhere: what is sought in it is the step."""

_ASKS = frozenset({"--help", "--version"})
_SCRIPT = re.compile(
    r"\A(?:(?:python[\d.]*|pypy3?|node|bun(?: run)?|deno run|tsx|ts-node|php|perl|ruby|Rscript|bash|sh|zsh)"
    r" (?:-[umB] )?(?!-|(?:install|add|i|remove|update)\b)\S|(?:go|cargo|dotnet|swift) run\b|java -jar\b"
    r"|\./\S|\S{1,200}\.(?:sh|py)(?: |\Z)|python[\d.]* -\Z)"
)


def only_reads(command: str, cwd: str | None) -> bool:
    """Whether a command line prints nothing but what stands in files.

    >>> only_reads("cd src && grep -rn 'error:' . | head", None), only_reads("cat build.log", None)
    (True, False)
    """
    commands = [words for words in map(_words, _outer(command, cwd)) if words]
    return any(_reads(words) for words in commands) and all(
        words[0] in PREPARING or _reads(words) for words in commands
    )


def run_subject(command: str, cwd: str | None, *, placed: bool = False) -> str:
    r"""What a command line is a run of, however it was prepared, and however its output was trimmed.

    A long one is cut, and a hash keeps it apart from others; `placed` is to be read: it is whole, with such
    variables as `PYTHONPATH`, and what lets through some of what was printed by no test or check.

    >>> run_subject("cd /repo && CI=1 timeout 60 pytest  -q tests 2>&1 | tail -20", "/repo")
    'pytest -q tests'
    >>> run_subject("cat > a.py <<'E'\nprint(1)\nE\npython a.py; echo $?", "/repo")
    'python a.py'
    >>> run_subject("pytest -q && git commit -am Done && git push", None)
    'pytest -q'
    >>> run_subject("time MODE=2 ./till > /dev/null", None)
    'MODE=2 ./till'
    >>> run_subject("curl -s x.org/map 2>&1 | rg /docs | head -5", None, placed=True)
    'curl -s x.org/map 2>&1 | rg /docs'
    """
    keyed = str if placed else _cut
    commands = [(words, c) for c in _outer(command, cwd) if (words := _words(c))]
    work = [(words, c) for words, c in commands if words[0] not in PREPARING and not _trims(words)]
    # What is committed or posted beside a run is told by itself.
    work = [(words, c) for words, c in work if not _keeps_versions(words)] or work
    if not work:
        return keyed(in_one_line(cut_heredocs(command, "<<…")[0] if placed else command))
    folder = work[0][1].cwd
    moved = folder is not None and folder != (resolve(cwd) if cwd else cwd)
    lines = [f"cd {folder}"] if moved else []
    lines += [
        " ".join(
            [*_settings(c, placed=placed), *_gatherer(c), *map(_quoted, words), *_fed_by(c, placed=placed)]
        )
        for words, c in work
    ]
    told = [c for _, c in work]
    for before, c in pairwise(_outer(command, cwd) if placed else ()):
        if c.fed and c in told and c.name != "xargs":  # without what feeds it, it is another run
            at = told.index(c) - len(told)
            lines[at] = f"{'|' if before in told else '… |'} {lines[at]}"
    sifted = _sifted(command, cwd, told[0]) if placed and len(work) == 1 else []
    lines[-1] += " 2>&1" * ("2>&1" in command and bool(sifted))
    return keyed(" | ".join([" && ".join(lines).replace(" && | ", " | "), *sifted]))


def in_one_line(script: str) -> str:
    r"""A script in one line, without the remark that it begins with; what stands in quotes is one word.

    >>> in_one_line("cd a\nsql 'one\n two'")
    "cd a; sql 'one two'"
    """
    return " ".join(_LINE_END.sub(lambda found: found[1] or "; ", _REMARK.sub("", script.strip())).split())


def _fed_by(command: SimpleCommand, *, placed: bool) -> list[str]:
    """The file that a command is given to read, where that is to be read."""
    return [f"< {r.target.text}" for r in command.redirects if placed and r.operator == "<"]


def _sifted(command: str, cwd: str | None, work: SimpleCommand) -> list[str]:
    """What lets through some of an output, or counts it: what is printed then is another thing."""
    found = []
    fetches = _FETCHES.match(command.strip()) is not None or not is_named_check(command)
    of_work = False
    for c in _outer(command, cwd):
        words, of_work = _words(c), c == work or (of_work and c.fed)
        told = (b for a, b in pairwise(words) if not (b.isdigit() and a[:1] == "-"))  # `-A 2`
        plain = sum(not word.startswith("-") for word in told)
        counts = words[:1] == ["wc"] and not plain
        sifts = words[:1] in _SIFTING and plain == 1
        if of_work and (counts or (sifts and (fetches or any(map(_SIFTS.fullmatch, words))))):
            found.append(" ".join(map(_quoted, words)))
    return found


def _outer(command: str, cwd: str | None) -> list[SimpleCommand]:
    """The commands of a line without those that only give others their words, unless there are no others."""
    commands = parse_script(command, cwd).commands
    return [c for c in commands if not c.inner] or list(commands)


def _settings(command: SimpleCommand, *, placed: bool) -> list[str]:
    """The variables that are set for a command and make it another run; not those that only set the scene."""
    before = len(command.argv) - len(_words(command))  # `time`, `env` and others are given some, too
    given = (word.text for word in command.argv[:before] if _ASSIGNS.match(word.text))
    every = (*command.assigned, *given)
    told = [own for own in every if not _SCENE.match(own) or (placed and _PLACES.match(own))]
    return [own for own in told if _PLAIN.fullmatch(own)]


def _gatherer(command: SimpleCommand) -> list[str]:
    """`xargs`, where a command works on what another lists: not on all that there is."""
    return ["xargs"] if command.name == "xargs" else []


def version_steps(command: str) -> list[list[str]]:
    """The words of each command of a line that works with `git` or `gh`, without the program's own options.

    >>> version_steps("make && git -C /repo commit -qm 'git push later'; gh pr view 7")
    [['git', 'commit', '-qm', 'git push later'], ['gh', 'pr', 'view', '7']]
    """
    if "git" not in command and "gh" not in command:
        return []
    steps = []
    for words in map(_words, parse_script(command).commands):
        if words and words[0] in ("git", "gh"):
            rest = words[1:]
            while rest and rest[0].startswith("-"):
                rest = rest[2 if rest[0] in ("-C", "-c", "-R") else 1 :]
            steps.append([words[0], *rest])
    return steps


def shows_help(command: str, cwd: str | None) -> bool:
    """Whether a command line only asks programs that are installed how they are used.

    >>> shows_help("gh pr --help | head -40", None), shows_help("python tool.py --help", None)
    (True, False)
    """
    work = [words for words in map(_words, _outer(command, cwd)) if words and words[0] not in PREPARING]
    work = [words for words in work if not _trims(words)]
    return bool(work) and all("--help" in words and not _SCRIPT.match(" ".join(words)) for words in work)


def is_check(subject: str) -> bool:
    """Whether a command line tests, checks or builds, or runs a script; through whatever starts it.

    >>> is_check("docker exec web pytest -q"), is_check("grep -rn test ."), is_check("python repro.py")
    (True, False, True)
    """
    return is_named_check(subject) or any(
        _SCRIPT.match(" ".join(words)) is not None and words[1:2] not in (["-c"], ["-e"])
        for words in started(subject)
    )


def is_named_check(subject: str) -> bool:
    """Whether a command line names a test, a check or a build.

    >>> is_named_check("git ls-files | xargs npx eslint"), is_named_check("python repro.py")
    (True, False)
    """
    return any(map(_checks, started(subject)))


def _checks(words: list[str]) -> bool:
    head = " ".join(word for word in words[:8] if " " not in word)[:80]
    found = _CHECKS.search(head)
    if found is None or words[0] in READING | PREPARING | _NO_CHECK or words[1:2] in (["-c"], ["-e"]):
        return False
    return (words[0] != "gh" or found.start() == 0) and not _INSTALLS.intersection(words[1:2])


def started(subject: str) -> Iterator[list[str]]:
    """The words of each command of a line, and of what it starts."""
    for command in parse_script(subject).commands:
        yield from _with_started(command, MAX_NESTING)


def _with_started(command: SimpleCommand, depth: int) -> Iterator[list[str]]:
    if (words := _words(command)) and not _ASKS.intersection(words):
        yield words
    inner = started_by(command) if depth else None
    if isinstance(inner, SimpleCommand):
        yield from _with_started(inner, depth - 1)
    elif inner:
        for command in parse_script(inner).commands:
            yield from _with_started(command, depth - 1)


def _words(command: SimpleCommand) -> list[str]:
    """The words of a command without what merely wraps it."""
    if command.name == "xargs" and isinstance(inner := started_by(command), SimpleCommand):
        command = inner if inner.argv else command
    words = [word.text for word in command.argv]
    while words and _name(words[0]) in WRAPPERS and len(words) > 1:
        if words[:2] == ["command", "-v"]:
            break  # it only says where a program lies
        rest = words[1:]
        if words[0] == "command" and rest[0] == "-V":  # it asks where a program lies
            return ["which", *rest[1:]]
        while rest and (rest[0].startswith("-") or rest[0].rstrip("smhd").isdigit() or "=" in rest[0]):
            rest = rest[1:]
        words = rest
    return [_name(words[0]), *words[1:]] if words else []


def _name(program: str) -> str:
    """`/usr/bin/python` is `python`; a script of the project keeps its path."""
    return program.rsplit("/", 1)[-1] if program.startswith(("/usr/", "/bin/", "/opt/")) else program


def _quoted(word: str) -> str:
    told = " ".join(word.split())
    if "'" in told and not re.search(r"[$`\\!]", told):  # as one would write it
        return '"' + told.replace('"', '\\"') + '"'
    return word if _PLAIN.fullmatch(word) else shlex.quote(told)


def _reads(words: list[str]) -> bool:
    if any(word.endswith(LOG_ENDINGS) for word in words[1:]):
        return False
    if words[0] == "git":
        return next((word for word in words[1:] if not word.startswith(("-", "/"))), "") in READING_GIT
    return words[0] in READING


def _keeps_versions(words: list[str]) -> bool:
    return words[0] in ("git", "gh") and not _checks(words)


def _trims(words: list[str]) -> bool:
    """Whether a program only prints or trims; a search or a listing of its own is no work either."""
    return words[0] in READING


def _cut(subject: str) -> str:
    if len(subject) <= MAX_SUBJECT_CHARS:
        return subject
    digest = hashlib.sha256(subject.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{subject[:MAX_SUBJECT_CHARS]} #{digest}"
