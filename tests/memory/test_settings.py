"""Settings from files and the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.reference import reference
from tamis.errors import InputError, UnreadableFile
from tamis.memory import MemorySettings, load_settings
from tamis.memory.settings_file import leaves, variable

PUBLISHED = """
compression:
  enabled: true
  mode: "active"  # "shadow" | "active"
  thresholds:
    min_compression_threshold: 1000  # tokens
    target_compression_ratio: 0.3
    max_compressed_size: 2000  # tokens
  skillbook:
    relevance_threshold: 0.5
    max_skills: 5
  cache:
    ttl: 300  # seconds
    max_entries: 100
  async:
    enabled: true
    queue_size: 10
  safety:
    fallback_on_error: true
    log_decisions: true
"""


@pytest.fixture
def file(tmp_path):
    def write(text: str):
        path = tmp_path / "memory.yaml"
        path.write_text(text)
        return path

    return write


def test_the_published_reference_is_read_as_it_stands_and_holds_the_defaults(file):
    assert load_settings(file(PUBLISHED)) == MemorySettings()


def test_an_unknown_key_is_refused_with_its_line_and_the_nearest_key(file):
    with pytest.raises(InputError, match=r"memory.yaml, line 3: compression.cache.tll: .*mean ttl"):
        load_settings(file("compression:\n  cache:\n    tll: 5\n"))


def test_an_unknown_group_is_refused(file):
    with pytest.raises(InputError, match=r"line 2: compression.cash: unknown key; did you mean cache"):
        load_settings(file("compression:\n  cash: {}\n"))


def test_a_value_that_is_not_accepted_is_refused_with_its_line(file):
    with pytest.raises(InputError, match=r"line 3: compression.thresholds.target_compression_ratio: .*1.5"):
        load_settings(file("compression:\n  thresholds:\n    target_compression_ratio: 1.5\n"))


def test_a_wasteful_pattern_that_is_no_expression_is_refused(file):
    with pytest.raises(InputError, match="not a regular expression"):
        load_settings(file("compression:\n  classification:\n    wasteful_patterns: ['(']\n"))


def test_a_range_upside_down_is_refused(file):
    with pytest.raises(InputError, match="least is 900, above most"):
        load_settings(file("compression:\n  levels:\n    iteration: {least: 900, most: 500}\n"))


@pytest.mark.parametrize("text", ["mode: shadow\n", "- 1\n", "compression: 3\n", "compression: {}\nx: 1\n"])
def test_settings_that_do_not_stand_below_one_key_are_refused(file, text):
    with pytest.raises(InputError, match="below one key, compression"):
        load_settings(file(text))


def test_an_empty_file_is_the_defaults(file):
    assert load_settings(file("# nothing yet\n")) == MemorySettings()


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(UnreadableFile):
        load_settings(tmp_path / "none.yaml")


def test_a_variable_overrides_the_file(file):
    settings = load_settings(
        file("compression:\n  cache:\n    ttl: 60\n    max_entries: 7\n"), {"TAMIS_MEMORY_CACHE_TTL": "90"}
    )
    assert (settings.cache.ttl, settings.cache.max_entries) == (90, 7)


def test_every_key_has_a_variable_of_its_own():
    names = [variable(path) for path, _ in leaves()]
    assert len(set(names)) == len(names) > 25


def test_a_list_is_given_as_json():
    settings = load_settings(
        environment={"TAMIS_MEMORY_CLASSIFICATION_ESSENTIAL_KEYWORDS": '["STOP", "ERROR"]'}
    )
    assert settings.classification.essential_keywords == ("STOP", "ERROR")


def test_an_unknown_variable_is_refused_and_others_are_not_looked_at():
    with pytest.raises(InputError, match="TAMIS_MEMORY_CACHE_TLL: no such setting; did you mean"):
        load_settings(environment={"TAMIS_MEMORY_CACHE_TLL": "9", "TAMIS_API_KEY": "x", "PATH": "/bin"})


def test_a_variable_with_a_bad_value_is_named():
    with pytest.raises(InputError, match=r"^TAMIS_MEMORY_MODE: .*'fast'"):
        load_settings(environment={"TAMIS_MEMORY_MODE": "fast"})


def test_the_reference_page_holds_every_key_and_its_default():
    page = Path(__file__).parents[2] / "docs" / "reference" / "memory-configuration.md"
    assert page.read_text(encoding="utf-8") == reference()
