"""Every setting of layered memory: its default, what it means, what is accepted.

The keys are those of the published configuration reference for context compression in agent loops, so that
a file written for it is read as it stands; what that reference leaves open has keys of its own here.
`docs/reference/memory-configuration.md` follows from this module.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

MemoryMode = Literal["off", "shadow", "opt-in", "active"]
Scoring = Literal["published", "bm25", "learned", "embedding"]

Share = Annotated[float, Field(gt=0, le=1)]
Count = Annotated[int, Field(ge=1)]


PROVIDERS = {"claude-": "anthropic", "gpt-": "openai", "gemini-": "google-gla"}
"""Whose models are called so."""


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Thresholds(_Group):
    """When there is something to compress, and how far."""

    min_compression_threshold: int = Field(
        default=1000, ge=0, description="Contexts of fewer tokens stay whole."
    )
    target_compression_ratio: Share = Field(
        default=0.3,
        description="The share of its tokens that a section aims at, within the range of its level.",
    )
    max_compressed_size: Count = Field(
        default=2000, description="Tokens of L1 to L3 together, where `max_share` does not give more."
    )
    max_share: float = Field(
        default=0.6,
        ge=0,
        le=1,
        description="What a long past may take, as a share of it: the target at first, more after what was "
        "missed, less after a calm. 0: `max_compressed_size` holds for every past.",
    )


class TokenRange(_Group):
    """Tokens that a level is meant to take."""

    least: int = Field(ge=0, description="What the level may take in any case.")
    most: Count = Field(description="What it may take at most; essential lines may go beyond.")

    @model_validator(mode="after")
    def _ordered(self) -> TokenRange:
        if self.least > self.most:
            raise ValueError(f"least is {self.least}, above most, which is {self.most}")
        return self


class Levels(_Group):
    """The token range of each level, and how much of the past has a place of its own."""

    current: TokenRange = Field(
        default=TokenRange(least=500, most=2000),
        description="L0. Never compressed; more than `most` is a warning.",
    )
    iteration: TokenRange = Field(default=TokenRange(least=200, most=500), description="L1, per iteration.")
    session: TokenRange = Field(default=TokenRange(least=300, most=800), description="L2 in all.")
    skillbook: TokenRange = Field(default=TokenRange(least=200, most=1000), description="L3.")
    iterations: Count = Field(default=3, description="The newest iterations that are told one by one.")
    errors: Count = Field(default=5, description="Error patterns told in L2, the newest and most frequent.")


class Summarization(_Group):
    """Summaries by a language model, for long prose."""

    enabled: bool = Field(default=True, description="Has no effect while no model is named.")
    model: str | None = Field(
        default=None,
        description="As `tamis` names models: `openai:gpt-5-mini`, `http://127.0.0.1:8080`, `gguf:FILE`. "
        "A bare `claude-...`, `gpt-...` or `gemini-...` gets its provider.",
    )
    max_tokens: Count = Field(default=500, description="The longest summary.")
    timeout: float = Field(
        default=5.0, gt=0, description="Seconds; after that, sentences are selected instead."
    )
    min_tokens: Count = Field(default=500, description="Shorter prose is never put to a model.")

    @field_validator("model")
    @classmethod
    def _with_provider(cls, model: str | None) -> str | None:
        """A bare name, as a provider's own library takes it, gets the provider in front."""
        if model is None or ":" in model:
            return model
        provider = next((p for start, p in PROVIDERS.items() if model.startswith(start)), None)
        return f"{provider}:{model}" if provider else model


class SkillbookSettings(_Group):
    """Which skills go in."""

    path: str | None = Field(default=None, description="The skillbook's file; none, no L3.")
    relevance_threshold: float = Field(default=0.5, ge=0, le=1, description="Less relevant skills stay out.")
    max_skills: Count = Field(default=5, description="At most so many.")
    scoring: Scoring = Field(
        default="learned",
        description="`published` (words, phrase, domain), `bm25`, `learned` from outcomes, or `embedding`.",
    )
    embedding_model: str | None = Field(
        default=None, description="For `embedding`: a folder with a model that model2vec saved."
    )


class CacheSettings(_Group):
    """What was found relevant to a task is remembered for a while."""

    ttl: float = Field(default=300, gt=0, description="Seconds until an entry expires.")
    max_entries: Count = Field(default=100, description="The least recently used goes when there are more.")


class AsyncSettings(_Group):
    """Condensing ended iterations beside the loop."""

    enabled: bool = Field(
        default=True, description="Off: an iteration is condensed before `end_iteration` returns."
    )
    queue_size: Count = Field(
        default=10,
        description="Iterations that may wait. When it is full the oldest is condensed on the spot.",
    )


class Classification(_Group):
    """What makes a line essential or wasteful."""

    essential_keywords: tuple[str, ...] = Field(
        default=("ERROR", "CRITICAL", "BLOCKED", "IMPORTANT", "FAILED", "Exception"),
        description="Essential where they stand in capitals, or in any case right before a colon.",
    )
    wasteful_patterns: tuple[str, ...] = Field(
        default=(r"^\s*$", r"^---+$", r"^```\s*$", r"^#+\s*$"),
        description="Regular expressions; a line that one matches goes.",
    )

    @field_validator("wasteful_patterns")
    @classmethod
    def _compile(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{pattern!r} is not a regular expression ({error})") from None
        return patterns


class Safety(_Group):
    """What happens when something goes wrong, or gets worse."""

    fallback_on_error: bool = Field(default=True, description="On an error the uncompressed context is used.")
    log_decisions: bool = Field(default=True, description="Log each pass and what went, to `tamis.memory`.")
    max_regret_rate: Share = Field(
        default=0.05,
        description="Above this share of iterations that missed something, memory falls back to shadow.",
    )
    quality_window: Count = Field(default=50, description="Iterations that the share is taken over.")
    min_judged: Count = Field(default=10, description="With fewer in the window, nothing is concluded.")


class MemorySettings(_Group):
    """All of it. In a file, under the key `compression`."""

    enabled: bool = Field(default=True, description="Off is the same as mode `off`.")
    mode: MemoryMode = Field(
        default="active",
        description="`off`; `shadow`: runs beside, changes nothing; `opt-in`: where asked for; `active`.",
    )
    tokenizer: Literal["o200k_base", "cl100k_base", "estimate"] = Field(
        default="o200k_base", description="What counts the tokens."
    )
    thresholds: Thresholds = Thresholds()
    levels: Levels = Levels()
    llm_summarization: Summarization = Summarization()
    skillbook: SkillbookSettings = SkillbookSettings()
    cache: CacheSettings = CacheSettings()
    asynchronous: AsyncSettings = Field(
        default=AsyncSettings(), validation_alias="async", serialization_alias="async"
    )
    classification: Classification = Classification()
    safety: Safety = Safety()

    @property
    def effective_mode(self) -> MemoryMode:
        """The mode, `off` where memory is not enabled."""
        return self.mode if self.enabled else "off"
