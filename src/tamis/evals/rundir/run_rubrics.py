"""The rubrics of a run: a copy of each that it was judged by, so that its figures can be worked out again."""

from pathlib import Path

from tamis.errors import InputError
from tamis.evals.judging.rubric import Rubric, load_rubric

FOLDER = "rubrics"


def keep_rubric(run: Path, file: Path) -> Rubric:
    """Copy a rubric's file into a run directory.

    Raises:
        InputError: it is no rubric, or another one of the same name and version is kept already.
    """
    rubric = load_rubric(file)
    kept = run / FOLDER / f"{rubric.id.replace('/', '_')}{file.suffix}"
    data = file.read_bytes()
    if kept.exists() and kept.read_bytes() != data:
        raise InputError(f"{file}: {run} was judged by another {rubric.id}; give the rubric another version")
    kept.parent.mkdir(exist_ok=True)
    kept.write_bytes(data)
    return rubric


def kept_rubrics(run: Path) -> tuple[Rubric, ...]:
    """The rubrics that a run directory keeps, besides the one that ships."""
    folder = run / FOLDER
    return tuple(load_rubric(path) for path in sorted(folder.iterdir())) if folder.is_dir() else ()
