"""Short lists: told whole, with the line that opens them."""

from collections.abc import Iterable, Iterator

from tamis.compactors.brief.reading.speech.pieces import LIST_CHARS, TextPiece
from tamis.text.cues.discourse_cues import opens


def lists_together(pieces: Iterable[TextPiece]) -> Iterator[TextPiece]:
    """A short list with the line that opens it is one piece: an item of it alone would mislead."""
    waiting: list[TextPiece] = []

    def flushed() -> Iterator[TextPiece]:
        tabled = bool(waiting) and "table" in waiting[0].flags
        loose = tabled and "heading" not in waiting[0].flags  # options, each a thing for itself
        if len(waiting) > 2 - tabled and not loose and sum(len(p.text) for p in waiting) <= LIST_CHARS:
            first = waiting[0]
            set_in = [any(o.depth and o in p.leads[:1] for o in waiting) for p in waiting]
            first.text = "\n".join("  " * deep + p.text for deep, p in zip(set_in, waiting, strict=True))
            first.flags = ("table",) if tabled else ("item",)
            beside = dict.fromkeys(o for p in waiting for o in p.leads[1:] if o not in waiting)
            first.leads += [o for o in beside if o not in first.leads]
            for piece in waiting[1:]:
                piece.whole = first
            yield first
        else:
            yield from waiting
        waiting.clear()

    for piece in pieces:
        item = not {"item", "table"}.isdisjoint(piece.flags)
        if waiting and {"quoted", "table"} & ({*piece.flags} ^ {*waiting[-1].flags}):
            yield from flushed()
        if waiting and item and (waiting[0] in piece.leads or piece.leads[:1] == waiting[0].leads[:1]):
            waiting.append(piece)
            continue
        under = waiting[-1:] if waiting and item and waiting[-1] in piece.leads else []
        del waiting[len(waiting) - len(under) :]
        yield from flushed()
        waiting += under
        if under:
            waiting.append(piece)
            continue
        if item or opens(piece.text):
            waiting.append(piece)
        else:
            yield piece
    yield from flushed()
