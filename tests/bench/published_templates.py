"""Templates in the published format, written for these tests."""

from __future__ import annotations

from pathlib import Path

BURIED = """
template:
  key: fence_rule_v1
  family: fence_rule
  version: 1.0.0
  difficulty_policy:
    distractor_turns: {easy: 2, medium: 5, hard: 9, elite: 20}
    paraphrase_depth: {easy: 0, medium: 1, hard: 2, elite: 3}
    override_timing: {hard: late}
  variables:
    - {name: who, generator: person_name}
    - {name: what, generator: project_noun}
    - {name: bad, generator: action_phrase}
    - {name: firm, generator: org_name}
    - {name: day, generator: date_iso}
    - {name: cost, generator: amount_usd}
    - {name: part, generator: product_sku}
  transcript:
    turns:
      - {role: system, template: "Timing: {{difficulty.override_timing}}, depth {{ difficulty.paraphrase_depth }}."}
      - {role: user, template: "{{who}} runs the {{what}} for {{firm}}, {{cost}} until {{day}}."}
      - {role: distractor_block, count: "{{difficulty.distractor_turns}}"}
      - {role: user, template: "We shall not {{bad}}.", tags: [critical]}
      - {role: distractor_block, count: 3}
      - {role: assistant, template: "Part {{part}} is ordered."}
  ground_truth:
    immutable_facts: ["cost: {{cost}}"]
    forbidden_behaviors: ["{{bad}}"]
    entity_map: {"{{who}}": lead}
  evaluation_items:
    - {key: rule, type: forbidden_behavior_retention, prompt: "What shall we not do?", expected: {check: contains_normalized, value: "{{bad}}"}}
    - {key: keep, type: planning_soundness, prompt: "What next for {{what}}?", expected: {check: forbidden_absent, value: "{{bad}}"}}
    - {key: part, type: immutable_fact_recall, prompt: "Which part?", expected: {check: exact, value: "{{part}}"}}
    - {key: names, type: entity_integrity, prompt: "Who is it for?", expected: {check: set_match, values: ["lead", "cost"]}}
"""

DECISION = """
template:
  key: paint_choice_starter_v2
  family: paint_choice
  version: 1.2.0
  difficulty_policy: {}
  variables: [{name: a, generator: action_phrase}, {name: b, generator: action_phrase}]
  transcript:
    turns:
      - {role: user, template: "Let's {{a}}."}
      - {role: user, template: "No: {{b}}."}
  ground_truth: {locked_decisions: ["{{b}}"], forbidden_behaviors: ["{{a}}"]}
  evaluation_items:
    - {key: last, type: locked_decision_retention, prompt: "What was decided?", expected: {check: contains_normalized, value: "{{b}}"}}
    - {key: next, type: unresolved_task_continuity, prompt: "What next?", expected: {check: forbidden_absent, value: "{{a}}"}}
"""


def write_suite(folder: Path) -> Path:
    """A suite folder with both templates."""
    suite = folder / "own_suite"
    suite.mkdir()
    (suite / "a.yaml").write_text(BURIED, encoding="utf-8")
    (suite / "b.yaml").write_text(DECISION, encoding="utf-8")
    return suite
