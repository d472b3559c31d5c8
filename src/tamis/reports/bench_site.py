"""The benchmark's board as a static site: one page that needs no network and no script, and its figures.

Everything is escaped by the template; a content security policy admits this style sheet and nothing else.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from pydantic import TypeAdapter

from tamis.bench.board import GROUPS, Group
from tamis.bench.compat.published_scores import PUBLISHED_SCORER
from tamis.bench.methodology import MAX_CONTRADICTION_RATE, MIN_PASS_RATE, TIER_FLOORS
from tamis.bench.standings import Segment, Standing
from tamis.errors import InputError
from tamis.reports.bench_chart import draw_segment
from tamis.reports.svg import NARROW, WIDE, series_classes
from tamis.reports.template_engine import Markup, content_policy, page_asset, page_template
from tamis.sessions import write_atomic

PAGE, FIGURES = "index.html", "board.json"

TITLES: dict[Group, str] = {
    "qualified": "Qualified: every floor passed",
    "floor missed": "Not qualified: at least {floor:g}x, another floor missed",
    "too large": "Not qualified: below {floor:g}x",
    "unfinished": "Not qualified: not every slot and cycle done",
}


def write_site(segments: Sequence[Segment], folder: Path, *, force: bool = False) -> Path:
    """Write the board; gives the page's path.

    The folder is made if it is not there.

    Raises:
        OutputExists: a board is there already, and no `force`.
        InputError: the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made ({error.strerror}); choose another place") from None
    figures = TypeAdapter(Sequence[Segment]).dump_json(segments, indent=1, exclude=_NO_ANSWERS)
    page = write_atomic(folder / PAGE, _page(segments), force=force)
    write_atomic(folder / FIGURES, [figures.decode(), "\n"], force=force)
    return page


_NO_ANSWERS = {"__all__": {"standings": {"__all__": {"row": {"score": {"cases"}}}}}}
"""The logs hold every answer; the board's figures are what follows from them."""


def _page(segments: Sequence[Segment]) -> Iterator[str]:
    style = Markup("\n").join([page_asset("page.css"), page_asset("board.css")])
    return page_template("board.html").generate(
        segments=segments,
        style=style,
        policy=content_policy(style),
        charts=[_charts(segment, f"segment-{number}") for number, segment in enumerate(segments, 1)],
        parts=[_parts(segment) for segment in segments],
        families=[list(dict.fromkeys(f for s in one.standings for f in s.families)) for one in segments],
        floors=TIER_FLOORS,
        min_pass_rate=MIN_PASS_RATE,
        max_contradiction_rate=MAX_CONTRADICTION_RATE,
        published_scorer=PUBLISHED_SCORER,
        figures=FIGURES,
    )


def _charts(segment: Segment, key: str) -> dict[str, Markup]:
    classes = series_classes(list(dict.fromkeys(s.row.setup.method for s in segment.standings)))
    return {
        name: draw_segment(segment, size=size, key=f"{key}-{name}", classes=classes)
        for name, size in (("wide", WIDE), ("narrow", NARROW))
    }


def _parts(segment: Segment) -> dict[str, list[Standing]]:
    """The standings under the titles of their groups; the first group is there even where nobody is in it."""
    floor = TIER_FLOORS[segment.setup.tier]
    by_group = {group: list(found) for group, found in groupby(segment.standings, key=lambda s: s.row.group)}
    return {
        TITLES[group].format(floor=floor): by_group.get(group, [])
        for group in GROUPS
        if group in by_group or group == "qualified"
    }
