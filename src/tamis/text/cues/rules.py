"""What makes a sentence a rule.

Strong cues rule wherever they stand in the main clause. Weak ones do so only in a sentence that commands:
"keep the API as it is" against "and then we keep two copies".
"""

from tamis.text.cues import zh
from tamis.text.cues.phrases import any_of, words
from tamis.text.cues.speech_acts import IMPERATIVES, LEAD_INS

START = rf"(?:^|[,;:(—–.]\s*|\s-\s+|\b(?:and|but|so|or|then)\s+)(?:{LEAD_INS}[,:]?\s+){{0,4}}"
"""Where a command may begin: at the start, behind punctuation, behind "and" or "but"."""

LEADS = (START, "^", r"\b")
"""How most of these cues begin."""

_CHANGING = any_of("""
    use | touch | change | modify | edit | alter | add | remove | delete | drop | break | rename | move
    push | merge | commit | deploy | ship | release | install | upgrade | update | exceed | go over | spend
    afford | expose | share | rely | require | run | write | create | introduce | import | include | mention
    mock | skip | disable | hard-?code | cancel | book | refund | offer | transfer | provide | reveal
    disclose | proceed | rewrite | refactor | recommend | contact | store | log | print | return | accept
    support | depend | publish | send | reset | revert | squash | rebase | amend | invent | make | call | do
""")

_AUTHORITY = words("""
    legal | team | client | customer | vendor | boss | management | policy | law | security
    compliance | contract | manager | company | licen[cs]e | terms | rules
""")
"""Whose word is a rule when somebody passes it on."""

STRONG_MUST_NOT = (
    START + r"n(?:e\s+|['’])(?!(?:marche|fonctionne|passe)\b)\w{2,20}\s+(?:pas|jamais|rien|aucune?)\b",
    START + r"(?:no|nunca|jamás)\s+(?:toques|cambies|modifiques|borres|elimines|agregues|añadas|hagas)\b",
    START + r"(?:ändere?|lösche?|benutze?|verwende?|entferne|pushe)\b.{1,80}\b(?:nicht|nie|keine?n?)\b",
    rf"{_AUTHORITY}\s+"
    + words("""
    forbids? | prohibits? | bans? | (?:doesn't|does not|don't|do not|won't|will not) (?:allow|permit)
    """),
    START
    + r"(?:do\s+not|don't|don’t|dont|do\s+n't)\s+(?!"
    + words("""
    worry | know | think | see | understand | get it | have | care | mind | remember | believe | forget
    hesitate | bother | you(?! dare) | we | they | i | want | need | like | seem | look | work | exist
    really | recall
    """)
    + r")\w+",
    rf"(?:^|[,;:(—–.]\s*|\s-\s+)(?:{LEAD_INS}[,:]?\s+){{0,4}}never\s+(?!"
    + words(
        r"mind | seen? | had | got | heard | ran | been | worked | used to | said | \w+ed |"
        r" [a-z]+s(?! (?:to|the|a|any))"
    )
    + r")\w+",
    r"\b(?:must|shall|should|may|agents?|we|to)\s+never\s+(?!happen\b|(?:(?:really|quite|actually|fully|"
    r"ever|even)\s+)?(?:been|seen|had|heard|got|found|knew|saw|did|made|thought|came|went|understood|told|"
    r"took|gave|felt|meant|met|kept|left|lost|\w+ed)\b)\w+",
    words(r"""
    (?:should|must|need to|want to|like to|try to|let's|please) (?:avoid|refrain from|steer clear of)
    (?:must|shall) not | mustn't | mustn’t | shan't | (?:may|must|shall) not be \w+ed
    (?:not|isn't|aren't) (?:be )?(?:allowed|permitted|acceptable|an option|negotiable|supposed) to
    (?:is|are|it's) (?:strictly |absolutely )?(?:not allowed|not permitted|not an option|unacceptable)
    forbidden | prohibited | off[- ]limits | disallowed | out of bounds | out of the question | a no-go
    deal[- ]?breaker | (?:can't|cannot|can not) (?:go over|exceed|be (?:more|over|later|longer))
    let's not \w+ | don't even think | don't you dare | (?:better|best|nice|great) if (?:nobody|no one)
    (?:i|we) want (?:no|zero) \w+ | not ok(?:ay)? to | stay away from | steer clear of | stay out of
    hands off | leave (?:it|them|that|this|those|these) (?:be|alone)
    """),
    r"\bshould(?:\s+not|n't|n’t)\s+(?!"
    + words("""
    happen | matter | take
    be (?:the case|happening|possible|needed|necessary|too|a problem|an issue|hard|that|there|a thing)
    affect | have | we | you | i | it | this | that | they | be an issue | be empty
    """)
    + r")\w+",
    rf"\b(?:you|we|agents?|users?|they|nobody|customers?|changes?)\s+(?:really\s+)?(?:cannot|can't|can’t|"
    rf"can\s+not|may\s+not)\s+(?:ever\s+|just\s+)?{_CHANGING}\b",
    r"\b(?:cannot|can't|can\s+not)\s+be\s+(?:changed|modified|used|touched|cancell?ed|removed|deleted|"
    r"exceeded|shared|moved|combined|refunded|added|altered|skipped)\b",
    r"\bleave\b[^.?!]{1,70}?\b(?:alone|untouched|unchanged|as[- ]is|as\s+(?:it|they)\s+(?:is|are|was|"
    r"were)|intact)\b",
    r"\b(?:rather|prefer(?:\s+it)?(?:\s+that|\s+if)?|like\s+it\s+if|appreciate\s+it\s+if|better\s+if|"
    r"grateful\s+if|happier\s+if|best\s+if)\b[^.?!]{0,20}\b(?:you|we|nobody|they|it)\s+(?:didn't|did\s+not|"
    r"don't|do\s+not|not|never|left|avoided|stayed)\b",
    r"\b(?:i|we|they|he|she|client|customer|boss|team)\s+(?:(?:really|still|just|also|definitely)\s+)?"
    r"(?:don't|do\s+not|dont|don’t|wouldn't|would\s+not|never|doesn't)\s+(?:really\s+|ever\s+)?(?:want|"
    r"like\s+you\s+to|wish)\b",
    r"^(?:(?:but|and|please|also|so),?\s+)*no\s+(?!"
    + words("""
    problem | idea | worries | longer | need | one | way | doubt | luck | matter | rush | wait | thanks?
    output | such | it | i | that | this | the | we | you | not | but | just | they | there | please | do
    don | don't | is | are | use | let | difference | on | in | errors? | results? | change | chance
    reason | answer | response | built-in
    """)
    + r")(?!.{0,80}\b(?:ran|runs?|found|left|exists?|works?|happen\w*|came|fails?|failed|shows?|appears?|"
    r"passed|matched|returned|printed|collected)\b)(?:[\w'/-]+[ ,]*){1,7}[.!]?$",
    r"\b(?:nothing|nobody|no\s+one|none\s+of|"
    r"no\s+\w+(?:\s+\w+)?)\b[^.?!,]{0,50}\b(?:should(?!\s+have\s+(?:to|had))|"
    r"may(?!\s+have)|must(?!\s+have)|shall|gets?\s+to|is\s+allowed|are\s+allowed)\b",
    r"\b(?:nothing|nobody|no\s+one)\s+(?:gets|goes|leaves|enters|touches|deploys|ships|merges|is\s+to)\b",
    r"\bnot\s+a\s+single\s+\w+(?:\s+\w+)?\s+(?:may|must|should|shall|can)\b|^nothing\s+(?:with|without|"
    r"from)\s+\w+",
    r"\b(?:i|we)\s+(?:won't|will\s+not|do\s+not|don't|can't|cannot)\s+(?:accept|tolerate|allow|permit|"
    r"condone)\b",
    r"\byou\s+(?:do\s+not|don['’]t)\s+(?:have|need)\s+to\s+(?:change|edit|modify|touch)\b.{0,80}\bany\b",
    r"\b(?:has|have)\s+no\s+(?:place|business)\s+(?:in|on|here)\b",
    # Nobody but Ann; unless she says so, nothing ...
    r"\b(?:nobody|no\s+one|nothing|no\s+\w+)\s+(?:but|except|besides|other\s+than|apart\s+from)\s+\w+",
    r"^(?:unless|until|without)\b[^,]{2,80},\s*(?:no|nothing|nobody|none|never|don't|do\s+not|"
    r"you\s+(?:can't|cannot|may\s+not))\b",
    # "No network access in the tests": a ban without a verb
    r"^(?:(?:but|and|please|also|so),?\s+)*no\s+(?!"
    + words("""
    problem | idea | worries | longer | need | one | way | doubt | luck | matter | rush | wait | thanks?
    wonder | such | it | i | that | this | the | we | you | not | but | just | they | there | please | big
    real | on | clue | reason | answer | response | surprise | offen[cs]e | pressure | hurry | trace
    sign | word | more\\W*$
    """)
    + r")(?!.*\b(?:is|are|was|were|has|have|had|do|does|did|came|went|got|said|seems?|knows?|knew|who|why|"
    r"how|whether|"
    r"can|could|would|will|works?|runs?|ran|failed|passed|found|happens?|made|makes|helps?)\b)"
    r"\S+(?:\s+\S+){1,13}$",
    r"\b(?:you|we|agents?|they|nobody|users?|it|this)\s+(?:can|may|should|must|shall|"
    r"will)\s+never\s+(?:ever\s+)?" + _CHANGING + r"\b",
    r"\b(?:feel\s+free|you\s+(?:can|may)|change|touch|use|edit|everything|anything)\b.{0,60}"
    r"\b(?:except|apart\s+from|other\s+than|but\s+(?:not|never|no))\b",
    r"(?<!\bit\s)(?<!\bthis\s)(?<!\bthat\s)\b(?:is|are)\s+not\s+(?:acceptable|ok|okay|welcome|wanted|"
    r"tolerated|up\s+for|for)\b",
    r"\b(?:is|are)\s+(?:not|never)\s+to\s+\w+|\bnever\s+to\s+be\s+\w+ed\b",
    r"\b(?:may|can)\s+not\s+(?:appear|contain|leave|show|enter|reach|"
    + _CHANGING.removeprefix("(?:")
    + r"\b",
    r"\bnever,?\s+ever\b,?\s+(?!been|seen|had|heard|got|\w+ed\b)\w+|\b(?:do\s+not|don't),\s",
    r"[,;]\s*(?:so|but|and|please|hence|therefore)\s+no\s+(?!one|idea|problem|wonder|need|worries|luck|"
    r"more\b)\w+(?:\s+\w+){0,4}[.!]?$",
    r"(?:;|\s[-–—])\s+no\s+(?!one|idea|problem|wonder|need|worries|luck|more|way|rush|doubt|thanks?|matter|longer\b|"
    r"(?:\w+\s+)?(?:issues?|errors?|changes?|output|results?|difference|warnings?|failures?)\b)"
    r"\w+(?:\s+\w+){0,4}[.!]?$",
    r"(?:^|[,;]\s*)(?:(?:so|and|but)\s+)?nothing\s+(?:newer|older|bigger|larger|longer|higher|lower|fancier)\s+than\b",
    r"\b(?:wants?|allows?|accepts?|tolerates?)\s+(?:no|nothing|nobody|none|zero)\b",
    r"^we\s+(?:don't|do\s+not)\s+(?:do|deploy|merge|accept|ship|store|log|share|allow|publish|refund|"
    r"commit|push|release)\b(?!.*\bany\s?more\b)",
    r"\bin\s+no\s+case\b|\bby\s+no\s+means\b|\bon\s+no\s+account\b|\bunder\s+no\s+(?:circumstances|"
    r"conditions?)\b",
)

STRONG_MUST = (
    START + r"(?:évite[rz]?|respecte[rz]?|veille[rz]?|asegúrate|evita|respeta|vermeide|achte|beachte)\s",
    START + r"(?:rédige[rz]?|réponds|répondez|écri(?:s|vez)|responde|escribe|redacta|antworte|schreibe?)\b"
    r".{0,60}\b(?:en|auf|in)\s+(?:anglais|français|inglés|español|englisch|deutsch)\b",
    r"^(?:anything|everything|whatever|whoever)\s+\w+\s.{1,60}?\b(?:needs?|requires?|goes|gets)\b",
    r",\s+[\w-]+(?:\s[\w-]+){0,2}\s+only[.!]?$",
    r"\b(?:check|confirm|clear)\b[^.?!,]{0,30}\bwith\s+me\b|\bask\s+me\s+(?:first|before)\b",
    r",\s*(?:and\s+)?(?:nothing|nobody|nowhere|no\s+one)\s+else[.!]?$|\band\s+nowhere\s+else\b",
    r"^(?:what|all)\s+(?:i|we)\s+(?:need|want|expect|ask|require)\b.{0,30}?\b(?:is|are)\s+(?:that|for|to)\b",
    r"^(?:all|every|each|any|only|just|one|two)\b.{3,120}?,\s*please\b",
    r"\binsists?\s+(?:that\s+)?(?:we|you|nobody|no|all|every\w*|the|each|on)\b|\bdemands?\s+that\b",
    r"^(?:every|each|all|any)\s+(?!(?:i|we|you|that|this)\b)(?:\S+\s+){1,10}?(?:should|must|shall|has\s+to|"
    r"have\s+to|needs?(?:\s+to)?|requires?)\b(?!\s+have\b)",
    r"\b(?:i|we|they)(?:'d)?\s+(?:need|want|expect|require|"
    r"like)\s+(?:\S+\s+){1,6}?to\s+(?:always\s+)?(?:stay|remain|keep)\b(?!\s+going)",
    r"\b(?:may|must|shall|should)\s+only\s+(?!have\b)\w+",
    r"^(?!(?:i|we|you|there)\b)(?:\S+\s+){2,12}?(?:has|have|needs?)\s+to\s+(?:always\s+|still\s+)?(?:stay|"
    r"remain|keep|be|work|support|run|fit|match|look|use|contain|include|pass|follow|start|end|come|"
    r"go)\b(?!\s+(?:done|fixed|a\s+way|that))",
    r"^(?:every|each)\s+(?:\S+\s+){1,4}?(?:starts\s+with|ends\s+with|gets|carries|is\s+(?:signed|reviewed|"
    r"named|written|prefixed|approved|tested|logged|documented|rounded|sorted))\b",
    r"^(?:whoever|whichever|anyone\s+who|anybody\s+who|those\s+who)\b",
    r"\b(?:you|we|they)\s+(?:can|may)\b.{3,80}\b(?:as\s+long\s+as|provided(?:\s+that)?|only\s+(?:if|when|"
    r"after)|on\s+condition)\b",
    r"\b(?:guides?|guidelines?|polic(?:y|ies)|contract|conventions?|rules?|law|standards?|licen[cs]e|"
    r"handbook|agreement)\s+(?:\w+\s+)?(?:says?|asks?|calls?|wants?|states?|demands?|requires?)\b",
    r",\s*always\)?[.!]?$|\bunder\s+all\s+circumstances\b|\bin\s+(?:all|any)\s+cases?\b",
    r"^(?:in|for|on|at|within)\s+(?:this|our|the)\s+(?:project|team|company|repo\w*|codebase|house|office|"
    r"department)\b,?\s+we\s+(?!had|were|did|\w+ed)\w+",
    r"\b(?:needs?|requires?|get|without|ask\s+for)\s+(?:my|our|his|her|their|\w+'s)\s+(?:\w+\s+)?"
    r"(?:permission|approval|consent|sign-?off|go-?ahead|ok|okay|blessing)\b",
    r"\b(?:requires?|demands?)\b.{1,60}\b(?:for|with|of|in|on)\s+(?:every\w*|each|all|any\w*)\b",
    r"\bbelongs?\s+(?:in|into|under|on)\s|\b(?:promise|assure)\s+me\b|\b(?:you|we)(?:'d|"
    r"\s+had)\s+better\s+(?!than)",
    r"\bmake\s+(?:it\s+)?a\s+(?:rule|habit|point)\b|\blet's\s+agree\b",
    r"\b(?:great|good|nice|helpful|best|better|appreciate)\s+(?:it\s+)?if\s+(?:you|"
    r"we)\s+(?:could\s+)?(?:keep|kept|always|only|never|stay(?:ed)?|leave|left|"
    r"used?|avoid(?:ed)?|stuck|stick)\b",
    r"^only\s+(?:\S+\s+){1,6}?(?:can|may|should|must|is\s+allowed|are\s+allowed|gets?)\b",
    r"^(?!(?:i|we|you|it|that|this|he|she|they|there)\b)(?:\S+\s+){0,5}?\w+s\s+should\s+(?:all\s+|"
    r"always\s+)?be\s+(?:in|under|below|within|at|no|short|lower-?case|upper-?case|sorted|rounded|signed|"
    r"named|written|prefixed|formatted|documented|tested|quoted|kept|stored|sent)\b",
    r",\s*(?:minimum|maximum|max|min|tops|at\s+(?:the\s+)?(?:very\s+)?(?:most|least))[.!]?$",
    r"^[\w-]+(?:\s[\w-]+){0,2},\s*not\s+[\w-]+(?:\s[\w-]+){0,2}[.!]?$",
    r"^(?!(?:i|we|you|it|that|this|he|she|they|there)\b)(?:\S+\s+){1,6}?stays?\s+(?:in|on|at|with|where|as|"
    r"private|internal|here|put|within|below|under)\b",
    r"\b(?:is|are)\s+(?:always|only|generally)\s+to\s+\w+",
    r"^new\s+(?:\S+\s+){1,5}?(?:requires?|needs?|gets?|must)\b",
    r"^only\s+\w+(?:\s+\w+)?\s+(?:can|may|should|must|is\s+allowed)\b",
    r"\b(?:need|want)\s+(?:everything|all\s+\w+|it\s+all)\b",
    r"\b(?:i|we)(?:['’]d)?\s+(?:like|need|want|prefer|expect)\s+(?:every|each|all)\s+(?:\w+\s+){1,5}?to\s+\w+",
    r"^(?:just\s+|only\s+|exactly\s+)?(?:one|a\s+single|two)\s+(?:\w+\s+){1,3}per\s+\w+(?:\s\w+)?[.!]?$",
    rf"^(?:whenever|every\s+time|each\s+time|any\s+time)\b[^,]*,\s*(?:{LEAD_INS}\s+)*{IMPERATIVES}\b",
    rf"{_AUTHORITY}\s+" + words("insists? | demands? | mandates? | requires?"),
    r"^(?:[^\s.?!,]+\s+){1,6}only[.!]?$",
    r"\bmust\b(?!\s+(?:not|never)\b|n't|n’t|\s+(?:have\s+(?:been|had|gone|got|gotten|missed|made|done|left|"
    r"lost|come|forgotten|mis\w+|\w+ed)\b|be\s+"
    + words(
        r"a | an | some | because | something | missing | wrong | why | how | confus\w+ | kidding | joking"
        " | due | the (?:case|reason|problem|issue)"
    )
    + r"))",
    words(r"""
    (?:should|must|shall|need to|has to|have to) (?:always|ensure|only) | (?:may|shall|can) only be \w+
    (?:you|agents?|users?|customers?|each \w+|every \w+) (?:may|can) only
    only (?:allowed|permitted|supposed) to | only ever | exclusively
    (?:need|want|have|like) (?:you |us )?to (?:make (?:very |absolutely )?sure|ensure)
    it(?:'s|’s| is) (?:\w+ )?(?:important|critical|crucial|essential|vital|imperative)(?! (?:question|point))
    (?:is|are) to (?:be|stay|remain)
    (?:is|are|stays?) (?:frozen|off the table|out of scope|set in stone|read-only|final|fixed|banned)
    (?:is|are) (?:sacred|sacrosanct|taboo|untouchable|binding)
    (?:i|we) only (?:want|need|care)(?! to (?:understand|know|see|ask|say|help|check))
    we always (?:want|need|use)
    we only (?:use|support|ship|accept|allow|work|deploy|sell|target|test|hire|serve|take) | to always \w+
    every \w+(?: \w+)? needs (?:a|an) | mandatory | non-negotiable | hard requirement | compulsory
    strict (?:rule|requirement|limit) | the requirement is | (?:requirement|rule|constraint)(?=: \S)
    the (?:house |team )?(?:rule|policy) is | our (?:rule|policy) is
    (?:the|our) (?:rule|convention|practice|standard|principle)(?: here| is| there| we have)* is
    from now on | going forward | from here on(?: out)? | at all times | no matter what
    under (?:any|no) circumstances | at (?:all|any) costs?
    without exception | every time you | each time you | whenever you
    (?:i|we|they|client|customer|boss|team)(?:'d|’d| would)?(?: \w+)? prefers?(?! (?:that|this|it)[.!]?$)
    preferably | (?:i'd|i’d|i would|we'd|we would) (?:much )?rather
    (?:we're|i'm|they're|am|are|is) (?:stuck|locked|tied|pinned)(?: \w+)? (?:to|with|on|at|in|into)
    (?:we're|i'm|they're|am|are|is) (?:limited|restricted|bound|confined|committed)(?: \w+)? (?:to|by)
    (?:must|should|has to|have to|needs? to) (?:adhere|conform|comply)
    """),
    r"\b(?:everything|anything|all(?:\s+\w+){1,4}|every\s+\w+(?:\s+\w+)?|each\s+\w+(?:\s+\w+)?|"
    r"whatever\s+\w+(?:\s+\w+){0,3})\s+(?:should|must|shall|has\s+to|have\s+to|needs?\s+to)\b",
    r"\b(?:it|this|that|they|these|those|there|the\s+\w+(?:\s+(?!(?:i|we|you|they)\b)\w+)?|"
    r"[a-z]+s)\s+(?:(?:still|also|just)\s+)?(?:needs?|has|have)\s+to\s+(?!(?:do|say|think|figure|find|wait|"
    r"be\s+(?:done|fixed|a\s+way|ready|that|able))\b)[a-z]+\b",
    r"\b(?:you|we)\s+(?:always\s+)?(?:have|need)\s+to\s+(?:be|stay|remain|keep|support|use|follow|comply|"
    r"stick|obtain|get|ask|check\s+with|confirm|inform|notify)\b",
    r"\b(?:want|like|need|prefer)\s+(?:you\s+|us\s+)?to\s+keep\s+(?!going|trying)\w+|\b(?:should|must|"
    r"let's)\s+keep\s+(?!going|trying)\w+",
    rf"{START}(?:make|be)\s+(?:(?:very|absolutely|double|damn)\s+)?(?:sure|certain)\b(?!\s+(?:how|what|"
    rf"why|if))",
    rf"{START}(?:remember\s+to|remember\s+that|don't\s+forget|do\s+not\s+forget|be\s+careful|take\s+care|"
    rf"keep\s+in\s+mind|bear\s+in\s+mind)\b",
    r"\b(?:it|they|output|results?|names?|api|responses?|answers?|replies|messages?|format|code|commits?|"
    r"documentation|docs|comments?|tests|(?:the|all|our|your|any)\s+(?:output|response|answer|format|file|"
    r"code|report|api|summary|email|text|script|result|page)s?)\s+should\s+(?:(?:always|still|also|only|"
    r"just|then|by\s+default|all)\s+)?(?:be\s+(?:in|under|at\s+most|at\s+least|short|concise|brief|written|"
    r"valid|formatted|idempotent|backwards?|compatible|typed|named|limited|kept|no|less|fewer|below|within|"
    r"between|optional|private|read-?only)|stay|remain|follow|match|use|only)\b",
    r"\bshould\s+(?:stay|remain|always|never|only)\s+(?!happen\b|be\s+(?:a\s+thing|the\s+case))\w+",
)

WEAK_MUST_NOT = (
    r"\b(?:and|but|so|or)\s+never\s+(?!been|seen|had|heard|got)\w+",
    r"\bwithout\s+(?:(?:ever|actually|any)\s+)?(?:touch|chang|modify|break|add|us|remov|delet|alter|rewrit|"
    r"introduc|creat|rely|hard-?cod|requir|mock|commit|push|ask|mention|los|disrupt|affect|tell|exceed|go|"
    r"install|restart|expos|shar|mov|permission|approval|downtime)\w*",
    rf"{START}(?:avoid|refrain\s+from|stop\s+\w+ing|quit\s+\w+ing|hold\s+off)\b",
    r"\bkeep\s+(?:[\w-]+\s+){1,4}(?:out\s+of|away\s+from)\b",
)

WEAK_MUST = (
    r"\bbefore\s+(?:you|we)\s+\w+",
    r"\b(?:answer|reply|respond|write|speak)\s+(?:(?:only|always)\s+)?(?:in|with)\s|,\s+not\s+\w+|"
    r"\btry\s+to\s+keep\b",
    rf"{START}always\s+(?!been|had|got)\w+",
    rf"{START}only\s+(?:ever\s+)?(?:{IMPERATIVES}|{_CHANGING}|work)\b"
    r"(?!\s+(?:if|when)\b(?!\s+(?:i|you|we|asked|told)\b))",
    r"\b(?:use|touch|change|edit|modify|run|write|include|return|accept|allow|support|read|reply|respond|"
    r"answer|work|commit|test|pick|choose|recommend|update|fix)\s+(?:[\w./`-]+\s+){0,3}only\b",
    rf"{START}ensure\b",
    r"\b(?:throughout|everywhere|in\s+all\s+cases|across\s+the\s+board)\b",
    rf"^(?:{LEAD_INS},?\s+)*be\s+(?!right|back|there)\w+",
    r"\btreat\b[^.?!]{1,60}\bas\b",
    rf"{START}(?:always\s+)?keep\s+(?!"
    + words("""
    going | trying | getting | seeing | on | up | working | me posted | it up | running | digging | looking
    at it | failing | thinking | in mind | track | an eye | iterating | reading | testing | pushing | moving
    only
    """)
    + r")[\w'\"`(]",
    rf"{START}prefer\b|{START}(?:stick|stay)\s+(?:to|with|within|under|below|on)\b|\b(?:adhere|conform|"
    rf"comply)\s+(?:to|with)\b",
    r"\b(?:use|do|put|write|go\s+with|run|call|pick|choose|take|reply|answer|respond|prefer|speak|store|"
    r"send)\b[^.?!]{1,80}?\b(?:instead\s+of|rather\s+than|in\s+place\s+of|as\s+opposed\s+to)\b",
    rf"{START}(?:follow|respect|obey|honou?r|preserve|maintain|retain|mirror)\s+(?:the|our|this|that|"
    rf"these|my|existing|all|any|their)\b",
    rf"{START}(?:note|be\s+aware)\s+that\b.*\b(?:must|only|never|always|cannot)\b",
)

SYSTEM_MUST = (
    r"\bshould\s+(?:not\s+|never\s+|always\s+|only\s+|first\s+|also\s+)?(?:be|use|return|ask|obtain|list|"
    r"deny|transfer|confirm|provide|try|check|verify|help|refuse|respond|make|follow|explain|collect|"
    r"tell)\b"
    r"|\b(?:you|agents?)\s+(?:can|may|will|need\s+to|have\s+to)\b|\bonly\s+(?:if|when|after|be)\b|\b(?:is|"
    r"are)\s+(?:not\s+)?(?:allowed|required|eligible|entitled|permitted)\b"
    r"|^(?:start|begin|end|finish|run|open)\s+(?:every|each|all)\b"
    r"|\b(?:before|after)\s+(?:every|each|any|committing|pushing|merging|a\s+commit|a\s+push)\b"
)
"""A system prompt is written to rule: there these suffice."""

ASKED = (
    r"\bwithout\s+(?:\w+ing|any)\b|\b(?:but|and|just|please)\b[^?]{0,12}\b(?:don't|do\s+not|never|keep|"
    r"only|make\s+sure|ensure|avoid|leave)\b"
    r"|\b(?:make\s+sure|ensure|be\s+sure)\b|\b(?:use|do|write|put)\b[^?]{1,60}\b(?:instead\s+of|"
    r"rather\s+than)\b|\bat\s+most\b|\bno\s+more\s+than\b"
    r"|\bonly\s+(?:the|use|touch|change|in|for)\b"
    r"|^(?:can|could|would|will)\s+(?:you|we)\s+(?:please\s+)?(?:not|avoid|stop|keep|only|always|never|"
    r"leave)\b"
)
"""In a polite question ("can you ... without ...?") only these make a rule of it."""

LIMIT_SET = (
    r"\b(?:budget|cap|limit|ceiling|deadline|quota|maximum|minimum|max|min|due\s+date|cut-?off|timeout|"
    r"target|threshold)\b[^.?!]{0,40}?(?:\bis\b|\bare\b|\bof\b|:|=|\bat\b|\bstays?\b|\bremains?\b|\bto\b|"
    r"\bwas\s+(?:raised|cut|set)\b)"
)
"""A limit that is given; a value must stand in the sentence too."""

BOUNDS = (
    r"\b(?:must|should|shall|needs?|has\s+to|have\s+to|want|may|limit|aim|please|have|got|'ve)\b|"
    r"[\u4e00-\u9fff]"
    r"|\bcan\s+\w+\s+(?:at\s+most|no\s+more\s+than|up\s+to)\b"
    r"|(?:^|:\s)(?:at\s+most|at\s+least|no\s+(?:more|less|later|fewer|longer)|up\s+to|under|max|min)"
)
"""With an upper or lower bound and a value, these make a rule, as a command does."""

SCHEDULED = (
    r"\b(?:deploy|release|ship|launch|freeze|due|deadline|deliver|submit|finish|done|go\s+live|migrat\w+|"
    r"cut-?over|demo|meeting|review|handover|standup|rollout|publish|departs?|appointment)\w*\b|"
    + zh.SCHEDULED
)
"""What is done on a day or at an hour."""

PAST = r"\b(?:was|were|did|had|went|\w{3,}ed|broke|ran|saw|got|came|began|fell|last)\b|" + zh.PAST

ACKNOWLEDGED = (
    r"^(?:understood|noted|got\s+it|will\s+do|okay|ok|sure|acknowledged|right|absolutely|of\s+course|"
    r"agreed|roger|thanks|good\s+point|"
    rf"you're\s+right|{zh.ACKNOWLEDGED})[^a-z\u4e00-\u9fff]"
)

PROMISED = (
    r"\b(?:i\s+will|i'll|i’ll|we\s+will|we'll|going\s+to)\s+(?:never|not|only|always|avoid|make\s+sure|"
    r"ensure|keep|stick|stay|leave|refrain|respect)\b"
    r"|\b(?:i|we)\s+(?:won't|won’t|will\s+not|must\s+not|must|cannot|should\s+not)\b|" + zh.PROMISED
)

MUSING = (
    r"\bi\s+(?:wonder|feel\s+like)\b|^one\s+(?:could|might|may)\b|,\s*(?:i|we)\s+(?:guess|suppose|think|bet|imagine|assume|suspect|wonder|reckon|believe)\b"
    r"|\bi\s+can(?:'t|not)\s+(?:be\s+(?:sure|certain)|say|tell)\b|\bwho\s+knows\b"
    r"|\byou\s+must\s+(?:have|be\s+(?:so\s+|really\s+|very\s+)?(?:\w+ing|tired|bored|mad|crazy|busy|happy|"
    r"glad|sick|hungry|exhausted|new|right|proud|excited|curious|used\s+to|fed\s+up))\b"
    r"|\b(?:should|must)(?:n't)?\s+have\s+(?:to\b|\w+ed\b|been|had|done|gone|known|seen)"
    r"|\b(?:i|we|you|it)\s+would(?:n't|n’t|\s+not)\s+(?:have|need)\s+to\b"
    r"|\b(?:always|never|only)\s+(?:told|seem(?:s|ed)?|felt|thought|said|liked|loved|wondered|hoped|wanted)\b"
    r"|\bnever\s+(?:rains|mind)\b|\bi\s+(?:can|could)\s+never\b|\bmust\s+be\s+(?:a|some|the|flaky|broken|"
    r"stale|wrong|down)\b"
)
"""A guess, a feeling, a sigh: in the words of a rule, and none."""

TOLD = (
    r"\b(?:verify|check|confirm)\s+(?:(?:that|whether|if)\s+)?(?:the\s|it\s|all\s|$)|(?!^it\s+(?:is|"
    r"would))\b(?:they|it|he|she|which|who|that|where\s+we|function|component|tool|script)\s+(?:\w+n't|"
    r"will|would|are|is|was|were|do|does|did|can|could|has|have)\b"
)
"""Somebody else is the subject: what follows behind a comma tells of them."""

HINT = (
    r"\b(?:must|never|only|always|not|dont|avoid|keep|make|be|ensure|without|instead|rather|prefer\w*|"
    r"limit\w*|budget|cap|max\w*|min\w*|leave|no|nothing|nobody|none|stop|stick|stay|forbidden|prohibited|"
    r"disallowed|off|out|hands|steer|refrain|cannot|may|should|shall|need|needs|has|have|required|"
    r"requirement|mandatory|critical|important|essential|strict\w*|rule|constraint|from|going|future|every|"
    r"each|all|anything|everything|whatever|follow|respect|preserve|maintain|comply|conform|adhere|"
    r"remember|careful|care|mind|exclusively|want|stuck|locked|tied|before|throughout|always|circumstances|"
    r"permission|approval|consent|belongs?|promise|convention|practice|better|single|case|cases|project|"
    r"team|place|in|whoever|whichever|anyone|anybody|those|says?|states?|asks?|calls?|wants?|allows?|"
    r"accepts?|starts|gets|if|long|agree|stays|carries|ever|provided|insists?|demands?|best|better|great|"
    r"nice|good|can|rather|per|minimum|maximum|hold|quit|at|up|under|within|below|above|over|deadline|quota|"
    r"ceiling|by|on|match|mirror|obey|due|in|next|tomorrow)\b"
    r"|n't|n’t|cannot|[\u4e00-\u9fff]|évite|vermeide|asegúrate|\b(?:n['’]\w|(?:respect|veill)\w+|ne|jamás|nunca|"
    r"nicht|nie|keine?n?|evita|b?e?achte|en|auf)\b"
)
"""Without one of these a sentence is not even looked at."""
