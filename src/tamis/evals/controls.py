"""Control arms: methods that are measured to tell what a figure is worth, not to be used."""

from collections.abc import Mapping

CONTROLS: Mapping[str, str] = {
    "full": "nothing taken out",
    "nothing": "everything taken out",
    "index": "a bare list of names",
    "restated": "compacted, with the constraint said again",
}
"""Methods that are measured to read others against, and what each is."""


def is_control(method: str) -> bool:
    """Whether a method is a control arm: one of them by name, or a method with the constraints said again.

    >>> is_control("nothing"), is_control("ledger+restated"), is_control("ledger")
    (True, True, False)
    """
    return method in CONTROLS or method.endswith("+restated")
