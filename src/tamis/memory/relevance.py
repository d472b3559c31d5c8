"""Relevance of skills to a task: by words, phrase and domain; by BM25; or learned from labels.

Every scorer gives a number from 0 to 1, and the same threshold and number of skills hold for all of them.
What was selected for a task is remembered for a while (`ExpiringCache`).
"""

import json
import math
import re
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Generic, TypeVar

from tamis.errors import InputError
from tamis.memory.embeddings import Embedder, cosine, load_embedder
from tamis.memory.settings import CacheSettings, Scoring, SkillbookSettings
from tamis.memory.skillbook import Skill, Skillbook
from tamis.messages import Counter

K = TypeVar("K")
V = TypeVar("V")


class ExpiringCache(Generic[K, V]):
    """Remembers values for `ttl_s` seconds, at most `max_entries`; the least recently used goes first.

    The clock should be monotonic. One that jumps back makes entries look as if they came from the future:
    those count as expired.

    >>> now = [0.0]
    >>> cache = ExpiringCache[str, int](ttl_s=300, max_entries=100, clock=lambda: now[0])
    >>> cache.put("a", 1)
    >>> now[0] = 301
    >>> cache.get("a") is None, len(cache)
    (True, 0)
    """

    def __init__(
        self, *, ttl_s: float, max_entries: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._ttl_s = ttl_s
        self._max_entries = max_entries
        self._clock = clock
        self._entries: OrderedDict[K, tuple[float, V]] = OrderedDict()
        self.hits = 0
        self.misses = 0

    def __len__(self) -> int:
        """How many entries are held that have not expired."""
        self._expire()
        return len(self._entries)

    def get(self, key: K) -> V | None:
        """The value, or None where it was never put or has expired."""
        self._expire()
        entry = self._entries.get(key)
        if entry is None:
            self.misses += 1
            return None
        self.hits += 1
        self._entries.move_to_end(key)
        return entry[1]

    def put(self, key: K, value: V) -> None:
        """Remember a value from now on."""
        self._expire()
        self._entries[key] = (self._clock(), value)
        self._entries.move_to_end(key)
        while len(self._entries) > self._max_entries:
            self._entries.popitem(last=False)

    @property
    def hit_rate(self) -> float | None:
        """Hits / look-ups; None before the first."""
        asked = self.hits + self.misses
        return self.hits / asked if asked else None

    def _expire(self) -> None:
        now = self._clock()
        gone = [key for key, (put, _) in self._entries.items() if not 0 <= now - put < self._ttl_s]
        for key in gone:
            del self._entries[key]


_STOP_WORDS = """
    a an the is are was were be been being am have has had having do does did doing done will would could
    should may might must shall can cannot to of in for on with at by from as into through during before after
    above below between under over again further then once here there when where why how all any each few more
    most other some such no nor not only own same so than too very just and but if or because until while this
    that these those it its they them their we our us you your he she his her my me i what which who whom
"""
_STOP = frozenset(_STOP_WORDS.split())
_WORD = re.compile(r"[a-z_][a-z0-9_]*")

WORDS_WEIGHT = 0.5
PHRASE_WEIGHT = 0.3
DOMAIN_WEIGHT = 0.2


def keywords(text: str) -> frozenset[str]:
    """The words that mean something: of three letters or more, without stop words.

    >>> sorted(keywords("Fix the Python TypeError in parser.py"))
    ['fix', 'parser', 'python', 'typeerror']
    """
    return frozenset(w for w in _WORD.findall(text.lower()) if len(w) > 2 and w not in _STOP)


@dataclass(frozen=True, kw_only=True, slots=True)
class SkillEvidence:
    """What speaks for a skill.

    `words` is the share of common words, of the shorter side; `phrase` and `domain` are 1 where its name or a
    domain stands in the task; `bm25` is FTS5's score (0: no word in common), `lead` that score as a share of
    the best, be it of a skill of the background: in a book of one the only skill leads nobody.
    """

    words: float
    phrase: float
    domain: float
    bm25: float
    lead: float

    @property
    def published(self) -> float:
        """0.5 x words + 0.3 x phrase + 0.2 x domain, at most 1: the published score."""
        return min(1.0, WORDS_WEIGHT * self.words + PHRASE_WEIGHT * self.phrase + DOMAIN_WEIGHT * self.domain)

    @property
    def features(self) -> tuple[float, ...]:
        """What the learned score adds up, in the order of `Weights.features`."""
        return (self.words, self.phrase, self.domain, math.log1p(self.bm25), self.lead)


FEATURES = ("words", "phrase", "domain", "log_bm25", "lead")


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """What was learned: a logistic model over `FEATURES`, and the BM25 score that means 0.5."""

    intercept: float
    features: tuple[float, ...]
    bm25_half: float

    def probability(self, evidence: SkillEvidence, skill: Skill) -> float:
        """How likely the skill is relevant; its own outcomes shift the odds."""
        odds = self.intercept + sum(w * x for w, x in zip(self.features, evidence.features, strict=True))
        return 1 / (1 + math.exp(-(odds + outcome_log_odds(skill))))


def outcome_log_odds(skill: Skill) -> float:
    """How a skill's outcomes shift its odds: 0 without any, at most by a factor of 4 either way.

    >>> outcome_log_odds(Skill(name="a", summary=""))
    0.0
    """
    shift = math.log((skill.helped + 1) / (skill.did_not_help + 1))
    return max(-math.log(4), min(math.log(4), shift))


@cache
def default_weights() -> Weights:
    """Those that ship, learned on one half of the labelled set (`benchmarks/skill_relevance.py`)."""
    data = json.loads(files("tamis.memory").joinpath("relevance.json").read_text(encoding="utf-8"))
    features = tuple(data["features"][name] for name in FEATURES)
    return Weights(intercept=data["intercept"], features=features, bm25_half=data["bm25_half"])


@cache
def background() -> tuple[Skill, ...]:
    """The skills of the labelled set, compared in every book: a small one does not say how rare a word is."""
    text = files("tamis.memory").joinpath("relevance_set.json").read_text(encoding="utf-8")
    skills = json.loads(text)["skills"]
    return tuple(Skill(name=s["name"], summary=s["summary"], domains=tuple(s["domains"])) for s in skills)


class SkillIndex:
    """The skills of a book, ready to be compared with tasks; made once for a book."""

    def __init__(self, skills: Sequence[Skill]) -> None:
        self.skills = tuple(skills)
        self._words = [keywords(f"{s.name} {s.name.replace('-', ' ')} {s.summary}") for s in skills]
        self._domains = [tuple(_phrase(d) for d in s.domains) for s in skills]
        self._names = [_phrase(s.name) for s in skills]
        self._table = sqlite3.connect(":memory:", check_same_thread=False)
        self._table.execute(
            "CREATE VIRTUAL TABLE skill USING fts5 (name, summary, domains, tokenize='porter unicode61')"
        )
        rows = [
            (skill.name.replace("-", " ").replace("_", " "), skill.summary, " ".join(skill.domains))
            for skill in (*skills, *background())
        ]
        self._table.executemany("INSERT INTO skill VALUES (?, ?, ?)", rows)

    def evidence(self, task: str) -> list[SkillEvidence]:
        """What speaks for each skill, in their order."""
        words, lowered = keywords(task), f" {' '.join(_PLAIN.findall(task.lower()))} "
        scores = self._bm25(words)
        best = max(scores.values(), default=0.0)
        found = []
        for i, own in enumerate(self._words):
            shorter = min(len(own), len(words))
            bm25 = scores.get(i, 0.0)
            found.append(
                SkillEvidence(
                    words=len(own & words) / shorter if shorter else 0.0,
                    phrase=float(self._names[i] in lowered),
                    domain=float(any(domain in lowered for domain in self._domains[i])),
                    bm25=bm25,
                    lead=bm25 / best if best else 0.0,
                )
            )
        return found

    def _bm25(self, words: frozenset[str]) -> dict[int, float]:
        if not words:
            return {}
        query = " OR ".join(f'"{word}"' for word in sorted(words))
        asked = "SELECT rowid, bm25(skill, 2.0, 1.0, 1.0) FROM skill WHERE skill MATCH ?"
        return {rowid - 1: -score for rowid, score in self._table.execute(asked, (query,))}


def _named_embedder(settings: SkillbookSettings) -> Embedder:
    if settings.embedding_model is None:
        raise InputError("skills by embedding need a model; name its folder in skillbook.embedding_model")
    return load_embedder(Path(settings.embedding_model))


_PLAIN = re.compile(r"[\w+#]+")


def _phrase(text: str) -> str:
    """A name or a domain as it would stand among the words of a task."""
    return f" {' '.join(_PLAIN.findall(text.lower().replace('_', ' ')))} "


def score(evidence: SkillEvidence, skill: Skill, scoring: Scoring, weights: Weights) -> float:
    """The relevance from 0 to 1 by one of the scorers that go by words."""
    if scoring == "published":
        return evidence.published
    if scoring == "bm25":
        return evidence.bm25 / (evidence.bm25 + weights.bm25_half)
    return weights.probability(evidence, skill)


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """The skills that go in, most relevant first, their relevance, and the tokens of the whole book."""

    skills: tuple[Skill, ...] = ()
    relevance: tuple[float, ...] = ()
    tokens_before: int = 0


class SkillFilter:
    """Chooses skills for tasks; remembers what it chose."""

    def __init__(
        self,
        book: Skillbook,
        counter: Counter,
        settings: SkillbookSettings,
        cache_settings: CacheSettings,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._counter = counter
        self._embed = _named_embedder(settings) if settings.scoring == "embedding" else None
        self.cache: ExpiringCache[tuple[str, Skillbook], Selection] = ExpiringCache(
            ttl_s=cache_settings.ttl, max_entries=cache_settings.max_entries, clock=clock
        )
        self.use(book)

    def use(self, book: Skillbook) -> None:
        """Choose from this book from now on."""
        self.book = book
        self._index = SkillIndex(book.skills)
        self._vectors = self._embed([f"{s.name}: {s.summary}" for s in book.skills]) if self._embed else ()
        self._tokens = sum(self._counter.count_many([f"{s.name}: {s.summary}\n" for s in book.skills]))

    def select(self, task: str) -> Selection:
        """The skills at or above the threshold, at most as many as the settings allow."""
        key = (" ".join(task.split()), self.book)
        if (known := self.cache.get(key)) is not None:
            return known
        selection = self._select(task)
        self.cache.put(key, selection)
        return selection

    def scores(self, task: str) -> Mapping[str, float]:
        """The relevance of every skill, by name."""
        if self._embed is not None:
            (asked,) = self._embed([task])
            near = zip(self.book.skills, self._vectors, strict=True)
            return {skill.name: cosine(asked, vector) for skill, vector in near}
        scored = zip(self.book.skills, self._index.evidence(task), strict=True)
        return {s.name: score(e, s, self._settings.scoring, default_weights()) for s, e in scored}

    def _select(self, task: str) -> Selection:
        relevance = self.scores(task)
        relevant = [s for s in self.book.skills if relevance[s.name] >= self._settings.relevance_threshold]
        relevant.sort(key=lambda s: -relevance[s.name])
        chosen = relevant[: self._settings.max_skills]
        scores = tuple(relevance[skill.name] for skill in chosen)
        return Selection(skills=tuple(chosen), relevance=scores, tokens_before=self._tokens)
