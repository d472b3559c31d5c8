"""What one sentence does: announces, explains, asks, is code; patterns in English and Chinese."""

import re
from string import ascii_lowercase

from tamis.text.cues import zh
from tamis.text.cues.phrases import looked_for

LOOKED_AT = 1_500
"""Characters of a sentence that the cues look at: what is longer is no sentence."""

VAGUE_CHARS = 60
"""A sentence that is no longer and names nothing says little by itself."""
COURTESY_CHARS = 80
_OPENERS = (
    r"(?:(?:ok(?:ay)?|(?:for )?now|great|perfect|good|next|first|finally|then|also|alright|right|sure|so|and"
    r"|but|however|wait|actually|maybe|perhaps|hmm|alternatively)[,!.:]?\s+)*(?:for #\d[^,.]{0,60}, )?"
)
_ANNOUNCES = re.compile(
    rf"^{_OPENERS}(?:let me|let's|let us|i'll|i will|i'm going to|i am going to|now,? (?:let|i)"
    r"|(?:i|we)(?:'ll| will| can| should| could| need to| have to|'re going to|'d like to)? "
    r"(?:now |also |first |then )?(?:use|look|check|see|open|view|examine|search|find|run|start|begin|try|go"
    r"|locate|explore|verify|re-?read|read)|please continue the conversation from where\b"
    r"|(?:i|we)(?:'ll| will) (?:add|implement|insert|put|place|change|replace|update|create) (?:it|them)\b"
    r"|(?:i|we)(?:'ll| will) (?:call|name) (?:it|this|the)\b|this is a good (?:moment|place|point|time) to\b"
    r"|(?:before (?:i|we) do \w{2,4}, )?(?:i|we) (?:still |also )?(?:need|have|plan|intend|aim|hope) to"
    r"|(?:my|our) (?:goal|plan|aim) is to|now that (?:we|i)(?:'ve| have)?\b[^.]{0,60}, (?:we|i|let)"
    r"|to (?:start|begin|get started|do (?:this|so|that)|(?:fix|solve) (?:this|it))\b[^.]{0,50}, (?:we|i|let)"
    r"|the (?:user|question|(?:issue|pr) description)(?: \w{4,12}ly)? (?:is asking|asks|wants|mentions|says)"
    r"|based on the (?:file|directory|search)|(?:sorry|apologies)\b[^.!?;]{0,40} (?:i'll|i will))\b"
    r"|^here(?:'s| is) (?:the|my|an?) (?:\w{2,20} (?:and )?){0,3}(?:summary|analysis|recommendation|overview"
    r"|breakdown|report|assessment|synthesis|plan|rundown)\W{0,3}\Z"
    r"|^(?:here's what i \w{2,9}|no problem\b.{0,30})\W?\Z"
    r"|^(?:now,? (?:also )?(?:add|check|commit|create|find|fix|remove|replace|run|test|update|verify|write)"
    r"|also,? (?:check|verify)(?!.{0,90}\byou))\b[^;:,]{0,90}\Z|^(?:i'm )?using (?:the )?[^\s,]{1,40} skill\b"
    r"|^search for [\"'`][^;:,]{1,90}\Z"
    rf"|^{_OPENERS}(?:(?:before|after|once|while|for)\b[^,.;]{{1,120}}, )?i(?:'m| am) (?:about to\b"
    r"|(?:now |just |also |still |first |next )?(?:check|inspect|verify|look|read|review|search|examin|trac"
    r"|(?:re-?)?(?:run|start|dispatch|load|build|test|format|try|validat|captur|publish|install|fetch)n?|us|do|go|stay"
    r"|continu|refresh|finish|launch|claim|wait|paus|pick|pull|push|commit|open|scann?|sweep|query|lett|writ)ing\b)[^;]*$"
    r"|^if\b[^,.;]{1,80}, i(?:'ll| will)\b|^[^,.;:]{1,120}, so i (?:just|can(?! ?not|'t)|need to)\b"
    r"|^[a-z]{3,12}ing\b[^;]{0,300}, (?:then|and|so) i(?:'ll| will)\b"
    r"|^(?:\w{3,9},? )?(?:je vais|voy a|vamos a|ich werde)\b|^(?:since|as) [^,.;:]{1,90}, let(?:'s| me| us)\b"
    r"|^(?:after [^,.;:]{1,90}, )?(?:i (?:believe|think) )?i(?:'ve| have)? found the (?:\w{1,20} on line"
    r" \d{1,6}|(?:root |exact )?(?:source|cause) of the (?:issue|problem|bug|error))[.:!]?\Z",
    re.IGNORECASE,
)
_UNDER_WAY = re.compile(
    r"\b(?:is|are) (?:still|not yet) (?:running|going|building|compiling|in progress|under way|waiting"
    r"|finished|done|progressing|working (?:at|on|through))\b|\bstill waiting\b|\bis progressing\b"
    r"|\bit['’]s progressing\b",
    re.IGNORECASE,
)
"""Says of a moment that something runs: soon it does not."""

_PLANS = re.compile(
    r"\bi(?:'ll|'m (?:going to|planning|considering|thinking (?:about|of)|aiming)"
    r"|(?: also| really)? (?:will|should|must|need to|might|could|plan|want|intend))\b"
    r"|\bwe(?:'ll| (?:can(?!'t| see)|could|will))\b"
    r"|^(?:let's|time to|first,|next,|finally,)|\bneeds? to be\b|\bshould (?:be|come|go|stay)\b"
    r"|\b(?:is|are) necessary\b|\bstill (?:lacks?|needs?)\b"
)
_COURTESY = re.compile(
    r"^(?:great|perfect|parfait|excellent|interesting|nice|done|good|ok(?:ay)?|sure|thanks?|thank you|got it"
    r"|you'?re (?:absolutely )?right"
    r"|sorry|i apologi[sz]e|my apologies|of course|wonderful|awesome|hello|hi)\b[^\w]*(?:\w+[^\w]*){0,4}$"
    r"|^(?:the|this|that|it)\b[^,;:]{0,50} (?:now )?looks? (?:good|correct|right|fine)"
    r"(?: now| to me| as (?:it )?is)?[.!]?$|^(?:the|this|that|it)\b[^,;:]{0,50} match(?:es)? (?:the|what) "
    r"(?:description|example|expect|issue|pr\b|require|spec)[^,;:]{0,40}$"
    r"|^(?:(?:actually,? )?wait|aha?|oh|hm{1,3})[.!,]{0,3}$|^the response above may be incomplete\.?$"
    r"|^(?:phase|step|stage|task|part) \d{1,3} (?:\w{1,20} ){0,3}(?:complete|done|finished)[.!]?$"
    r"|^api error: [^\n]{0,60}$|^all (?:changes are )?(?:done|set|complete)(?: and verified)?[.!]?$",
    re.IGNORECASE,
)
_PRAISE = re.compile(
    r"^(?:(?:great|perfect|excellent|good|i see|nice|wonderful|awesome|okay|ok|alright)"
    r"(?: (?:call|catch|choice|direction|find|idea|job|one|point|question|work))?(?:[,!.]| [-–—])\s+)+"
    r"(?:so (?=[`\w]{1,80} (?:is|are|has|have)\b))?(?=\S)",
    re.IGNORECASE,
)
_ONLY_PRAISE = re.compile(
    r"(?:great|perfect|excellent|good|wonderful|awesome|okay|ok|alright|cool|nice|lgtm|well done|interesting"
    r"|(?:almost|nearly|getting) there|(?:much )?better|that works)"
    r"(?: (?:job|work|one|catch))?[.!,]{0,3}",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"^(?:this|that|these|those|it|its|they|them|he|she|same|but|however|so|otherwise|instead|because|since|which"
    r"|also|then|and|or|the (?:former|latter|same|other|second|first|ones|rest|remainder|remaining)|both"
    r"|n?either|still|yet|therefore|thus|hence|even|should|would|in both(?=,)|if (?:so|not|n?either|both)"
    r"|in (?:that|this|both) cases?|conversely|likewise|after(?:wards| that| this)|similarly|by contrast"
    r"|(?:is|are|do|does|did|have|has|can|what|how|why)\b[^?\n]{1,90}? there(?=\?)"
    r"|(?:if )?(?:any|all|some|none|each|most|only \w{1,9}) of (?:them|these|those)|for (?:example|instance)"
    r"|(?:.{1,120} (?:is|are|could|may|might) also (?:be )?(?:an? )?|another )(?:\w{1,12} )?(?:alternatives?|"
    r"candidates?|options?|plausible|possib(?:le|ilit(?:y|ies)))|.+ (?:too|as well)(?=\W*\Z))\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"(?:(?:so|now|but|and|however|again|unfortunately),? )?(?:the|this|that|these|those) (?:\w+ )?"
    r"(?:errors?|failures?|warnings?|messages?|output|results?|diagnostics|traceback|exception)"
    r"(?: message)?(?: you['’]re seeing)? (?:is|are|was|were|now|still|only|just|shows?|says?|tells?|occurs?"
    r"|comes?|means?|indicates?|suggests?|seems?|happens?|confirms?|looks?|appears?|persists?|reveals?)\b"
    r"|(?:(?:interesting|strange|surprising)(?:ly)?|aha|oh|hm+|(?:so )?the tests? (?:expects?|wants?)"
    r"|(?:this|that|it) (?:looks|seems) (?:fine|good|ok(?:ay)?)|(?:that|it)(?:['’]s| is) not right"
    r"|the (?:build|command|run|scripts?|tests?) ha(?:s|ve|d) [^,.;]{0,30}(?:failure|issue|problem)s?)\b",
    re.IGNORECASE,
)

_POINTS = re.compile(
    r"\b(?:the|this|that|these|your|his|her|their) (first|second|third|fourth|fifth|last|former|latter|other)"
    r"(?=[,.;:!?)]| (?:ones?|two|options?|variants?|way|approach|proposal|for|on|off|of|is|with|and)\b|$)"
    r"|\b(?:this|that|the|the \w{1,20}) ones?\b(?! (?:thing|time|day|place|hand)\b)|\bwhoever\b"
    r"|\bthe same(?! time\b)|\bas (?:before|above|(?:you|he|she|they) \w{1,12}ed)\b"
    r"|\b(?:do|take|use|try|go with|go for|keep|choose|pick|prefer) (?:that|those|this|these)"
    r"(?=[,.;:!?)]| (?:for|then|first|instead|please|too|and|but|with)\b|$)"
    r"|\b(?:do|follow|take|use) what (?:he|she|they|you)\b|\bthe \w{1,20} (?:where|whose|who)\b"
    r"|\b(?:\w{1,20}['’]s|his|her|their|your) (?:proposal|suggestion|idea|advice|plan|choice)\b"
    r"|\bmy (?:tweak|edit|change|version|rewrite)s?(?=[,.;:!?)]|$)"
    r"|(?<!is )(?<!are )\bthere(?=[,.;!?)]| (?:and|only|too|instead|as)\b|$)"
    r"|(第[一二三四五])[个种条]|那个|这个|前者|后者|同样|一样|那样|你说的"
)
"""Points at a thing that another message names."""


def _whole_words(phrases: str) -> re.Pattern[str]:
    """A pattern of phrases, as whole words; those that begin with the same letter are tried together."""
    return re.compile(rf"(?<!\w)(?:{looked_for(phrases, leads=ascii_lowercase).pattern})\b")


_CUES = {
    "cause": _whole_words(
        r"because|root cause|caused by|due to|the (?:issue|problem|bug|reason|culprit|fix|error|cause)"
        r"(?: here| with `?[\w.]{1,40}`?)? (?:is|was|seems|comes)|turns? out|turned out|so that|since the"
        r"|leads? to|results? in|the reason|that's why|which is why|which means|this means|comes from"
        r"|triggered by|work(?:s|ing) (?:fine )?when i|(?:can't|cannot) reproduce|not reproducible"
        r"|not (?:crash|error|fail)ing (?:here|in my|when i)",
    ),
    "choice": _whole_words(
        r"instead of|rather than|decid\w+|chose|chosen|prefer\w*|opt(?:ed)? for|approach|alternative"
        r"|trade-?off|not worth|out of scope|skip\w*|intentional\w*|on purpose|deliberate\w*|simpler|safer"
        r"|won't|will not|should not|shouldn't|recommend\w*|option [a-d1-4]",
    ),
    "found": _whole_words(
        r"found|confirm\w*|verified|reveals?|shows? that|actually|already|no longer|only (?:when|if)"
        r"|pre-existing|missing|never|cannot|can't|doesn't|isn't|wasn't|didn't|fail\w*|works?|broken|wrong"
        r"|incorrect\w*|mismatch|undefined|expected|unexpected\w*|currently|both|neither",
    ),
    "state": _whole_words(
        r"remaining|next steps?|still|not yet|pending|todo|left to do|in progress|pushed|committed"
        r"|merged|blocked|waiting|unresolved|complete[d]?|passes|passing|all tests"
        r"|0 (?:issues|failures|errors)|ready (?:for|to)",
    ),
    "change": _whole_words(
        r"add(?:ed|s)?|remov(?:ed|es)|chang(?:ed|es)|fix(?:ed|es)|renam(?:ed|es)|replac(?:ed|es)"
        r"|updat(?:ed|es)|implement(?:ed|s)|refactor(?:ed|s)|moved|created|extract(?:ed|s)|delet(?:ed|es)|configured"
        r"|now (?:uses?|returns?|handles?|checks?|calls?)",
    ),
    "guess": _whole_words(
        r"wait|hmm+|maybe|perhaps|might|probably|possibly|i think|i wonder|i suspect"
        r"|(?:it )?seems(?! (?:we|i)'ve)|could be|not sure",
    ),
}
_GAIN = re.compile(
    r"\d ?[a-zµμ%]{0,8} ?(?:→|->|=>) ?[~<]?\d"
    r"|\bfrom [~]?\d[\d.,]{0,12} ?[a-zµμ%]{0,8} (?:down |up )?to [~<]?\d"
    r"|\d ?[x×] (?:fast|slow|few|small|larg)"
)
"""What was measured before and behind a change."""
_HAN_CUES = {name: re.compile(phrases) for name, phrases in zh.DISCOURSE.items()}
"""They are looked for in lower case: to set letter case aside costs three times as much."""
_NAMED = re.compile(
    r"`[^`\n]+`|\b(?:\w+[._/]\w|[a-z]+[A-Z]\w|[A-Z]{2,}-\d|[0-9a-f]{7,40}\b)|#\d|\w\(\)|\d{2,}"
)
_COUNTS = re.compile(r"(?:lines? )?(?:\d[\d.,]{0,12} ?[a-z%]{0,12}(?<!ed)\W{1,3}){1,4}", re.IGNORECASE)
_PLEASANT = re.compile(
    r"^(?:(?:please )?let me know|thanks?\b|thank you|that would be (?:easiest|great|helpful|perfect)"
    r"|i(?:'d|’d| would) (?:really )?appreciate|sounds good|(?:good)?bye\b|you too\b"
    r"|(?:everything|that|it) (?:all )?(?:looks|sounds) (?:good|great|perfect)|have a (?:good|great|nice)\b)",
    re.IGNORECASE,
)
_END_MARK = re.compile(r"#{3}[A-Z][A-Z-]{2,30}#{3}\s*\Z")
_SENTENCE_END = re.compile(r"[.!?]\s|\n")
_WANTS = re.compile(
    r"\b(?:please|must|should|need|needs|want|make sure|ensure|add|remove|fix|implement|change|use|don't"
    r"|do not|never|always|only|keep|update|create|write|require[sd]?|allow|support|can you|could you|let's"
    r"|instead|expected|actual|error|fails?|my (?:suggestion|proposal)|i(?:['’]d| would)? (?:suggest|propose)"
    r"|(?:i|we)(?:['’]d| would) (?:also |really |rather )?(?:like|expect))\b|" + zh.WANTS,
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"\b(?:when(?:ever)?|if|once|because|since|while) (?:\w+ ){0,3}needs? to\b", re.IGNORECASE
)
"""Says when something happens, not that it shall."""

_FRAMES = re.compile(
    r"\A(?:We're currently solving|Here's the issue text|ISSUE:|Consider the following PR description"
    r"|I've uploaded a \w{1,20} (?:code )?repository|Can you help me implement the necessary|/workspace/\S+$"
    r"|!\[[^\n\]]{0,200}\]\(|<?/?\w+>?$|<summary>|Implement the following plan:?$"
    r"|\(last modified by|You are given: \(1\) a task|Collect information from the general task"
    r"|Please solve the (?:task|problem) carefully|If you need specific details from before exiting plan)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\W{0,9}(?:(?:additional|further|general|issue|bug|problem|task) )?(?:summary|tasks?|goal|objective"
    r"|statement|overview|conclusion|details?|contexte?|background|description|motivation|introduction"
    r"|information|notes?|describe the (?:bug|issue|problem)|bottom line|recap"
    r"|what (?:i(?:['’]ve)? |we(?:['’]ve)? |was )?(?:implemented|changed|did|done|built|fixed)"
    r"|what the (?:issue|problem|bug) is(?:, exactly)?)\W{0,9}",
    re.IGNORECASE,
)


def flags_of(sentence: str) -> list[str]:
    """What can be seen of an agent's sentence.

    >>> flags_of("It fails because `rows` is None.")
    ['cause', 'found', 'named']
    >>> flags_of("Loading went from 52 s to 20 ms."), flags_of("It takes 2 to 3 hours.")
    (['gain', 'named'], ['vague'])
    """
    looked_at = sentence[:LOOKED_AT].replace("’", "'")
    lowered = looked_at.lower()
    flags = [name for name, cue in _CUES.items() if cue.search(lowered)]
    if not lowered.isascii():
        flags = [name for name, cue in _HAN_CUES.items() if name in flags or cue.search(lowered)]
    if _GAIN.search(lowered):
        flags.append("gain")
    if _NAMED.search(looked_at) and not _COUNTS.fullmatch(looked_at):
        flags.append("named")
    elif len(sentence) < VAGUE_CHARS:
        flags.append("vague")
    if is_announcement(sentence):
        flags.append("announces")
    if sentence.rstrip().endswith(("?", "？")):
        flags.append("question")
    if opens(sentence):
        flags.append("opens")
    return flags


def is_announcement(sentence: str) -> bool:
    """Whether a sentence only says what comes next, or is polite.

    >>> is_announcement("Let me look at the tests."), is_announcement("The tests fail.")
    (True, False)
    >>> is_announcement("The changes look correct."), is_announcement("I'm pushing the branch now.")
    (True, True)
    >>> is_announcement("Now fix the imports."), is_announcement("I’m adding a page.")
    (True, False)
    """
    bare = sentence[:LOOKED_AT].lstrip("*# ").replace("’", "'")
    return bool(_ANNOUNCES.match(bare)) or is_polite(sentence)


def is_progress(sentence: str) -> bool:
    """Whether a sentence only says that something is not done yet: true at that moment alone.

    >>> is_progress("The suite is still running."), is_progress("The rows are still empty.")
    (True, False)
    """
    return _UNDER_WAY.search(sentence[:LOOKED_AT]) is not None


def is_plan(thought: str) -> bool:
    """Whether a thought weighs what to do: what was done is told by the deed.

    >>> is_plan("I’m considering a matrix."), is_plan("We can do it by hand."), is_plan("It has ten rows.")
    (True, True, False)
    """
    return _PLANS.search(thought[:LOOKED_AT].lower().replace("’", "'")) is not None


def is_polite(sentence: str) -> bool:
    """Whether a sentence says nothing but thanks, yes, or that all is well.

    >>> is_polite("Done!"), is_polite("The settings file looks correct now.")
    (True, True)
    >>> is_polite("The table now matches the example."), is_polite("The table matches `a.md`.")
    (True, False)
    """
    return len(sentence) <= COURTESY_CHARS and _COURTESY.match(sentence) is not None


def is_pleasantry(sentence: str) -> bool:
    """Whether a user's sentence only keeps a talk pleasant.

    >>> is_pleasantry("Let me know if you need more!"), is_pleasantry("Thanks, and cancel #W12.")
    (True, False)
    """
    return len(sentence) <= COURTESY_CHARS and bool(_PLEASANT.match(sentence)) and not _NAMED.search(sentence)


def closes_talk(message: str) -> bool:
    """Whether a user's message only ends the talk: thanks, or the mark by which a simulated user stops.

    >>> closes_talk("Thank you! Have a great day. ###STOP###"), closes_talk("Thanks, now cancel #W12.")
    (True, False)
    """
    if _END_MARK.search(message):
        return True
    sentences = [sentence for sentence in _SENTENCE_END.split(message) if sentence.strip()]
    return all(is_pleasantry(sentence.strip()) for sentence in sentences)


def opens(sentence: str) -> bool:
    """Whether a line opens what follows it."""
    return sentence.rstrip("*_ ").endswith((":", "："))


def leans(sentence: str) -> bool:
    """Whether a sentence goes back to the one before it."""
    return bool(_LEANS.match(sentence))


def points_back(sentence: str) -> bool:
    """Whether a sentence speaks of what a call has just printed.

    >>> points_back("The error is due to the mock."), points_back("The error handling is new.")
    (True, False)
    """
    return bool(_POINTS_BACK.match(sentence))


def pointers(request: str) -> list[str]:
    """The words by which a request points at what it does not name, in lower case.

    >>> pointers("The second one, please, and do that first."), pointers("Use the second parser.")
    (['second', 'do that'], [])
    """
    squeezed = " ".join(request[:LOOKED_AT].lower().split())
    return [found[1] or found[2] or found[0] for found in _POINTS.finditer(squeezed)]


def without_praise(sentence: str) -> str:
    """A sentence without the cheers that it begins with."""
    return _PRAISE.sub("", sentence)


def is_praise(sentence: str) -> bool:
    """Whether a sentence is a cheer and nothing else: beside a request it asks for nothing.

    >>> is_praise("Good."), is_praise("Nice work!"), is_praise("Good names matter.")
    (True, True, False)
    """
    return _ONLY_PRAISE.fullmatch(sentence.strip()) is not None


def wants(sentence: str) -> bool:
    """Whether a sentence may ask for something.

    >>> wants("It needs a test."), wants("It fell over when it needs to parse dates.")
    (True, False)
    """
    return bool(_WANTS.search(_CLAUSE.sub("", sentence[:LOOKED_AT])))


def is_label(heading: str) -> bool:
    """Whether a heading says nothing of what stands below it.

    >>> is_label("## Summary"), is_label("**Describe the bug**"), is_label("Steps to reproduce")
    (True, True, False)
    """
    return _LABEL.fullmatch(heading) is not None


def is_frame(sentence: str) -> bool:
    """Whether a sentence only frames a task that a harness hands over."""
    return bool(_FRAMES.match(sentence)) or is_label(sentence)
