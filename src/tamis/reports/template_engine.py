"""The template engine, and text made fit for it."""

import base64
import hashlib
from collections.abc import Iterable
from importlib import resources
from operator import attrgetter
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

__all__ = ["Markup", "content_policy", "grouped", "page_asset", "page_template", "visible"]

_CONTROL_PICTURES = {
    **{code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\n\t"},
    0x7F: "␡",
    **dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], "�"),  # they turn the reading direction
}


def page_template(page: str = "page.html", /, **names: object) -> Template:
    """A page, with escaping on and the given names known to all of its parts."""
    environment = Environment(
        loader=PackageLoader("tamis.reports", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["visible"] = visible
    environment.filters["grouped"] = grouped
    environment.globals.update(names)
    return environment.get_template(page)


def page_asset(name: str) -> Markup:
    """A style sheet or script of the page, as it stands in the package."""
    return Markup((resources.files("tamis.reports") / "page" / name).read_text(encoding="utf-8"))


def content_policy(style: str, script: str = "") -> str:
    """What a page may do: this style sheet, this script where it has one, nothing from anywhere."""
    scripts = f"script-src {_hashed(script)}; " if script else ""
    typed = "; require-trusted-types-for 'script'; trusted-types 'none'" if script else ""
    rules = f"style-src {_hashed(style)}; base-uri 'none'; form-action 'none'"
    return f"default-src 'none'; {scripts}{rules}{typed}"


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def grouped(items: Iterable[Any], attribute: str) -> list[tuple[Any, list[Any]]]:
    """Items by an attribute (`a.b` for one of an attribute), in the order in which each value comes first."""
    value_of, groups = attrgetter(attribute), dict[Any, list[Any]]()
    for item in items:
        groups.setdefault(value_of(item), []).append(item)
    return list(groups.items())


def visible(text: str) -> str:
    r"""Text with its control characters shown, which a browser would swallow or obey.

    >>> visible("a\x1b[31mb")
    'a␛[31mb'
    """
    return text.translate(_CONTROL_PICTURES)
