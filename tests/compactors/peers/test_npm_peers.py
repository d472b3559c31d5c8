"""Peers from npm: stand-ins for the packages wherever Node.js is, the packages themselves where installed."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from compactors.conversations import COUNTER, compact, lines, run, say, tokens
from tamis.compactors import get_method
from tamis.compactors.budget import Budget
from tamis.compactors.check import check_method
from tamis.compactors.hostile_sessions import hostile_sessions
from tamis.compactors.peers.npm import find_package, run_script
from tamis.compactors.peers.opencode import OpencodeDCP
from tamis.compactors.peers.pi import PiSummary, PiWindow
from tamis.errors import MethodFailed, MissingExtra, ModelServerError
from tamis.messages import Message, identify
from tamis.models import ScriptedModel

SPAN = identify(
    [
        say("user", "Make the till accept vouchers. Never touch src/tax.py."),
        *run("c1", "cat src/till.py", "def open_drawer():\n" + lines("    step", 80)),
        *run("c2", "pytest -q", "FAILED tests/test_till.py::test_voucher\n" + lines("x", 80)),
        *run("c3", "cat src/till.py", "def open_drawer():\n" + lines("    step", 80)),
        say("assistant", "The drawer opens twice. The port is 8080."),
        say("user", "Then fix that first."),
    ]
)
CLEARED = "[Output removed"
SUMMARY = "The drawer opens twice; src/tax.py is not to be touched."

NODE = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


def _installed(package: str) -> pytest.MarkDecorator:
    try:
        find_package(package)
    except MissingExtra as missing:
        return pytest.mark.skip(reason=str(missing))
    return pytest.mark.skipif(False, reason="installed")


DCP = _installed(OpencodeDCP.package)
PI = _installed(PiWindow.package)
REAL = [pytest.param("opencode-dcp", marks=DCP), pytest.param("pi-window", marks=PI)]

DCP_STAND_IN = """
export default async ({ client }) => {
  let clears = false, prunes = [];
  const tools = (messages) => messages.flatMap((m) => m.parts).filter((part) => part.type === "tool");
  return {
    "experimental.chat.messages.transform": async (_, { messages }) => {
      for (const part of tools(messages)) {
        if (prunes.includes(part.callID)) part.state.output = "[Output removed]";
        else if (part.state.status === "error") part.state.input.command = "[input removed]";
        else if (!clears) part.state.output += "a reminder";
      }
    },
    tool: { compress: { execute: async (range, { sessionID }) => {
      const { data } = await client.session.messages({ path: { id: sessionID } });
      const said = tools(data).map((part) => [part.callID, JSON.stringify(part.state.input)]);
      prunes = said.filter(([id, put], at) => said.slice(at + 1).some((s) => s[1] === put)).map((s) => s[0]);
      throw new Error("no such range");
    } } },
    config: async ({ permission }) => { clears = permission.compress === "deny"; },
  };
};
"""
PI_STAND_IN = """
export const estimateTokens = (message) => JSON.stringify(message.content).length;
export const findCutPoint = (entries, start, end, keep) => {
  let cut = end - 1;
  for (let kept = 0; cut > start; cut--)
    if ((kept += estimateTokens(entries[cut].message)) >= keep) break;
  while (cut < end - 1 && entries[cut].message.role === "toolResult") cut++;
  return { firstKeptEntryIndex: cut };
};
export const prepareCompaction = (entries, { keepRecentTokens }) => {
  const cut = findCutPoint(entries, 0, entries.length, keepRecentTokens).firstKeptEntryIndex;
  return { firstKeptEntryId: entries[cut].id, told: entries.slice(0, cut).map((e) => e.message) };
};
export const compact = async ({ firstKeptEntryId, told }, model, key) => {
  const messages = [{ role: "system", content: "Sum up." }, { role: "user", content: JSON.stringify(told) }];
  const body = JSON.stringify({ messages, max_tokens: model.maxTokens, stream: true });
  const answer = await (await fetch(`${model.baseUrl}/chat/completions`, { method: "POST", body })).text();
  const summary = JSON.parse(answer.split("\\n")[0].slice("data: ".length)).choices[0].delta.content;
  return { summary, firstKeptEntryId, tokensBefore: 0 };
};
"""
PI_MESSAGES_STAND_IN = """
export const createCompactionSummaryMessage = (summary) => summary;
export const convertToLlm = ([summary]) => [{ role: "user", content: `Before: ${summary}` }];
"""


@pytest.fixture
def stand_ins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both packages, as far as they are called."""
    files = {
        f"{OpencodeDCP.package}/dist/index.js": DCP_STAND_IN,
        f"{PiWindow.package}/dist/core/compaction/index.js": PI_STAND_IN,
        f"{PiWindow.package}/dist/core/messages.js": PI_MESSAGES_STAND_IN,
    }
    about = json.dumps({"version": "9.8.7", "type": "module", "main": "./dist/index.js"})
    for package in (OpencodeDCP.package, PiWindow.package):
        files[f"{package}/package.json"] = about
    for name, text in files.items():
        path = tmp_path / "node_modules" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@NODE
@pytest.mark.usefixtures("stand_ins")
def test_a_package_in_the_folder_at_hand_is_found_with_its_version() -> None:
    assert get_method("pi-window").version == "9.8.7"


@NODE
def test_a_package_is_found_through_node_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "said" / "some-package").mkdir(parents=True)
    (tmp_path / "said" / "some-package" / "package.json").write_text('{"version": "1.2.3"}')
    monkeypatch.setenv("NODE_PATH", str(tmp_path / "said"))
    assert find_package("some-package") == (tmp_path / "said" / "some-package", "1.2.3")


@NODE
def test_a_package_that_is_missing_is_named_with_what_installs_it() -> None:
    with pytest.raises(MissingExtra, match="npm install @nobody/no-such-package"):
        find_package("@nobody/no-such-package")


def test_without_node_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingExtra, match=r"runs in Node\.js"):
        get_method("pi-window")


@NODE
@pytest.mark.usefixtures("stand_ins")
async def test_a_script_that_fails_is_a_failure_of_the_method() -> None:
    with pytest.raises(MethodFailed, match=r"pi-coding-agent: exit status 1"):
        await run_script("pi.mjs", PiWindow.package, {})


@NODE
@pytest.mark.usefixtures("stand_ins")
def test_what_opencode_prunes_is_taken_over_and_what_it_only_adds_is_not() -> None:
    made = compact("opencode-dcp", SPAN, int(0.9 * tokens(SPAN)))
    outputs = [result.text for message in made.messages for result in message.results]
    assert outputs == [CLEARED + "]", SPAN[4].results[0].text, SPAN[6].results[0].text]
    assert [fated.fate for fated in made.account].count("condensed") == 1


@NODE
@pytest.mark.usefixtures("stand_ins")
def test_opencode_is_told_which_calls_failed() -> None:
    call, result = run("e", "make everything " + "now " * 200, "boom")
    failed = replace(result, parts=(replace(result.results[0], is_error=True),))
    span = identify([*SPAN, call, failed])
    made = compact("opencode-dcp", span, int(0.7 * tokens(span)))
    assert made.messages[-2].calls[0].arguments == {"command": "[input removed]"}
    assert made.messages[-1].results[0].text == "boom"


@NODE
@pytest.mark.usefixtures("stand_ins")
def test_pi_keeps_as_much_as_fits_from_a_place_at_which_it_would_cut() -> None:
    made = compact("pi-window", SPAN, int(0.75 * tokens(SPAN)))
    assert made.messages == SPAN[3:]


@NODE
@pytest.mark.usefixtures("stand_ins")
def test_pis_summary_is_the_models_and_stands_first() -> None:
    model = ScriptedModel([SUMMARY])
    made = compact(PiSummary(model), SPAN, int(0.75 * tokens(SPAN)))
    assert made.outcome == "fits", made.warnings
    assert made.messages[0].text == f"Before: {SUMMARY}"
    assert made.messages[1:] == SPAN[-len(made.messages) + 1 :]
    assert made.usage.requests == 1
    assert "Never touch src/tax.py." in model.prompts[0].text
    assert model.prompts[0].instructions == "Sum up."
    assert model.prompts[0].max_output_tokens == int(0.75 * tokens(SPAN))


@NODE
@pytest.mark.usefixtures("stand_ins")
def test_a_model_that_fails_pi_leaves_the_span_as_it_was() -> None:
    made = compact(PiSummary(ScriptedModel([ModelServerError("down")])), SPAN, tokens(SPAN) // 2)
    assert made.outcome == "unmet"
    assert made.messages == SPAN


@NODE
@pytest.mark.usefixtures("stand_ins")
@pytest.mark.parametrize("name", ["opencode-dcp", "pi-window"])
def test_hostile_sessions_break_no_hard_guarantee(name: str) -> None:
    sessions = [s for s in hostile_sessions() if s.id != "parallel-and-repeated-ids"]
    report = check_method(get_method(name), sessions, COUNTER, budgets=[Budget(share=0.3)])
    assert [f for f in report.findings if f.violation.hard] == []


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("share", [0.1, 0.6])
def test_the_real_package_holds_the_budget_and_every_message_is_accounted_for(
    name: str, share: float
) -> None:
    made = compact(get_method(name), SPAN, int(share * tokens(SPAN)))
    assert made.outcome == "fits"
    assert made.tokens_after <= share * tokens(SPAN)
    assert [fated.message_id for fated in made.account] == [message.id for message in SPAN]
    kept = {fated.message_id for fated in made.account if fated.fate == "kept"}
    assert kept
    assert kept <= {message.id for message in made.messages if message in SPAN}


@DCP
def test_the_real_opencode_clears_the_output_of_a_repeated_call_and_not_the_newest() -> None:
    made = compact("opencode-dcp", SPAN, int(0.9 * tokens(SPAN)))
    outputs = [result.text for message in made.messages for result in message.results]
    assert [text.startswith(CLEARED) for text in outputs] == [True, False, False]


@DCP
def test_the_real_opencode_clears_what_went_into_a_call_that_failed_long_ago() -> None:
    call, result = run("e", "make everything " + "now " * 200, "boom")
    failed = replace(result, parts=(replace(result.results[0], is_error=True),))
    later: list[Message] = [say("assistant", f"Step {n}.") for n in range(6)]
    span = identify([call, failed, *SPAN, *later])
    made = compact("opencode-dcp", span, int(0.9 * tokens(span)))
    assert made.messages[0].calls[0].arguments == {"command": "[input removed due to failed tool call]"}


@PI
def test_the_real_pi_asks_for_its_summary_and_puts_it_first() -> None:
    model = ScriptedModel([SUMMARY] * 2)
    made = compact(PiSummary(model), SPAN, int(0.75 * tokens(SPAN)))
    assert made.outcome == "fits", made.warnings
    assert SUMMARY in made.messages[0].text
    assert "Never touch src/tax.py." in "".join(prompt.text for prompt in model.prompts)
