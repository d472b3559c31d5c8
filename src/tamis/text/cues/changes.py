"""What sets a bound, and what says that something said before no longer holds."""

from __future__ import annotations

from tamis.text.cues.phrases import any_of, words

UPPER_BOUND = (
    words(r"""
    at most | no (?:more|longer|later|larger|bigger|higher|greater) than | not (?:to )?(?:more than|exceed)
    (?:never|not) (?:be |cost |take |last )?(?:more|longer|later|larger|bigger|higher|greater) than
    (?:never|not) (?:be |go )?(?:over|above)
    up to | under | below | within | less than | fewer than | max(?:imum)? | cap(?:ped)? | limit(?:ed)?
    budget | ceiling | quota | exceed | go over | spend
    """)
    + "|"
    + any_of("""
    不超过 | 不得超过 | 不能超过 | 别超过 | 最多 | 至多 | 以内 | 之内 | 以下 | 上限 | 预算 | 低于 | 控制在
    限制在 | 封顶
    """)
)

LOWER_BOUND = (
    words(r"""
    at least | no (?:less|fewer|shorter|smaller|lower|earlier) than | not less than | minimum | min | above
    """)
    + "|"
    + any_of("至少 | 最少 | 不少于 | 不低于 | 以上 | 下限")
)

CHINESE_UPDATES = any_of("""
    改成 | 改为 | 改用 | 改到 | 换成 | 换为 | 换用 | 调整为 | 调整到 | 调到 | 提高到 | 降到 | 降低到
    放宽到 | 推迟到 | 提前到 | 延期到 | 不再 | 取消 | 作废 | 更正 | 更新[:：] | 其实 | 现在 | 还是用 | 算了
    以后 | 而是 | 改主意 | 改一下 | 变更为 | 顶替 | 接手 | 接替
    """)

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
    + CHINESE_UPDATES
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
    + any_of("""
    可以(?!吗) | 允许 | 不用再 | 不必再 | 不需要再 | 无需再 | 不用 | 不必 | 无需 | 取消 | 作废 | 解除 | 放开
    没关系 | 随便
    """)
)
"""What takes a prohibition or a duty back."""

ADDS = (
    words(r"""
    also | as well | too | in addition | additionally | besides | another | plus | both | and also | on top of
""")
    + "|"
    + any_of("也 | 还要 | 另外 | 此外 | 同时 | 以及 | 再加")
)
"""What adds to something and therefore does not replace it."""

REASON_TAIL = (
    r"(?:[,;]|(?<![\s,;]))\s*"
    + words(r"""
    because | since (?:we|it|the|that|this|they|i) | so that | in order to | given that | otherwise
    or else | due to | as (?:it|we|they|that)
    """)
    + r".*|[，,]?(?:因为|由于|以便|否则|免得).*"
)
"""From here on a sentence only argues."""

GIVEN_UP = (
    r"\b(?:instead\s+of|rather\s+than|in\s+place\s+of|replacing|no\s+longer|from(?!\s+now)|replace|drop|"
    r"(?<=,\s)not)\s+"
    r"(?:(?:the|a|an|on|with|use|using|to)\s+)*([\w+#.-]+(?:\s(?!to\b|with\b|by\b)[\w+#.-]+)?)"
    r"|(?:把|将|不用|不再用|而不是|代替|弃用)\s*([a-zA-Z0-9_+#.-]+|[\u4e00-\u9fff]{1,6}?)(?=改|换|$|，|,|"
    r"。|了|\s)"
)
"""Names what is given up, in its first or second group."""
