"""What asks, what reports trouble, what only tells or wonders."""

from tamis.text.cues import zh
from tamis.text.cues.phrases import any_of, words

IMPERATIVES = any_of("""
    add | fix | implement | write | create | make | remove | delete | change | update | use | run | check
    look | show | find | explain | refactor | rename | move | test | commit | push | merge | build | install
    read | open | review | revert | rebase | investigate | debug | address | replace | set | put | generate
    convert | improve | clean | keep | split | extract | describe | summari[sz]e | list | compare
    analy[sz]e | verify | deploy | start | stop | restart | print | log | document | rewrite | simplify
    tell | give | do | don't | don’t | dont | never | always | only | resolve | handle | support | enable
    disable | configure | draft | plan | design | figure | get | drop | bump | upgrade | try | apply
    cancel | book | undo | reply | respond | answer | pull | fetch | reword | squash | amend | skip | leave
    ignore | wait | switch | go | turn | copy | include | return | search | tweak | adjust | finish
    complete | follow | ensure | avoid | prefer | stay | stick | limit | cap | spend | retry | ask | send
    call | pick | choose | say | store | render | display | format | translate | order | reserve | schedule
    prepare | respect | save | name | hold | respond | recommend | assume | treat | pass | accept | reject
    validate | match | preserve | maintain | treat | be | allow | refrain
""")

LEAD_INS = any_of(r"""
    (?:and|but|so|or|then|also|please|pls|just|ok|okay|alright|right|great|cool|nice|good|however|though|btw|well|hmm+)
    (?:note|actually|importantly|remember|again|yes|no|yeah|yep|sure|instead|first|finally|next|now|kindly|thanks|oh)
    (?:important|reminder|one (?:more )?thing|by the way|whatever you do|while you're at it)
    (?:also note|in general|generally|for now|this time|quick note|fyi|ps)
""")
"""What may stand before the verb that commands."""

DIRECTIVE = (
    rf"^(?:{LEAD_INS}[,:;.!—–-]*\s+)*(?:{IMPERATIVES}\b|"
    + words("let's | lets | let us | can you | could you | i want | i need | we need")
    + ")"
)
"""A sentence that commands: its verb first, or next to it."""

ASKS = (
    r"\?|？|"
    + words("""
    please | pls | can you | could you | would you | will you | can we | could we | i want | i need
    i'd like | i would like | i wanna | we need | we should | you should | let's | lets | let us | help
    make sure | how about | what about | go ahead and | try to | want you to | needs? to | has to | have to
    must | should
    """)
    + rf"|(?:^|[.!:;,]\s*|\n[ \t\r]*|\b{LEAD_INS}[,:]?\s+)(?:[-*]\s+|\d+[.)]\s+)?{IMPERATIVES}\b|"
    + zh.ASKS
)
"""What asks for something."""

REPORTS = (
    words(r"""
    error | fail(?:s|ed|ing|ure)? | broken | breaks | crash\w* | doesn't | does not | didn't | not working
    isn't | won't | wrong | bug | issue | problem | missing | still | incorrect | instead | unexpected
    regression | stuck | cannot | can't | weird | odd | strange | confus\w+ | exception | slow
    """)
    + "|"
    + zh.REPORTS
)
"""What reports trouble, and by that asks for it to be put right."""

QUESTION = rf"^(?:{LEAD_INS},?\s+)*" + words(r"""
    why | what | what's | how | when | where | who | which | does | do (?:we|you|i|they) | did | is | are
    was | were | should (?:we|i|it|this|that|the|they) | can (?:i|it|they|this) | has | have (?:we|you|they)
    isn't | aren't | doesn't | don't (?:we|you(?! dare)|they) | shouldn't (?:we|it|this|that|the|they|there)
    won't | wouldn't | couldn't we | am i | any (?:idea|reason) | would (?:it|that|this|there)
    will (?:it|this|that|there) | could (?:it|this|that) | i wonder | wondering
    """)
"""A question by its first words; people leave the question mark out."""

POLITE = (
    rf"^(?:{LEAD_INS},?\s+)*(?:can|could|would|will|may|might)\s+(?:you|we|i)\b"
    r"|^(?:please|would\s+you\s+mind|do\s+you\s+mind|mind(?!\s+you))\b|^let's\b|" + zh.POLITE
)
"""A question in form only: it asks for something to be done."""

NARRATION = (
    r"^(?:i|we|it|they|he|she|this|that|you|which|the\s+\w+(?:\s+\w+)?)\s+"
    + words("""
    was | were | had | did | didn't | tried | got | ran | saw | noticed | thought | found | used to
    have been | has been | just (?:ran|tried|saw|did) | already | looked | added | removed | fixed | changed
    committed | merged | pushed | deployed | forgot | made | asked | wanted | told | said | explicitly
    haven't
    """)
    + r"|^(?:i|we)\s+"
    + words("""
    see | notice | think it | think that's | guess | believe | wonder | know | assume | suspect | understand
    don't (?:know|think|see|understand|believe|remember) | can't (?:see|find|get|remember|tell|figure)
    """)
    + r"|^(?:it|this|that|he|she)\s+(?:looks|seems|appears|says|fails|shows|feels|sounds|happens|only|"
    r"means(?!\s+you)|never|always)\b"
    r"|^(?:looks|seems|sounds)\s+like\b"
)
"""What tells of something rather than rules it."""

DESCRIBES = (
    r"\b(?:currently|right\s+now|at\s+the\s+moment|at\s+present|presently|so\s+far|these\s+days)\b"
    r"|^(?:the\s+|one\s+|another\s+|main\s+|real\s+)*(?:problem|issue|bug|trouble|symptom|cause|reason|root\s+cause)\b"
    r"[^.?!:,]{0,60}(?:\bis\b|\bwas\b|:)"
    r"|^(?:every|each)\s+time\s+(?:i|we|it|they|somebody)\b|^when(?:ever)?\s+(?:i|we|it)\b|,\s+that\s+\w+s\b"
    r"|,\s+(?:so|which|but|and\s+so|causing|making)\s+(?!please|do\b|don't|don’t|never|keep|make|use|be\b|that\b|"
    r"only|no\b|nothing|not\b|you\b|we\b|i\b|always|must|leave|avoid|stay|nobody)"
    r"(?!.{0,40}\b(?:must|ha[sv]e?\s+to|should|needs?|may)\b)\S"
)
"""A must of this kind tells how things are, not how they are to be, unless somebody is commanded."""

DESCRIBES_BELOW = (
    r"\b(?:problems?|issues?|bugs?|context|background|motivation|reproduc\w*|"
    r"(?:current(?:ly)?|observed|actual)(?:\s+\w+)?|"
    r"root\s+causes?|symptoms?|because|reasons?|why|what\s+(?:happens|happened|is\s+wrong|goes\s+wrong|went\s+wrong)|"
    r"how\s+it\s+works|following\s+plan|问题|背景|现状|原因|复现\w*|因为)\W*$|^\W*why\b"
)
"""A heading, or a line that opens a list, below which it is told how things are."""

ONE_CHANGE = (
    r"^(?:(?:ok|okay|hm+|but|and|also|so|then|now|maybe|i\s+think),?\s+)*"
    r"(?:(?:it|this|that|they|these|those)\s+)?(?:should|could|needs?\s+to|must|has\s+to)\s+"
    r"(?:be|look|get|feel|become|appear)\s+(?:(?:a\s+(?:bit|little|lot|touch)|much|way|slightly|even|still)\s+)*"
    r"(?:(?:more|less)\s+\w+|dimmer|darker|lighter|brighter|bigger|smaller|larger|wider|narrower|taller|"
    r"shorter|longer|higher|lower|closer|nearer|faster|slower|simpler|cleaner|clearer|thicker|thinner|bolder|"
    r"softer|louder|quieter|warmer|cooler|tighter|looser|nicer|better|stronger|weaker)\b(?!\s+(?:than|case))"
    r"|^(?!.*\b(?:every|each|always|whenever|before|only|from\s+now)\b)(?:"
    r".*\b(?:must|needs?\s+to|ha(?:s|ve)\s+to|should)\s+(?:also\s+|now\s+)?be\s+(?:added|threaded|updated|changed|fixed|"
    r"moved|renamed|removed|replaced|extended|rewritten|split|implemented|adjusted)\b"
    r"|.*\b(?:ensure|make\s+sure)\b.{0,80}\b(?:created|updated|added|merged|pushed|committed|installed|mentioned|up\s+to\s+date|"
    r"also\s+used|captured|recorded|line\s+up)\b"
    r"|(?:\w+,?\s+){0,2}(?:update|rewrite|revise|edit|draft|write|redo)\s+(?:the|this|that|an?)\b.{1,160},\s+(?:and\s+|but\s+)?"
    r"(?:don['’]?t|do\s+not|no\s+need\s+to)\s+(?:keep|include|mention|repeat|explain|describe)\b"
    r"|(?:please\s+)?(?:update|change|adjust|adapt|edit|fix)\s+(?:the\s+)?\S+\s+accordingly\s*,"
    r"|(?:no\W+(?:the|this|that|these|those|it)|hm+)\b(?!.*(?:\bnever\b|\d)).{0,80}\b(?:should|needs?\s+to|ha(?:s|ve)\s+to)\b"
    r"|(?:\w+,?\s+){0,3}let['’]s\s+(?:(?:also|just)\s+)?(?:update|bump|upgrade|downgrade|rename|replace|move|remove|revert)\b)"
    r"|^(?:\w+,?\s+){0,3}(?:the\s+)?(?:first|next|last|other)\s+thing\b"
    r"|^(?:(?:ok|okay|and|but|also|so),?\s+)*(?:each|every)\s+(?:one|of\s+(?:them|these|those))\s+should\b"
    r"|\bmake\s+sure\s+(?:to|you)\s+(?:include|add|read|mention|cover)\s+(?:it|them|these|this|that)\W*$"
    r"|^(?:\w+\W+){0,4}(?:we|i|you)\s+(?:need|have|want)\s+to\s+(?:go\s+through|look\s+(?:at|into)|check(?!\s+with)|see|figure|find|think|talk|discuss|"
    r"decide|review|understand|be\s+clear)\b"
    r"|\blet's\s+(?:not\s+(?:spend\s+(?:too|any|more\s+time)|worry|overthink|bother|waste|dwell|forget)|thin\w+\s+first)\b"
    r"|^(?:\w+\W+){0,2}stop\s+doing\s+\w+\W*$"
    r"|^(?:\w+\W+){0,3}want\s+to\s+keep\b.{0,120}\bi(?:['’]d|\s+would)\s+like\s+to\b"
)
"""Who asks that what is in view be different asks for one change; what goes with it holds for that one."""

COURTESY = (
    rf"^(?:{LEAD_INS}[,.!]*\s+)*"
    + words("""
    thanks? | thank you | that's all | that’s all | that is all | that'll be all | that will be all
    have a (?:good|great|nice|lovely) | i appreciate | goodbye | bye | take care | you too | understood
    got it | that's (?:great|perfect|correct|right|fine) | that’s (?:great|perfect|correct|right|fine)
    that sounds | sounds (?:good|great|perfect) | perfect | great | hi | hello | hey | no worries
    no problem | i don't need anything | i don’t need anything | nothing else | that works | makes sense
    """)
    + r"[^?？]*$|"
    + zh.COURTESY
)
"""A sentence of thanks, greeting or leave."""

INVITES = (
    r"[?？][\s*_`)]*$|"
    + words("please (?:provide|confirm|share|tell|specify|reply|let) | could you | let me know | which one")
    + "|"
    + zh.INVITES
)
"""How an assistant's message ends that wants an answer."""
