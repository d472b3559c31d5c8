"""When two lines say the same: errors by type, message and place, other lines by their words.

Addresses, folders and counts differ from one sighting of an error to the next; what tells errors apart stays:
the code of a compiler (`TS2345`), a status (`HTTP 404`), an exit code.
"""

import re
from functools import lru_cache

from tamis.ledger.events import ErrorMessage
from tamis.ledger.outputs.error_messages import error_signature, errors_in_output

_TELLING = re.compile(
    r"\b[A-Z]{1,5}\d+\b|(?i:\b(?:http|status|code|errno|exit|exited|signal|sqlstate)\b\D{0,12})\d+"
)
_AS_LETTERS = str.maketrans("0123456789", "ghijklmnop")
_MAY_REPORT = re.compile(r"rror|xception|[Ff]ail|FAIL|atal|FATAL|anic|annot|denied|[Nn]ot |[Nn]o such|unde")
"""One of these stands in nearly every error; a line without any is not looked at more closely."""

_MARKS = re.compile(r"^[\W_]+|(?<=\s)[*#>-]+(?=\s)")


def error_meaning(error: ErrorMessage) -> str:
    """What two sightings of one error share, however they are numbered and wherever the folder lies.

    >>> error_meaning(ErrorMessage(message="HTTP 404 after 3 tries")) == error_meaning(
    ...     ErrorMessage(message="HTTP 404 after 5 tries")
    ... )
    True
    >>> error_meaning(ErrorMessage(message="HTTP 404")) == error_meaning(ErrorMessage(message="HTTP 500"))
    False
    """
    told = _TELLING.sub(lambda match: match[0].translate(_AS_LETTERS), error.message)
    return error_signature(ErrorMessage(message=" ".join(told.split()), type=error.type, place=error.place))


def read_error(text: str) -> ErrorMessage | None:
    """The error that a text reports: its last one, where a traceback tells it; None where there is none."""
    found = errors_in_output(text, None)
    return found[-1].error if found else None


@lru_cache(maxsize=20_000)  # the same lines are judged at every pass
def meaning_of(text: str) -> str:
    """What two texts share that say the same: as an error where it is one, else by its words.

    >>> meaning_of("- ValueError: bad port 80") == meaning_of("ValueError: bad port 8080")
    True
    """
    bare = _MARKS.sub("", text).strip()
    if _MAY_REPORT.search(bare) and (error := read_error(bare)) is not None:
        return f"error {error_meaning(error)}"
    return " ".join(bare.lower().split())
