"""What a user says is wrong, and what works."""

import re

from tamis.text.cues.discourse_cues import LOOKED_AT

_AMISS = re.compile(
    r"\b(?:erroneous(?:ly)?|incorrect(?:ly)?|wrong(?:ly)?|fail(?:s|ed|ing)?|crash(?:es|ed|ing)?|rais(?:es|ed)"
    r"|throws|broken|breaks|hangs|unexpected(?:ly)?|not the case|can ?not|can['’]t|instead|infinite"
    r"|inconsistent(?:ly)?|but (?:i|it|we|there)(?:['’]ve|['’]s)? (?:has |have )?(?:got|gets?|is|are)"
    r"|(?:does|do|did|is|will|wo)(?:n['’]t| not)"
    r" (?:work|happen|respect|appl|get|show|return|called|set)\w{0,3})\b",
    re.IGNORECASE,
)
_AS_EXPECTED = re.compile(
    r"\bworks? (?:as (?:expected|intended|it should)|fine|well|correctly|perfectly)\b"
    r"|\b(?:returns?|gets?(?: back)?|gives?|prints?|yields?) the (?:expected|correct|right)\b",
    re.IGNORECASE,
)


def tells_amiss(sentence: str) -> bool | None:
    """Whether a user's sentence says what is wrong; False where it says what works, None where neither.

    >>> tells_amiss("However, it returns two rows instead of one."), tells_amiss("Reading works as expected.")
    (True, False)
    """
    looked_at = sentence[:LOOKED_AT]
    return True if _AMISS.search(looked_at) else False if _AS_EXPECTED.search(looked_at) else None
