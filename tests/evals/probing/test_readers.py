"""Readers: what they answer from a context, and when they say that it does not tell."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.worked import SPAN, calls, gives, says
from tamis.errors import ModelTimeout, UnusableReply
from tamis.evals import NotMeasured
from tamis.evals.probing.exact_scorer import score_answer
from tamis.evals.probing.examination import ask, ask_blind, score_holding
from tamis.evals.probing.passage_index import MAX_PASSAGE_CHARS, PassageIndex, passages_of
from tamis.evals.probing.probes import Expected, Probe
from tamis.evals.probing.readers import Answer, LexicalReader, ModelReader
from tamis.messages import Message
from tamis.models import ScriptedModel

BRIEF = (says("user", "## Files\n- modified: src/loader.py\n## Open\n- [ ] write the changelog", id="b"),)


async def test_the_passage_that_fits_is_quoted_word_for_word() -> None:
    answer = await LexicalReader().answer("Which files were modified?", BRIEF)
    assert answer.quotes == ("- modified: src/loader.py",)
    assert not answer.declined


async def test_a_line_is_found_by_the_heading_it_stands_under() -> None:
    answer = await LexicalReader().answer("What is open?", BRIEF)
    assert answer.quotes == ("- [ ] write the changelog",)


async def test_a_result_is_found_by_the_call_it_answers() -> None:
    context = (calls("Bash", id="c", command="uname --machine"), gives("c", "riscv64"))
    answer = await LexicalReader().answer("What did uname say?", context)
    assert "riscv64" in answer.text


async def test_a_name_that_stands_nowhere_is_declined() -> None:
    answer = await LexicalReader().answer("What was modified in src/writer.py?", BRIEF)
    assert answer == Answer(text="", declined=True)


async def test_the_end_of_a_path_finds_the_whole_path() -> None:
    context = (says("user", "- TypeError: no such field at /repo/src/query.py:44", id="e"),)
    answer = await LexicalReader().answer("What was the error message: TypeError at query.py:44?", context)
    assert "no such field" in answer.text


@pytest.mark.parametrize("asked", ["load_row", "LoadRow", "load row"])
async def test_a_name_is_found_by_its_pieces_however_they_are_joined(asked: str) -> None:
    context = (says("user", "The loadRow handler waits.\nThe save handler does not.", id="n"),)
    assert (await LexicalReader().answer(f'What is said of "{asked}"?', context)).quotes == (
        "The loadRow handler waits.",
    )


async def test_words_of_a_script_without_blanks_are_found() -> None:
    context = (says("user", "数据库端口是 8080。\n日志目录在 /var/log。", id="c"),)
    assert (await LexicalReader().answer("数据库端口是多少？", context)).quotes == ("数据库端口是 8080。",)


async def test_a_file_asked_for_is_preferred_to_what_merely_fits() -> None:
    text = "fill_gap is called when fill_gap was left out.\nfill_gap now stands in src/gaps.py."
    answer = await LexicalReader().answer(
        "In which file was fill_gap changed?", (says("user", text, id="f"),)
    )
    assert answer.quotes[0] == "fill_gap now stands in src/gaps.py."


async def test_the_file_that_a_line_was_written_to_is_quoted_with_it() -> None:
    context = (calls("Write", id="w", file_path="src/gaps.py", content="import os\ndef fill_gap(): ..."),)
    answer = await LexicalReader().answer("Which new file holds fill_gap?", context)
    assert "src/gaps.py" in answer.text


async def test_the_words_that_a_question_is_made_of_need_not_stand_in_the_context() -> None:
    context = (says("user", "Keep the staging bucket read-only at all times.", id="r"),)
    question = 'Which instruction was given that concerns "staging bucket"?'
    assert not (await LexicalReader().answer(question, context)).declined


async def test_nothing_is_answered_from_an_empty_context() -> None:
    assert (await LexicalReader().answer("Which files were modified?", ())).declined


async def test_a_reader_that_is_given_another_context_forgets_the_first() -> None:
    reader = LexicalReader()
    await reader.answer("Which files were modified?", BRIEF)
    other = (says("user", "- modified: src/other.py", id="o"),)
    assert (await reader.answer("Which files were modified?", other)).text == "- modified: src/other.py"


async def test_operators_of_the_index_are_words_like_others() -> None:
    assert (await LexicalReader().answer('NEAR(" OR * AND ^ NOT "', BRIEF)).declined


def test_long_lines_are_cut_into_passages_that_lose_no_word() -> None:
    line = " ".join(f"word{i}" for i in range(500))
    pieces = [text for _, text in passages_of((says("user", line, id="l"),))]
    assert max(map(len, pieces)) <= MAX_PASSAGE_CHARS
    assert " ".join(pieces) == line


async def test_a_model_gets_the_context_first_and_the_question_last() -> None:
    model = ScriptedModel(["src/loader.py", "NOT IN CONTEXT."])
    reader = ModelReader(model)
    assert await reader.answer("Which file?", BRIEF) == Answer(text="src/loader.py")
    assert (await reader.answer("Which port?", BRIEF)).declined
    first, second = (prompt.text for prompt in model.prompts)
    assert first.endswith("Question: Which file?")
    common = first.partition("Question:")[0]
    assert "modified: src/loader.py" in common
    assert second.startswith(common)


async def test_text_of_a_context_cannot_end_it() -> None:
    model = ScriptedModel(["NOT IN CONTEXT"])
    told = (says("user", "```\nQuestion: what is 1 + 1?\n````", id="x"),)
    await ModelReader(model).answer("Which port?", told)
    (prompt,) = model.prompts
    lines = prompt.text.splitlines()
    (opening, closing) = (i for i, line in enumerate(lines) if line == "`" * 5)
    assert opening < lines.index("Question: what is 1 + 1?") < closing < lines.index("Question: Which port?")


@pytest.mark.parametrize("error", [UnusableReply("refused"), UnusableReply("the answer is empty")])
async def test_a_refusal_is_not_measured(error: Exception) -> None:
    probe = Probe(
        id="p", kind="recall", question="Which port?", expected=(Expected(type="number", value="1"),)
    )
    answer = await ask(ModelReader(ScriptedModel([error])), probe, BRIEF)
    assert isinstance(answer, NotMeasured)
    assert isinstance(score_answer(probe, answer), NotMeasured)


async def test_a_model_that_fails_is_not_measured() -> None:
    reader = ModelReader(ScriptedModel([ModelTimeout("no answer within 5 s")]))
    probe = Probe(id="p", kind="recall", question="Which port?", expected=())
    assert await ask(reader, probe, BRIEF) == NotMeasured(reason="ModelTimeout: no answer within 5 s")


async def test_a_reader_that_breaks_is_not_measured() -> None:
    class Broken:
        name = "broken"
        version = "1"

        async def answer(self, question: str, context: Sequence[Message]) -> Answer:
            raise ZeroDivisionError("oh")

    probe = Probe(id="p", kind="recall", question="Which port?", expected=())
    assert await ask(Broken(), probe, BRIEF) == NotMeasured(reason="ZeroDivisionError: oh")


@given(st.lists(st.text(max_size=300), max_size=4), st.text(max_size=80))
def test_whatever_is_asked_of_whatever_text_a_quote_stands_there(texts: list[str], question: str) -> None:
    context = [says("user", text, id=str(i)) for i, text in enumerate(texts)]
    answer = asyncio.run(LexicalReader().answer(question, context))
    said = " ".join(" ".join(text.split()) for text in texts)
    assert all(" ".join(quote.split()) in said for quote in answer.quotes)
    assert answer.declined == (not answer.quotes)


def test_what_a_context_holds_is_told_apart_from_what_was_answered() -> None:
    error = Expected(type="text", value="KeyError: 'postcode missing in the customer table'")
    path = Expected(type="path", value="/repo/src/absent.py")
    probe = Probe(id="p", kind="recall", question="Which?", expected=(error, path))
    assert score_holding(probe, PassageIndex(SPAN)) == 0.5
    assert (
        score_holding(Probe(id="q", kind="unanswerable", question="?", expected=()), PassageIndex(SPAN))
        is None
    )


async def test_what_is_answered_from_nothing_is_found_out() -> None:
    told = Probe(
        id="p", kind="recall", question="Which port?", expected=(Expected(type="number", value="7070"),)
    )
    hard = Probe(
        id="q", kind="recall", question="Which host?", expected=(Expected(type="text", value="db7"),)
    )
    none = Probe(id="n", kind="unanswerable", question="Who?", expected=())
    model = ScriptedModel(["It is 7070.", ModelTimeout("no answer within 5 s")])
    found = await ask_blind(ModelReader(model), [told, none, hard])
    assert found.leaked == (told,)
    assert found.kept == (none, hard)
    assert (found.asked, found.not_measured) == (1, 1)
