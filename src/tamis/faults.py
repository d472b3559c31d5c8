"""Faults of documents: what pydantic found, as one line for whoever wrote the document."""

from pydantic import ValidationError


def first_fault(error: ValidationError, whole: str, *, counted_from: int = 0) -> str:
    """The first thing that is wrong, behind its place; `whole` is what the place of all of it is called.

    >>> from pydantic import TypeAdapter
    >>> try:
    ...     TypeAdapter(dict[str, list[int]]).validate_python({"ports": ["none"]})
    ... except ValidationError as error:
    ...     print(first_fault(error, "the file", counted_from=1))
    ports.1: Input should be a valid integer, unable to parse string as an integer
    """
    fault = error.errors(include_url=False, include_input=False)[0]
    steps = (str(at + counted_from) if isinstance(at, int) else at for at in fault["loc"])
    return f"{'.'.join(steps) or whole}: {fault['msg'].removeprefix('Value error, ')}"
