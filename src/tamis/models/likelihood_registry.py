"""Likelihoods by name.

- `gguf:FILE`: a model file, run in this process
- `http://host:port[/v1][#model]`: a server that gives log-probabilities of its prompt
- `unigram`: words counted in the prefix; no model, for tests and dry runs
"""

from tamis.errors import UnknownModel
from tamis.models.likelihood import UNIGRAM, Likelihoods, Unigram

FORMS = "gguf:FILE, http://host:port[/v1][#model], or unigram"


def get_likelihoods(name: str) -> Likelihoods:
    """The model of this name; nothing is sent or loaded before it is asked.

    Raises:
        UnknownModel: the name has no known form, or there is nothing behind it.
        MissingExtra: what runs such a model is not installed.
    """
    scheme, colon, rest = name.partition(":")
    if name == UNIGRAM:
        return Unigram()
    if scheme == "gguf" and rest:
        from tamis.models.likelihood_local import LocalLikelihoods  # needs no network library

        return LocalLikelihoods(rest)
    if scheme in ("http", "https") and colon:
        from tamis.models.likelihood_served import ServedLikelihoods

        return ServedLikelihoods(name)
    raise UnknownModel(f"the likelihoods of {name!r} cannot be read; write {FORMS}")
