"""Relevance by a real static embedding model, made here so that nothing is fetched."""

from __future__ import annotations

import sys

import pytest

from tamis.errors import InputError, MissingExtra, UnreadableFile
from tamis.memory.embeddings import load_embedder
from tamis.memory.relevance import SkillFilter
from tamis.memory.settings import CacheSettings, SkillbookSettings
from tamis.memory.skillbook import Skill, Skillbook
from tamis.messages import get_counter

BOOK = Skillbook(
    skills=(Skill(name="money", summary="refund invoice"), Skill(name="memory", summary="leak heap"))
)
WORDS = {
    "money": (1, 0),
    "refund": (1, 0),
    "invoice": (1, 0),
    "memory": (0, 1),
    "leak": (0, 1),
    "heap": (0, 1),
}


@pytest.fixture
def folder(tmp_path):
    numpy, tokenizers = pytest.importorskip("numpy"), pytest.importorskip("tokenizers")
    model2vec = pytest.importorskip("model2vec")
    known = {"[UNK]": 0} | {word: i for i, word in enumerate([*WORDS, "ram"], 1)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(known, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    vectors = numpy.array([(0, 0), *WORDS.values(), (0.1, 1)], dtype=numpy.float32)
    model2vec.StaticModel(vectors=vectors, tokenizer=tokenizer).save_pretrained(tmp_path / "model")
    return tmp_path / "model"


def chooser(model: str | None) -> SkillFilter:
    settings = SkillbookSettings(scoring="embedding", embedding_model=model)
    return SkillFilter(BOOK, get_counter(), settings, CacheSettings())


def test_a_skill_is_found_by_a_word_that_it_does_not_have(folder):
    assert [s.name for s in chooser(str(folder)).select("ram").skills] == ["memory"]


def test_a_task_that_means_nothing_gets_no_skill(folder):
    assert chooser(str(folder)).select("sonnet").skills == ()


def test_without_a_named_model_it_is_an_error_that_says_where_to_name_one():
    with pytest.raises(InputError, match=r"skillbook\.embedding_model"):
        chooser(None)


def test_a_folder_without_a_model_is_an_error(tmp_path):
    pytest.importorskip("model2vec")
    with pytest.raises(UnreadableFile, match="not a model2vec model"):
        load_embedder(tmp_path)
    with pytest.raises(UnreadableFile, match="no such folder"):
        load_embedder(tmp_path / "none")


def test_without_the_library_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "model2vec", None)
    with pytest.raises(MissingExtra, match=r"tamis\[embeddings\]"):
        load_embedder(tmp_path)
