from __future__ import annotations

from pathlib import Path

import pytest

from tamis.bench.suite import load_suite
from tamis.bench.template import template_schema
from tamis.errors import InputError, UnreadableFile

GOOD = """\
template:
  key: lamp
  family: lights
  version: 1.0.0
  variables:
    - {name: colour, generator: colour}
  transcript:
    turns:
      - {role: user, template: "The lamp is {{colour}}."}
  evaluation_items:
    - key: which
      type: immutable_fact_recall
      prompt: "Which colour is the lamp?"
      expected: {check: contains_normalized, value: "{{colour}}"}
"""


def suite_of(folder: Path, *texts: str) -> str:
    for number, text in enumerate(texts):
        (folder / f"{number}.yaml").write_text(text, encoding="utf-8")
    return str(folder)


def test_a_template_is_read(tmp_path: Path) -> None:
    (template,) = load_suite(suite_of(tmp_path, GOOD)).templates
    assert template.family == "lights"


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("generator: colour", "generator: coluor", 6, "no generator is called 'coluor'"),
        ("check: contains_normalized", "check: sounds_like", 14, "sounds_like"),
        ("is {{colour}}", "is {{hue}}", 9, "{{hue}} is not a variable"),
        ("type: immutable_fact_recall", "type: guess", 12, "'guess'"),
        ("version: 1.0.0", "version: one", 4, "'one'"),
        ("family: lights", "family: lights\n  familiy: x", 4, "not a field of a template"),
        ("  variables:", "  difficulty_policy: {distractor_turns: {brutal: 3}}\n  variables:", 5, "'easy'"),
        ('template: "The lamp is {{colour}}."', "tags: [x]", 9, "needs either 'template' or 'variants'"),
        ("{role: user", "{role: narrator", 9, "'narrator'"),
        ('value: "{{colour}}"', "forms: [x]", 14, "needs 'value'"),
        ("    turns:\n", "    turns: []\n    more:\n", 8, "at least 1 item"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(
    old: str, new: str, line: int, said: str, tmp_path: Path
) -> None:
    text = GOOD.replace(old, new)
    assert text != GOOD
    with pytest.raises(InputError) as caught:
        load_suite(suite_of(tmp_path, text))
    assert f"0.yaml, line {line}:" in str(caught.value)
    assert said in str(caught.value)


def test_two_templates_of_one_key_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"1\.yaml, line 2: template\.key: 'lamp'.*0\.yaml"):
        load_suite(suite_of(tmp_path, GOOD, GOOD))


def test_two_items_of_one_key_are_refused(tmp_path: Path) -> None:
    item = GOOD[GOOD.index("    - key: which") :]
    with pytest.raises(InputError, match="'which' stands here twice"):
        load_suite(suite_of(tmp_path, GOOD + item))


def test_a_count_refers_to_the_difficulty_or_is_a_number(tmp_path: Path) -> None:
    block = '\n      - {role: distractor_block, count: "{{colour}}"}'
    text = GOOD.replace('{{colour}}."}', '{{colour}}."}' + block)
    with pytest.raises(InputError, match=r"line 10.*give a number"):
        load_suite(suite_of(tmp_path, text))


def test_broken_yaml_names_the_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"0\.yaml, line \d+: not YAML"):
        load_suite(suite_of(tmp_path, GOOD + "  key: [1\n"))


def test_a_file_that_is_no_text_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "0.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnreadableFile, match="UTF-8"):
        load_suite(str(tmp_path))


def test_an_unknown_suite_names_those_that_ship() -> None:
    with pytest.raises(InputError, match="practice"):
        load_suite("nosuch")


def test_a_suite_brings_words_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "mine.yaml").write_text("hue: [mauve, '{colour}']\n", encoding="utf-8")
    suite = load_suite(suite_of(tmp_path, GOOD.replace("generator: colour", "generator: hue")))
    assert suite.templates[0].variables[0].generator == "hue"


def test_a_word_list_that_names_no_other_is_refused(tmp_path: Path) -> None:
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "mine.yaml").write_text("hue: [mauve, '{color}']\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"mine\.yaml, line 1: hue\.1: \{color\} names no word list"):
        load_suite(suite_of(tmp_path, GOOD))


def test_the_schema_knows_every_field_of_a_template() -> None:
    template = template_schema()["$defs"]["Template"]["properties"]
    assert {"key", "family", "version", "variables", "transcript", "ground_truth"} <= template.keys()


def test_every_family_of_the_practice_suite_has_six_templates() -> None:
    suite = load_suite("practice")
    counts = {family: sum(t.family == family for t in suite.templates) for family in suite.families}
    assert len(counts) == 11
    assert min(counts.values()) >= 6
