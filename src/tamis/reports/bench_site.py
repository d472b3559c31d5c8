"""The benchmark's board as a static site: one page that needs no network and no script, and its figures.

Its charts set quality against compression: every run of a segment with its interval. What is on the front is
filled, what something else beats in both is hollow. Everything is escaped by the template.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from pydantic import TypeAdapter

from tamis.bench.board import GROUPS, Group
from tamis.bench.compat.published_scores import PUBLISHED_SCORER
from tamis.bench.methodology import MAX_CONTRADICTION_RATE, MIN_PASS_RATE, TIER_FLOORS
from tamis.bench.standings import Segment, Standing
from tamis.errors import InputError
from tamis.messages.reprs import shortened
from tamis.reports import svg
from tamis.reports.svg import NARROW, WIDE, series_classes
from tamis.reports.template_engine import Markup, content_policy, page_asset, page_template
from tamis.sessions import write_atomic

_TOP, _BOTTOM, _LEFT, _RIGHT = 34.0, 46.0, 40.0, 18.0
_STEPS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_BEYOND = 8
"""The axis ends at so many times the tier's ratio; what is smaller still stands at its end."""


def draw_segment(segment: Segment, *, size: svg.Size, key: str, classes: Mapping[str, str]) -> Markup:
    """The chart of a segment; `key` makes its ids unique in the page."""
    drawn = _BoardPlot(segment=segment, size=size, classes=classes).elements()
    told = f"{'; '.join(map(_told, segment.standings))}."
    return svg.drawing(drawn, size=size, key=key, title="Score against compression", told=told)


def _told(standing: Standing) -> str:
    score, setup = standing.row.score, standing.row.setup
    beaten = f"beaten in both by {', '.join(standing.beaten_by)}" if standing.beaten_by else "on the front"
    if score.overall is None:
        return f"{setup.method}: nothing measured"
    return f"{setup.method}: score {score.overall:.2f} at {score.ratio:.1f}x, {beaten}"


@dataclass(frozen=True, kw_only=True)
class _BoardPlot:
    segment: Segment
    size: svg.Size
    classes: Mapping[str, str]

    def elements(self) -> Iterator[Markup]:
        right, base = self.size.width - _RIGHT, self.size.height - _BOTTOM
        yield from svg.grid(_STEPS, left=_LEFT, right=right, y_of=self._y)
        yield svg.text("axis", 0, 13, "score, 95 % interval")
        last = f"{self._most:g}x and more"
        room = right - len(last) * svg.CHAR_WIDTH
        for ratio in (2**power for power in range(int(math.log2(self._most)) + 1)):
            if self._x(ratio) + 2 * svg.CHAR_WIDTH < room:
                yield svg.text("tick middle", self._x(ratio), base + 18, f"{ratio}x")
        yield svg.text("tick end", right, base + 18, last)
        yield svg.text("axis middle", (_LEFT + right) / 2, base + 38, "compression, transcript over artifact")
        x = self._x(self._floor)
        yield Markup('<line class="tier" x1="{x:.1f}" x2="{x:.1f}" y1="{:.1f}" y2="{:.1f}"/>').format(
            _TOP - 8, base, x=x
        )
        yield svg.text("tick", x + 5, _TOP - 2, f"to qualify: {self._floor:g}x")
        yield self._front()
        for standing in self._shown:
            yield self._mark(standing)
        yield from self._names()

    @property
    def _shown(self) -> list[Standing]:
        """The runs of which there is a score to show."""
        return [s for s in self.segment.standings if s.row.score.overall is not None]

    @property
    def _floor(self) -> float:
        return TIER_FLOORS[self.segment.setup.tier]

    @property
    def _most(self) -> float:
        return self._floor * _BEYOND

    def _x(self, ratio: float) -> float:
        share = math.log(max(1.0, min(ratio, self._most))) / math.log(self._most)
        return _LEFT + 15 + share * (self.size.width - _LEFT - _RIGHT - 30)

    def _y(self, score: float) -> float:
        return _TOP + (self.size.height - _TOP - _BOTTOM) * (1 - score)

    def _at(self, standing: Standing) -> tuple[float, float]:
        return self._x(standing.row.score.ratio), self._y(standing.row.score.overall or 0.0)

    def _front(self) -> Markup:
        """Stairs: so much is kept until it has to be smaller than the next run on the front."""
        leaders = sorted((s for s in self._shown if not s.beaten_by), key=lambda s: s.row.score.ratio)
        places = [self._at(standing) for standing in leaders]
        return svg.stairs(places, lambda i: (places[i - 1][0], places[i][1]))

    def _mark(self, standing: Standing) -> Markup:
        method, (x, y), score = standing.row.setup.method, self._at(standing), standing.score
        methods = list(dict.fromkeys(s.row.setup.method for s in self.segment.standings))
        interval = svg.whisker(score.low, score.high, x, self._y) if score else Markup("")
        shape = svg.marker(svg.marker_of(method, methods), x, y, hollow=bool(standing.beaten_by))
        return svg.series(self.classes[method], _told(standing), interval, shape)

    def _names(self) -> Iterator[Markup]:
        """Every run's name beside its mark, where it lies on no mark and on no other name."""
        taken = svg.around_marks(map(self._at, self._shown))
        inside = svg.Box(left=_LEFT, top=-math.inf, width=self.size.width - _LEFT, height=math.inf)
        for standing in self._shown:
            x, y = self._at(standing)
            name = shortened(standing.row.setup.method, self.size.label_chars)
            places = [
                (left, y + lines * svg.NAME_LINE)
                for lines in (-0.5, -1.5, 0.5, -2.5, 1.5)
                for left in (x + 10, x - 10 - len(name) * svg.CHAR_WIDTH)
            ]
            if box := svg.take_free(places, name, taken, inside=inside):
                css = "label control-label" if standing.is_control else "label"
                yield svg.text(css, box.left, box.top + svg.NAME_LINE - 3, name)


PAGE, FIGURES = "index.html", "board.json"

TITLES: dict[Group, str] = {
    "qualified": "Qualified: every floor passed",
    "floor missed": "Not qualified: at least {floor:g}x, another floor missed",
    "too large": "Not qualified: below {floor:g}x",
    "unfinished": "Not qualified: not every slot and cycle done",
}


def write_site(segments: Sequence[Segment], folder: Path, *, force: bool = False) -> Path:
    """Write the board; gives the page's path.

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
