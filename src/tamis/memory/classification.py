"""Stage 2: what each line is worth, and why.

The kind of a line decides, unless the line itself says more: one of the essential words makes it essential,
a wasteful pattern makes it waste, and so does having stood above with the same meaning.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tamis.memory.collection import CollectionResult
from tamis.memory.patterns import meaning_of
from tamis.memory.sections import JudgedLine, LineKind, LineWorth, MemoryLine, MemorySection
from tamis.memory.settings import Classification
from tamis.messages import Counter

_BY_KIND: dict[LineKind, tuple[LineWorth, str]] = {
    "task": ("essential", "the current task"),
    "latest": ("essential", "what the tools gave last"),
    "rule": ("essential", "the user said so, and nothing replaced it"),
    "error": ("essential", "an error that nothing shows gone"),
    "marked": ("essential", "has an essential word"),
    "outcome": ("useful", "how the iteration ended"),
    "request": ("useful", "what the user asked for earlier"),
    "summary": ("useful", "what a model said the iteration was about"),
    "decision": ("useful", "a decision"),
    "change": ("useful", "a file that was changed"),
    "fixed": ("useful", "an error, and what it took to be gone"),
    "old error": ("useful", "an error of an earlier iteration"),
    "skill": ("useful", "relevant to the task"),
    "test": ("useful", "what the tests said"),
    "worked": ("potentially useful", "what worked"),
    "command": ("potentially useful", "a command that was run"),
    "name": ("potentially useful", "a name that may be needed again"),
    "said": ("potentially useful", "what the agent said"),
    "text": ("potentially useful", "neither marked nor wasteful"),
}

_VERBATIM: frozenset[LineKind] = frozenset({"task", "latest", "rule", "skill", "outcome", "test", "name"})
"""No pattern and no likeness makes these waste."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgedSection:
    """A section and the judgement of each of its lines, in order."""

    section: MemorySection
    lines: tuple[JudgedLine, ...]

    @property
    def tokens(self) -> int:
        """Of all lines."""
        return sum(line.tokens for line in self.lines)


class Classifier:
    """Judges lines by the settings; made once, used for every pass."""

    def __init__(self, settings: Classification) -> None:
        self._wasteful = [re.compile(pattern) for pattern in settings.wasteful_patterns]
        self._essential = essential_words(settings.essential_keywords)

    def classify(self, collected: CollectionResult, counter: Counter) -> tuple[JudgedSection, ...]:
        """Judge every line of every section."""
        sections = collected.sections
        counts = iter(counter.count_many([f"{line.text}\n" for s in sections for line in s.lines]))
        seen: dict[str, str] = {}
        return tuple(
            JudgedSection(
                section=section,
                lines=tuple(self._judge(line, next(counts), section.source, seen) for line in section.lines),
            )
            for section in sections
        )

    def _judge(self, line: MemoryLine, tokens: int, source: str, seen: dict[str, str]) -> JudgedLine:
        worth, reason = _BY_KIND[line.kind]
        if line.kind not in _VERBATIM:
            meaning = line.meaning or meaning_of(line.text)
            if any(pattern.match(line.text) for pattern in self._wasteful):
                worth, reason = "wasteful", "matches a wasteful pattern"
            elif meaning in seen:
                worth, reason = "wasteful", f"says what stands in {seen[meaning]}"
            elif line.kind in ("said", "text") and self._essential and self._essential.search(line.text):
                worth, reason = "essential", "has an essential word"
            seen.setdefault(meaning, source)
        return JudgedLine(line=line, worth=worth, reason=reason, tokens=tokens)


def essential_words(words: Sequence[str]) -> re.Pattern[str] | None:
    """A pattern for the words as marks: in capitals anywhere, or in any case right before a colon.

    >>> pattern = essential_words(["ERROR"])
    >>> [bool(pattern.search(t)) for t in ("ImportError: no x", "an ERROR in x", "add error handling")]
    [True, True, False]
    """
    if not words:
        return None
    forms = [rf"\b{re.escape(word.upper())}\b|(?i:{re.escape(word)})\s*:" for word in words]
    return re.compile("|".join(forms))
