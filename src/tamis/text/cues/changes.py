"""What sets a bound, and what says that something said before no longer holds."""

from tamis.text.cues import zh
from tamis.text.cues.phrases import words

UPPER_BOUND = (
    words(r"""
    at most | no (?:more|longer|later|larger|bigger|higher|greater) than | not (?:to )?(?:more than|exceed)
    (?:never|not) (?:be |cost |take |last )?(?:more|longer|later|larger|bigger|higher|greater) than
    (?:never|not) (?:be |go )?(?:over|above)
    up to | under | below | within | less than | fewer than | or (?:less|fewer|under|below|lower|earlier)
    max(?:imum)? | cap(?:ped)? | limit(?:ed)?
    budget | ceiling | quota | exceed | go over | spend
    """)
    + "|"
    + zh.UPPER_BOUND
)

LOWER_BOUND = (
    words(r"""
    at least | or (?:more|above|higher|later|longer)
    no (?:less|fewer|shorter|smaller|lower|earlier) than | not less than | minimum | min | above
    """)
    + "|"
    + zh.LOWER_BOUND
)

UPDATES = (
    words(r"""
    actually | instead | no longer | not any ?more | any ?more | scratch that | strike that
    change of plans? | changed? (?:it|that|this|my mind|our mind|the) | correction | update(?=:)
    updated?(?: to)? | revised? | now | from now on | switch(?:ing|ed)? (?:back )?(?:to|from|over)
    move(?:d)? (?:it|the|this|that|to) | let's (?:move|make it|change|bump|raise|lower|switch)
    make (?:it|that) | bump(?:ed)? | raise[ds]? | lower(?:ed)? | increase[ds]? | reduce[ds]? | cut
    extend(?:ed)? | postpone[ds]? | push(?:ed)? (?:it |the )?(?:\w+ )?back | pushed? to | reschedule[ds]?
    replace[ds]? | forget | ignore (?:what|the|my) | drop the | sorry | i meant | rather than | took over
    takes over | taken over | after all | new (?:limit|cap|budget|deadline|date|plan|owner|value)
    """)
    + "|"
    + zh.UPDATES
)
"""What says that something changes."""

LIFTS = (
    words(r"""
    (?:it's|it’s|that's|is|are|be) (?:now )?(?:fine|ok|okay|safe|allowed|permitted) (?:to|if|again|now)
    (?:fine|ok|okay|allowed|permitted) (?:to \w+ )?(?:now|again) | feel free to | fair game
    go ahead (?:and|with)
    (?:you|we) (?:can|may)(?: now| go ahead and| again)?(?! (?:only|not|never|see|tell))
    (?:can|may) (?:now|again) | (?:don't|do not|no longer|doesn't|does not) (?:need|have) to | no need to
    lift(?:ed|ing)? the | no longer (?:need|matter|appl|forbidden|required|necessary|off[- ]limits)\w*
    forget (?:about )?(?:the|what|that|my)
    ignore (?:the|what|my) (?:earlier|previous|rule|restriction|limit)? | never ?mind (?:the|about|what)
    scratch that | not (?:required|necessary|needed) any ?more | restriction is (?:gone|lifted)
    """)
    + "|"
    + zh.LIFTS
)
"""What takes a prohibition or a duty back."""

ADDS = (
    words(r"""
    also | as well | too(?! [a-z]) | in addition | additionally | besides | another | plus | both | and also
    on top of
""")
    + "|"
    + zh.ADDS
)
"""What adds to something and therefore does not replace it."""

REASON_TAIL = (
    r"(?:[,;]|(?<![\s,;]))\s*"
    + words(r"""
    because | since (?:we|it|the|that|this|they|i) | so that | in order to | given that | otherwise
    or else | due to | as (?:it|we|they|that)
    """)
    + r".*|"
    + zh.REASON_TAIL
)
"""From here on a sentence only argues."""

GIVEN_UP = (
    r"\b(?:instead\s+of|rather\s+than|in\s+place\s+of|replacing|no\s+longer|from(?!\s+now)|replace|drop|"
    r"(?<=,\s)not)\s+"
    r"(?:(?:the|a|an|on|with|use|using|to)\s+)*([\w+#.-]+(?:\s(?!to\b|with\b|by\b)[\w+#.-]+)?)"
    "|" + zh.GIVEN_UP
)
"""Names what is given up, in its first or second group."""
