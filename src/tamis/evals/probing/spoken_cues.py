"""Cues in what was said: of a reason, a consequence, a step with its purpose, a cause, a choice, a wish."""

import re

REASON = re.compile(
    r"(?:[,;]|(?<!\s))\s+(?:—\s*|–\s*)?(?:because(?! of)|since(?= \w+ \w+ \w+)|so that|due to|because of"
    r"|to avoid|given that)\s+|[,;] as (?=(?:the|it|they|this|these|we|i|there)\b)",
    re.IGNORECASE,
)
SO = re.compile(r"(?:,|\s[—–-])\s+(?:so(?! that)|which means(?: that)?|therefore|hence)\s+", re.IGNORECASE)
SINCE = re.compile(
    r"^(?:since|because|given that|as (?=(?:the|it|they|this|these|we|i|there)\b))\s*"
    r"(?P<why>[^,;]{15,160}),\s+",
    re.IGNORECASE,
)
LEADS = re.compile(
    r"^[^,;:]{15,160}?( (?:causes?|caused|leads? to|led to|results? in|resulted in|prevents?) )",
    re.IGNORECASE,
)
SWAP = re.compile(
    r"\breplac(?:e|ed|ing) (?:the |all )?(?P<old>[^.,;:!?]{3,80}?) (?:with|by) (?P<new>[^!?;]{3,150})",
    re.IGNORECASE,
)
LEAD_IN = re.compile(r"^[^—–:]{3,40}(?:\s[—–]|:)\s+(?=\S+\s)")
"""What a sentence begins with before it comes to the point: "That makes sense — ..."."""

OTHER = re.compile(r"(?:,|(?<!\s))\s+(?:instead of|rather than)\s+", re.IGNORECASE)
_WILL = (
    r"(?:(?:let me|let's|let us|i'll|i will|i'm going to|(?:i|we) (?:now )?(?:need|have|want) to"
    r"|(?:i|we) (?:should|can|could)|we'll)\s+(?:\w+ly |also |now |then |first |just )?)"
)
_CHANGING = (
    r"(?:modify|update|change|add|edit|create|refactor|replace|remove|fix|use|implement|write|rename|move"
    r"|extend|introduce|split|extract|wrap|convert|revert|keep|skip|set|make|handle|delete|drop|simplify)"
)
_LOOKING = (
    r"(?:look|check|see|open|view|examine|search|find|run|test|try|locate|explore|verify|read|trace"
    r"|investigate)"
)
_VERBS = (
    r"(?:see|check|verify|understand|find|ensure|make|avoid|handle|support|use|get|reproduce|test|confirm|fix|include"
    r"|add|remove|prevent|allow|keep|return|log|create|determine|know|learn|identify|locate|match|show|update|set"
    r"|reflect|work|pass|call|convert|replace|accept|compare|figure|follow|have|judge|place|clear|delegate|skip"
    r"|support|take|treat|ignore|read|write|run|validate|exclude|preserve|provide|display|catch|raise|reduce"
    r"|simplify|look|move|cover|split|store|import|properly|correctly|only|not|also)"
)
_TO = rf"(?:(?:to|in order to) {_VERBS}|so that)\b\s+"
STEP = re.compile(
    rf"{_WILL}(?P<act>{_CHANGING}\b[^.!?]{{12,150}}?)\s+(?P<why>{_TO}[^!?]{{12,}})", re.IGNORECASE
)
LOOK = re.compile(
    rf"{_WILL}(?P<act>{_LOOKING}\b[^.!?]{{12,150}}?)\s+(?P<why>(?:{_TO}|if |whether )[^!?]{{8,}})",
    re.IGNORECASE,
)
PLAN = re.compile(
    rf"{_WILL}(?:try )?(?:(?!make sure){_CHANGING}|using) (?P<what>(?!is |are )[^!?]{{12,200}})",
    re.IGNORECASE,
)
PURPOSE = re.compile(rf" {_TO}", re.IGNORECASE)
AHEAD = re.compile(rf"\b{_WILL}", re.IGNORECASE)
TRIES = re.compile(r"\b(?:scripts?|commands?|print(?:s|ing)?|reproduc\w{1,9}|tests?)\b", re.IGNORECASE)
"""What a step is about that only tries something out: no choice of how the work is done."""

FINDS = re.compile(
    r"^(?:(?:it|this) (?:seems|appears|looks)(?: like| that)?|(?:i|we) (?:can )?(?:now )?see(?: that)?)\s+"
    r"|^\d{1,2}[.)] ",
    re.IGNORECASE,
)
LACKS = re.compile(
    r"\b(?:not|never|cannot|missing|lacks?|fail(?:s|ed|ing)?|errors?|wrong|broken)\b|n['’]t\b", re.IGNORECASE
)
"""A finding that calls for a step: something lacks, or fails."""
NAMES_CAUSE = re.compile(
    r"\bthe (?:\w+ ){0,2}?(?P<what>root cause|cause|issue|problem|bug|error|culprit|reason|fix|solution"
    r"|difference|key insight|trade-?off)(?: here)?(?: with [^,.;:]{1,50}| in [^,.;:]{1,50})?"
    r"(?: (?:is|was|lies|comes|came|happens|occurs)\b|: )"
    r"|\b(?:turns|turned) out\b",
    re.IGNORECASE,
)
DECIDES = re.compile(
    r"\b(?:i|we|let's|let us)"
    r"(?:['’](?:ll|ve|d|re|m)| will| would| should| are| am| (?:need|have|want) to| have)*"
    r" (?:now |also |just |then |still |only )?(?:decid|chose|opt(?:ed)? |prefer|go(?:ing)? with"
    r"|skip|keep|leav|focus|recommend|suggest|propos|stick|use|using)\w*\b(?!:)"
    r"|\b(?:better|best|simplest|cleanest|safest|right|recommended|chosen)"
    r" (?:approach|option|fix|solution|way|choice)\b"
    r"|\b(?:recommend(?:ation|ed)|out of scope|not worth"
    r"|on purpose|(?<!is )(?<!are )(?:deliberately|intentionally)|design decision)\b",
    re.IGNORECASE,
)
CHOOSES = re.compile(
    r"\b(?:i(?! bet)|we|let's|let us|use|should|better|best|fix|now|would|chose|decided|keep|prefer|will)\b"
    r"|['’]ll\b",
    re.IGNORECASE,
)
CONCLUDES = re.compile(
    r"^(?:so|thus|therefore|hence|which means|this means|that means|this suggests"
    r"|i (?:can )?(?:now )?(?:see|notice|understand)"
    r"|it (?:appears|seems|looks)|(?P<ground>(?:looking at|based on)[^,]{0,120})"
    r"|the (?:error|code|test|output|function|method)\b)",
    re.IGNORECASE,
)
SEES = re.compile(r"\b(?:we|i) can (?:now |also )?see (that) ", re.IGNORECASE)
TURNS = re.compile(r"(?:however|but|or|also)\b", re.IGNORECASE)
OPEN = re.compile(r"\bif (?:it|we|i|you|the|that)\b|\blet(?:['’]s| me| us)\b", re.IGNORECASE)
"""What is a condition or a plan names no cause and makes no choice."""

LAYS_DOWN = re.compile(
    r"\b(?:us(?:e|ing)|based on|only|never|always|keep|without|must|should|make sure|at (?:most|least)"
    r"|rather than|instead|prefer|no longer|once|do not|don['’]t)\b",
    re.IGNORECASE,
)
"""How a wish says how something is to be done."""

RETELLS = re.compile(r"^(?:the )?user\b", re.IGNORECASE)
"""What the user wants is asked of the user's own words."""
