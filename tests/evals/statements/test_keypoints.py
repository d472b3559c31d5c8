from __future__ import annotations

from collections.abc import Sequence

from tamis.evals import At, NotMeasured, Point, evaluate, find_key_points, find_points
from tamis.evals.statements.keypoints import MOST_POINTS, KeyPoints, StatementRecall, score_statements
from tamis.messages import Message, Role, Session, Text, get_counter

FILLER = (
    "Reading the next part of the sources now, where nothing of importance is to be seen by anybody. " * 25
)
CAUSE = "The export drops every row whose postcode begins with a zero, as pandas reads it for a number."
BEHIND = "The gateway times out after ninety seconds because nginx closes idle upstream sockets."
REPORT = (
    "Here is what was found. The export dropped rows whose postcode begins with zero because pandas read it "
    f"as a number. {BEHIND} Shall I go on with the gateway now?"
)


def session(*texts: tuple[Role, str]) -> Session:
    messages = [
        Message(id=f"m{i}", role=role, parts=(Text(text=text),)) for i, (role, text) in enumerate(texts)
    ]
    return Session(id="s", format="messages", messages=tuple(messages))


def worked(*behind: tuple[Role, str]) -> Session:
    """A cause is found before the cut, what is given stands behind it."""
    return session(
        ("user", "Find out why the export is short."), ("assistant", CAUSE), *(
            (role, f"{FILLER} {i}") for i, role in enumerate(("user", "assistant", "user"))
        ), ("assistant", "Going on."), ("user", "Yes."), *behind,
    )  # fmt: skip


def point_of(made: Session, cut: int = 5) -> Point:
    point = next(iter(find_points(made, [At.parse(f"#{cut}")], get_counter())))
    assert isinstance(point, Point)
    return point


def texts(found: KeyPoints) -> list[str]:
    return [sought.point.text for sought in found.points]


def test_a_sentence_of_a_report_that_the_span_says_is_a_key_point_with_its_sources() -> None:
    found = find_key_points(point_of(worked(("assistant", REPORT))))
    (one,) = found.points
    assert one.point.text.startswith("The export dropped rows")
    assert (one.point.sources, one.point.recap, one.point.kind) == (("m1",), "m7", "report")


def test_what_was_said_again_behind_the_cut_need_not_be_known_from_the_span() -> None:
    again: Sequence[tuple[Role, str]] = (("user", CAUSE), ("assistant", REPORT))
    assert texts(find_key_points(point_of(worked(*again)))) == []


def test_what_the_system_prompt_says_need_not_be_known_from_the_span() -> None:
    made = worked(("assistant", REPORT))
    told = Message(id="sys", role="system", parts=(Text(text=CAUSE),))
    with_prompt = Session(id="s", format="messages", messages=(told, *made.messages))
    assert texts(find_key_points(point_of(with_prompt, cut=6))) == []


def test_a_point_without_a_recap_is_not_measured() -> None:
    found = find_key_points(point_of(worked(("assistant", "Done."))))
    score = score_statements(found, [])
    assert score == NotMeasured(reason="nothing behind the cut sums up what was done")


def test_a_recap_of_other_things_gives_no_key_point_and_says_so() -> None:
    score = score_statements(find_key_points(point_of(worked(("assistant", f"In summary: {BEHIND}")))), [])
    assert isinstance(score, NotMeasured)
    assert "from the span only" in score.reason


def test_the_whole_span_covers_every_key_point_and_nothing_covers_none() -> None:
    point = point_of(worked(("assistant", REPORT)))
    found = find_key_points(point)
    whole, none = score_statements(found, point.span), score_statements(found, [])
    assert isinstance(whole, StatementRecall)
    assert isinstance(none, StatementRecall)
    assert (whole.recall, whole.coverage, none.recall, none.missing) == (1.0, 1.0, 0.0, (0,))


def test_a_text_that_says_it_in_other_words_covers_it_and_its_names_alone_do_not() -> None:
    found = find_key_points(point_of(worked(("assistant", REPORT))))
    told, named = (
        score_statements(found, [Message(id="1", role="user", parts=(Text(text=text),))])
        for text in (
            "Cause: pandas reads a postcode as a number; the export drops rows that begin with 0.",
            "export row rows postcode zero pandas number begins drops gateway nginx sockets",
        )
    )
    assert isinstance(told, StatementRecall)
    assert isinstance(named, StatementRecall)
    assert (told.recall, named.recall) == (1.0, 0.0)


def test_of_many_key_points_as_many_are_taken_as_are_allowed_from_first_to_last() -> None:
    rows = [f"The export of table alpha{i} drops column beta{i} since version gamma{i}." for i in range(60)]
    told: list[tuple[Role, str]] = [("user", "Go."), ("assistant", "\n\n".join([*rows, FILLER]))]
    summed = "In summary:\n" + "\n".join(f"- {row}" for row in rows)
    made = session(
        *told, ("user", "On."), ("assistant", "Going on."), ("user", "And?"), ("assistant", summed)
    )
    found = find_key_points(point_of(made, cut=2))
    assert (len(found.points), found.found) == (MOST_POINTS, 60)
    assert texts(found)[0] == rows[0]
    assert texts(find_key_points(point_of(made, cut=2), most=3)) == [rows[0], rows[20], rows[40]]


def test_an_evaluation_measures_statements_beside_names() -> None:
    run = evaluate(
        [worked(("assistant", REPORT))],
        methods=["full", "nothing"], budgets=["20%"], at=["#5"], readers=[], judges=[],
    )  # fmt: skip
    (point,) = run.points
    assert [one.sources for one in point.key_points] == [("m1",)]
    scores = {r.method: r.statements for r in run.results}
    assert isinstance(scores["full"], StatementRecall)
    assert scores["full"].recall == 1.0
    assert isinstance(scores["nothing"], StatementRecall)
    assert scores["nothing"].recall == 0.0
