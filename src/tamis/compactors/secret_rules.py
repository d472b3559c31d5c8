"""What is taken for a secret: by its shape, by where it stands, and by the name in front of it.

The shapes are those that the makers of the keys document, and that scanners of repositories look for.
Every pattern takes time in proportion to the text.
"""

import re
from collections.abc import Iterator

_SHAPES = {
    "Age": r"AGE-SECRET-KEY-1[A-Z0-9]{40,}",
    "Airtable": r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}",
    "Anthropic": r"sk-ant-[\w-]{16,}",
    "Artifactory": r"AKCp[A-Za-z0-9]{40,}",
    "Atlassian": r"AT(?:AT|BB|CTT3)[\w=-]{24,}",
    "AWS Access Key": r"(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[A-Z0-9]{16}",
    "AWS Bedrock": r"(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/=]{40,}",
    "Azure AD": r"[\w.~-]{3}[0-9]Q~[\w.~-]{31,}",
    "Databricks": r"dapi[0-9a-f]{32}",
    "DigitalOcean": r"do[opr]_v1_[0-9a-f]{40,}",
    "Discord": r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}",
    "Docker": r"dckr_[op]at_[\w-]{20,}",
    "Doppler": r"dp\.(?:ct|pt|st|sa|scim|audit)\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,}",
    "Figma": r"fig[dour]+_[\w-]{30,}",
    "Fly.io": r"fm[12][ar]?_[\w+/=-]{40,}",
    "GitHub": r"(?:gh[oprsu]_[A-Za-z0-9_]{36,}|github_pat_[A-Za-z0-9_]{22,})",
    "GitLab": r"(?:gl(?:agent|cbt|dt|ffct|ft|imt|oas|pat|ptt|rt|soat)-|GR1348941)[\w.-]{20,}",
    "Google": r"(?:AIza[\w-]{35,}|GOCSPX-[\w-]{24,}|ya29\.[\w.-]{20,}|1//0[\w-]{30,})",
    "Grafana": r"gl(?:c_[A-Za-z0-9+/=]{32,}|sa_[A-Za-z0-9_]{36,})",
    "Groq": r"gsk_[A-Za-z0-9]{32,}",
    "Heroku": r"HRKU-[\w-]{30,}",
    "Hugging Face": r"(?:hf|api_org)_[A-Za-z0-9]{30,}",
    "LangSmith": r"lsv2_[a-z]{2}_[0-9a-f]{32}_[0-9a-f]{8,}",
    "Linear": r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}",
    "Mailchimp": r"[0-9a-f]{32}-us[0-9]{1,2}",
    "Mailgun": r"key-[0-9a-f]{32}",
    "New Relic": r"(?:NRAK-[A-Z0-9]{27}|NRII-[\w-]{32}|NRJS-[0-9a-f]{19})",
    "Notion": r"(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})",
    "npm": r"npm_[A-Za-z0-9]{36,}",
    "OpenAI": r"sk-(?:[\w-]{32,}|[A-Za-z0-9]{20,})",
    "Perplexity": r"pplx-[A-Za-z0-9]{32,}",
    "PlanetScale": r"pscale_[a-z]{2,9}_[\w.=-]{32,}",
    "Postman": r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}",
    "Pulumi": r"pul-[0-9a-f]{40}",
    "PyPI": r"pypi-A[\w-]{50,}",
    "Replicate": r"r8_[A-Za-z0-9]{37,}",
    "RubyGems": r"rubygems_[0-9a-f]{48}",
    "SendGrid": r"SG\.[\w-]{16,32}\.[\w-]{16,64}",
    "Sentry": r"sntry[su]_[\w+/=.-]{40,}",
    "Shopify": r"shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}",
    "Slack": r"(?:xox[a-z](?:\.xox[a-z])?-[\w-]{10,}|xapp-[\w-]{10,})",
    "Square": r"(?:sq0[a-z]{3}-[\w-]{22,}|EAAA[\w-]{60})",
    "Stripe": r"(?:[rs]k_(?:live|prod|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{32,})",
    "Supabase": r"sb(?:p|_secret)_[\w-]{20,}",
    "Tavily": r"tvly-[\w-]{20,}",
    "Telegram": r"[0-9]{8,10}:AA[\w-]{32,}",
    "Terraform": r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}",
    "Twilio": r"(?:AC|SK)[0-9a-f]{32}",
    "Vault": r"hv[bs]\.[\w-]{24,}",
    "xAI": r"xai-[A-Za-z0-9]{40,}",
    "JSON Web Token": r"(?<![_-])ey[JI][\w-]{10,}\.ey[JI][\w-]{8,}(?:\.[\w-]*)?",
}
_PLACES = (
    ("Slack", r"https://hooks\.slack\.com/(?:services|triggers|workflows)/([\w/-]{20,})"),
    ("Discord", r"https://discord(?:app)?\.com/api/webhooks/([0-9]{15,}/[\w-]{40,})"),
    ("Password", r"(?i)://[^\s/:@\"'`<>]*:([^\s/:@\"'`<>]{3,})@[\w\[]"),
    ("Authorization", r"(?i)\b(?:bearer|authorization[\"':= ]{1,4}(?:basic|token)) {1,2}([\w.~+/=-]{8,})"),
    ("Password", r"\b(?:sshpass -p ?|mysql[a-z]{0,9} [^\n]{0,60}?-p)[\"']?([^\s\"'-][^\s\"']{2,})"),
    ("Password", r"\bmachine \S{1,60}\s{1,9}login \S{1,60}\s{1,9}password\s{1,9}(\S{3,})"),
    ("Password", r"\bcurl [^\n]{0,99}?(?:-u|--user)[ =][\"']?[^\s\"':]{1,60}:([^\s\"']{3,})"),
)
LEAST_CHARS = 6
_BEGINS = r"(?:(?<![A-Za-z0-9\\])|(?<=\\[nrt]))"
"""Where a word begins, behind a line break that JSON wrote as two characters, too."""
_BY_SHAPE = re.compile(rf"{_BEGINS}(?:{'|'.join(f'({shape})' for shape in _SHAPES.values())})(?![A-Za-z0-9])")
_BY_PLACE = tuple((kind, re.compile(place)) for kind, place in _PLACES)
_BLOCK = re.compile(
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    r".+?(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|\Z)",
    re.S,
)
_RUN = re.compile(r"[\w.~:+/=-]{20,}")
"""What a shape can stand in: to look at these alone is quick."""
_NAME = (
    r"(?:(?<![\w.\\-])|(?<=\\[nrt]))([\w.-]*(?i:pass(?:word|wd|phrase|code)|(?<=[_.-])pass|pwd|token"
    r"|credentials?|secret(?:[_-]?access)?(?:[_-]?key)?"
    r"|(?:access|account|api|auth|client|encryption|license|master|private|service|shared|signing)"
    r"[ _-]?(?:access[_-]?)?key)(?i:[_-](?:prod|dev|staging|test|[0-9]{1,2}))?)"
)
_NAMED = re.compile(
    rf"{_NAME}(?:[\\\"'`\])]{{0,3}}(?::[ \t]?\w{{1,10}})?[ \t]{{0,9}}"
    r"(?:=>|:=|[!=]?==?|[:>]|(?<=[ \t])is[ \t])[ \t]{0,9})"
)
_FLAG = re.compile(rf"(?:(?=--)|(?<=ENV )){_NAME}[ \t]{{1,4}}")
_QUOTED = re.compile(r"[A-Za-z@]?\\?([\"'`])((?:(?!\1)[^\n\\]){6,})[\\\"'`]")
_LONG = 200
"""Names inside a value longer than this are not looked at: a chain of them would be read again and again."""
_BARE = re.compile(r"[^\s\"'`\\<>,;]{6,}")
_PASS = re.compile(r"(?i)pass|pwd|secret")
_NOT_ONE = re.compile(
    r"(?i)\A(?:(?:[$%{\[<(-]|\.{0,2}/[a-z_.-]+(?:/|\Z)|\.{1,2}/|~/|[a-z]+://|your[_-])"
    r"|(?:#[0-9a-f]{3,8}\Z|[~^=v]?[0-9]+\.[0-9.]+|[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"|.*(?:\.\.\.|…|placeholder|redacted|masked|changeme|xxxx|\*\*\*|[{}])"
    r"|(?:[a-z]{2,8}[_-])?(?:password|passwd|secret|token|api[_-]?key)(?:[_-]?[a-z]{2,8})?\Z"
    r"|(?:string|number|boolean|unknown|undefined|default|required|optional|hidden|invalid|missing)\Z"
    r"|(?:postgres|mysql|mariadb|rabbitmq|elastic|public|private)\Z)"
)
_CODE = re.compile(r"\A(?:[@&*!]|[A-Za-z_][\w.]*[(\[]|(?:[a-z_]+\.)+[A-Za-z_])")
_WORD = re.compile(r"\A[A-Za-z_][\w.]*\Z")


def secrets_in(text: str) -> Iterator[tuple[str, str]]:
    """The secrets of a text and of what kind each is, the surest first.

    >>> list(secrets_in("export DB_PASSWORD=Tr0ub4dor&3 # of c384b3b991f1a49d4fd7791d1613831b8d7bbe28"))
    [('Password', 'Tr0ub4dor&3')]
    """
    for block in _BLOCK.finditer(text):
        yield "Private Key", block[0]
        for line in re.split(r"\n|\\n", block[0])[1:-1]:  # a line of it by itself is secret, too
            yield "Private Key", line.strip()
    for run in _RUN.finditer(text):
        for match in _BY_SHAPE.finditer(text, run.start(), run.end()):
            if _is_made(match[0]):
                yield tuple(_SHAPES)[(match.lastindex or 1) - 1], match[0].rstrip(".")
    for kind, pattern in _BY_PLACE:
        for match in pattern.finditer(text):
            if (kind == "Password" or _has_digit(match[1])) and not _NOT_ONE.match(match[1]):
                yield kind, match[1].rstrip(".")
    for pattern in (_NAMED, _FLAG):
        yield from _named(pattern, text)


def _named(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, str]]:
    """What stands behind a name like `DB_PASSWORD`, in quotes or bare."""
    read = 0
    for match in pattern.finditer(text):
        if match.start() < read:
            continue
        quoted = _QUOTED.match(text, match.end())
        found = quoted or _BARE.match(text, match.end())
        if found is None:
            continue
        if found.end() - found.start() > _LONG:
            read = found.end()
        value = quoted[2] if quoted else _bare(match, found[0])
        is_word = not (_PASS.search(match[1]) or _has_digit(value))
        is_prose = " " in value and "phrase" not in match[1].lower()
        if len(value) < LEAST_CHARS or is_word or is_prose or _NOT_ONE.match(value):
            continue
        if not _BY_SHAPE.search(value):
            yield "Password" if "pass" in match[1].lower() else "Key", value


def _bare(match: re.Match[str], value: str) -> str:
    """A value without quotes, empty where it is more likely one of a program's own words."""
    name, text = match[1], match.string
    value = value.rstrip(".,;:)]}!?*|")
    if text[match.start() - 1 : match.start()] in {"?", "&"}:  # in the query of an address
        value = re.split("[&#]", value)[0]
    if name.isupper() or name.startswith("--"):
        return "" if _CODE.match(value) else value
    before = text[max(0, match.start() - 80) : match.start()].rpartition("\n")[2]
    is_line = not before.strip(" \t+-<")
    is_said = "pass" in name.lower() and "=" not in match[0]  # in code a call's argument has the sign
    is_believed = is_line or is_said or sum(map(str.isdigit, value)) >= 3 or not _WORD.match(value)
    is_mixed = _has_digit(value) and (is_said or not value.isdigit())
    return value if is_believed and is_mixed and not _CODE.match(value) else ""


def _is_made(value: str) -> bool:
    """Whether it is no word: it has a digit or letters of both cases, and more than a few letters."""
    return len(set(value)) >= 6 and (_has_digit(value) or value.lower() != value != value.upper())


def _has_digit(value: str) -> bool:
    return any(map(str.isdigit, value))
