"""`LayeredMemory`: layered context for an agent loop.

memory = LayeredMemory(settings, archive=archive, session_id="fix-totals")
while not done:
    context = memory.assemble(task, latest)     # send context.messages
    ...
    memory.end_iteration(task, messages)        # on return it is on the disk, if there is an archive
memory.close()
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import get_args

from tamis.archive import Archive
from tamis.context.listener import tell
from tamis.errors import InputError, MissingExtra, UnknownModel
from tamis.memory.classification import Classifier
from tamis.memory.collection import CurrentIteration
from tamis.memory.condenser import Condenser, Journal, JournalWriter, QueueCounts, Summarizer
from tamis.memory.history import History
from tamis.memory.iteration_regret import IterationRegretWatch, Regret
from tamis.memory.iterations import Iteration, MessageLike, Outcome, read_items, user_message
from tamis.memory.passes import LOG, RECENT, MemoryListener, Pass, Reason, Room, Stages, log_pass, run_stages
from tamis.memory.relevance import Selection, SkillFilter
from tamis.memory.settings import MemoryMode, MemorySettings
from tamis.memory.settings_file import load_settings
from tamis.memory.skillbook import Skillbook, read_skillbook, update_skillbook
from tamis.messages import Message, get_counter, identify, part_text
from tamis.models import Model, get_model


class LayeredMemory:
    """The memory of one loop. Close it, or use it in a `with`.

    Args:
        settings: all that can be set; unless told, what the environment says (`load_settings`).
        archive: where ended iterations go first of all. None: they are in memory only.
        session_id: whose memory it is in the archive; the same one goes on where it stopped.
        skillbook: instead of the file that the settings name.
        model: instead of the model that the settings name.
        system: the system prompt, which the agent sees in any case; names in it are never missed.
        clock: seconds, for latencies.
        cache_clock: seconds, for what expires.
        listener: is told of every pass, and of every iteration that ended.

    Raises:
        UnreadableFile: the skillbook is there and not whole.
        UnknownModel, MissingExtra: the model cannot be asked, and the settings allow no fall back.
    """

    def __init__(
        self,
        settings: MemorySettings | None = None,
        *,
        archive: Archive | None = None,
        session_id: str = "loop",
        skillbook: Skillbook | None = None,
        model: Model | None = None,
        system: str = "",
        clock: Callable[[], float] = time.perf_counter,
        cache_clock: Callable[[], float] = time.monotonic,
        listener: MemoryListener | None = None,
    ) -> None:
        self._listener = listener
        self.settings = settings or load_settings()
        self._counter = get_counter(self.settings.tokenizer)
        self._clock = clock
        self._system = system
        self._classifier = Classifier(self.settings.classification)
        self._skills = self._skill_filter(skillbook, cache_clock)
        self._room = Room(self.settings.thresholds)
        self._watch = IterationRegretWatch(self.settings.safety)
        self._given: dict[int, tuple[str, ...]] = {}
        self._ended: dict[int, tuple[Message, ...]] = {}
        self._troubles: list[str] = []
        journal = Journal(archive=archive, session_id=session_id) if archive is not None else None
        self._saving = JournalWriter(journal)
        levels = self.settings.levels
        self._condenser = Condenser(
            journal.load(self._counter, levels) if journal else History(self._counter, levels),
            self._saving,
            queue_size=self.settings.asynchronous.queue_size,
            beside=self.settings.asynchronous.enabled,
            summarizer=self._summarizer(model),
            before_read=self._judge,
            on_trouble=self._troubles.append,
        )
        self._number = self._condenser.history.last
        if journal is not None:
            self._restore(journal)

    def __enter__(self) -> LayeredMemory:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    @property
    def iterations(self) -> int:
        """How many have ended."""
        return self._number

    @property
    def queue(self) -> QueueCounts:
        """What waits to be condensed, and what was."""
        return self._condenser.counts

    @property
    def regrets(self) -> Sequence[Regret]:
        """What the latest iterations missed, the newest last."""
        return self._watch.regrets

    @property
    def regret_rate(self) -> float | None:
        """The share of the latest iterations that missed something; None while there are too few."""
        return self._watch.rate

    @property
    def skillbook(self) -> Skillbook:
        """The skills as they stand now, with what they learned."""
        return self._skills.book if self._skills else Skillbook()

    @property
    def cache_hit_rate(self) -> float | None:
        """Of the look-ups of relevant skills; None before the first."""
        return self._skills.cache.hit_rate if self._skills else None

    @property
    def mode(self) -> MemoryMode:
        """The mode that holds now: `shadow` for as long as quality has dropped."""
        mode = self.settings.effective_mode
        return "shadow" if mode in ("active", "opt-in") and self._has_dropped else mode

    @property
    def _has_dropped(self) -> bool:
        """Too much is missed, and there is no more room to give."""
        return self._watch.has_dropped and self._room.is_at_most

    def assemble(
        self,
        task: str,
        latest: Sequence[MessageLike] = (),
        *,
        errors: Sequence[str] = (),
        worked: Sequence[str] = (),
        opt_in: bool = False,
        compression: bool = True,
    ) -> Pass:
        """What to send to the agent next.

        Args:
            task: the prompt; it goes in word for word.
            latest: the newest messages, of this iteration or still of the last; they go in as they are.
            errors: errors that the loop itself keeps, if it does; told once each by their meaning.
            worked: what helped before, if the loop keeps that.
            opt_in: asks for the compressed context in the mode `opt-in`.
            compression: False (`--no-compression`): the uncompressed context, whatever the mode.

        Raises:
            Exception: what went wrong in a stage, only where `safety.fallback_on_error` is off.
        """
        now = CurrentIteration(
            task=task, latest=read_items(latest), errors=tuple(errors), worked=tuple(worked)
        )
        queue, (hits, misses) = self.queue, self._lookups()
        result = self._assembled(now, opt_in=opt_in, compression=compression)
        if self._listener is not None:
            hits, misses = (n - before for n, before in zip(self._lookups(), (hits, misses), strict=True))
            found = hits > misses if hits or misses else None
            tell(partial(self._listener.passed, result, queue=queue, found_in_cache=found))
        return result

    def end_iteration(
        self,
        task: str,
        messages: Sequence[MessageLike],
        *,
        outcome: Outcome | None = None,
        helped: bool | None = None,
    ) -> None:
        """Take in an iteration that has ended; with an archive it is on the disk on return.

        Args:
            task: the prompt that it began with.
            messages: all that was exchanged in it, in order: `Message` values, or as an API takes them.
            outcome: how it ended, where the loop can tell; else it is read off tests, commands and errors.
            helped: whether it reached what it was for; unless told, whether the outcome is a success (yes)
                or an error (no). The skills that were given to it learn from that.

        Raises:
            InputError: what was given are not messages, or not an outcome.
        """
        if outcome not in (None, *get_args(Outcome)):
            known = ", ".join(get_args(Outcome))
            raise InputError(f"outcome {outcome!r}; give one of {known}, or leave it out")
        taken = identify(read_items(messages))
        self._number += 1
        iteration = Iteration(number=self._number, task=task, messages=taken, outcome=outcome)
        if helped is None and outcome in ("success", "error"):
            helped = outcome == "success"
        self._ended[self._number] = iteration.messages
        self._condenser.put(iteration)
        names = self._given.pop(self._number, ())
        if helped is None or not names or self._skills is None:
            return
        try:
            self._learn(self._skills, names, helped=helped)
        except InputError as error:  # half written, locked, no room: the loop goes on with what it knows
            self._troubles.append(f"the skillbook did not learn from iteration {self._number}: {error}")

    def close(self) -> None:
        """Condense what waits, save, and stop."""
        self._condenser.close()

    def _assembled(self, now: CurrentIteration, *, opt_in: bool, compression: bool) -> Pass:
        mode = self.mode
        if mode == "off" or not compression:
            off = Reason("off", "memory is off")
            down = Reason("turned-down", "compression was turned down")
            return self._uncompressed(now, mode, off if mode == "off" else down)
        try:
            stages = self._run(now)
        except Exception as error:  # the agent goes on, whatever is wrong here
            if not self.settings.safety.fallback_on_error:
                raise
            LOG.exception("memory fell back to the uncompressed context")
            failed = Reason("stage-failed", f"a stage failed: {type(error).__name__}: {error}")
            return self._uncompressed(now, mode, failed)
        whole = self._why_whole(stages)
        if whole is None:
            self._expect(now, stages)
        reason = whole or self._why_not(mode, opt_in=opt_in)
        if reason is None:
            result = self._compressed(now, mode, stages)
        else:
            result = self._uncompressed(now, mode, reason, stages)
        if self.settings.safety.log_decisions:
            log_pass(result)
        return result

    def _lookups(self) -> tuple[int, int]:
        return (self._skills.cache.hits, self._skills.cache.misses) if self._skills else (0, 0)

    def _run(self, now: CurrentIteration) -> Stages:
        with self._condenser.lock():
            return run_stages(
                now,
                self._condenser.catch_up(),
                self._skills.select if self._skills else lambda _: Selection(),
                settings=self.settings,
                classifier=self._classifier,
                counter=self._counter,
                room=self._room,
                ended=self._ended,
                clock=self._clock,
            )

    def _why_whole(self, stages: Stages) -> Reason | None:
        """Why there is nothing to gain, if there is nothing."""
        least = self.settings.thresholds.min_compression_threshold
        if stages.tokens_before < least:
            return Reason("too-small", f"{stages.tokens_before} tokens, fewer than {least}")
        if stages.tokens_after >= stages.tokens_before:
            return Reason("not-smaller", "it would not be smaller")
        return None

    def _why_not(self, mode: MemoryMode, *, opt_in: bool) -> Reason | None:
        """Why the mode does not apply what the stages made, if it does not."""
        if mode == "shadow" and self._has_dropped:
            missed = f"{self.regret_rate:.1%} of the latest iterations missed something"
            return Reason("quality-dropped", f"quality dropped: {missed}")
        if mode == "shadow":
            return Reason("shadow", "shadow: nothing is changed")
        return Reason("not-opted-in", "nobody opted in") if mode == "opt-in" and not opt_in else None

    def _expect(self, now: CurrentIteration, stages: Stages) -> None:
        """Remember what the next iteration is shown, or would be, to judge it when it has ended."""
        texts = [part_text(part) for message in now.latest for part in message.parts]
        shown = "\n".join([self._system, stages.injected.text, *texts])
        self._watch.expect(self._number + 1, shown, stages)
        self._given = {self._number + 1: tuple(skill.name for skill in stages.selection.skills)}

    def _compressed(self, now: CurrentIteration, mode: MemoryMode, stages: Stages) -> Pass:
        block, recent = stages.injected.text, stages.recent.messages
        opening = (user_message(block or RECENT), *recent, user_message(now.task))
        return Pass(
            mode=mode,
            messages=(*(opening if recent else [user_message(now.task, block)]), *now.latest),
            applied=True,
            reason="",
            stages=stages,
            warnings=self._warnings(stages),
        )

    def _uncompressed(
        self, now: CurrentIteration, mode: MemoryMode, reason: Reason, stages: Stages | None = None
    ) -> Pass:
        book = self._skills.book.skills if self._skills else ()
        past = [message for messages in self._ended.values() for message in messages]
        ended = {message.id for message in past}
        latest = (message for message in now.latest if message.id not in ended)
        blocks = [*(f"{s.name}: {s.summary}" for s in book), *now.errors, *now.worked]
        return Pass(
            mode=mode,
            messages=(*past, user_message(now.task, "\n".join(blocks)), *latest),
            applied=False,
            reason=reason.text,
            cause=reason.cause,
            stages=stages,
            warnings=self._warnings(stages),
        )

    def _warnings(self, stages: Stages | None) -> tuple[str, ...]:
        found = [self._saving.trouble] if self._saving.trouble else []
        found += self._troubles
        self._troubles.clear()
        if stages is not None:
            current, most = stages.collected.current_tokens, self.settings.levels.current.most
            if current > most:
                found.append(f"L0 takes {current} tokens, more than {most}; it is never compressed")
            if over := stages.injected.over_limit_tokens:
                found.append(f"essential lines take {over} tokens more than the limit")
        return tuple(found)

    def _judge(self, iteration: Iteration) -> None:
        if self._listener is not None:
            tell(partial(self._listener.ended, iteration, shown=self._watch.shown(iteration.number)))
        regret = self._watch.judge(iteration, self._condenser.history)
        if regret is not None and regret.turns:
            self._room.learn(missed=bool(regret.missing))

    def _learn(self, skills: SkillFilter, names: Sequence[str], *, helped: bool) -> None:
        learn = methodcaller("with_outcome", names, helped=helped)
        path = self.settings.skillbook.path
        skills.use(learn(skills.book) if path is None else update_skillbook(Path(path), learn))

    def _restore(self, journal: Journal) -> None:
        """Go on behind what the journal holds."""
        for iteration in journal.behind(0):
            self._ended[iteration.number] = iteration.messages
            if iteration.number > self._number:
                self._number = iteration.number
                self._condenser.put(iteration, written=True)

    def _skill_filter(self, book: Skillbook | None, clock: Callable[[], float]) -> SkillFilter | None:
        path = self.settings.skillbook.path
        if book is None and path is not None:
            book = read_skillbook(Path(path))
        if book is None:
            return None
        return SkillFilter(book, self._counter, self.settings.skillbook, self.settings.cache, clock=clock)

    def _summarizer(self, model: Model | None) -> Summarizer | None:
        settings = self.settings.llm_summarization
        if not settings.enabled or (model is None and settings.model is None):
            return None
        try:
            named = model or get_model(str(settings.model), timeout_s=settings.timeout)
        except (MissingExtra, UnknownModel) as error:  # no key, say: the loop goes on, sentences are selected
            if not self.settings.safety.fallback_on_error:
                raise
            self._troubles.append(f"no summaries by {settings.model}: {error}")
            return None
        return Summarizer(model=named, settings=settings, counter=self._counter)
