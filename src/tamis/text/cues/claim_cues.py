"""What tells that a sentence states, or replaces, something that lasts."""

from tamis.text.cues.phrases import any_of, word_set, words

STATES = words(r"""
    (?:is|are|isn't|aren't|am|'m|'re|'s|will\s+be|won't\s+be|has|have|hasn't|haven't|gets?|got|becomes?)
    accepts? | agree[sd]? | allows? | amounts? | approves? | arrives? | based | begins? | belongs? | builds?
    called | caps? | closes? | comes? | connects? | consists? | contains? | costs? | covers? | dates?
    defaults | departs? | depends? | deploys? | disabled | enabled | ends? | equals? | expects? | expires?
    flies | fly | goes | go | handles? | happens? | has\s+to | hates? | heads? | holds?
    hosts? | includes? | kept | lasts?
    leads? | leaves? | likes? | limits? | looks?\s+after
    listens? | lives? | located | loves? | maintains? | makes?
    manages? | means? | measures? | mirrors? | named | needs? | offers? | opens? | owns? | pays? | points?
    prefers? | provides? | reads? | receives? | refers? | rel(?:y|ies) | releases?
    replaces? | reports? | requires?
    retries | retry | returns? | reviews? | runs? | says? | seats? | sends? | serves? | shares? | ships?
    signs? | signed | sits? | speaks? | stands? | starts? | stays? | stores? | supports? | syncs? | takes?
    talks? | targets? | totals? | trusts? | uses? | used\s+by | wants? | weighs? | works? | writes? | written
    wrote | travels? | travelling | traveling | moves? | moved | changed | raised | lowered | deliver(?:s|ed)?
    paid | sold | bought | booked | ordered | died | born | married | studies | teaches | plays? | wears?
    drives? | eats? | drinks? | suffers? | joined | hired | founded | closed | merged | rents? | earns?
    owes? | charges? | sleeps?
""")
"""Verbs by which a sentence states how things are."""

PREFERS = (
    r"^(?:and\s+|but\s+|also,?\s+|btw,?\s+|for\s+the\s+record,?\s+|in\s+general,?\s+|generally,?\s+)*"
    + words("""
    (?:i|we) (?:really |much |strongly |always |usually |generally |also )?(?:prefer|like|love|hate|dislike|favou?r|enjoy)
    my (?:favou?rite|preference|style|usual) | (?:i|we) can't stand
    (?:i'm|i am|we're|we are) (?:allergic|vegetarian|vegan)
    """)  # noqa: E501 - a phrase is not broken
)
"""A preference: it needs no value to be worth knowing."""

POSSESSED = (
    r"\b(?:my|our)\s+(?!"
    + words(
        "guess | point | question | mistake | bad | problem | fault | idea | apologies | worry | hope | issue"
    )
    + r")(?:[\w-]+\s+){1,4}(?:is|are|has|have|was|were|lives?|works?|runs?|ends?|starts?)\b"
)
"""What the user has: "our office is in ...", "my kids are ..."."""

PASSING = words(r"""
    yesterday | used to | usually | sometimes | often | keeps? \w+ing | last night | the other day
    this morning | earlier today | just now | years ago | a while ago
    (?:i|we) (?:saw|had|read|heard|dreamt|dreamed|bumped|walked|laughed|talked|spent|tried|forgot|wondered|noticed)
    i'd | i would | i could | we could | maybe | perhaps | probably
    i (?:guess|suppose|think|wonder|bet|doubt|suspect)
    as far as i (?:know|remember) | might | may have | seem(?:s|ed)? | looks? like | feels? | felt
    (?:told|asked|mentioned|reminds?|reminded|said) | who knows | to be honest
    """)  # noqa: E501 - a phrase is not broken
"""A tale, a guess or a feeling: it passes."""

_CHANGED = any_of("""
    moved | changed | raised | lowered | reduced | increased | switched | pushed | bumped | rebooked | rescheduled
    postponed | replaced | renamed | extended | shortened | cut | upgraded | downgraded | migrated | transferred
    reassigned | updated | revised | corrected | brought | set
""")  # noqa: E501 - a phrase is not broken

REPLACES = (
    rf"\b(?:has|have|had|was|were|is|are|been|got|gets)\s+(?:(?:been|just|now|since)\s+)?{_CHANGED}\b|"
    + words(r"""
    actually | instead | no longer | any ?more | any longer | scratch that | strike that | correction | after all
    on (?:second thought|reflection) | decided against | brought forward | hand(?:ed|s|ing) (?:it )?over
    since (?:last|this|yesterday|today) | from (?:today|tomorrow|here)(?: on)?(?: out)?
    make (?:it|that|this|the|[a-z]\w+'s)? | from now on | these days | nowadays | as of | by now | now
    meanwhile | since then
    from (?:next|this) \w+(?: on)? | from the \w+ on | starting | effective | going forward | henceforth
    from (?:mon|tues|wednes|thurs|fri|satur|sun)day(?: on)? | sorry | i meant | wrong | rather than
    forget about | forget the
    switch(?:ed|ing)? (?:back |over )?to | (?:i|we|they) re-?(?:\w+ed|wrote|built|did|made|set) | (?:later|earlier|sooner),? (?:at|on)
    (?:ended up|settled|landed|wound up) (?:with|on|using|in|at|for) | (?:went|going|go) with | opted for | in favou?r of
    (?:should|must|ought to|meant to|supposed to) (?:read|say|be read as) | doubled | halved | tripled | prolonged | succeed(?:s|ed)
    (?:go|went|gone|switch(?:ed)?) back to | (?:changed|change) (?:its|his|her|their|your) minds? | hand(?:ed|s|ing) (?:over )?to
    (?:slipped|rebooked|rescheduled|migrated|upgraded|transferred|reassigned) (?:\w+ ){0,4}?to
    (?:moved|changed|switched|postponed|renamed) (?:\w+ ){0,4}?(?:in)?to
    (?:mov(?:e|ing)|chang(?:e|ing)|switch(?:ing)?|bump|rais(?:e|ing)|lower(?:ing)?|reduce|increase|set|extend|cut|push(?:ing)?|shift(?:ing)?) (?:\S+ ){1,6}?to
    (?:raised|lowered|reduced|increased|bumped|extended|shortened|cut|pushed|dropped) (?:\S+ ){1,5}?(?:to|back)
    went (?:up|down) | (?:took|takes|taken|taking) over
    (?:we've|we have|i've|i have) (?:\w+ )?(?:moved|switched|replaced|changed|dropped)
    replace[sd]? | new | swap(?:ped)? | let's | (?:can|could|may) (?:now )?(?:be up to|go up to|go as \w+ as)
    (?:old|previous|former|earlier) (?:one|value|number|limit|date|address|figure|setting|version)
    has left | changed (?:it|that|this|my mind|our mind|the|to|from) | update
    (?:rose|risen|fell|fallen|dropped|grew|grown|went|gone|climbed|jumped|shrank|came down) (?:\w+ )?(?:to|from)
    misread | misspoke | typo | oops | my mistake | my bad | extension | (?:will|shall) (?:now )?be | no more
    (?:is|are) (?:fine|ok|okay|enough|plenty|acceptable|possible) | stretch | becomes? | cancel(?:led|ed)
    relocated | rebranded
    (?:has|have|was|were) (?:been )?re\w+ed(?: \w+)? to
    used to | turned out | turns out | so it(?:'s| is) | not \w+ but
    overruled | outdated | out of date | stale | superseded | mistaken | mixed (?:\w+ )?up | so much for
    change of plans? | step(?:s|ped)? in(?:to)? | in place of | amendment | talked (?:us|me|them) into | voted | had a vote | (?:i|we) gave you | told you | said
    """)  # noqa: E501 - a phrase is not broken
)
"""Says that something is otherwise than was said before."""

LIFTS = words(r"""
    (?:is|are|be|was|were)(?: now| hereby| no longer)? (?:lifted|waived|dropped|gone|off the table|suspended|rescinded|revoked|removed)
    no need (?:to|for)
    no longer (?:required|needed|necessary|forbidden|off[- ]limits|appl\w+|hold\w*|matter\w*|have to|has to|need\w*|mandatory|binding)
    (?:isn't|aren't|is not|are not|not) (?:required|needed|necessary|mandatory|forbidden|obligatory)(?: \S+){0,4} any ?more
    (?:don't|do not|doesn't|does not|needn't|needs? not) (?:need|have)(?: to)?\b(?:[^.?!]{0,60} (?:any ?more|now|any longer))?
    (?:dropped|waived|lifted|scrapped|abandoned|removed|relaxed) the (?:\w+ )?(?:requirement|rule|restriction|ban|condition|limit|policy|freeze)
    forget (?:about )?the (?:\w+ )?(?:rule|requirement|restriction|ban|limit|condition|policy|freeze)
    (?:you|we|they) (?:can|may)(?: now| again)?(?! (?:never|not|only|no|at most|be up)\b)
    (?:fine|ok|okay|allowed|permitted|free|welcome) (?:to (?:\S+ ){1,5})?(?:again|now)
    (?:it's|it is|that's) (?:fine|ok|okay|all right|alright) (?:to|if) | feel free to | is allowed again
    go ahead (?:and|with) | fair game
    are allowed again | (?:can|may) go(?: away)?(?=[.!]?$)
    the (?:rule|requirement|restriction|ban|condition|freeze) (?:about|on|for|that|of)\b[^.?!]* (?:no longer|is over|has ended|ends|is gone|is lifted)
    """)  # noqa: E501 - a phrase is not broken
"""Takes a rule back."""

PASSED_ON = (
    r"^(?:(?:the|our|my)\s+)?[\w-]+\s+(?:[a-z][\w-]*\s+)?(?:(?:have|has|just|now)\s+){0,2}"
    r"(?:says?|said|gave\s+us|gives\s+us|told\s+us|tells\s+us|wants\s+us\s+to|confirmed|(?:agreed|settled|decided)\s+(?:to|on))\s+"
    r"(?:that\s+|it's\s+)?"
    r"|^(?:(?:the|our)\s+)?(?:legal|finance|compliance|management|marketing|sales|security|hr|ops|customer|client|"
    r"boss|bank|team)\s+(?:now\s+)?(?:wants?|needs?|expects?|requires?|insists?\s+on|asks?\s+for)\s+"
)
"""Who says so, before what is said."""

TAKES_BACK = (
    r"(?<!don't\s)(?<!don’t\s)(?<!not\s)(?<!never\s)\b(?:ignore|disregard|forget|scratch)(?:\s+about)?\s+"
    r"(?:that|it|(?:(?:the|my)\s+)?(?:last|previous)|(?:the|my)(?=\s+question))"
    r"(?:\s+(?:message|one|request|question))?(?=\s*(?:$|[.,;:!?\n]|please\b|for\s+now))"
    r"|^(?:never\s?mind|nvm)(?=\s*(?:$|[.,;:!\n]|that\b|it\b))|\bwrong (?:chat|window|session)\b"
    r"|忽略(?:上一|刚才)"
)
"""Takes back the message before."""

TAKES_QUESTION_BACK = (
    r"\b(?:never\s?mind|forget|ignore|drop|skip|scratch)\s+(?:about\s+)?(?:the|my|that)\s+"
    r"(?:question\s+(?:about|on|of|with|regarding)\s+(?P<about>[^.,;!?\n]{2,60})|(?P<which>[\w-]{2,30})\s+question\b)"
)

FOR_A_TIME = (
    words("for now | until | till | not yet | yet | hold off | wait | leave .{0,40}alone") + "|先别|暂时"
)
"""A rule that is to be lifted: it goes when what it is about is allowed, however little of it is named."""

LIGHT = word_set("""
    accept add agree allow also apply arrive assign base become became bring call cap case change choose come
    contain correct cost could current currently day do each effective enter entry equal expect far figure
    final find fine fit follow formally full general get give go going gone good half happen happens hear held
    here hold include instead item keep kind know lead leave left let level limit list live lives living local
    locate located look make mean meant measure might moment mostly move name need new next normal note now
    number old order own part pay per person pick place point prefer present provide put reach refer regular
    remain replace request require requirement rest restriction condition policy result right rule run said
    say see serve set share show sit size slip slot sort spend stand standard state stay step still store take
    taken target tell term thing like today took total try turn type update usage use usual usually value
    version want way week weigh went will wish worth write wrong written year address budget ceiling quota
    threshold allowance amount people once yet previous former responsible charge account plan planned
    correction via cleared handle handling longer anymore rather than actually been has had have lasting last
    expire schedule push raise reduce lower increase switch bump rebook reschedule postpone rename extend
    shorten cut upgrade downgrade migrate transfer reassign revise shift swap slip delay drop sorry who words
    lines pages sentences characters items entries calls old through during inside outside month months
    yesterday beginning of mid job care duty hands extension misread mistake typo nowadays reflection brought
    forward relocate settle belong gave work double stretch mind goes send publish below above
    hour week plenty job end
""")
"""Words that say how a value is held rather than what it belongs to: they tell no two subjects apart."""

SOFT = word_set("""
    budget ceiling quota threshold address limit number version format target name deadline discount maximum
    minimum value charge allowance amount owner contact
""")
"""Light nouns that two sentences can share as their subject, where neither says whose."""

SAME_LIGHT = {"move": "live", "expire": "last", "schedule": "plan"}
"""Of the light words, those that mean the same."""

HELD = (
    r"^(?:[^\s,;]+,\s+)?(?:the|our|my)\s+(?:[\w-]+\s+){1,4}?"
    r"(?:is|will\s+be|(?:is\s+)?going\s+to\s+be|should\s+be|must\s+be|is\s+(?:called|named)|lives\s+(?:in|at|on))\s"
)
"""What has one value at a time: "the tag is ..."."""

ITEM = (
    r"\b(?P<link>through|with|to|by|from|in|on|at|via|is|are|as|under|into)\s+(?:(?:the|a|an|our)\s+)?"
    r"(?P<item>[\w./+#-]*\w)"
)
"""What stands behind a preposition: where a sentence of the same words has another, that is what changed."""

TO_A_VALUE = (
    r"(?<!up\s)(?<!limited\s)(?<!limit\s)(?<!restricted\s)(?<!close\s)(?<!due\s)(?<![\d%]\s)"
    r"\bto\s+(?:only\s+|about\s+|just\s+)?[$€£]?\d"
)
"""What is done "to 4,000" changes it."""

AT_ONCE = words("""
    actually | instead(?! of) | scratch that | strike that | correction | sorry | i meant | make (?:it|that)
    no,? wait | on second thought | oops | misspoke
""")
"""With one of these a sentence takes back what the same message said before it."""

SWITCHES = words(r"""
    instead | rather than | no longer | after all | from now on | chang(?:e|es|ed|ing) \w+ minds?
    (?:settled|decided) on | (?:ended up|went|go|going) with | opted for | back to
    i meant | misread | misspoke | typo | mistake | mistaken | wrong | correction | sorry | actually | as of
    from (?:next|this|mon|tues|wednes|thurs|fri|satur|sun)(?: \w+|day)
    (?:switch|mov|chang|migrat|renam|port)(?:e|ed|ing)? (?:\w+ ){0,5}?to | replac(?:ed|es|ing) | going forward
""")
"""Cues so strong that the thing changed need not be of a known kind."""

GIVEN_UP_BEFORE = (
    r"(?:\b(?:instead\s+of|rather\s+than|in\s+place\s+of|away\s+from|no\s+longer(?:\s+\w+){0,2}|"
    r"not(?:\s+\w+)?|(?<!\bbenefit )(?<!\bcome )(?<!\bcomes )(?<!\bresult )from|forget(?:\s+about)?"
    r"|replac(?:ed|es|e|ing)|drop(?:ped)?|was|were|(?:is|are|was)n['’]t|against|used\s+to\s+be)\s+(?:the\s+|a\s+)?)$"
)
DROPS = words(r"""
    instead | rather | place | away | no longer | not | from | forget | replac\w+ | drop\w* | was | were | used to
    left | gone | out | history | any ?more | any longer | against | hand(?:ed|s) over | on leave | stepped | resigned | retired
    swapped | exchanged | ditched | way | succeeded | superseded
""")  # noqa: E501 - a phrase is not broken
"""Without one of these nothing is given up."""

GIVEN_UP_BEHIND = (
    r"^['’s]*\s*(?:,\s*)?(?:who\s+)?"
    r"(?:has\s+left|is\s+gone|is\s+out|left\b|is\s+history|was\s+too|any\s?more|any\s+longer|no\s+longer|is\s+on\s+leave"
    r"|(?:is|was|were|has\s+been|have\s+been|got|gets)\s+(?:swapped|replaced|succeeded|superseded|exchanged|dropped|ditched|retired)"
    r"|(?:made|gave)\s+way|hand(?:ed|s)\s+over|stepped\s+(?:down|back)|resigned|retired)"
)
"""Before or behind a value: it no longer holds."""
