"""What announces a choice, its reason and what was turned down; and what announces the next step."""

from tamis.text.cues import zh
from tamis.text.cues.phrases import any_of, words

DECIDED = (
    r"\b(?:we|i|they|the\s+team|the\s+group|everyone|management|client)(?:'ve|’ve|'re|’re|\s+(?:have|has|"
    r"are|all|both))?\s+(?:(?:finally|now|already|jointly)\s+)?"
    + any_of(
        "decided | chose | chosen | opted | agreed | settled | picked | elected | committed | concluded"
        " | (?:going|gone|went)(?= (?:with|for|to (?:go with|use|switch to|stick with))\\b)"
    )
    + r"(?:\s+(?:to\s+(?:go\s+with|use)|to|on|for|with|that(?:\s+we(?:'ll|\s+will)?)?|in\s+favou?r\s+of|"
    r"upon))?\b"
    r"|\b(?:we|i|let's|let\s+us|i(?:'m|\s+am)|we(?:'re|\s+are))(?:'ll|’ll|\s+(?:will|should|can|am|are))?"
    r"(?:\s+(?:just|simply|now|instead|definitely))?\s+"
    r"(?:(?:go(?:ing)?\s+with|use|using|pick(?:ing)?|choos(?:e|ing)|settle\s+on)\b"
    r"|(?=(?:adopt|stick|switch|standardi[sz]|keep|rely|move\s+to|moving\s+to|migrat)\w*))"
    r"|(?:^|\b(?:let's|i'll|we'll|we|i|to|would|will|just|actually|instead|okay|ok)[,:]?\s+)(?:go|going|"
    r"went)\s+with\b"
    r"|(?:^|\b(?:final|the|our|key|design)\s+)decision(?:\s+(?:is|was)(?:\s+to)?\b|\s*:\s)"
    r"|\b(?:the\s+)?(?:best|simplest|cleanest|right|safest|chosen|recommended|better)\s+(?:approach|option|"
    r"fix|solution|way|choice|path)(?:\s+(?:here|forward|now))?\s+(?:is|was|will\s+be)(?:\s+to)?\b"
    r"|\b(?:chose|picked|preferred|selected)\s+(?=[^.]{1,60}\bover\b)|\bit(?:'s|\s+is|\s+was|"
    r"\s+has\s+been)\s+(?:decided|agreed|settled)(?:\s+(?:to|that))?\b"
    r"|" + zh.DECIDED
)
"""What precedes the choice."""

SAID_TO_BE_ONE = (
    words(
        "decided | chose | opted | agreed | settled on | decision | going with | go with | picked"
        " | stick with | switch to"
    )
    + "|"
    + zh.SAID_TO_BE_ONE
)
"""Needs no argument to count as a decision."""

CHOOSING = words(r"""
    use | go with | switch (?:back )?to | stick with | pick | choose | move | reschedule | postpone | host
    standardi[sz]e on | adopt
""")

ARGUED = (
    r"\b(?:decid|decision|cho[os]|opt(?:ed)?\s+for|agreed|settled|go(?:ing)?\s+with|instead\s+of|"
    r"rather\s+than|because|since|best|simplest|cleanest|right\s+approach|stick)\w*|" + zh.ARGUED
)
"""Without one of these in its text an agent decides nothing."""

ARGUED_SIGNS = (
    *("decid", "decision", "choo", "chos", "opt for", "opted for", "agreed", "settled", "go with"),
    *("going with", "instead of", "rather than", "because", "since", "best", "simplest", "cleanest"),
    *("right approach", "stick", *zh.ARGUED.split("|")),
)

REASONS = (
    r"(?:[,;(—–]\s*|\s)(?:-\s)?"
    + words(r"""
    because | since | as(?= (?:it|we|they|i)\b(?! (?:is|are|was|were)\W*$)) | due to | given(?: that)?
    so that | so(?= (?:we|it|that|the)) | in order to | the reason (?:is|being) | for the sake of
    thanks to | which(?= (?:gives|lets|means|avoids|keeps|allows))
    """)
    + "|"
    + zh.REASONS
)

ALTERNATIVES = (
    words("instead of | rather than | in place of | as opposed to | over | and not")
    + r"|,\s+not\b|"
    + zh.ALTERNATIVES
)

_ABOUT_TO = (
    r"(?:i'll|i’ll|i\s+will|i'm\s+going\s+to|i\s+am\s+going\s+to|i\s+need\s+to|i\s+should|let\s+me|let's|"
    r"we\s+need\s+to|we'll|we\s+should|i\s+can\s+now)\s+"
    r"(?:(?:now|then|next|also|first|start\s+by|begin\s+by)\s+)?(?!know\b|me\s+know)[a-z]+"
)

NEXT = (
    rf"^{_ABOUT_TO}|\b(?:(?:now|next|then|so|first|ok(?:ay)?|great|good|perfect|alright)[,!.]?\s+{_ABOUT_TO}"
    r"|next(?:\s+steps?|\s+up)?(?:\s+(?:is|are|will\s+be)(?:\s+to)?)?\s*[,:](?:\s*\S|$)|next,?\s+(?:i|we|"
    r"up)\b|my\s+next\s+(?:step|move|task)\b"
    r"|the\s+next\s+(?:step|thing|task)\s+is\b|remaining(?:\s+work|\s+steps?)?:|still\s+to\s+do\b)"
    r"|" + zh.NEXT
)
"""What tells what will be done next. It is looked for in every message of an agent, so it is written to fail
soon: at most places there is no word to begin with."""

NEXT_SIGNS = (
    *("i'll", "i’ll", "i will", "i'm going to", "i am going to", "i need to", "i should", "let me", "let's"),
    *("we need to", "we'll", "we should", "i can now", "next", "remaining", "still to do"),
    *zh.NEXT_SIGNS,
)
