"""What is next: what was under way when the span ended, and where the newest request stands."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from tamis.compactors.brief.reading.deeds.action import is_quiet
from tamis.compactors.brief.reading.deeds.call_text import arguments_of, first_lines, shortened
from tamis.compactors.brief.reading.deeds.run_words import short_run
from tamis.compactors.brief.reading.deeds.salience import evidence, outlined
from tamis.compactors.brief.reading.settling.told_paths import told_from
from tamis.compactors.brief.reading.settling.whole_session import without_note
from tamis.compactors.brief.reading.speech.plans import PLAN_FILE
from tamis.compactors.brief.reading.statement import (
    DEEDS,
    STOPPED,
    WORDS,
    Statement,
    is_order,
    request_turns,
)
from tamis.compactors.brief.reading.statement_reader import StatementReader
from tamis.compactors.brief.writing.by_plan import by_skill, plan_line, plan_turned_down
from tamis.compactors.brief.writing.frame import one_line
from tamis.compactors.brief.writing.outside import created_by
from tamis.compactors.brief.writing.small_brief import replies_of
from tamis.compactors.brief.writing.status_line import StatusLine, is_run
from tamis.compactors.brief.writing.turn_end import (
    announced,
    ending,
    gone_back,
    handing_in,
    hands_over,
    is_closed,
    open_question,
    run_ended,
    still_to_change,
)
from tamis.ledger.files.file_tools import command_line, first_path
from tamis.ledger.speech.requests import is_steering
from tamis.text.terms import all_terms_of

NEWEST_RESULT = "- newest result"
"""Begins the line of what the newest call gave back."""

_FILE_OF_DIFF = re.compile(r"(?m)^\+\+\+ (?:b/)?(\S{1,300})")
_NUMBERS = re.compile(r"(?m)^\s{0,12}(\d{1,7})\s?[→|:\t]")
_NEW = re.compile(r": `[^`→]{1,300}` → `([^`]{1,300})`\Z")
_HIDES_ERRORS = re.compile(r"(?:2|&)>>? ?/dev/null|> ?/dev/null 2>&1|\|\| ?(?:true|:)(?!\w)")
_OF_SERVICE = frozenset({"record", "effect"})
ROOM_FOR_SERVICES, ROOM_FOR_QUESTION = 260, 110
MOST_OF_LAST, MOST_OF_CHANGE, BEGINNING_CHARS = 360, 120, 60
MOST_LEFT = 3


def next_lines(reading: StatementReader, root: str, room: int) -> Iterator[StatusLine]:
    """What was under way when the span ended, and what is to be done."""
    if ended := run_ended(reading):  # nobody is there who would go on
        text = f"{ended.text} (#{ended.turn})"
        yield StatusLine(section="next", rank=0, text=text, short=text)
        return
    newest_calls = reading.last_calls[-1].turn if reading.last_calls else -1
    asked = [s for s in reading.statements if s.kind == "asked"]
    asked_last = max((s.turn for s in asked), default=-1)
    spoke = max((s.turn for s in reading.statements if s.kind in WORDS), default=-1)
    newest = [o for o in reading.open_calls.values() if spoke <= o.turn == newest_calls > asked_last]
    waiting = [o for o in newest if not (o.is_told or ending(o.call))][-2:]
    for opened in waiting:
        what = command_line(opened.call) or first_path(opened.call) or arguments_of(opened.call)
        head = f"under way, no result yet (#{opened.turn}): {opened.call.name} "
        yield StatusLine(section="next", rank=1, text=head + shortened(one_line(what), 160))
    said_last = announced(reading)
    closed = not waiting and said_last is None and is_closed(reading)
    has_called = bool(reading.last_calls) and not is_quiet(reading.last_calls[-1].call.name)
    answered = False
    if not waiting and not closed and newest_calls == asked_last >= 0:  # the call was a question
        words = one_line(next(s.text for s in reversed(asked) if s.turn == newest_calls))
        if not words.startswith(STOPPED):
            question, _, answer = words.removeprefix("answered (").rpartition("?) ")
            head, told = "to be taken up now, the user's answer", f": {shortened(answer, 110)}"
            asks, briefly = (
                f" to `{shortened(question, most)}?`" * bool(question) for most in (110, BEGINNING_CHARS)
            )
            short = head + briefly + told  # it says little alone
            told = f"{asks} (#{newest_calls}){told}"  # where it was asked
            yield StatusLine(section="next", rank=1, text=head + told, short=short)
            answered = True
    elif (
        not waiting
        and not closed
        and has_called
        and not ending(reading.last_calls[-1].call)
        and newest_calls > max((s.turn for s in reading.statements if is_run(s)), default=-1)
        and newest_calls >= max((s.turn for s in reading.statements if _speaks(s)), default=-1)
    ):
        here = [s for s in reading.statements if s.turn == newest_calls]
        is_behind = newest_calls < asked_last and room < ROOM_FOR_SERVICES
        if (
            is_behind
            or _broken_by(reading, asked_last)
            or any(s.kind == "asked" or ("aborted" in s.flags and newest_calls < asked_last) for s in here)
        ):
            pass  # the user stopped it, or answered it; or it is told with the request that it served
        elif not any(_OF_SERVICE & {*s.flags} for s in here):
            yield _last_call(reading, root, min(MOST_OF_LAST, room // 3))
        elif room >= ROOM_FOR_SERVICES:
            call, head = reading.last_calls[-1].call, f"last call (#{newest_calls}): "
            records = (s.text for s in here if "record" in s.flags)  # in outline, then in full
            came = [text for text in records if text.startswith(call.name)]
            came = came or [one_line(f"{call.name} {shortened(arguments_of(call), 90)}")]
            yield StatusLine(section="next", rank=3, text=head + came[-1], short=head + came[0])
    yield from _of_several(reading, min(MOST_OF_LAST, room // 3))
    if said_last and not waiting:
        words = one_line(said_last.text)
        yield StatusLine(
            section="next",
            rank=2,
            text=f"the agent was about to: {shortened(words, 220)}",
            short=f"about to: {shortened(words, 80)}",
        )
    if newest_calls > asked_last and not waiting and (how := ending(reading.last_calls[-1].call)):
        text = f"the agent ended its work with `{how}` (#{newest_calls})"
        if hands_over(how) and not any(
            s.turn == newest_calls and s.kind == "failed" for s in reading.statements
        ):
            text = f"the user was handed over to a person with `{how}` (#{newest_calls})"
        yield StatusLine(section="next", rank=0, text=text, short=text)
    else:
        yield from _request(reading, room, closed=closed, is_busy=bool(waiting), answered=answered)
        if not closed:
            yield from by_skill(reading)
            yield from plan_line(reading)
        yield from _stopped(reading)
        yield from _broken_off(reading)
        if how := handing_in(reading):
            short = f"to hand it in when done: {shortened(one_line(handing_in(reading, briefly=True)), 110)}"
            text = f"to hand it in: {shortened(one_line(how), 310)}"
            yield StatusLine(section="next", rank=4, text=text, short=short)


def _speaks(s: Statement) -> bool:
    """Whether the agent says with it what it came to: what it did before that is not the newest any more."""
    return s.kind in WORDS and s.kind != "thought" and {"announces", "heading"}.isdisjoint(s.flags)


def _of_several(reading: StatementReader, most: int) -> Iterator[StatusLine]:
    """Of several agents: the newest order, and the page that nobody has spoken of yet."""
    said = [s for s in reading.statements if "authored" in s.flags and s.kind in WORDS]
    orders = [s for s in said if is_order(s)]
    giver = orders[-1].text.partition(" -> ")[0] if orders else ""
    if not giver or any(s.turn > orders[-1].turn and s.text.startswith(giver) for s in said):
        return
    own = [s.text for s in said if s.turn == orders[-1].turn]
    author = own[0].partition(": ")[0] + ": "
    order = one_line(author + " ".join(text.removeprefix(author) for text in own))
    head = f"newest order (#{orders[-1].turn}): "
    short = head + shortened(order, 110)
    yield StatusLine(section="next", rank=1, text=head + shortened(order, 400), short=short)
    crashed = [s for s in reading.statements if s.kind == "failed" and s.turn == reading.turns - 1]
    for s in crashed[-1:]:
        text = f"{NEWEST_RESULT.removeprefix('- ')} (#{s.turn}): {s.text}"
        yield StatusLine(section="next", rank=2, text=text, short=shortened(text, 110))
    for page in () if crashed else reading.unspoken[-1:]:
        asked = [s.text for s in reading.statements if s.kind == "asked"][-1:]
        own = [s.text for s in said if s.turn == page.turn]
        found = evidence(page, frozenset(all_terms_of("\n".join([*asked, order, *own]))), most=most)
        if found and not reading.last_calls:
            text = f"{NEWEST_RESULT.removeprefix('- ')} (#{page.turn}): {found.text}"
            yield StatusLine(section="next", rank=3, text=text)


def _request(
    reading: StatementReader, room: int, *, closed: bool, is_busy: bool, answered: bool
) -> Iterator[StatusLine]:
    """Where the newest request stands, or the older one that the agent has gone back to.

    With `answered`, what is to be done is told with the user's answer to a question.
    """
    turns = [turn for turn in request_turns(reading.statements) if turn != reading.left]
    if not turns:
        return
    newest = turns[-1]
    spoke = max((s.turn for s in reading.statements if s.kind in WORDS), default=-1)
    worked = max((s.turn for s in reading.statements if s.kind in DEEDS), default=-1)
    tasks = [e.last_turn for e in reading.state.tasks if e.value.status in ("open", "in_progress")]
    words = _beginning(reading, newest)
    if (step := gone_back(reading, newest, closed=closed)) is not None:
        if answered:
            return
        before, words = _beginning(reading, turns[-2]), one_line(step.text)
        text = f"from the newest request (#{newest}) the agent has gone back to what was asked before"
        text = f"{text} (#{turns[-2]}: {before}): {shortened(words, 160)}"
        short = f"back to what was asked before: {shortened(words, 60)}"
        if step.turn < spoke:
            text = (
                f"under way (#{turns[-2]}): {before.rstrip('.')}; what was asked since is settled (#{newest})"
            )
            short = f"under way: {before.rstrip('.')}; what was asked since is settled"
    elif closed and max(tasks, default=-1) < newest:
        text = f"the agent has answered the newest request (#{newest})"
        text += " and waits for the user" if reading.left is None else ""
        if question := open_question(reading) if reading.left is None else "":
            text += f": {shortened(one_line(question), 160)}"
        text += "; older tasks are open" if tasks else ""
        short = "the request is answered" + ("; the user is next" if reading.left is None else "")
        if question and room >= ROOM_FOR_QUESTION:
            short += f": {shortened(one_line(question), 75)}"
    elif (turned_down := plan_turned_down(reading, newest)) is not None:
        text = f"the user turned down the plan that the agent put up (#{turned_down})"
        text += " and is to say how to go on"
        short = "the user turned down the plan: wait for a word"
    elif last := _broken_by(reading, newest):
        text = f"the newest request (#{newest}: {words}) was {last}"
        short = f"the request was {shortened(last, 90)}"
    elif max(worked, spoke) < newest and not is_busy:
        begun = any(o.turn > newest for o in reading.last_calls)
        text = f"the newest request (#{newest}) is not begun: nothing was done for it yet"
        text = f"the newest request (#{newest}) is only begun" if begun else text
        short = "the request " + ("is only begun" if begun else "is not begun: nothing was done for it yet")
    else:
        text, short = f"the newest request (#{newest}) is not answered yet", "the request is not answered yet"
        if left := _left_for(reading, turns):
            before = "; ".join(f"#{turn}: {_beginning(reading, turn)}" for turn in left)
            text = f"the newest request (#{newest}: {words}) "
            if len(left) == 1:
                text += f"is not answered yet, nor is the one before ({before})"
            else:
                text += f"goes on with those before ({before}); it is not answered yet"
        text += ": see the open tasks" if tasks else ""
        since = min(left, default=newest)
        if done := _changed_for(reading, since):
            text, short = f"{text}; changed for it: {done}", f"{short}; changed for it: {done}"
        if made := [what for what, _ in created_by(reading, since)][-MOST_LEFT:]:
            short += f"; made elsewhere: {', '.join(made)}"
        if answered and text.endswith("answered yet") and room < ROOM_FOR_SERVICES:
            return
        yield from _left_to_change(reading, since)
    if reading.left is not None:
        text, short = f"{text}; the user left (#{reading.left})", f"{short}; the user left"
    yield StatusLine(section="next", rank=0, text=text, short=short)


def _changed_for(reading: StatementReader, since: int) -> str:
    """The newest of the files that were changed since a turn, where others were before it."""
    changed = [s for s in reading.statements if s.kind == "changed" and "." in s.key.rpartition("/")[2]]
    changed = [s for s in changed if not PLAN_FILE.search(s.key)]  # told as the plan
    own = {s.key: s.key.rpartition("/")[2] for s in reversed(changed) if s.turn > since}
    if own.keys() == {s.key for s in changed}:
        return ""  # State tells them
    names = [*own.values()]
    return ", ".join(names[:MOST_LEFT]) + f" and {len(names) - MOST_LEFT} more" * (len(names) > MOST_LEFT)


def _left_for(reading: StatementReader, turns: Sequence[int]) -> list[int]:
    """The request before the newest, where that is a few words said before it was answered.

    Where they say only to go on, all before it that were not answered.
    """
    newest = [s.text for s in reading.statements if s.kind == "asked" and s.turn == turns[-1]]
    if sum(map(len, newest)) > BEGINNING_CHARS:
        return []
    answered = replies_of(reading.statements)
    left = [*takewhile(lambda turn: turn not in answered, turns[-2::-1])][::-1]
    return [*left[:1], *left[1:][1 - MOST_LEFT :]] if is_steering(" ".join(newest)) else left[-1:]


def _left_to_change(reading: StatementReader, since: int) -> Iterator[StatusLine]:
    """What the agent said it would change for a request, and has not up to the end of the span."""
    left = still_to_change(reading, since)
    told = []
    for turn in sorted({s.turn for s in left.values()})[-MOST_LEFT:]:
        said = {name: s.text for name, s in left.items() if s.turn == turn}
        words = [one_line(text).rstrip(":") for text in said.values() if len(said) == 1 and "\n" not in text]
        told.append(f"{', '.join(said)} (#{turn}{''.join(f': {shortened(w, 130)}' for w in words[:1])})")
    if told:
        head = "announced and not changed up to here: "
        text, short = head + "; ".join(told), "not changed yet, as announced: " + ", ".join([*left][-3:])
        yield StatusLine(section="next", rank=2, text=text, short=short)


def _beginning(reading: StatementReader, turn: int) -> str:
    """The first words of a request."""
    own = (s.text for s in reading.statements if s.kind == "asked" and s.turn == turn)
    return shortened(one_line(next(own, "")), BEGINNING_CHARS)


def _broken_by(reading: StatementReader, newest: int) -> str:
    """How the newest request was broken off, with the call that came to nothing; empty where it was not."""
    own = [s for s in reading.statements if s.turn > newest and s.kind != "asked"]
    if not own or "aborted" not in own[-1].flags:
        return ""
    by_user = own[-1].text.startswith("the user ")
    calls = [f": {s.text} (#{s.turn})" for s in own if "aborted" in s.flags and " → " in s.text]
    return f"{'stopped by the user' if by_user else 'broken off'} at #{own[-1].turn}{''.join(calls[-1:])}"


def _broken_off(reading: StatementReader) -> Iterator[StatusLine]:
    """The request before the newest, where the last that was done for it was aborted or stopped."""
    *_, before, newest = [-1, -1, *request_turns(reading.statements)]
    own = [s for s in reading.statements if before < s.turn < newest]
    if before < 0 or not own or reading.turns - 1 < newest:
        return
    last = own[-1]
    told = [s for s in reading.statements if s.kind == "asked"]
    first, again = (one_line(" ".join(s.text for s in told if s.turn == at)) for at in (before, newest))
    if again.startswith(first):  # it was sent too early, and stands whole in the newest
        return
    if "aborted" in last.flags and not last.text.endswith("call"):
        text = f"the request before (#{before}) was broken off: {last.text} (#{last.turn})"
        yield StatusLine(section="next", rank=1, text=text, short="the request before was broken off")


def _stopped(reading: StatementReader) -> Iterator[StatusLine]:
    """What the user said last, in stopping a call, behind the newest request."""
    newest = max(request_turns(reading.statements), default=-1)
    said = [s for s in reading.statements if s.turn > newest and s.text.startswith(STOPPED)]
    said = [s for s in said if not s.text.endswith(")")]
    for s in said[-1:]:
        call, _, word = one_line(s.text).removeprefix(STOPPED).partition(") ")
        text = f"the user's newest word, in stopping #{s.turn} ({call}): {shortened(word, 140)}"
        yield StatusLine(section="next", rank=1, text=text, short=text)


def _last_call(reading: StatementReader, root: str, most: int) -> StatusLine:
    """The newest call with what it gave back, in so many characters: nobody has spoken of it yet."""
    here = [s for s in reading.statements if s.kind not in WORDS and s.kind != "asked"]
    here = [s for s in here if "installed" not in s.flags]
    told_of = {(s.turn, s.place[0]) for s in here} | {(page.turn, page.part) for page in reading.unspoken}
    calls = reading.last_calls  # of several at once, one that gave something back
    opened = next((o for o in reversed(calls) if (o.turn, o.part) in told_of), calls[-1])
    done = [s for s in here if (s.turn, s.place[0]) == (opened.turn, opened.part)]
    call = opened.call
    given = command_line(call) or first_path(call) or arguments_of(call)
    what = given if given.startswith(f"{call.name} ") else f"{call.name} {given}"
    full = [s for s in done if "outline" not in s.flags] or done
    words = without_note(one_line(full[-1].text if full else what))
    words = told_from(root, words)
    printed = [shown for shown in reading.unspoken if (shown.turn, shown.part) == (opened.turn, opened.part)]
    is_change = bool(full) and full[-1].kind == "changed"
    told, in_little = short_run(words, 90 if not full else 90 + most), words
    if is_change and len(words) > MOST_OF_CHANGE and ": removed `" not in words:  # the story may tell it
        told = in_little = words.partition(": ")[0]
        if (new := _NEW.search(words)) and len(new[1]) <= MOST_OF_CHANGE:
            told += f": now `{new[1]}`"
    if printed and most and not is_change:
        asked = max(request_turns(reading.statements), default=-1)
        own = [s for s in reading.statements if s.turn == opened.turn and s.kind in WORDS]
        said = [s.text for s in (*own, *(s for s in reading.statements if s.turn == asked))]
        about = frozenset(all_terms_of("\n".join([*said, what])))
        files = ", ".join(dict.fromkeys(_FILE_OF_DIFF.findall(printed[-1].output)))
        found = None if files else evidence(printed[-1], about, most=most)
        given = f"a diff of {files}" if files else first_lines(printed[-1].output, most)
        if printed[-1].is_code and len(numbers := _NUMBERS.findall(printed[-1].output)) > 1:
            # Where it is says more than some of it, and that is the call's own.
            told = f"{printed[-1].words}, lines {numbers[0]} to {numbers[-1]}"
        else:
            told = found.text if found else f"{printed[-1].words} → {shortened(given, most)}"
            if not found or not any("_" in term and term in found.text.lower() for term in about):
                told = outlined(printed[-1]) or told  # nobody has said which of its lines matter
        in_little = told
    head, label = f"{NEWEST_RESULT.removeprefix('- ')} (of #{opened.turn}): ", "newest"
    if not done and not printed:  # it gave back nothing worth telling
        head, label = f"last call (#{opened.turn}): ", f"last call (#{opened.turn})"
        hides = _HIDES_ERRORS.search(command_line(call) or "") is not None
        told += "; it printed nothing" * (hides and opened.is_silent) + "; no error was seen" * (not hides)
    return StatusLine(
        section="next",
        rank=3,
        text=head + told,
        short=f"{label}: {shortened(in_little, 60) if is_change else short_run(in_little, 60)}",
    )
