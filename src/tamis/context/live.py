"""The live context: append what is said, ask for what to send.

    context = Context(window=200_000, budget=8_000, archive=Archive.open("work.tamis"))
    context.append({"role": "user", "content": "..."})
    client.messages.create(messages=context.messages(), ...)

It holds the leading system messages, the brief that the last compaction made, and what came since. Only what
is new is read by the next compaction, so the work for a message does not grow with the session. Everything
that is taken out goes into the archive first.
"""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from tamis.api import gated, open_with_user
from tamis.archive import Archive
from tamis.compactors import (
    Budget,
    Compaction,
    CompactionRequest,
    Compactor,
    GateMode,
    parse_budget,
    run_compactor,
    secrets_of,
)
from tamis.context.compaction_plan import (
    CompactionPlan,
    WindowMessage,
    parse_keep,
    plan_compaction,
    weighed,
    with_own_id,
)
from tamis.context.form import ApiForm
from tamis.context.listener import (
    CompactionAttempt,
    ContextListener,
    NullContextListener,
    TriggerReason,
    tell,
)
from tamis.context.pins import Pin, fitting, pin_of, pinned_message
from tamis.context.prefix import cached_share
from tamis.context.snapshot import Snapshot, before_name, snapshot_from_json, snapshot_to_json
from tamis.context.trigger import Latch, Trigger
from tamis.errors import BadBudget, MethodFailed, TamisError
from tamis.messages import Counter, Message, get_counter


class Context:
    """A conversation within a window.

    Safe to append to from several threads; a compaction runs in the thread whose message set it off, and
    others go on appending meanwhile. One that fails leaves everything as it was: `last_failure` says why, and
    a `RuntimeWarning` is given.

    Args:
        window: the tokens that the model takes.
        budget: what a brief may take: tokens, or a share of the window.
        method: as for `tamis.compact`.
        archive: where everything goes that is taken out; without one it is gone.
        trigger: a share of the window (0.5 to 0.9), a `Trigger`, or None to compact on demand only.
        keep_last: what stays word for word: a number of newest messages, or a share of the window.
        tokenizer: as for `tamis.compact`.
        session_id: under which the archive keeps it.
        format: which API the dictionaries are for, where their content should not decide.
        gate: as for `tamis.compact`.
        mask_secrets: as for `tamis.compact`.
        timeout_s: give up on a method that takes longer.
        listener: is told of every message and every compaction; see `tamis.context.listener`.

    Raises:
        BadBudget: the budget and what stays do not fit below the trigger.
        InputError: a trigger or `keep_last` that cannot be.

    >>> context = Context(window=2_000, budget=200)
    >>> context.append({"role": "user", "content": "hi"})
    >>> context.messages()
    [{'role': 'user', 'content': 'hi'}]
    """

    def __init__(
        self,
        *,
        window: int,
        budget: str | int | float | Budget = "5%",
        method: str | Compactor = "ledger",
        archive: Archive | None = None,
        trigger: float | Trigger | None = 0.8,
        keep_last: int | float | str = "10%",
        tokenizer: str | Counter = "o200k_base",
        session_id: str = "context",
        format: str | None = None,  # noqa: A002
        gate: GateMode = "repair",
        mask_secrets: bool = False,
        timeout_s: float | None = None,
        listener: ContextListener | None = None,
    ) -> None:
        if window < 1:
            raise BadBudget(f"a window of {window} tokens holds nothing; give the model's own")
        self.window = window
        self.budget = parse_budget(budget).resolve(window)
        self.session_id = session_id
        self.archive = archive
        self.compactions = self.failures = 0
        self.last_compaction: Compaction | None = None
        self.last_failure: str | None = None
        self._mask_secrets = mask_secrets
        known = archive.secrets() if archive is not None and mask_secrets else {}
        self._method = gated(method, gate=gate, mask_secrets=mask_secrets, secrets=known)
        self._counter = get_counter(tokenizer)
        self._timeout_s = timeout_s
        self._listener: ContextListener = listener or NullContextListener()
        self._on_demand = trigger is None
        trigger = Trigger(share=trigger) if isinstance(trigger, float | int) else trigger or Trigger()
        self._limit = trigger.token_limit(window)
        self._keep = parse_keep(keep_last, window)
        if self.budget + self._keep.tokens >= self._limit:
            raise BadBudget(
                f"a budget of {self.budget} tokens and {self._keep.tokens} that stay do not fit below "
                f"{self._limit}, where the window of {window} is compacted; give less, or a larger window"
            )
        step = max(1, self.budget // 2)
        self._latch = Latch(token_limit=self._limit, message_limit=trigger.messages, token_step=step)
        self._form = ApiForm(format)
        self._system: list[WindowMessage] = []
        self._body: list[WindowMessage] = []
        self._body_tokens = self._pin_tokens = self._appended = 0
        self._previous: Compaction | None = None
        self._pins: tuple[Pin, ...] = ()
        self._live_ids: set[str] = set()
        self._sent: tuple[Message, ...] = ()
        self._sent_before: tuple[Message, ...] = ()
        self._lock = threading.RLock()
        self._compacting = threading.Lock()

    @classmethod
    def resume(cls, archive: Archive, session_id: str = "context", **settings: Any) -> Context:
        """The context as it was after its last compaction; `appended` says from where to append again.

        Without a compaction so far it is a new one. The settings are those of `Context`.

        Raises:
            InputError: what was saved is of another version, or of another version of the method.
        """
        context = cls(archive=archive, session_id=session_id, **settings)
        if (data := archive.load_snapshot(session_id)) is not None:
            context._restore(snapshot_from_json(data))
        return context

    @property
    def appended(self) -> int:
        """How many items were appended since the session began."""
        return self._appended

    @property
    def tokens(self) -> int:
        """The tokens of what `messages` gives."""
        brief = self._previous.tokens_after + self._pin_tokens if self._previous else 0
        return sum(held.tokens for held in self._system) + brief + self._body_tokens

    @property
    def pins(self) -> tuple[Pin, ...]:
        """What is pinned, oldest first."""
        return self._pins

    def pin(self, what: str | Message) -> Pin:
        """Have a rule or a message stand word for word behind every brief, from the next compaction on.

        Raises:
            InputError: there is nothing in it, or no room for it beside the brief and what stays.
        """
        with self._lock:
            pin = pin_of(what)
            self._set_pins((*(p for p in self._pins if p != pin), pin))
        return pin

    def unpin(self, pin: Pin) -> None:
        """Take a pin away; a text that is not pinned changes nothing."""
        with self._lock:
            self._set_pins(tuple(p for p in self._pins if p != pin))

    def undo(self) -> bool:
        """Take the last compaction back: what it replaced stands there again, and behind it what came since.

        False where there is none, or no archive that kept what was before; only the last can be taken back.
        """
        with self._compacting, self._lock:
            kept = self.archive.load_snapshot(before_name(self.session_id)) if self.archive else None
            if not kept or self.archive is None or self._previous is None:
                return False
            since = [held.message for held in self._body[kept["stayed"] :]]
            appended, pins = self._appended, self._pins
            self._restore(snapshot_from_json(kept["before"]))
            self._appended = appended
            self._set_pins(pins)
            for message in since:
                self._hold(message)
            self._rearm()
            self.archive.save_snapshot(before_name(self.session_id), {})
            self.archive.save_snapshot(self.session_id, snapshot_to_json(self._snapshot()))
        return True

    def append(self, item: Message | Mapping[str, Any]) -> None:
        """Take in the next message, and compact if it is time.

        Raises:
            InputError: not a message, and not a dictionary as an API takes it.
        """
        with self._lock:
            for message in self._form.decode(item, is_first=self._appended == 0):
                tell(partial(self._listener.appended, self._hold(message).message))
            self._appended += 1
            due = None if self._on_demand else self._latch.fired(tokens=self.tokens, messages=self._length())
        if due is not None:
            self._compact_if_free(due)

    def extend(self, items: Iterable[Message | Mapping[str, Any]]) -> None:
        """Append one after the other."""
        for item in items:
            self.append(item)

    def messages(self) -> Any:
        """What to send: dictionaries of the API if those came in, else `Message` values, in a list."""
        with self._lock:
            self._sent_before, self._sent = self._sent, self._all()
            return self._form.encode(self._sent)

    def compact_now(self) -> Compaction | None:
        """Compact, whatever the trigger says; None where there is nothing to replace.

        Raises:
            TamisError: it failed; everything is as it was.
        """
        with self._compacting:
            made, failure = self._compact("demand")
        if isinstance(failure, TamisError):
            raise failure
        if failure is not None:
            raise MethodFailed(f"{self._method.name} failed: {failure!r}") from failure
        return made

    def cached_share(self) -> float | None:
        """Of the last request's tokens, the share that the one before it began with; None before the second.

        That is what a provider's prompt cache could serve.
        """
        with self._lock:
            before, after = self._sent_before, self._sent
        return cached_share(before, after, self._counter) if before else None

    def _compact_if_free(self, due: TriggerReason) -> None:
        """Compact, unless another thread is at it; a failure is recorded and nothing else."""
        if not self._compacting.acquire(blocking=False):
            return
        try:
            _, failure = self._compact(due)
        finally:
            self._compacting.release()
        if failure is not None:
            warnings.warn(f"the context was not compacted: {failure}", RuntimeWarning, stacklevel=3)

    def _compact(self, setoff: TriggerReason) -> tuple[Compaction | None, Exception | None]:
        """One attempt. The lock is held to plan and to replace, not while the method works."""
        started = time.perf_counter()
        with self._lock:
            system = sum(held.tokens for held in self._system)
            room = (self._limit - system - self.budget - self._pin_tokens) * 3 // 4
            plan, tokens_before = plan_compaction(self._body, self._keep, max(0, room)), self.tokens
            behind = tuple(held.message for held in (*plan.recalled, *self._body[plan.until :]))
            request = self._request(plan, behind) if plan.span else None
            attempt = CompactionAttempt(setoff=setoff, request=request, tokens_before=tokens_before)
            if request is None:
                self._rearm()
                self._tell(attempt, started)
                return None, None
        made: Compaction | None = None
        failure: Exception | None = None
        try:
            made = run_compactor(self._method, request, timeout_s=self._timeout_s)
            made = open_with_user(self._method, request, made, behind, timeout_s=self._timeout_s)
            if made.outcome == "fits" and self.archive is not None:
                secrets = secrets_of(request.span) if self._mask_secrets else {}
                self.archive.put(self.session_id, request.span, secrets=secrets)
        except Exception as error:  # a plug-in's call; a failure must leave the context as it was
            made, failure = None, error
        with self._lock:
            is_replaced = made is not None and made.outcome == "fits"
            was = self._snapshot()
            if made is not None and is_replaced:
                self._body = [*plan.recalled, *self._body[plan.until :]]
                self._body_tokens = sum(held.tokens for held in self._body)
                self._previous = made
                self._live_ids = {message.id for message in self._all()}
                self.compactions += 1
            self.last_compaction = made or self.last_compaction
            self._rearm()
            snapshot = self._snapshot()
            if made is not None and made.outcome == "unmet":
                failure = MethodFailed("; ".join(made.warnings))
            self._tell(replace(attempt, made=made, failure=failure, is_replaced=is_replaced), started)
        if is_replaced:
            failure = self._save(snapshot, was)
        if failure is not None:
            self.failures += 1
            self.last_failure = str(failure)
        return made, failure

    def _tell(self, attempt: CompactionAttempt, started: float) -> None:
        latency_ms = 1000 * (time.perf_counter() - started)
        told = replace(attempt, shown=self._all(), tokens_after=self.tokens, latency_ms=latency_ms)
        tell(partial(self._listener.compacted, told))

    def _request(self, plan: CompactionPlan, behind: tuple[Message, ...]) -> CompactionRequest:
        return CompactionRequest(
            span=tuple(held.message for held in plan.span),
            counts=tuple(held.tokens for held in plan.span),
            budget_tokens=self.budget,
            counter=self._counter,
            previous=self._previous,
            tail=behind,
        )

    def _save(self, snapshot: Snapshot, was: Snapshot) -> Exception | None:
        """Keep what `resume` and `undo` need; where that fails, nothing is lost but the shortcut."""
        if self.archive is None:
            return None
        before = {"stayed": len(snapshot.body), "before": snapshot_to_json(was)}
        try:
            self.archive.save_snapshot(before_name(self.session_id), before)
            self.archive.save_snapshot(self.session_id, snapshot_to_json(snapshot))
        except TamisError as error:
            return error
        return None

    def _snapshot(self) -> Snapshot:
        return Snapshot(
            appended=self._appended,
            form=self._form.name,
            system=tuple(held.message for held in self._system),
            body=tuple(held.message for held in self._body),
            recalled=frozenset(i for i, held in enumerate(self._body) if held.recalled),
            previous=self._previous,
            pins=tuple(pin.text for pin in self._pins),
        )

    def _restore(self, snapshot: Snapshot) -> None:
        snapshot.check_method(self._method)
        self._previous, self._form.name = snapshot.previous, snapshot.form
        self._appended = snapshot.appended
        self._system = weighed(snapshot.system, self._counter)
        body = weighed(snapshot.body, self._counter)
        self._body = [replace(held, recalled=i in snapshot.recalled) for i, held in enumerate(body)]
        self._body_tokens = sum(held.tokens for held in self._body)
        self._set_pins(tuple(Pin(text=text) for text in snapshot.pins))
        self._live_ids = {message.id for message in self._all()}
        self._rearm()

    def _set_pins(self, pins: tuple[Pin, ...]) -> None:
        free = (self._limit - self.budget - self._keep.tokens) // 2
        self._pin_tokens = fitting(pins, self._counter, free)
        self._pins = pins

    def _hold(self, message: Message) -> WindowMessage:
        (held,) = weighed([with_own_id(message, self._live_ids)], self._counter)
        if message.role == "system" and not self._body and self._previous is None:
            self._system.append(held)
        else:
            self._body.append(held)
            self._body_tokens += held.tokens
        return held

    def _rearm(self) -> None:
        self._latch.rearm(tokens=self.tokens, messages=self._length())

    def _length(self) -> int:
        return len(self._system) + len(self._brief()) + len(self._body)

    def _all(self) -> tuple[Message, ...]:
        return (*(h.message for h in self._system), *self._brief(), *(h.message for h in self._body))

    def _brief(self) -> tuple[Message, ...]:
        """What stands for all that was replaced, and the pins behind it."""
        return (*self._previous.messages, *pinned_message(self._pins)) if self._previous else ()
