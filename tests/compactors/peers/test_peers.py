"""Other libraries' compaction behind tamis's contract: the real packages, and models that are scripted."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from compactors.conversations import COUNTER, compact, lines, run, say, tokens
from tamis.compactors import get_method
from tamis.compactors.check import check_method
from tamis.compactors.hostile_sessions import hostile_sessions
from tamis.compactors.peers import CLASSES, EXTRAS, FOLDER_PEERS, MODEL_CLASSES, MODEL_PEERS, PEERS, peer
from tamis.compactors.peers.inspect_ai import InspectSummary
from tamis.compactors.peers.langchain import LangChainSummary
from tamis.compactors.peers.peer import Chat, ModelPeer, chat_of, installed, messages_of, weakest_that_fits
from tamis.compactors.peers.pydantic_ai import PydanticAISummary
from tamis.errors import MissingExtra, ModelServerError, UnknownMethod, UnknownModel
from tamis.messages import Media, Message, Text, Thinking, ToolCall, identify
from tamis.models import ScriptedModel

SPAN = identify(
    [
        say("user", "Make the till accept vouchers. Never touch src/tax.py."),
        *run("c1", "cat src/till.py", "def open_drawer():\n" + lines("    step", 80)),
        *run("c2", "pytest -q", "FAILED tests/test_till.py::test_voucher\n" + lines("x", 80)),
        *run("c3", "cat src/voucher.py", "class Voucher:\n" + lines("    field", 80)),
        say(
            "assistant",
            "The drawer opens twice because open_drawer is called in two places. The port is 8080.",
        ),
        say("user", "Then fix that first."),
    ]
)
OF_PYTHON = [name for name in PEERS if not EXTRAS[name].startswith("@")]
INSTALLED = [name for name in OF_PYTHON if name != "headroom" or find_spec("headroom") is not None]
SUMMARISERS: list[type[ModelPeer]] = [InspectSummary, LangChainSummary, PydanticAISummary]
SUMMARY = "The drawer opens twice; src/tax.py is not to be touched."


def test_every_peer_that_is_listed_has_a_class() -> None:
    assert set(PEERS) == set(CLASSES)
    assert set(MODEL_PEERS) | set(FOLDER_PEERS) == set(MODEL_CLASSES)
    assert set(EXTRAS) == {*PEERS, *MODEL_PEERS, *FOLDER_PEERS}


@pytest.mark.parametrize("name", INSTALLED)
@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_a_peer_holds_the_budget_and_accounts_for_every_message(name: str, share: float) -> None:
    made = compact(get_method(name), SPAN, int(share * tokens(SPAN)))
    assert made.outcome == "fits"
    assert made.tokens_after <= share * tokens(SPAN)
    assert [fated.message_id for fated in made.account] == [message.id for message in SPAN]


@pytest.mark.parametrize("name", [name for name in INSTALLED if name != "claimkeep"])  # it writes anew
def test_what_a_peer_calls_kept_is_the_message_itself(name: str) -> None:
    made = compact(get_method(name), SPAN, int(0.6 * tokens(SPAN)))
    kept = {fated.message_id for fated in made.account if fated.fate == "kept"}
    assert kept
    assert kept <= {message.id for message in made.messages if message in SPAN}


@pytest.mark.parametrize("name", INSTALLED)
def test_the_version_is_the_librarys(name: str) -> None:
    assert get_method(name).version[0].isdigit()


@pytest.mark.parametrize("name", [name for name in INSTALLED if name != "headroom"])
def test_hostile_sessions_break_no_hard_guarantee(name: str) -> None:
    sessions = [s for s in hostile_sessions() if s.id != "parallel-and-repeated-ids"]
    report = check_method(get_method(name), sessions, COUNTER)
    assert [f for f in report.findings if f.violation.hard] == []


def test_claimkeep_keeps_what_the_agent_claimed_and_not_what_a_tool_printed() -> None:
    made = compact(get_method("claimkeep"), SPAN, int(0.3 * tokens(SPAN)))
    assert "The port is 8080." in made.messages[0].text
    assert "class Voucher" not in made.messages[0].text


def test_claimkeep_without_room_for_one_claim_says_so() -> None:
    made = compact(get_method("claimkeep"), SPAN, 30)
    assert made.outcome == "unmet"
    assert "no claim of the span fits 30 tokens" in made.warnings[0]


@pytest.mark.parametrize("peer_class", SUMMARISERS)
def test_the_models_summary_stands_first(peer_class: type[ModelPeer]) -> None:
    model = ScriptedModel([SUMMARY])
    made = compact(peer_class(model), SPAN, int(0.6 * tokens(SPAN)))
    assert made.outcome == "fits", made.warnings
    assert SUMMARY in made.messages[0].text
    assert made.usage.requests == 1


@pytest.mark.parametrize("peer_class", SUMMARISERS)
def test_the_model_is_shown_what_is_summarised(peer_class: type[ModelPeer]) -> None:
    model = ScriptedModel([SUMMARY])
    compact(peer_class(model), SPAN, int(0.6 * tokens(SPAN)))
    asked = "".join(prompt.text for prompt in model.prompts)
    assert "Make the till accept vouchers." in asked
    assert "open_drawer" in asked


@pytest.mark.parametrize("peer_class", SUMMARISERS)
def test_a_model_that_fails_leaves_the_span_as_it_was(peer_class: type[ModelPeer]) -> None:
    made = compact(peer_class(ScriptedModel([ModelServerError("down")] * 4)), SPAN, tokens(SPAN) // 2)
    assert made.outcome == "unmet"
    assert "down" in made.warnings[0]
    assert made.messages == SPAN


def test_a_summary_that_is_too_long_is_not_used() -> None:
    made = compact(InspectSummary(ScriptedModel([lines("long", 200)])), SPAN, 150)
    assert made.outcome == "unmet"
    assert "summary alone takes more" in made.warnings[0]


def test_what_a_library_leaves_too_long_loses_its_oldest_messages_and_says_so() -> None:
    made = compact(get_method("inspect-edit"), [say("user", lines("a", 40))] * 3 + [say("user", "b")], 60)
    assert made.outcome == "fits"
    assert "oldest messages were dropped" in made.warnings[0]


def test_a_package_that_is_missing_is_named_with_its_extra() -> None:
    with pytest.raises(MissingExtra, match=r"pip install 'tamis\[nowhere\]'"):
        installed("no-such-package", "nowhere")


def test_a_summariser_without_a_model_is_refused() -> None:
    with pytest.raises(UnknownMethod, match="inspect-summary@MODEL"):
        get_method("inspect-summary")


def test_llmlingua_without_its_folder_is_refused() -> None:
    with pytest.raises(UnknownMethod, match="llmlingua@FOLDER"):
        get_method("llmlingua")


def test_llmlingua_with_a_folder_that_is_not_there_is_refused() -> None:
    with pytest.raises((UnknownModel, MissingExtra)):
        get_method("llmlingua@/no/such/folder")


def test_messages_come_back_as_themselves() -> None:
    assert messages_of(chat_of(SPAN), SPAN) == SPAN


def test_a_call_whose_arguments_were_cleared_is_not_taken_for_the_call_itself() -> None:
    chat = chat_of(SPAN)
    chat[1]["tool_calls"][0]["function"]["arguments"] = "{}"
    assert messages_of(chat, SPAN)[1].calls[0].arguments == {}


def test_a_message_with_reasoning_comes_back_without_it() -> None:
    thought = identify([Message(id="", role="assistant", parts=(Thinking(text="hm"), Text(text="Yes.")))])
    (back,) = messages_of(chat_of(thought), thought)
    assert back.parts == (Text(text="Yes."),)


def test_a_message_with_an_image_comes_back_with_it() -> None:
    image = Media(kind="image", mime="image/png", data="aGk=")
    shown = identify([Message(id="", role="user", parts=(Text(text="What is this?"), image))])
    chat = [{"role": "user", "content": "What is this?"}]
    assert messages_of(chat, shown) == shown


def test_calls_keep_their_ids() -> None:
    calls = [part for m in messages_of(chat_of(SPAN), ()) for part in m.parts if isinstance(part, ToolCall)]
    assert [call.id for call in calls] == ["c1", "c2", "c3"]


async def test_the_weakest_strength_that_fits_is_found() -> None:
    async def shorten(words: int) -> Chat:
        return [{"role": "user", "content": "word " * words}]

    made = await weakest_that_fits(range(100, 0, -1), shorten, 50, COUNTER)
    assert len(made[0]["content"].split()) in range(30, 51)
    assert sum(peer.count_messages(messages_of(made, ()), COUNTER)) <= 50


async def test_the_strongest_is_taken_where_none_fits() -> None:
    async def shorten(words: int) -> Chat:
        return [{"role": "user", "content": "word " * words}]

    made = await weakest_that_fits([90, 80, 70], shorten, 10, COUNTER)
    assert len(made[0]["content"].split()) == 70
