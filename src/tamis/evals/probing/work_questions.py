"""Questions about the work: what is to be done, what was decided and why, and which rules hold."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tamis.evals.probing.drafts import ProbeDraft, is_askable, item, phrase_of, word_by_hash
from tamis.evals.probing.probes import ItemType
from tamis.ledger.state import Entry, State

MAX_FAILING = 10
MAX_TASKS = 12

_RESULT = (
    "How many tests failed and passed in the latest {runner} run?",
    "What did {runner} count in its last run?",
)
_FAILING = ("Which tests are failing?", "Which tests do not pass at present?")
_WHY_FAILING = ("Why do the tests fail?", "With which error do the tests fail?")
_OPEN = ("Which tasks are still open or in progress?", "What is left to be done on the task list?")
_DONE = ("Which tasks on the list are done?", "Which items of the task list have been finished?")
_LATER = ("What was put off until later?", "Which work was deferred?")
_STANDING = ("Which error still stands?", "What was the latest error that has not been solved?")
_WHY = ('Why was this decided: "{choice}"?', 'What was the reason for this choice: "{choice}"?')
_WHAT = ('What was decided for this reason: "{reason}"?', 'Which choice rests on this: "{reason}"?')
_ABOUT = ('What was decided with regard to "{phrase}"?', 'Which decision speaks of "{phrase}"?')
_REJECTED = (
    'What was turned down in favour of this: "{choice}"?',
    'Which alternative was given up for this: "{choice}"?',
)
_RULE = (
    'What is the rule about "{phrase}"?',
    'Which instruction was given that concerns "{phrase}"?',
    'What was laid down with regard to "{phrase}"?',
)


def ask_for_work(state: State) -> Iterator[ProbeDraft]:
    """What is to be done: failing tests, open tasks, errors that still stand."""
    for run in state.tests[-1:]:
        counts = [str(n) for n in (run.value.failed, run.value.passed) if n]
        forms = [form.format(runner=run.value.runner) for form in _RESULT]
        yield from _listed(forms, [run], counts, of="number")
    failing = [entry for entry in state.tests if entry.value.failing]
    names = list(dict.fromkeys(_test_name(name) for entry in failing for name in entry.value.failing))
    if 0 < len(names) <= MAX_FAILING:
        yield from _listed(_FAILING, failing, names, of="identifier")
        runs = {entry.subject for entry in failing}
        why = [e for e in state.errors if not e.value.resolved and e.value.error.command in runs]
        yield from _listed(_WHY_FAILING, why[-3:], [e.value.error.message for e in why[-3:]])
    for questions, statuses in (
        (_OPEN, ("open", "in_progress")),
        (_DONE, ("done",)),
        (_LATER, ("deferred",)),
    ):
        tasks = [e for e in state.tasks if e.value.status in statuses]
        if len(tasks) <= MAX_TASKS:
            yield from _listed(questions, tasks, [e.value.text for e in tasks])
    standing = [e for e in state.errors if not e.value.resolved and is_askable(e.value.error.message)]
    if standing and len(standing) < len(state.errors):
        yield from _listed(_STANDING, standing[-1:], [standing[-1].value.error.message])


def ask_for_decisions(state: State) -> Iterator[ProbeDraft]:
    """A decision by its reason, its reason by the choice, what was turned down by what was chosen."""
    choices = [entry.value.choice for entry in state.decisions]
    for entry in state.decisions:
        choice, reason, rejected = entry.value.choice, entry.value.reason, entry.value.rejected
        if not is_askable(choice) or choice.count("(") != choice.count(")"):
            continue
        asked: list[tuple[str, str, Sequence[str]]] = []
        if reason is not None and is_askable(reason):
            asked.append(("why", word_by_hash(_WHY, choice=_quoted(choice)), [reason]))
            asked.append(("what", word_by_hash(_WHAT, reason=_quoted(reason)), [choice]))
        elif phrase := phrase_of(choice, [c for c in choices if c != choice]):
            asked.append(("what", word_by_hash(_ABOUT, phrase=phrase), [choice]))
        if rejected:
            asked.append(("rejected", word_by_hash(_REJECTED, choice=_quoted(choice)), rejected))
        old = [d.choice for d in entry.superseded if is_askable(d.choice) and d.choice != choice]
        for form, question, answers in asked:
            yield ProbeDraft(
                "decision",
                form,
                question,
                expected=tuple(item(answer, "text") for answer in answers),
                superseded=tuple(item(was, "text") for was in old) if form == "what" else (),
                sources=(entry.source.message_id,),
            )


def ask_for_rules(state: State) -> Iterator[ProbeDraft]:
    """A rule by a few of its words; whether it commands or forbids is for the answer to say."""
    said_by_errors = "\n".join(entry.value.error.message for entry in state.errors)
    texts = [entry.value.text for entry in state.constraints]
    for entry in state.constraints:
        rule = entry.value
        phrase = phrase_of(rule.text, [text for text in texts if text != rule.text])
        if not phrase or not is_askable(rule.text) or rule.text in said_by_errors:
            continue
        old = sorted({e.text for e in entry.superseded if is_askable(e.text)} - {rule.text})
        yield ProbeDraft(
            "constraint",
            rule.polarity,
            word_by_hash(_RULE, phrase=phrase),
            expected=(item(rule.text, "text", forbids=rule.polarity == "must_not"),),
            superseded=tuple(item(text, "text") for text in old),
            sources=(entry.source.message_id,),
        )


def _listed(
    questions: Sequence[str], entries: Sequence[Entry[Any]], values: Iterable[str], *, of: ItemType = "text"
) -> Iterator[ProbeDraft]:
    expected = tuple(item(value, of) for value in dict.fromkeys(values) if is_askable(value))
    if expected:
        question = word_by_hash(questions, about="\n".join(one.value for one in expected))
        sources = tuple(dict.fromkeys(entry.source.message_id for entry in entries))
        yield ProbeDraft("continuation", questions[0], question, expected=expected, sources=sources)


def _test_name(test: str) -> str:
    """The test's own name: a runner says more, where it stands and in which class.

    >>> _test_name("tests/test_io.py::Reading::test_gap[1]"), _test_name("test_gap (io.Reading)")
    ('test_gap[1]', 'test_gap')
    """
    return test.rpartition("::")[2].partition(" (")[0].strip() or test


def _quoted(text: str) -> str:
    return " ".join(text.split()).rstrip(".").replace('"', "'")
