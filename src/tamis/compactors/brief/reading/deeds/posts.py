"""Commits, and what was put where others see it: pushes, pull requests, issues, comments."""

import re
from itertools import islice, pairwise

from tamis.compactors.brief.reading.deeds.call_text import BREAK, VERDICT, last_lines, shortened
from tamis.compactors.brief.writing.frame import one_line
from tamis.ledger.shell.heredocs import cut_heredocs
from tamis.ledger.shell.parser import parse_script
from tamis.ledger.shell.programs import version_steps

MESSAGE_CHARS = 1_200
BODY_CHARS = 420
COMMAND_CHARS = 110

_REFUSED = re.compile(
    r"(?m)^\W{0,3}(?:\[(?:remote )?rejected\]|CONFLICT |fatal: "
    r"|error: (?:failed to push|src refspec|Your local changes|could not|pathspec)).*\n?"
)
_HASH = re.compile(r"\[[^\[\]\n]*? ([0-9a-f]{7,40})\][ \t]*(.*)")
_PUSHED = re.compile(r"(?m)^[ +]*[0-9a-f]{7,40}\.{2,3}([0-9a-f]{7,40}) ")
_CHATTER = re.compile(
    r"(?m)^(?:\[[^\[\]\n]*? [0-9a-f]{7,40}\].*| *\d+ files? changed\b.*| (?:create|delete|rename) .*\(?\d+.*"
    r"|To \S+[:/].*|remote:.*| [ *+!] .* -> .*|[ +]*[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40} .*"
    r"|branch '.*' set up to track .*|Everything up-to-date|Switched to .*"
    r"|On branch .*|Your branch is .*|Changes (?:not staged|to be committed).*|Untracked files:"
    r"| *\(use \"git .*"
    r"|\t(?:modified|new file|deleted):.*|no changes added to commit.*|HEAD is now at .*"
    r"|(?:The stash entry|Dropped refs|Saved working directory) .*)\n?"
)
"""What `git` says of its own work."""

_QUOTED = r"(?:\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>[^']*)')"
_MESSAGE = re.compile(rf"(?:\s-[a-zA-Z]*m|--message)[ =]\s*{_QUOTED}", re.DOTALL)
_TRAILER = re.compile(r"(?im)^[ \t]*(?:co-authored-by|signed-off-by|entire-[\w-]|🤖|generated with).*$")
_POSTS = re.compile(
    r"\A(?:gh (?:pr|issue|release) (?:create|comment|review|edit|merge|close|reopen|ready)\b"
    r"|gh api\b.*? (?:-f|--field|-F|--raw-field|-X ?(?:POST|PATCH|PUT))"
    r"|git (?:push|merge|rebase|reset|checkout|switch|stash|cherry-pick|tag|revert|branch -[dDm])\b)",
    re.DOTALL,
)
_FIELD = re.compile(
    rf"(?:(?:-f|-F|--field|--raw-field)\s+(?:body|title|state)=|--(?:title|body|comment)[ =]){_QUOTED}",
    re.DOTALL,
)
_PATH = re.compile(r"\bgh\s+api\s+(?:-X\s*\w+\s+|--method\s+\w+\s+)?[\"']?(\S+?)[\"']?(?:\s|$)")
_MADE = re.compile(
    r"(?mi)\bcreated [a-z ]{2,20}: ?(\S+)|/((?:pull|issues)/\d+)$"
    r"|^\s{0,2}\"(?:id|identifier|number)\": ?\"?([\w.#-]+)|\A\s{0,9}([\w.-]{2,30})\s{0,9}\Z"
)
"""What a tracker calls the thing that it made."""

_REPLY = re.compile(r"(?:pulls/(\d+)/)?comments/(\d+)/replies")
_OPTIONS = re.compile(r"\s--?(?:title|body)[ =].*", re.DOTALL)
_IDENTIFIERS = (
    re.compile(r"\"(?:identifier|key|html_url|number)\"\s*:\s*\"?([\w:/.#-]+)\"?"),
    re.compile(r"(https?://\S+/(?:pull|issues)/\d+)|\b([A-Z]{2,6}-\d+)\b"),
    re.compile(r"\"(?:url|id)\"\s*:\s*\"?([\w:/.#-]+)\"?"),
)


def commits(command: str) -> bool:
    """Whether a command makes a commit."""
    return any(step[:2] == ["git", "commit"] for step in version_steps(command))


def posts(command: str) -> str:
    """The part of a command line that changes what others see, or where the work stands in version control.

    >>> posts("make && git commit -m 'then git push' && git push origin main")
    'git push origin main'
    """
    steps = [" ".join(step) for step in version_steps(command)]
    return " && ".join(step for step in steps if _POSTS.match(step))


def commit_text(command: str, output: str, *, sure: bool = False) -> str | None:
    """The commit with its hash and its message; None where nothing shows that it was made.

    With `sure`, the command is known to have gone well: one that is told to be quiet made its commit.

    >>> commit_text("git commit -m 'Keep blank rows'", "[main 0a1b2c3] Keep blank rows")
    'committed 0a1b2c3: Keep blank rows'
    """
    steps = version_steps(command)
    bodies = cut_heredocs(command)[1]
    quoted = [found["double"] or found["single"] or "" for found in _MESSAGE.finditer(command)]
    lines = [line.strip() for line in _TRAILER.sub("", "\n".join(bodies or quoted)).splitlines()]
    message = [line for line in lines if line]
    pushes = any(step[:2] == ["git", "push"] for step in steps)
    pushed = " and pushed" if pushes and not is_refused(output) else ""
    made = _HASH.search(output)
    if made and not message:
        message = [made[2].strip()]  # a merge, or an earlier commit's own message
    if made is None and message:
        logged = rf"(?m)^\W{{0,3}}([0-9a-f]{{7,40}}) (?:\([^)]*\) )?{re.escape(message[0])}"
        made = re.search(logged, output) or (_PUSHED.search(output) if pushed else None)
    quiet = any(re.search(r" (?:-[a-z]*q|--quiet)", " ".join(step)) for step in steps if "commit" in step[:2])
    if made is None and not (sure and quiet and message):
        return None
    shown = f" {made[1][:10]}" if made else ""
    return f"committed{pushed}{shown}: {shortened(BREAK.join(message), MESSAGE_CHARS)}"


def is_refused(output: str) -> bool:
    """Whether `git` says that it did not push.

    >>> is_refused(" ! [rejected]        main -> main (fetch first)")
    True
    """
    return _REFUSED.search(output) is not None


def without_chatter(output: str) -> str:
    """What was printed, without what `git` says of its own work."""
    return _REFUSED.sub("", _CHATTER.sub("", output)).strip()


def created(command: str, output: str = "") -> str:
    """What a command line had a tracker make, by its titles, and what the tracker calls it, or by the call.

    >>> created("gh pr create --title='Round half up' --body x", "https://github.com/o/r/pull/7")
    'created PR #7: Round half up'
    """
    titles: list[str] = []
    call = ""
    for argv in (command.argv for command in parse_script(command).commands):
        words = [part for word in argv for part in re.split(r"(?<=\A--title)=", word.text)]
        given = (own for by, own in pairwise(words) if by == "--title" or (by == "create" and " " in own))
        titles += (told := [*islice(given, "create" in words[1:4])])
        call = call or " ".join(words[: words.index("create") + 1] if told else ())
    made = ["".join(found) for found in _MADE.findall(output)]
    named = ", ".join(made if len(made) == len(titles) else ())  # else which is whose is not known
    named = named.replace("pull/", "PR #").replace("issues/", "issue #")
    return f"created {named or f'by `{call}`'}: {'; '.join(titles)}" if titles else ""


def post_text(command: str, posted: str, output: str, *, failed: bool, own: bool = True) -> str:
    """What was posted where, by the `posted` part of a line; what came of it, if the output is its `own`."""
    words = [found["double"] or found["single"] or "" for found in _FIELD.finditer(command)]
    words = [text for text in words if text and not text.startswith("$(cat")]
    words += cut_heredocs(command)[1]
    reply = _REPLY.search(command)
    if reply and words and not failed:
        of = f" of PR {reply[1]}" if reply[1] else ""
        return f"replied to comment {reply[2]}{of}: {shortened(one_line(words[0]), 300)}"
    if words:
        path = _PATH.search(command)
        if not failed and (made := created(command, output)):
            body = " — ".join(w for w in words if one_line(w) not in made)
            head = re.split(r"\bgh ", posted)[0].replace(" && ", "; ") + made
            return head + f" — {shortened(one_line(body), BODY_CHARS)}" * bool(body)
        head = f"gh api {path[1]}" if path else shortened(_OPTIONS.sub("", posted), 70)
        told = f"{head}: {shortened(one_line(' — '.join(words)), BODY_CHARS)}"
    else:
        told = f"ran `{shortened(one_line(posted), COMMAND_CHARS)}`"
    if refusal := _REFUSED.search(output):
        return f"{told} → {refusal[0].strip()}"
    is_own = own or words or output.startswith("{")
    came = [_outcome(output)] if is_own else filter(VERDICT.search, output.splitlines())
    return " → ".join([told, *islice(came, 1)])


def _outcome(output: str) -> str:
    if output.startswith("{"):
        found = identifier_in(output)
        return f"ok ({found})" if found else "ok"
    return last_lines(output, 140) or "ok"


def identifier_in(output: str) -> str | None:
    """What a service calls the thing that it made or changed.

    >>> identifier_in('{"id": "d629", "identifier": "ENT-228"}')
    'ENT-228'
    """
    for pattern in _IDENTIFIERS:
        if found := pattern.search(output):
            return next(group for group in found.groups() if group)
    return None
