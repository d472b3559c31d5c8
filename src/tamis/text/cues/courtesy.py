"""What keeps a talk going and says nothing: greetings, offers of help, asking for what comes next anyway."""

import re

COURTESY_CHARS = 240
SMALL_TALK_CHARS = 90

_VALUE = re.compile(r"\d\d|[$€£#]\s?\d|\b(?=[A-Z]{0,9}\d)[A-Z\d]{5,12}\b")
_OPENERS = r"(?:(?:sure|certainly|absolutely|of course|great|perfect|no problem|got it|okay|ok)[,!.]\s*){0,3}"
_SERVES = re.compile(
    rf"""(?ix)^{_OPENERS}(?:
        (?:h(?:i|ello)[,!.]\s+)?how\ (?:can|may)\ i\ (?:help|assist|be\ of)
      | i(?:['’]d|\ would|\ will|['’]ll)\ be\ (?:more\ than\ )?(?:happy|glad)\ to
      | i(?:['’]m|\ am)\ (?:here|happy|glad)\ to
      | i\ can\ (?:certainly\ |definitely\ )?(?:help|assist)\ (?:you\b|with\b)
      | i\ (?:completely\ |totally\ )?understand\ (?:how|your\ (?:frustration|concern)|this|that\ this)
      | (?:could|can|will)\ you\ (?:please\ )?(?:provide|confirm|share|give|tell|let|specify|clarify)\b
      | (?:please|just)\ (?:provide|share|let\ me\ know|confirm|specify|tell|reply)\b
      | once\ (?:i\ have|i['’]ve|confirmed|you(?:['’]ve|\ have)?\ (?:provide|confirm|share|let))
      | to\ (?:get\ started|proceed|better\ assist|assist\ you|help\ you)\b
      | please\ (?:hold|wait|stand\ by)(?:\ on)?(?:\ (?:a|one)\ moment)?[.!]?$
      | thank(?:s|\ you)\b | let\ me\ know\b | feel\ free\b
      | if\ you\b[^.!?\n]{{0,90}}\b(?:let\ me\ know|just\ (?:ask|say))
      | is\ there\ any(?:thing)?\b | $
      | [^.;:]{{0,80}}\b(?:hints?|warnings?|diagnostics?)\ (?:is|are)\ (?:expected|stale|pre-existing)\b
      | [^.;:]{{0,120}},\ which\ is\ (?:fine|ok(?:ay)?|expected|normal)(?:\ in\ \w{{1,20}})?[.!]?$
      | [^.;:]{{0,80}}\bhad(?:n['’]t|\ not)\ \w{{2,12}}\ yet\ when\ i\b
      | (?:the|these|this|my)\ (?:changes?|fix|implementation|solution|patch)\ (?:is|are)\ (?:now\ )?
        (?:complete|minimal|clean)\ and\ [^:;`]{{1,180}}[.!]$
    )"""
)
_LOOKED_UP = re.compile(
    rf"""(?ix)^{_OPENERS}(?:
        (?:i(?:['’]ve|\ have)?\ )?(?:now\ |also\ |just\ |successfully\ )?
        (?:(?:reviewed|checked|accessed|retrieved|looked\ at|gathered)\ (?:all\ )?(?:of\ )?(?:the|your)
          |(?:found|located|pulled\ up|retrieved)\ your)
        \ [^\d.,:;!?]{{0,40}}\b(?:account|profile|details|information
          |(?:reservation|order|booking|trip|flight)s?)\b(?:\ list)?
        (?:\ (?:for|of|on|in)\ [^.,:;!?–—]{{0,60}})?
      | found\ it | no\ worries | you\ have\ several\ [a-z]{{1,20}}
    )(?:,\ \w{{1,20}})?[.!]$"""
)
_PROMISES = re.compile(
    r"(?i)by (?:follow|execut|implement|tak|focus|refin|updat|recogni[sz])ing\b.{0,180}?,"
    r" (?:i|we|this (?:new )?(?:plan|approach)) (?:can|could|will|should|aims?|recogni[sz]e|are)\b"
    r"|this (?:new |updated )?plan (?:aims|leverages|ensures|primarily)\b"
)
"""Closes a plan, and says what plans are for."""

_REFUSES = re.compile(
    r"\b(?:i|we)(?:['’]m| am|['’]re| are) (?:unable|not able) to\b|\b(?:i|we) (?:can['’]t|cannot|can not)\b"
    r"|\b(?:can['’]t|cannot|can not) be [a-z]{2,12}(?:ed|en|de|ne)\b|\bneither\b[^.?!]{0,80}\bcan be\b"
    r"|\b(?:not|n['’]t) (?:eligible|permitted|allowed|possible|covered|applicable)\b",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"\?\s*\Z|\b(?:if|unless|whether|ensure|check)\b|\A(?:now|let me|first)\b", re.IGNORECASE
)
_OFFERS = re.compile(
    rf"(?i){_OPENERS}(?:(?:do |would )?(?:you )?(?:want|like) me to|(?:shall|should) i"
    r"|i can (?:also|next|now)"
    r"|if you(?:['’]d| would)? (?:want|like|prefer)\b"
    r"[^.?!]{0,90}\b(?:i(?: can| could| will|['’]ll|['’]d)|we could|pick)\b"
    r"|next,? i can|ready (?:for me )?to (?:proceed|start|implement))\b"
)
_POINTS = re.compile(
    r"\b(?:that|this|it|those|these|one|everything)\b"
    r"|^\W{0,3}(?:(?:please|pls|and|now|then|so)\W{1,3}){0,3}(?:fix|help|investigate|continue|proceed)\W*$",
    re.IGNORECASE,
)
_NAMES = re.compile(r"\d|[^\W\d_][._/][^\W\d_]|[`\"“]|(?<![.!?] )\b(?!I\b)[A-Z]\w|[a-z][A-Z]")
_SMALL_TALK = re.compile(
    r"""(?ix)^(?:
        (?:h(?:i|ello|ey)|good\ (?:morning|afternoon|evening))(?:\ there)?
      | sure | of\ course | no\ problem | (?:sorry,?\ )?wrong\ (?:chat|window|session)
      | (?:please\ )?ignore\ (?:my\ |the\ )?(?:last|previous)\ message
      | (?:can|could|would|will)\ (?:you|we|i)\ (?:please\ )?(?:just\ )?(?:help|assist|do|try)
        (?:\ (?:me|us|out|with|this|that|it|these|please)){0,6}
      | (?:is|does|would|will)\ (?:that|this)\ (?:be\ )?[a-z]{2,12}(?:\ to\ get\ started|\ with\ you)?
      | what\ (?:should|do)\ i\ (?:need\ to\ )?do(?:\ next)?
    )[!?.,\s]*$"""
)

_ASIDE = re.compile(
    r"""(?ix)^\W{0,3}(?:(?:oh|anyway|also|just|a|completely|totally|quick|random|side|small)[,\s]{1,3}){0,4}(?:
        (?:(?:question\ )?unrelated|off[-\ ]topic|random\ (?:thought|question)|random(?=:)|tangent)\b
        .{0,160}(?:\?|\b(?:i|my|me)\b.{0,80})$
      | (?:by\ the\ way|btw|on\ another\ note|side\ ?note|note|aside|question|thought)\b[^\w]{1,3}
        (?:(?:do|did|have|are|how|what)\b.{0,30}\byou\b.{0,80}\? | is\ it\ true\b.{0,80}\? | my\ .{0,80}$)
      | (?:how|what)(?:['’]s|\ is|\ was)\ (?:the\ weather|your\ (?:day|weekend|week))\b.{0,40}\?
      | (?:did|have)\ you\ (?:see|seen|hear|heard|watch|watched|read)\b.{0,20}
        \b(?:articles?|books?|films?|games?|match|movies?|news|podcasts?|series|shows?|songs?)\b.{0,60}\?
      | do\ you\ happen\ to\ know\ what\ an?\ .{0,60}\?
    )\W*$"""
)
_OF_WORK = re.compile(
    r"\b(?:access|apps?|branch|bug|build|change|ci|class|code|commit|config\w{0,8}|crash\w{0,3}|data(?:base)?"
    r"|deploy\w{0,4}|docs?|endpoint|environment|prod\w{0,6}"
    r"|errors?|fail\w{0,4}|features?|files?|fix\w{0,2}|functions?|issues?|jobs?|logs?|merge\w?|modules?"
    r"|pipelines?|plan|please|project|pull|queries|query|release\w?|repo\w{0,6}|rules?|scripts?|servers?|service"
    r"|should|must|don['’]?t|never|always|tasks?|tests?|versions?|working\ on)\b",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(
    r"""(?ix)^(?:(?:actually|wait|no|oh|okay|ok|so|and|but|please|sorry|hmm)[\s,.—–-]{1,4}){0,4}
    (?:(?:scratch|strike|forget|ignore|disregard|drop)\ (?:about\ )?
        (?:that|it|this|everything|both|(?:all|most)\ (?:of\ )?(?:that|this|it)
          |[A-D]\b(?:(?:,|\ and|\ or|,\ and)\ [A-D]\b){0,3}
          |(?:the|my|our|your)\ (?:earlier|previous|last|first|old|other)\b(?:\ \w{1,20}){0,2}
          |what\ (?:i|we|you)\b)
      | never\ ?mind | total\ reset | full\ pivot | let\ me\ (?:revise|rephrase|start\ over|think\ again))\b
    (?P<rest>.*)"""
)

_GOOD_PART = re.compile(
    r"\W{0,6}(?:\d{1,2}[.)] )?(?:strengths?|positives?|pros|what(?:['’]s| is| was| it)? "
    r"(?:good|(?:works?|went|does|did|done) well)|good (?:points|parts|things|practices)|the good(?: parts)?"
    r"|looks? good)\W{0,6}",
    re.IGNORECASE,
)
"""Stands over what a review praises."""
_FINE = re.compile(
    r"(?:[—–:,.-] |\bit )(?:this |all )?(?:looks? (?:good|fine|correct|solid)"
    r"|no (?:issues?|problems?|concerns?)(?: (?:here|found))?"
    r"|(?:nice|good|great) (?:\w{1,20} )?(?:fix|change|practice|coverage|touch|work))\W{0,3}\Z"
    r"|\b(?:well|nicely|cleanly)[- ](?:executed|structured|written|designed|documented|organi[sz]ed)\b",
    re.IGNORECASE,
)
_LIMITED = re.compile(r"\b(?:but|however|except|though|although|still|only|yet)\b", re.IGNORECASE)


def is_courtesy(sentence: str) -> bool:
    """Whether an agent's sentence only serves: offers help, asks for what it needs, waits, has looked.

    >>> is_courtesy("Could you please provide your user ID?"), is_courtesy("Please confirm order #70.")
    (True, False)
    """
    if len(sentence) > COURTESY_CHARS:
        return False
    if _LOOKED_UP.match(sentence) or _PROMISES.match(sentence):
        return True
    return _SERVES.match(sentence) is not None and not _VALUE.search(sentence)


def is_small_talk(sentence: str) -> bool:
    """Whether a user's sentence greets, or asks for help without saying with what.

    >>> is_small_talk("Can you help me with that?"), is_small_talk("Can you help me cancel my flight?")
    (True, False)
    """
    return len(sentence) <= SMALL_TALK_CHARS and bool(_SMALL_TALK.match(sentence))


def is_aside(message: str) -> bool:
    """Whether a user's message says of itself that it belongs to nothing else, or only chats.

    >>> is_aside("By the way, do you play chess?"), is_aside("By the way, do you run the tests?")
    (True, False)
    """
    words = message.strip()
    short = len(words) <= COURTESY_CHARS and "\n" not in words and _ASIDE.match(words)
    return bool(short) and not _NAMES.search(words, 1) and not _OF_WORK.search(words)


def takes_back(sentence: str) -> bool:
    """Whether a user's sentence begins by taking back what was said: it says little without what holds now.

    >>> takes_back("Ignore the earlier instruction."), takes_back("Ignore the lint warnings.")
    (True, False)
    """
    return _TAKES_BACK.match(sentence) is not None


def only_takes_back(sentence: str) -> bool:
    """Whether it says nothing else.

    >>> only_takes_back("Wait, scratch that."), only_takes_back("Forget A and B, go with C.")
    (True, False)
    """
    found = _TAKES_BACK.match(sentence)
    return found is not None and not re.search(r"[,;:—–]|\s-", found["rest"])


def leaves_open(sentence: str) -> bool:
    """Whether a short sentence points at something else or says not what to mend.

    >>> leaves_open("Which one is it?"), leaves_open("Skip it in rows.py."), leaves_open("please fix.")
    (True, False, True)
    """
    short = len(sentence) <= SMALL_TALK_CHARS and _POINTS.search(sentence)
    return bool(short) and not _NAMES.search(sentence, 1)


def offers(sentence: str) -> bool:
    """Whether an agent's sentence offers to do more, or asks whether it may.

    >>> offers("If you want a clean tree, pick one:"), offers("If you want tests, set `-t`.")
    (True, False)
    """
    return _OFFERS.match(sentence) is not None


def holds_value(text: str) -> bool:
    """Whether a text tells a number, an id or an amount.

    >>> holds_value("Order #W7661 is pending."), holds_value("It is pending.")
    (True, False)
    """
    return bool(_VALUE.search(text))


def refuses(text: str) -> bool:
    """Whether an agent says that something asked of it cannot be done; to suppose it is not to say it.

    >>> refuses("I'm sorry, it cannot be cancelled."), refuses("I'll check whether it cannot be cancelled.")
    (True, False)
    """
    return bool(_REFUSES.search(text)) and not _SUPPOSES.search(text)


def lauds(text: str, above: str = "") -> bool:
    """Whether a remark of a review only finds something good; `above` is what stands over it.

    >>> lauds("- The names are clear", "Strengths"), lauds("- `read` is split: no issues here.")
    (True, True)
    >>> lauds("- `read` looks good but leaks the file"), lauds("Each row is read twice.", "Issues")
    (False, False)
    """
    return not _LIMITED.search(text) and bool(_GOOD_PART.fullmatch(above) or _FINE.search(text))
