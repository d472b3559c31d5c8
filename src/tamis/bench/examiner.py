"""Putting a case's questions to the reader, and recording the questions that stay unanswered.

A model may break off, time out or refuse. That says nothing about what stands in the artifact, so such an
answer is not measured; why stands in the log, and it can be asked again.
"""

import asyncio
from collections.abc import Collection, Sequence
from typing import Final

from tamis.bench.run_log import AnswerEntry
from tamis.bench.template import EvaluationItem
from tamis.errors import ModelError, PromptTooLong, RequestRejected
from tamis.evals.probing.readers import Reader
from tamis.messages import Message
from tamis.models.retry import PASSING

PATIENCE: Final = 5
"""So many failures in a row of the reader's server end a run: it is down."""


class Examiner:
    """Where questions are put to the reader. It stops the run where the reader cannot be asked at all."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._has_answered = False
        self._down = 0

    def ask(
        self,
        items: Sequence[EvaluationItem],
        artifact: Sequence[Message],
        only: Collection[str] | None = None,
    ) -> tuple[AnswerEntry, ...]:
        """What the reader answers from the artifact alone, item by item; to those in `only`, where given.

        Raises:
            ModelError: the reader's server is down, or accepts no request (a wrong key, a wrong name).
        """

        async def answer_all() -> tuple[AnswerEntry, ...]:
            asked = [item for item in items if only is None or item.key in only]
            return tuple([await self._answer(item, artifact) for item in asked])

        return asyncio.run(answer_all())

    async def _answer(self, item: EvaluationItem, artifact: Sequence[Message]) -> AnswerEntry:
        try:
            answer = await self._reader.answer(item.prompt, artifact)
        except ModelError as error:
            self._note(error)
            why = f"{type(error).__name__}: {error}"
            return AnswerEntry(item=item.key, text="", not_measured=why)
        self._has_answered, self._down = True, 0
        return AnswerEntry(item=item.key, text="" if answer.declined else answer.text)

    def _note(self, error: ModelError) -> None:
        """Raise what would befall every other question too."""
        if isinstance(error, RequestRejected) and not isinstance(error, PromptTooLong):
            if not self._has_answered:
                raise error
        elif isinstance(error, PASSING):
            self._down += 1
            if self._down == PATIENCE:
                raise error
