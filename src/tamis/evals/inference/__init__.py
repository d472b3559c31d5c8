"""What may be concluded: intervals, tests, corrections, effect sizes, power, fronts, over whole sessions."""

from importlib.util import find_spec

from tamis.errors import MissingExtra

for _library in ("numpy", "scipy"):
    if find_spec(_library) is None:
        raise MissingExtra(f"intervals need {_library}; install it with: pip install 'tamis[evals]'")
