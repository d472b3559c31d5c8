"""Which skills go in: the scores, the labelled set, and the cache that expires."""

from __future__ import annotations

import pytest

from tamis.memory.relevance import ExpiringCache, SkillFilter, SkillIndex, default_weights, score
from tamis.memory.settings import CacheSettings, SkillbookSettings
from tamis.memory.skillbook import Skill, Skillbook
from tamis.messages import get_counter

PARSER = Skill(name="parser errors", summary="Repair broken parser state", domains=("python", "go"))


def published(skill: Skill, task: str) -> float:
    return score(SkillIndex([skill]).evidence(task)[0], skill, "published", default_weights())


def test_the_published_score_adds_words_phrase_and_domain():
    # 4 of the 6 words of the skill stand among the 5 words of the task: 0.5 x 4/5, then 0.3 and 0.2
    assert published(PARSER, "Repair parser errors: broken python") == pytest.approx(0.4 + 0.3 + 0.2)


def test_a_domain_is_a_word_of_its_own():
    assert published(PARSER, "good algorithms") == 0
    assert published(PARSER, "learn go") == pytest.approx(0.2)


def test_nothing_in_common_is_zero():
    assert published(PARSER, "") == 0


def test_outcomes_move_a_skill_up_and_down():
    weights = default_weights()
    task = "The parser is broken"
    evidence = SkillIndex([PARSER]).evidence(task)[0]
    scores = [
        score(
            evidence,
            Skill(name=PARSER.name, summary=PARSER.summary, helped=h, did_not_help=d),
            "learned",
            weights,
        )
        for h, d in ((0, 5), (0, 0), (5, 0))
    ]
    assert scores == sorted(scores)
    assert scores[0] < scores[1] < scores[2]


def test_at_most_so_many_skills_at_or_above_the_threshold():
    skills = tuple(Skill(name=f"parser-{i}", summary="repair the broken parser") for i in range(9))
    chosen = make_filter(skills, relevance_threshold=0.0, max_skills=5).select("repair the parser")
    assert len(chosen.skills) == 5
    assert make_filter(skills, relevance_threshold=1.0).select("repair the parser").skills == ()


def test_the_same_task_is_looked_up_once_until_it_expires():
    now = [0.0]
    chooser = make_filter((PARSER,), clock=lambda: now[0])
    for _ in range(5):
        chooser.select("repair the parser")
    assert (chooser.cache.hits, chooser.cache.misses) == (4, 1)
    now[0] = 300.0
    chooser.select("repair the parser")
    assert chooser.cache.misses == 2


def test_another_book_is_not_answered_from_the_old_ones_cache():
    chooser = make_filter((PARSER,), relevance_threshold=0.0)
    chooser.select("repair")
    chooser.use(Skillbook(skills=(Skill(name="other", summary="repair"),)))
    assert [s.name for s in chooser.select("repair").skills] == ["other"]


def test_the_cache_is_bounded_and_the_least_recently_used_goes():
    cache = ExpiringCache[str, int](ttl_s=10, max_entries=2, clock=lambda: 0.0)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert (cache.get("a"), cache.get("b"), cache.get("c"), len(cache)) == (1, None, 3, 2)


def test_a_clock_that_jumps_back_expires_what_it_made_look_new():
    now = [1000.0]
    cache = ExpiringCache[str, int](ttl_s=10, max_entries=2, clock=lambda: now[0])
    cache.put("a", 1)
    now[0] = 5.0
    assert cache.get("a") is None


def make_filter(skills, *, clock=lambda: 0.0, **settings):
    return SkillFilter(
        Skillbook(skills=tuple(skills)),
        get_counter(),
        SkillbookSettings(**settings),
        CacheSettings(),
        clock=clock,
    )


@pytest.mark.parametrize(
    ("task", "chosen"),
    [
        ("Sum the totals of this CSV file and skip the empty rows.", 1),
        ("Write a poem about the totals of a long life.", 0),
        ("Restart the mail server and watch its log.", 0),
    ],
)
def test_in_a_book_of_one_skill_relevance_is_judged_as_in_a_large_one(task, chosen):
    skill = Skill(
        name="empty-rows", summary="Skip empty rows of a CSV file before summing totals.", domains=("csv",)
    )
    assert len(make_filter((skill,)).select(task).skills) == chosen
