"""The next step: what the agent last said that it was about to do."""

from collections.abc import Iterable

from tamis.ledger.events import NextStep, Source
from tamis.ledger.extract import EventDraft, ReadContext
from tamis.ledger.speech.prose import passages, said, speaker
from tamis.messages import Message
from tamis.text.cues import zh
from tamis.text.cues.choices import NEXT, NEXT_SIGNS
from tamis.text.cues.phrases import either

MAX_CHARS = 400

_NEXT = either(NEXT, signs=NEXT_SIGNS)
_OFFER = either(r"\blet me know\b|\bif you(?:'d like| want)\b|\?\s*$|" + zh.OFFER)


def extract_next_steps(message: Message, _context: ReadContext) -> Iterable[EventDraft]:
    """The last intention in what an assistant says, with the points of a list that it introduces.

    >>> from tamis.messages import Message, Text
    >>> message = Message(id="1", role="assistant", parts=(Text(text="Done. Next, I'll run the tests."),))
    >>> [draft.value.text for draft in extract_next_steps(message, ReadContext())]
    ["Next, I'll run the tests."]
    """
    if speaker(message) != "assistant":
        return
    for passage in reversed(list(passages(message, _NEXT))):
        sentences = list(said(passage))
        for i in range(len(sentences) - 1, -1, -1):
            start, end = sentences[i].body, sentences[i].end
            text = passage.text[start:end]
            if end - start > MAX_CHARS or not _NEXT.stands_in(text) or _OFFER.search(text):
                continue
            if sentences[i].kind == "heading" or text.endswith((":", "：")):
                for item in sentences[i + 1 :]:
                    if item.kind != "item" or item.end - start > MAX_CHARS:
                        break
                    end = item.end
            yield EventDraft(
                kind="next_step",
                subject="next step",
                value=NextStep(text=passage.text[start:end]),
                source=Source(message_id=message.id, part=passage.part, start=start, end=end),
            )
            return
