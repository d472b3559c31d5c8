"""Writing the report of a run directory: the page, the summary for a pull request, or the figures as JSON."""

import math
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tamis.evals import Texts, read_run
from tamis.reports.html import ANSWERS, MAX_BYTES, render_html
from tamis.reports.json_report import run_report
from tamis.reports.markdown import render_markdown
from tamis.sessions import write_atomic


@dataclass(frozen=True, kw_only=True, slots=True)
class WrittenReport:
    """A report that was written. `points_embedded` is None where the form holds no texts."""

    path: Path
    points: int
    points_embedded: int | None = None


def write_report(
    run_dir: Path,
    target: Path,
    *,
    points: int | Literal["all"] | None = None,
    answers: int = ANSWERS,
    force: bool = False,
) -> WrittenReport:
    """Write the report of a run; the ending of `target` says which: `.md`, `.json`, else HTML.

    So many `points` can be read in the page, the worst first, or "all", however large it gets; None: as many
    as fit into 25 MB. `answers` of the worst answers of each method stand there.

    Raises:
        UnreadableFile: no finished run in the folder.
        OutputExists: `target` is there already, and no `force`.
    """
    run = read_run(run_dir)
    if target.suffix in (".md", ".json"):
        is_json = target.suffix == ".json"
        text = f"{run_report(run).model_dump_json(indent=2)}\n" if is_json else render_markdown(run)
        write_atomic(target, [text], force=force)
        return WrittenReport(path=target, points=len(run.points))
    with closing(Texts(run_dir)) as texts:
        page = render_html(
            run,
            texts,
            target,
            points=None if points == "all" else points,
            answers=answers,
            max_bytes=MAX_BYTES if points is None else math.inf,
            force=force,
        )
    return WrittenReport(path=target, points=page.points, points_embedded=page.points_embedded)
