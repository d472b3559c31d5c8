from __future__ import annotations

from tamis.evals.statements.recaps import find_recaps
from tamis.messages import Message, Role, Text, ToolCall
from tamis.messages.conversation import Origin

LONG = "The import keeps blank rows now and the test of it passes again."


def said(id_: str, role: Role, text: str, *calls: ToolCall, origin: Origin = "conversation") -> Message:
    return Message(id=id_, role=role, parts=(Text(text=text), *calls), origin=origin)


def ran(command: str) -> ToolCall:
    return ToolCall(id="c", name="bash", arguments={"command": command})


def found(*messages: Message) -> list[tuple[str, str]]:
    return [(recap.kind, recap.text) for recap in find_recaps(messages)]


def test_commit_messages_are_recaps_with_each_m() -> None:
    call = ran('git add -A && git commit -m "Keep blank rows" -m "They were dropped by the parser."')
    assert found(said("1", "assistant", "", call)) == [
        ("commit", "Keep blank rows"),
        ("commit", "They were dropped by the parser."),
    ]


def test_a_commit_message_in_a_here_document_is_read_whole() -> None:
    call = ran("git commit -m \"$(cat <<'EOF'\nKeep blank rows\n\nThe parser dropped them.\nEOF\n)\"")
    assert found(said("1", "assistant", "", call)) == [
        ("commit", "Keep blank rows\n\nThe parser dropped them.")
    ]


def test_title_and_text_of_a_pull_request_are_recaps() -> None:
    call = ran('gh pr create --title "Keep blank rows" --body "The parser dropped them."')
    assert [kind for kind, _ in found(said("1", "assistant", "", call))] == ["pull request"] * 2


def test_the_last_words_before_a_person_speaks_close_a_turn() -> None:
    assert found(said("1", "assistant", LONG), said("2", "user", "Thanks.")) == [("closing", LONG)]


def test_words_that_go_with_a_call_close_nothing() -> None:
    assert found(said("1", "assistant", LONG, ran("ls")), said("2", "assistant", "ok")) == []


def test_words_that_finish_are_a_recap_though_a_call_goes_with_them() -> None:
    assert found(said("1", "assistant", LONG, ToolCall(id="c", name="submit"))) == [("closing", LONG)]


def test_what_is_said_to_somebody_who_asks_is_an_answer() -> None:
    kinds = [kind for kind, _ in found(said("1", "user", "Where are we?"), said("2", "assistant", LONG))]
    assert kinds == ["answer"]


def test_what_says_that_it_sums_up_is_a_report_wherever_it_stands() -> None:
    text = f"To summarize: {LONG}"
    assert found(said("1", "assistant", text, ran("ls")), said("2", "assistant", "ok")) == [("report", text)]


def test_summaries_of_compactions_are_recaps() -> None:
    later = said("9", "user", "All rows were kept.", origin="summary")
    recaps = find_recaps([said("1", "user", "Rows are kept.", origin="summary")], later)
    assert [(r.kind, r.message_id, r.at) for r in recaps] == [("summary", "1", 0), ("summary", "9", 1)]


def test_what_a_script_prints_as_a_summary_is_one_and_what_it_writes_to_a_file_is_none() -> None:
    body = f"cat <<'EOF'\nSummary of the work:\n{LONG}\nEOF"
    assert [kind for kind, _ in found(said("1", "assistant", "", ran(body)))] == ["report"]
    assert found(said("1", "assistant", "", ran(body.replace("cat <<", "cat > a.md <<")))) == []


def test_what_users_and_tools_say_is_no_recap() -> None:
    assert found(said("1", "user", f"In summary, {LONG}"), said("2", "tool", f"Summary: {LONG}")) == []
