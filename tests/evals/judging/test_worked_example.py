"""The published worked example: three answers to one question, each telling less than the one before."""

from __future__ import annotations

from evals.judging.judged import RUBRIC, case, item, judge_offline, probe
from tamis.evals.judging.judge import dimension_scores, overall

ASKED = probe(
    "recall",
    "Which error began this, with its code and endpoint?",
    item("number", "401"),
    item("path", "/api/auth/login"),
    item("text", "stale Redis connection in the session store"),
)
"""Published as 4.8, 3.9 and 3.2 of 5; told here in words of our own."""
WHOLE = "A 401 from /api/auth/login; the session store had a stale Redis connection."
WITHOUT_ENDPOINT = "A 401 at login, which came from the session store and not from the credentials."
VAGUE = "Some login trouble. Several files were looked at and a few settings were mended."


def test_the_answers_stand_in_the_published_order() -> None:
    judged = [judge_offline(case(ASKED, text)) for text in (WHOLE, WITHOUT_ENDPOINT, VAGUE)]
    whole, part, vague = [overall(dimension_scores(RUBRIC, one)) or 0.0 for one in judged]
    assert whole > part + 0.5
    assert part > vague + 0.5
