"""A live context when something around it fails: no message is lost, and it says what was wrong."""

from __future__ import annotations

import resource
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from compactors.conversations import say, tokens
from context.small import BEGIN, RULE, small, turns
from tamis.archive import Archive
from tamis.compactors.methods.anchored import Anchored
from tamis.compactors.methods.hybrid import Hybrid
from tamis.compactors.methods.regenerative import Regenerative
from tamis.context import Context
from tamis.errors import InputError, ModelRateLimited, ModelServerError, ModelTimeout, TamisError
from tamis.messages import Message
from tamis.models import ScriptedModel
from tamis.models.scripted import ScriptedReply

GIVEN = [*BEGIN, *turns(40)]


def there(archive: Archive | None, context: Context) -> set[str]:
    kept = archive.messages("context") if archive else ()
    return {*map(repr, kept), *map(repr, context.messages())}


@contextmanager
def full(archive: Archive) -> Iterator[None]:
    (pages,) = archive._connection.execute("PRAGMA page_count").fetchone()
    archive._connection.execute(f"PRAGMA max_page_count={pages}")
    yield
    archive._connection.execute("PRAGMA max_page_count=1000000")


@contextmanager
def locked(archive: Archive) -> Iterator[None]:
    archive._connection.execute("PRAGMA busy_timeout=0")
    with Archive.open(archive.path) as other:
        other._connection.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def not_writable(archive: Archive) -> Iterator[None]:
    archive._connection.execute("PRAGMA query_only=1")
    yield
    archive._connection.execute("PRAGMA query_only=0")


@contextmanager
def beyond_its_quota(archive: Archive) -> Iterator[None]:
    log = archive.path.with_name(f"{archive.path.name}-wal")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size + 8_192, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize(
    ("trouble", "says"),
    [
        (full, "the disk is full; make room"),
        (locked, "is locked by another program; try again"),
        (not_writable, "is read-only; make it writable"),
        (beyond_its_quota, "a quota is used up; name an archive elsewhere"),
    ],
)
def test_what_the_archive_cannot_take_stays_in_the_context(
    tmp_path: Path, trouble: Callable[[Archive], Any], says: str
) -> None:
    archive = Archive.open(tmp_path / "a")
    archive.put("another", [say("user", "It is in use.")])
    context = small(archive, trigger=None)
    context.extend(GIVEN)
    with trouble(archive), pytest.raises(TamisError, match=says):
        context.compact_now()
    assert context.messages() == GIVEN
    assert context.compactions == 0
    assert context.last_failure is not None
    assert says.partition(";")[0] in context.last_failure
    assert context.compact_now() is not None
    assert context.compactions == 1
    assert {*map(repr, GIVEN)} <= there(archive, context)


MODEL_FAILURES: dict[str, ScriptedReply] = {
    "prose": "Sure! Here is what happened so far: we looked at some files.",
    "half a JSON": '{"asked": ["Make rows.py skip',
    "another JSON": {"verdict": "fine"},
    "never": ModelTimeout("no answer within 120 seconds"),
    "429": ModelRateLimited("asked too often"),
    "500": ModelServerError("the server failed"),
}

NO_STORY: dict[str, list[str]] = {n: [] for n in ("asked", "done", "facts", "reasons", "state", "next")}


@pytest.mark.parametrize("method", [Regenerative, Anchored])
@pytest.mark.parametrize("failure", MODEL_FAILURES)
def test_a_model_that_fails_leaves_the_context_as_it_was(
    tmp_path: Path, method: type[Regenerative] | type[Anchored], failure: str
) -> None:
    archive = Archive.open(tmp_path / "a")
    context = small(archive, trigger=None, method=method(ScriptedModel([MODEL_FAILURES[failure]] * 20)))
    context.extend(GIVEN)
    with pytest.raises(TamisError):
        context.compact_now()
    assert context.messages() == GIVEN
    assert (context.compactions, context.failures) == (0, 1)
    assert context.last_failure


@pytest.mark.parametrize("failure", MODEL_FAILURES)
def test_hybrid_goes_on_as_the_ledger_and_says_so(tmp_path: Path, failure: str) -> None:
    archive = Archive.open(tmp_path / "a")
    context = small(archive, trigger=None, method=Hybrid(ScriptedModel([MODEL_FAILURES[failure]] * 20)))
    context.extend(GIVEN)
    made = context.compact_now()
    assert made is not None
    assert made.outcome == "fits"
    assert any("this is the ledger alone" in warning for warning in made.warnings)
    assert RULE in context.messages()[1].text
    assert {*map(repr, GIVEN)} <= there(archive, context)


def test_what_a_model_invents_is_not_taken_in(tmp_path: Path) -> None:
    invented = {**NO_STORY, "facts": ["It broke in src/never_there.py [m2]"]}
    context = small(None, trigger=None, method=Hybrid(ScriptedModel([invented] * 20)))
    context.extend(GIVEN)
    made = context.compact_now()
    assert made is not None
    assert "never_there" not in context.messages()[1].text
    assert any("dropped" in warning for warning in made.warnings)


def test_a_model_with_a_window_below_the_budget_is_asked_in_parts() -> None:
    context = small(None, trigger=None, method=Hybrid(ScriptedModel([NO_STORY] * 200, window_tokens=200)))
    context.extend(GIVEN)
    assert context.compact_now() is not None
    assert tokens(context.messages()) == context.tokens


def saved(archive: Archive, **carry: Any) -> None:
    """Change what the last compaction carries on, as another version would have written it."""
    data = archive.load_snapshot("context")
    assert data is not None
    data["previous"]["carry"] |= carry
    archive.save_snapshot("context", data)


@pytest.mark.parametrize(
    ("carry", "says"),
    [
        ({"format": "tamis-ledger/99"}, "'tamis-ledger/99', not 'tamis-brief/"),
        ({"reader": {"events": 1}}, "compact from the start"),
    ],
)
def test_a_previous_compaction_of_another_version_costs_no_message(
    tmp_path: Path, carry: dict[str, Any], says: str
) -> None:
    archive = Archive.open(tmp_path / "a")
    small(archive).extend(GIVEN)
    saved(archive, **carry)
    context = Context.resume(archive, window=2_000, budget=300, trigger=None)
    before = context.messages()
    late = [*turns(10, start=70)]
    context.extend(late)
    with pytest.raises(InputError, match=says):
        context.compact_now()
    assert context.messages() == [*before, *late]


def test_a_context_of_another_session_is_not_taken_up(tmp_path: Path) -> None:
    archive = Archive.open(tmp_path / "a")
    small(archive, session_id="one").extend(GIVEN)
    other = Context.resume(archive, "two", window=2_000, budget=300)
    assert (other.appended, other.messages()) == (0, [])
    other.extend([say("user", "Write a poem about the sea.", id="p"), *turns(40, start=500)])
    assert other.compactions > 0
    assert "prices.csv" not in repr(other.messages())
    assert "p" in {m.id for m in archive.messages("two")}


def test_a_brief_of_another_method_is_read_like_any_message(tmp_path: Path) -> None:
    archive = Archive.open(tmp_path / "a")
    first = small(archive, method="extractive", trigger=None, keep_last=2)
    first.extend(GIVEN)
    made = first.compact_now()
    assert made is not None
    second = small(None, trigger=None, keep_last=2)
    late = [*turns(30, start=200)]
    second.extend([*first.messages(), *late])
    made = second.compact_now()
    assert made is not None
    assert made.outcome == "fits"
    assert sum(m.origin == "summary" for m in second.messages()) == 1


def test_a_failure_is_not_tried_again_at_once() -> None:
    asked: list[int] = []

    class Breaks:
        name, version = "breaks", "1"

        async def compact(self, request: Any) -> Any:
            asked.append(len(request.span))
            raise ZeroDivisionError

    context = small(method=Breaks())
    given: list[Message] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        for message in GIVEN:
            context.append(message)
            given.append(message)
    beyond = tokens(given) - 1_600
    assert 1 < len(asked) <= beyond // 150 + 1
