"""What is true of any text: names, sentences, numbers, cues, and the terms that texts are compared by."""

from tamis.text.measures import Measure, find_measures
from tamis.text.names import (
    Name,
    NameKind,
    find_names,
    message_names,
    names_in,
    parts_stand_in,
    stands_in,
    texts_of,
)
from tamis.text.sentences import Sentence, split_sentences
from tamis.text.terms import all_terms_of, rarity, run_of, terms_of, weight_of

__all__ = [
    "Measure",
    "Name",
    "NameKind",
    "Sentence",
    "all_terms_of",
    "find_measures",
    "find_names",
    "message_names",
    "names_in",
    "parts_stand_in",
    "rarity",
    "run_of",
    "split_sentences",
    "stands_in",
    "terms_of",
    "texts_of",
    "weight_of",
]
