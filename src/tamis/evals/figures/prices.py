"""Prices of tokens by model name, as they were on a day, from the data that `genai-prices` ships.

Nothing is fetched. A model that the data does not know has no price, and no cost is made up for it.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from importlib.metadata import version

from tamis.evals.hindsight import NotMeasured

PER_TOKENS = 1_000_000
_LOCAL = frozenset({"gguf", "http", "https", "recorded"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    """What a model's tokens cost, in US dollars per million tokens.

    `cached_input_usd` is for input that the provider's prompt cache serves, `cache_write_usd` for input that
    is put there, where that costs more than input; None is unknown, not free. From `tier_from` input tokens
    in one request on, where there is such a limit, these prices no longer hold. They are those that held
    on the day `as_of`, as `source` (a package and its version) has them.
    """

    model: str
    input_usd: float
    cached_input_usd: float | None
    cache_write_usd: float | None
    output_usd: float | None
    tier_from: int | None
    as_of: date
    source: str

    def cost(
        self, *, new_tokens: int = 0, cached_tokens: int = 0, output_tokens: int = 0, cache: bool = True
    ) -> float | None:
        """Dollars for tokens that are read anew, read from the cache, and written; None where unknown.

        Without `cache` nothing is put there, and nothing comes from there.

        >>> price = Price(model="m", input_usd=2.0, cached_input_usd=0.5, cache_write_usd=None,
        ...               output_usd=None, tier_from=None, as_of=date(2026, 1, 1), source="a test")
        >>> price.cost(new_tokens=1_000_000, cached_tokens=1_000_000)
        2.5
        """
        new = self.input_usd if not cache or self.cache_write_usd is None else self.cache_write_usd
        cached = self.cached_input_usd if cache else self.input_usd
        total = 0.0
        for tokens, usd in ((new_tokens, new), (cached_tokens, cached), (output_tokens, self.output_usd)):
            if tokens and usd is None:
                return None
            total += tokens * (usd or 0.0) / PER_TOKENS
        return total


def find_price(model: str, *, on: date) -> Price | NotMeasured:
    """The price of a model on a day, or why there is none.

    `model` is named as `tamis.models.get_model` takes it (`openai:gpt-5`), or by the model's name alone.
    """
    from genai_prices import Usage, calc_price  # here: its data take a third of a second to load

    source = f"genai-prices {version('genai-prices')}"
    provider, colon, name = model.partition(":")
    if provider in _LOCAL:
        return NotMeasured(reason=f"{model} is no provider's model and has no list price")
    noon = datetime.combine(on, time(12), tzinfo=UTC)
    try:
        found = calc_price(
            Usage(input_tokens=1),
            name if colon else model,
            provider_id=provider if colon else None,
            genai_request_timestamp=noon,
        )
    except LookupError:
        return NotMeasured(reason=f"{source} knows no price of {model}")
    fields = ("input", "cache_read", "cache_write", "output")
    usd = {field: getattr(found.model_price, f"{field}_mtok", None) for field in fields}
    if usd["input"] is None:
        return NotMeasured(reason=f"{source} knows no price of {model} by the input token")
    first = {field: getattr(value, "base", value) for field, value in usd.items()}  # plain, or in tiers
    base = {field: None if value is None else float(value) for field, value in first.items()}
    tiers = (tier for value in usd.values() for tier in getattr(value, "tiers", ()))
    return Price(
        model=f"{found.provider.id}:{found.model.id}",
        input_usd=base["input"] or 0.0,
        cached_input_usd=base["cache_read"],
        cache_write_usd=base["cache_write"],
        output_usd=base["output"],
        tier_from=min((tier.start for tier in tiers), default=None),
        as_of=on,
        source=source,
    )
