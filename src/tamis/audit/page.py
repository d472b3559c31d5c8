"""An audit as one HTML file that works offline: no script, no request, everything escaped."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tamis.audit import narrative as wording
from tamis.audit.narrative import SuggestedCommand
from tamis.audit.totals import AuditFigures, shortened
from tamis.reports.template_engine import Markup, content_policy, page_asset, page_template
from tamis.sessions import write_atomic


def write_page(
    figures: AuditFigures,
    commands: Sequence[SuggestedCommand],
    path: Path,
    *,
    home: Path,
    force: bool = False,
) -> Path:
    """Write the page.

    Raises:
        OutputExists: the file is there already, and no `force`.
        InputError: it cannot be written there.
    """
    style = Markup(page_asset("page.css") + page_asset("audit.css"))
    page = page_template("audit.html", wording=wording, shortened=partial(shortened, home=home)).generate(
        figures=figures,
        kept=[(what, kept) for what, kept in wording.needed(figures)],
        unmeasured="; ".join(wording.unmeasured(figures)),
        tokens=wording.token_rows(figures.tokens),
        troubles=list(wording.troubles(figures)),
        commands=commands,
        style=style,
        policy=content_policy(style),
    )
    return write_atomic(path, page, force=force)
