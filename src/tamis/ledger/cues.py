"""The words that give things away, in English and Chinese, as data.

What counts as a stop word, which words mean the same, which values exclude each other, which words stand
before a rule. The modules that read rules, decisions and facts hold the logic; another language is added here.
"""

from __future__ import annotations


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


STEERING = _words(
    "a ahead all and alright approve approved awesome bye can carry cheers cont continue cool correct do done exactly exit fine "
    "for fire go good great hello hey hi hm hmm hmmm i is it just keep k let lets lgtm looks love ma may me moving much my nah "
    "nice no nope now of off ok okay okey on one ooh oh on oops perfect please pls proceed quit resume right see so sounds stop "
    "sure thank thanks that that's the then there this thx to too transfer try up very wait well wonderful wow ya yay yea yeah yep "
    "yes you your yup 好 好的 继续 是 是的 对 对的 可以 行 嗯 谢谢 没问题 开始吧 继续吧 好吧 不 不是 当然 明白 了解 收到 同意 确认"
)
"""A message of nothing but these steers the agent and asks for nothing of its own."""

STEERING_OPENERS = _words(
    "yes yeah yep yup ok okay no nope sure continue proceed go thanks thank great perfect good cool right correct "
    "exactly fine nice awesome lgtm stop wait hi hello hey done bye exit quit sounds looks please approved hm hmm oh"
)
"""A steering message begins with one of these."""

STOP_WORDS = _words(
    "a about actually after again ahead all already also always am an and another any anymore anyone anything are around as "
    "at back be because been before being best better but by can cannot change changed could definitely did do does doing done "
    "dont down each either else enough even ever every everything exactly feel few fine first for forget free from get "
    "getting give go going good got great had has have having he her here him his how however i if in instead into is it its "
    "just keep kept kindly know last least less let lets like likely longer lot made make makes making many may maybe me "
    "might mind more most move moved much must my need needed needs never new nice no none nor not note nothing now of off ok okay "
    "on once one only onto or other our out over own per perhaps please possible prefer preferably probably put quite "
    "rather really remember right said same say scratch second see set shall she should shouldn simply since so some "
    "something soon start still stop such sure switch take than that the their them then there these they thing things think this "
    "those though thus time times to today together tomorrow too under unless until up update updated upon us use used using usually "
    "very want wanted wants was way we well were what whatever when whenever where whether which while who whole why will wish with "
    "within without would yes yet you your yours able ensure must mustn avoid allowed allow okay anyway try ask asked "
    "going exceed stay stick remain raise raised lower lowered bump bumped increase increased reduce reduced cut "
    "total don doesn didn isn aren wasn weren won wouldn couldn shouldn ain ll ve re im ive id lets directly later "
    "currently previously earlier meant mean correction opt opted choose chose chosen pick picked decide decided "
    "stuck fixed hard strict strictly absolutely careful agreed final supposed whatsoever leave leaves alone untouched unchanged intact "
    "hold without rule rules limit limits safe"
)

LIMIT_WORDS = _words(
    "budget cap caps limit limits ceiling maximum max quota spend spending allowance threshold minimum min"
)
"""Nouns that name a limit: they are the measure, not what it is about."""

UPPER_CUES = (
    r"\b(?:at most|no (?:more|longer|later|larger|bigger|higher|greater) than|not (?:to )?(?:more than|exceed)|up to|under"
    r"|below|within|less than|fewer than|max(?:imum)?|cap(?:ped)?|limit(?:ed)?|budget|ceiling|quota|exceed|go over|over"
    r"|spend)\b|不超过|不得超过|不能超过|别超过|最多|至多|以内|之内|以下|上限|预算|低于|控制在|限制在|封顶"
)
LOWER_CUES = r"\b(?:at least|no (?:less|fewer|shorter|smaller|lower|earlier) than|minimum|min|not less than|above)\b|至少|最少|不少于|不低于|以上|下限"

SYNONYMS: tuple[str, ...] = (
    "deploy release ship rollout launch 部署 上线 发布",
    "call invoke hit query request contact 调用 请求",
    "delete remove drop erase wipe 删除 删掉 移除",
    "modify edit alter touch rewrite 修改 改动 动 编辑",
    "test spec 测试 用例",
    "doc docs documentation readme 文档",
    "database db 数据库",
    "config configuration settings setting 配置",
    "repo repository 仓库",
    "reply respond answer response 回复 回答 答复",
    "meeting call-in sync standup 会议",
    "production prod live 生产 生产环境 线上",
    "staging stage 预发",
    "dependency dependencies package packages library libraries 依赖 依赖包",
    "function method 函数",
    "commit commits 提交",
    "push pushing 推送",
    "email mail e-mail 邮件",
    "vendor supplier provider third-party 供应商",
    "customer client 客户",
    "price cost fee 价格 费用",
    "ticket flight 机票",
    "timeout time-out 超时",
    "language locale 语言",
    "comment comments 注释",
)
"""Words that are one word when it is asked what a sentence is about."""

EXCLUSIVE: dict[str, str] = {
    "cache": "redis memcached dragonfly valkey hazelcast",
    "database": "postgres postgresql mysql mariadb sqlite mongodb mongo dynamodb cassandra oracle cockroachdb duckdb",
    "queue": "rabbitmq kafka sqs nats celery pulsar",
    "test runner": "pytest unittest nose jest vitest mocha jasmine playwright cypress",
    "package manager": "npm yarn pnpm bun pip poetry uv conda pipenv",
    "web framework": "flask django fastapi starlette express koa rails laravel",
    "ui framework": "react vue svelte angular solid preact",
    "css": "tailwind bootstrap bulma sass less",
    "programming language": "python javascript typescript golang rust java kotlin swift ruby php scala elixir c++ c#",
    "language": "english chinese mandarin french german spanish japanese korean italian portuguese russian 中文 英文 英语 汉语 日语 法语 德语",
    "format": "json yaml toml csv xml markdown html pdf protobuf parquet 表格",
    "cloud": "aws gcp azure heroku vercel netlify cloudflare digitalocean",
    "region": "us-east-1 us-west-1 us-west-2 eu-west-1 eu-central-1 ap-southeast-1",
    "http client": "requests httpx aiohttp axios fetch urllib",
    "indentation": "tabs spaces",
    "quotes": "single-quotes double-quotes",
    "auth": "jwt oauth oauth2 saml basic-auth session-cookies",
    "api style": "rest graphql grpc soap websocket websockets",
    "transport": "http https tcp udp",
    "theme": "dark light",
    "units": "metric imperial celsius fahrenheit",
    "cabin": "economy business first-class 经济舱 商务舱 头等舱",
    "payment": "paypal stripe visa mastercard amex gift-card credit-card 支付宝 微信支付",
    "container": "docker podman kubernetes k8s nomad",
    "ci": "jenkins github-actions gitlab-ci circleci travis buildkite",
    "license": "mit apache gpl bsd mpl lgpl agpl",
    "editor": "vim emacs vscode neovim",
    "channel": "slack teams discord email sms telegram 钉钉 飞书 企业微信 微信",
}
"""Values of which one is chosen at a time: another of the same kind, said of the same thing, replaces it."""

UPDATE_CUES = (
    r"\b(?:actually|instead|no longer|not any ?more|any ?more|scratch that|strike that|change of plans?|changed? (?:it|that|this|my mind|our mind|the)"
    r"|correction|update:|updated?(?: to)?|revised?|now|from now on|switch(?:ing|ed)? (?:to|from|over)|move(?:d)? (?:it|the|this|that|to)"
    r"|let's (?:move|make it|change|bump|raise|lower|switch)|make (?:it|that)|bump(?:ed)?|raise[ds]?|lower(?:ed)?|increase[ds]?|reduce[ds]?|cut"
    r"|extend(?:ed)?|postpone[ds]?|push(?:ed)? (?:it |the )?(?:\w+ )?back|reschedule[ds]?|pushed? to|replace[ds]?|forget|ignore (?:what|the|my)|drop the|sorry"
    r"|i meant|rather than|took over|takes over|after all|new (?:limit|cap|budget|deadline|date|plan|owner|value))\b"
    r"|改成|改为|改用|改到|换成|换为|换用|调整为|调整到|调到|提高到|降到|降低到|放宽到|推迟到|提前到|延期到|不再|取消|作废|更正|更新[:：]|其实|现在|还是用|算了|以后|而是|顶替|接手|接替"
)
"""What says that something said before no longer holds."""

LIFT_CUES = (
    r"\b(?:(?:it(?:'s| is)|it would be|that's|is|are|be) (?:now )?(?:fine|ok|okay|alright|all right|safe|allowed|permitted|good) (?:now )?(?:to|if|again|now)"
    r"|(?:fine|ok|okay|allowed|permitted) (?:to \w+ )?(?:now|again)"
    r"|(?:you|we) (?:can|may)(?: now| go ahead and| again)?\b(?! (?:only|not|never|see|tell))|(?:can|may) (?:now|again)|feel free to|go ahead (?:and|with)"
    r"|(?:don't|do not|no longer|doesn't|does not) (?:need|have) to|no longer (?:need|matter|appl|forbidden|required|necessary|off[- ]limits)\w*|no need to"
    r"|lift(?:ed|ing)? the|forget (?:about )?(?:the|what|that|my)|ignore (?:the|what|my) (?:earlier|previous|rule|restriction|limit)?"
    r"|never ?mind (?:the|about|what)|scratch that|not (?:required|necessary|needed) any ?more|restriction is (?:gone|lifted))"
    r"|可以(?!吗)|允许|不用再|不必再|不需要再|无需再|不用|不必|无需|取消|作废|解除|放开|没关系|随便"
)
"""What takes a prohibition or a duty back."""

ADDITIVE_CUES = r"\b(?:also|as well|too|in addition|additionally|besides|another|plus|both|and also|on top of)\b|也|还要|另外|此外|同时|以及|再加"
"""What adds to something and therefore does not replace it."""

CHINESE_STOP = (
    "不要 不能 不可以 不可 不得 不许 不准 不再 不用 不必 不需要 无需 禁止 严禁 切勿 请勿 避免 必须 务必 只能 只可 仅限 只允许 只 一定要 一定 确保 "
    "保证 保持 始终 总是 一律 尽量 优先 应该 应当 需要 要求 可以 允许 不超过 不得超过 最多 至多 至少 控制在 限制在 上限 下限 预算 以内 之内 以下 以上 改成 改为 改用 "
    "改到 换成 换为 换用 调整为 调整到 调到 提高到 降到 推迟到 提前到 取消 作废 其实 现在 还是用 还是 算了 以后 而是 我们 你们 他们 我 你 他 她 它 这个 那个 "
    "这些 那些 这 那 请 先 再 就 都 也 和 或 与 的 了 着 过 吧 呢 吗 啊 在 是 为 把 被 让 给 用 使用 采用 选择 决定 到 从 对 于 有 没 没有 不 别 勿 要 会 能 得 "
    "任何 所有 全部 一切 超过 之前 之后 时候 时 上 下 里 中 内 直接 已经 一下 任意 千万 绝对 绝不 记得 注意 规定"
)
"""Taken out of Chinese text before it is asked what it is about; longer ones first."""

_CLAUSE = (
    r"(?:^|[,;:(—–]\s*|\s-\s|\b(?:and|but|so|then|also|please|pls|just|ok|okay|however|or|though|btw|note|actually|"
    r"importantly|remember|again|yes|no|yeah|instead|first|you|to|we|agents?|you're|i will|i'll|let's|kindly)[,:]?\s+)"
)
_ONLY_CLAUSE = _CLAUSE.replace("|you|to|we|", "|").replace("|i will|i'll|let's", "")
_NO_CLAUSE = _ONLY_CLAUSE
_RULE_VERBS = (
    "use|touch|change|modify|edit|alter|add|remove|delete|drop|break|rename|move|push|merge|commit|deploy|ship|release|install|upgrade|"
    "update|exceed|go over|spend|afford|expose|share|rely|require|call|run|write|create|introduce|import|include|mention|mock|skip|"
    "disable|hard-?code|cancel|book|refund|offer|transfer|provide|reveal|disclose|proceed|make|do|rewrite|refactor|touch|assume|recommend|"
    "contact|store|log|print|return|accept|support|depend|publish|send|reset|revert|squash|rebase|amend"
)
_DIRECTED_VERBS = (
    "use|do|put|write|go|make|run|return|call|pick|choose|take|try|show|print|set|keep|say|add|store|send|create|"
    "read|implement|change|switch|move|render|display|name|call|fix|build|let's|let us|have|update|format|deploy|ask"
)

RULE_CUES: tuple[tuple[str, str], ...] = (
    (
        "must_not",
        rf"{_NO_CLAUSE}(?:do not|don't|dont|don’t|do n't)\s+(?!worry|know|think|see|understand|get it|have\b|care|mind|remember|"
        r"believe|forget|hesitate|bother|you|we|they|i\b|want|need|like|seem|look|work|exist|really|recall|even)\w+",
    ),
    ("must_not", rf"{_NO_CLAUSE}never\s+(?!mind|seen?\b|had|got|heard|ran|been|worked|used to|said)\w+"),
    (
        "must_not",
        r"\b(?:must|shall|should|may|can|could|to|will|we|you|agents?) never\s+(?!been|seen|had|heard|got)\w+",
    ),
    (
        "must_not",
        rf"{_NO_CLAUSE}(?:avoid|refrain from|stop \w+ing|quit \w+ing|hold off(?: on)?|hands off|stay away from|steer clear of|stay out of)\b",
    ),
    (
        "must_not",
        r"\b(?:should|must|need to|want to|like to|to try to|try to|let's|please) (?:avoid|refrain from|stay away from|steer clear of)\b",
    ),
    ("must_not", r"\b(?:must|shall)(?: not|n't|n’t)\b"),
    (
        "must_not",
        r"\bshould(?: not|n't|n’t)\s+(?!happen|matter|take|be (?:the case|happening|possible|needed|necessary|too|a problem|an issue|hard|that|there)|"
        r"affect|have (?:to|been)|we|you|i|it|this|that|they)\w+",
    ),
    (
        "must_not",
        rf"\b(?:you|we|agents?|users?|it|they|nobody|customers?|changes?|code) (?:really )?(?:cannot|can't|can’t|can not|may not) (?:ever |just )?(?:{_RULE_VERBS})\b",
    ),
    (
        "must_not",
        r"\b(?:may|must|shall) not be \w+ed\b|\b(?:cannot|can't|can not) be (?:changed|modified|used|touched|cancell?ed|removed|deleted|exceeded|shared|moved|edited|combined|refunded|booked|added|altered|broken|skipped)\b",
    ),
    (
        "must_not",
        r"\b(?:not|isn't|aren't|never|n't) (?:be )?(?:allowed|permitted|acceptable|an option|negotiable|supposed to)\b|\b(?:forbidden|prohibited|off[- ]limits|disallowed|out of bounds|out of the question|a no-go|unacceptable|deal[- ]?breaker|not ok(?:ay)? to)\b",
    ),
    (
        "must_not",
        r"\bleave\b[^.?!]{1,70}?\b(?:alone|untouched|unchanged|as(?:[- ]is| it is| they are| it was)|intact)\b|\bleave\b (?:it|them|that|this|those|these) (?:be|alone)\b",
    ),
    (
        "must_not",
        r"\b(?:rather|prefer(?: it)?(?: that| if)?|like it if|appreciate it if|better if|grateful if|happier if|best if)\b[^.?!]{0,20}\b(?:you|we|nobody|they|it)\s+(?:didn't|did not|don't|do not|not|never|left|avoided|stayed)",
    ),
    (
        "must_not",
        r"\b(?:i|we|they|he|she|client|customer|boss|team)\s+(?:really |still |just |also |definitely )?(?:don't|do not|dont|don’t|wouldn't|would not|never|doesn't)\s+(?:really |ever )?(?:want|like (?:you )?to|wish)\b",
    ),
    (
        "must_not",
        r"\bwithout (?:ever |actually |any )?(?:touch|chang|modify|break|add|us|remov|delet|alter|rewrit|introduc|creat|chang|rely|hard|requir|mock|commit|push|ask|mention|los|disrupt|affect|tell|exceed|go|install|restart|expos|shar|mov|check|confirm|permission|approval|downtime)\w*",
    ),
    (
        "must_not",
        r"^(?:but |and |please,? |also,? |so )?no (?!problem|idea|worries|longer|need|one\b|way\b|doubt|luck|matter|rush|wait|thanks?|errors? (?:in|on|when)|output|such|it\b|i\b|that|this|the\b|we\b|you\b|not\b|but\b|just\b|they|there|please|do\b|don|is\b|are\b|use\b|let)(?:\w[\w'/-]*[ ,]*){1,7}[.!]?$",
    ),
    (
        "must_not",
        r"\b(?:nothing|nobody|no one|none of|no \w+(?: \w+)?)\b[^.?!,]{0,50}\b(?:should|may|must|shall|gets? to|is allowed|are allowed|is to be)\b",
    ),
    ("must_not", r"\bkeep (?:[\w-]+ ){1,4}(?:out of|away from|off)\b"),
    (
        "must",
        r"\bmust\b(?! not|n't|n’t| never| (?:have (?:been|had|gone|missed|\w+ed\b)|be (?:a|an|some|because|something|missing|wrong|confus\w+|kidding|joking|due|the (?:case|reason|problem|issue))))",
    ),
    (
        "must",
        rf"{_ONLY_CLAUSE}always\s+(?!been|had|got|been)\w+|\b(?:should|must|shall|will|need to|has to|have to|to|you|we) always\b",
    ),
    (
        "must",
        rf"{_ONLY_CLAUSE}only (?:ever )?(?!if\b|when\b|thing|problem|issue|one\b|then\b|because|after\b|question|difference|reason|way\b|had\b|did\b|downside|concern|other\b|a few|some\b|part|time|place|i\b|we\b|you\b)[a-z]\w+",
    ),
    (
        "must",
        r"\b(?:use|touch|change|edit|modify|run|write|include|return|accept|allow|support|read|reply|respond|answer|work|commit|test|pick|choose|recommend|update|fix)\s+(?:[\w./`-]+\s+){0,3}only\b",
    ),
    (
        "must",
        r"\b(?:should|must|may|shall|can|to|will) only\s+(?!see|find|think|imagine|assume|get|tell)\w+|\bonly (?:allowed|permitted|supposed) to\b|\bonly ever\b|\bexclusively\b",
    ),
    (
        "must",
        rf"{_ONLY_CLAUSE}(?:make|be|making) (?:very |absolutely |double |damn )?(?:sure|certain)\b(?! (?:how|what|why|if))|\b(?:need|want|have|please|like|should|must)(?: you| us)? to (?:make (?:very |absolutely )?sure|ensure)\b",
    ),
    ("must", rf"{_ONLY_CLAUSE}ensure\b|\b(?:must|should|need to|has to|have to) ensure\b"),
    (
        "must",
        rf"{_ONLY_CLAUSE}(?:remember to|remember that|don't forget|do not forget|be careful|take care|keep in mind|bear in mind|note that|be aware)\b",
    ),
    (
        "must",
        r"\bit(?:'s| is) (?:very |really |super |absolutely )?(?:important|critical|crucial|essential|vital|imperative|mandatory)\b(?! (?:question|point))",
    ),
    (
        "must",
        r"\b(?:required|mandatory|non-negotiable|hard requirement|compulsory|strict(?:ly)? (?:rule|requirement|limit|forbid|limit)|the requirement is|requirement:|rule:|constraint:|the (?:house |team )?(?:rule|policy) is|our (?:rule|policy) is)\b",
    ),
    (
        "must",
        r"\b(?:everything|anything|all(?: \w+){1,4}|every \w+(?: \w+)?|each \w+(?: \w+)?|whatever \w+(?: \w+){0,3}) (?:should|must|shall|has to|have to|needs? to|is to|are to)\b",
    ),
    (
        "must",
        r"\b(?:it|this|that|they|these|those|there|output|result|code|file|files|name|tests?|api|ui|app|page|button|function|service|system|script|response|responses|solution|change|changes|format|version|the \w+(?: \w+)?)\s+(?:still |also |just )?(?:needs?|has|have) to (?:be|stay|remain|keep|support|work|run|fit|handle|match|use|follow|comply|pass|include|conform|go)\b(?! (?:done|fixed|a way|ready|that))",
    ),
    (
        "must",
        r"\b(?:you|we) (?:always )?(?:have|need) to (?:be|stay|remain|keep|support|use|follow|comply|stick|work with|ask|get|check with|confirm|obtain)\b",
    ),
    (
        "must",
        rf"{_ONLY_CLAUSE}(?:always )?keep (?!going|trying|getting|seeing|on\b|up\b|working|me posted|it up|running|digging|looking|at it|failing|thinking|in mind|track|an eye|iterating|reading|testing|pushing|moving)[\w'\"`(]",
    ),
    (
        "must",
        r"\b(?:want|like|need|have|prefer|try|going) (?:you |us )?to keep (?!going|trying)\w+|\b(?:should|must|let's|please) keep (?!going|trying)\w+",
    ),
    (
        "must",
        r"\b(?:i|we|they|client|customer|boss|team|my boss|the client)(?:'d|’d| would)?(?: strongly| really| much| definitely| still)? prefers?\b|\b(?:^|please |strongly )prefer\b|\bpreferably\b|\b(?:i'd|i’d|i would|we'd|we would) (?:much )?rather\b",
    ),
    (
        "must",
        r"\b(?:stick|stay) (?:to|with|within)\b|\b(?:we're|we are|i'm|i am|they're|are|is|'re) (?:stuck|locked|tied|pinned|limited|restricted|bound|confined|committed)(?: \w+)? (?:to|with|on|at|in|into|by)\b|\b(?:adhere|conform|comply)(?:s|ing)? (?:to|with)\b",
    ),
    (
        "must",
        r"\b(?:from now on|going forward|from here on(?: out)?|in (?:the )?future,|for all future|at all times|no matter what|under (?:any|no) circumstances|without exception|every time you|each time you|whenever you)\b",
    ),
    (
        "must",
        rf"\b(?:{_DIRECTED_VERBS})\b[^.?!]{{1,80}}?\b(?:instead of|rather than|in place of|as opposed to)\b",
    ),
    (
        "must",
        rf"{_ONLY_CLAUSE}(?:follow|respect|obey|honou?r|preserve|maintain|retain|match|mirror|comply with|conform to) (?:the|our|this|that|these|my|existing|all|any|their)\b",
    ),
    (
        "must",
        r"\b(?:it|this|that|these|those|they|there|output|result|file|files|name|names|api|ui|button|function|response|responses|message|messages|default|format|tests?|agents?|you|we|(?:the|all|our|your|any) [\w-]+(?: [\w-]+)?|(?<=^)[a-z]+s) should (?:always |still |also |only |just |then |by default |all )?(?:be (?!fine|ok|good|enough|easy|possible|able|ready|done|working|fixed|all|the same\?|there|here|simple|quick|safe|straight|obvious|sufficient|now)|stay|remain|have (?!been|to\b|a look|worked)|return|use\b|include|contain|support|accept|match|respect|default|follow|keep|fail|exit|never|not\b|respond|ask|obtain|list|deny|transfer|confirm|provide|try|check|verify|help|refuse)\w*",
    ),
)
"""What makes an English sentence a rule, with what it rules. Tried in order on the main clause."""

ASKED_RULE_CUES = (
    r"\bwithout (?:\w+ing|any)\b|\b(?:but|and|just|please)\b[^?]{0,12}\b(?:don't|do not|never|keep|only|make sure|ensure|avoid|leave)\b"
    r"|\b(?:make sure|ensure|be sure)\b|\b(?:instead of|rather than)\b|\bat most\b|\bno more than\b|\bonly (?:the|use|touch|change|in|for)\b"
    r"|^(?:can|could|would|will) (?:you|we) (?:please )?(?:not|avoid|stop|keep|only|always|never|leave)\b"
)
"""In a polite question ("can you ... without ...?") only these make a rule of it."""

LIMIT_NOUNS = r"(?:budget|cap|limit|ceiling|deadline|quota|maximum|minimum|max|min|due date|cut-?off|timeout|target|threshold)"

CHINESE_RULE_CUES: tuple[tuple[str, str], ...] = (
    (
        "must_not",
        r"(?<!要)不要(?!紧|求)|不得|禁止|严禁|切勿|请勿|不许|不准|不可以(?!吗)|不允许|不能再|绝不|决不|避免|杜绝|不希望|不想要?|不应该?|不该|勿(?!论)"
        r"|(?<![特区分级类识判性个差辨告派离久])别(?![的人名处扭称墅致具])|(?:你|我们|大家|代码|这里|一律|都|绝对|千万)不能|不能(?:改|动|删|用|超|碰|泄|暴|提交|修改|删除|使用|超过|影响|破坏|包含|出现|直接|随便|有)"
        r"|不可(?!能|思|或)|不(?:再)?(?:使用|采用|修改|改动|碰|动)(?!了)",
    ),
    (
        "must",
        r"(?<!不)必须|务必|只能(?!看|说|得)|仅限|只允许|只可|只准|只(?:用|改|动|修改|使用|支持|保留|返回|输出|看|需)|始终|一律|一定要|(?<!不能)确保|请?保证(?!书)|保持|不超过|控制在|限制在|最多|至多|至少|不少于"
        r"|以内|上限|下限|优先(?:使用|考虑|用|选)|尽量|统一(?:使用|用|采用|成)|严格|遵守|遵循|按照.{1,20}(?:来|做|写|处理|执行|规范)|要求|坚持用|记得|规定|全部(?:用|使用)|都(?:要|得|应)|应该?(?:用|使用|保持|是|放|先|在|按)|截止|预算(?:是|为|：|:|上限|不)"
        r"|(?:希望|想)(?:你|能|我们)?(?:保留|保持|用|使用)|而不是|得用|只准|每次.{0,12}(?:都|要|先)",
    ),
)
"""The same for Chinese."""

CHINESE_QUESTION = r"[吗呢么]\s*[？?]?\s*$|[？?]\s*$|^(?:为什么|怎么|怎样|什么|是否|能不能|可不可以|要不要|有没有|哪|谁|是不是|如何)|要不要|是不是"

QUESTION_OPENERS = (
    r"^(?:so |but |and |ok,? |okay,? |hmm+,? |well,? |wait,? |also,? |oh,? |then |now |yeah,? |actually,? )*"
    r"(?:why|what|what's|how|when|where|who|which|does|do (?:we|you|i|they)|did|is|are|was|were|should (?:we|i|it|this|that|the|they)|can (?:i|it|they|this)|has|have (?:we|you|they)"
    r"|isn't|aren't|doesn't|don't (?:we|you|they)|shouldn't (?:we|it|this|that|the|they|there)|won't|wouldn't|couldn't we|am i|any (?:idea|reason)|would (?:it|that|this|there)|will (?:it|this|that|there)|could (?:it|this|that))\b"
)
POLITE_OPENERS = r"^(?:so |but |and |ok,? |okay,? |hmm+,? |also,? |then |now |great,? |cool,? )*(?:can|could|would|will|may|might) (?:you|we|i)\b|^(?:please|would you mind|do you mind|mind)\b|^let's\b|^请|^麻烦|^能否|^能不能"

NARRATION = (
    r"^(?:i|we|it|they|he|she|this|that|you|which|the \w+(?: \w+)?)\s+(?:was|were|had|did|didn't|tried|got|ran|saw|noticed|thought|found|used to|have been|has been|"
    r"just (?:ran|tried|saw|did)|already|looked|added|removed|fixed|changed|committed|merged|pushed|deployed|forgot|made|asked|wanted|told|said)\b"
    r"|^(?:i|we) (?:see|notice|think it|think that's|guess|believe|wonder|know|assume|suspect|understand|don't (?:know|think|see|understand|believe|remember)|can't (?:see|find|get|remember|tell|figure))\b"
    r"|^(?:it|this|that|he|she) (?:looks|seems|appears|says|fails|shows|feels|sounds)\b|^(?:looks|seems|sounds) like\b"
)
"""What tells of something rather than rules it."""

ACKNOWLEDGED = (
    r"(?i)^(?:understood|noted|got it|will do|okay|ok|sure|acknowledged|right|absolutely|of course|agreed|roger|thanks|good point|you're right|"
    r"明白|收到|好的|了解|没问题|知道了|记住了|已记录|遵命)[^a-z\u4e00-\u9fff]"
)
PROMISED = (
    r"(?i)\b(?:i will|i'll|i’ll|we will|we'll|going to) (?:never|not|only|always|avoid|make sure|ensure|keep|stick|stay|leave|refrain|respect)\b"
    r"|\b(?:i|we) (?:won't|won’t|will not|must not|must|cannot|should not)\b|我(?:会|将|不会|绝不|只会|一定|保证|始终)|不会再|(?:rule|constraint) (?:noted|recorded)"
)

ASKS = (
    r"\?|？|\b(?:please|pls|can you|could you|would you|will you|can we|could we|i want|i need|i'd like|i would like|i wanna|we need|we should|you should"
    r"|let's|lets|let us|help|make sure|how about|what about|go ahead and|try to|want you to|needs? to|has to|have to|must|should)\b"
    r"|(?:^|[.!:;,\n]\s*|\b(?:and|then|also|now|just|so|but|ok|okay|yes|yeah|yep|no|great|instead|first|next)[,:]?\s+)(?:[-*]\s+|\d+[.)]\s+)?"
    r"(?:add|fix|implement|write|create|make|remove|delete|change|update|use|run|check|look|show|find|explain|refactor|rename|move|test|commit|push|merge|"
    r"build|install|read|open|review|revert|rebase|investigate|debug|address|replace|set|put|generate|convert|improve|clean|keep|split|extract|"
    r"describe|summari[sz]e|list|compare|analy[sz]e|verify|deploy|start|stop|restart|print|log|document|rewrite|simplify|tell|give|do|don't|never|"
    r"always|only|resolve|handle|support|enable|disable|configure|draft|plan|design|figure|get|drop|bump|upgrade|try|apply|cancel|book|undo|reply|"
    r"pull|fetch|reword|squash|amend|skip|leave|ignore|wait|switch|go|turn|copy|include|return|search|tweak|adjust|finish|complete|follow)\b"
    r"|请|帮|麻烦|需要|想要|我要|希望|修复|修改|改成|改为|改一下|添加|增加|加上|加个|加一|删除|删掉|去掉|实现|写一|写个|检查|看看|看一下|查一下|运行|跑一下|部署|生成|解释|优化|重构"
    r"|测试|更新|换成|继续做|不要|别|怎么|为什么|什么|能不能|把"
)
"""What asks for something."""

REPORTS = (
    r"\b(?:error|fail(?:s|ed|ing|ure)?|broken|breaks|crash\w*|doesn't|does not|didn't|not working|isn't|won't|wrong|bug|issue|problem|missing|still"
    r"|incorrect|instead|unexpected|regression|stuck|cannot|can't|weird|odd|strange|confus\w+|exception|slow)\b"
    r"|报错|错误|失败|不对|不行|有问题|没有反应|崩溃|卡住|异常|还是"
)
"""What reports trouble, and by that asks for it to be put right."""

DECISION_CUES = (
    r"(?:(?:we|i|they|the team|the group|everyone|management|client)(?:'ve|’ve| have| has|'re|’re| are| all| both)? (?:finally |now |already |jointly )?"
    r"(?:decided|chose|chosen|opted|agreed|settled|picked|elected|committed|concluded|going|gone|went)(?: (?:to (?:go with|use)|to|on|for|with|that(?: we(?:'ll| will)?)?|in favou?r of|upon))?)\b"
    r"|\b(?:we|i|let's|let us|we'd better|i(?:'m| am)|we(?:'re| are))(?:'ll|’ll| will| should| can| am| are)?(?: just| simply| now| instead| definitely)? "
    r"(?:(?:go(?:ing)? with|use|using|pick(?:ing)?|choos(?:e|ing)|settle on)\b|(?=(?:adopt|stick|switch|standardi[sz]|keep|rely|move to|moving to|migrat)\w*))"
    r"|\b(?:actually,? )?(?:go|going|went) with\b|\b(?:final |the |our |key |design )?decision(?: (?:is|was|here is))?\s*(?::|to\b)"
    r"|\b(?:the )?(?:best|simplest|cleanest|right|safest|chosen|recommended|better) (?:approach|option|fix|solution|way|choice|path)(?: (?:here|forward|now))? (?:is|was|will be)(?: to)?\b"
    r"|\b(?:chose|picked|preferred|selected) (?=[^.]{1,60}\bover\b)|\bit(?:'s| is| was| has been) (?:decided|agreed|settled)(?: to| that)?\b"
    r"|(?:已经|我们|最终|最后|团队|我|还是|那就|就)*(?:决定|选择了?|选定|选用|采用|改用|敲定|确定使用|就用|还是用)(?:了)?"
)
"""What precedes a choice."""

CHOOSING_VERBS = r"(?:use|go with|switch (?:back )?to|stick with|pick|choose|keep|move|reschedule|postpone|drop|defer|skip|name|call|store|host|standardi[sz]e on|adopt)"
REASONS = r"(?:[,;(—–]\s*|\s)(?:-\s)?\b(?:because|since|as (?=it|we|they|that|this|the)|due to|given(?: that)?|so that|so (?=we|it|that|the)|in order to|the reason (?:is|being)|for the sake of|thanks to|which (?:gives|lets|means|avoids|keeps|allows))\b|[，,；;]?\s*(?:因为|由于|理由是|原因是|毕竟|考虑到|为了)"
ALTERNATIVES = r"\b(?:instead of|rather than|in place of|as opposed to|over|and not|, not)\b|[，,]?\s*(?:而不是|而不用|而非|不用|代替|取代|放弃)"

NEXT_CUES = (
    r"(?:^|\b(?:now|next|then|so|first|ok(?:ay)?|great|good|perfect|alright)[,!.]?\s+)(?:(?:i'll|i’ll|i will|i'm going to|i am going to|i need to|i should|let me|let's|we need to|we'll|we should|i can now)\s+(?:now |then |next |also |first |start by |begin by )?(?!know\b|me know)[a-z]+)"
    r"|\bnext(?: steps?| up)?(?: (?:is|are|will be)(?: to)?)?\s*[,:]\s*\S|\bnext,? (?:i|we|up)\b|\bmy next (?:step|move|task)\b|\bthe next (?:step|thing|task) is\b|\bremaining(?: work| steps?)?:|\bstill to do\b"
    r"|接下来|下一步|然后我|现在我(?:来|要|会|将)|我(?:将|来|会|先|要)(?!们)|随后|让我(?!们知道)"
)
"""What tells what will be done next."""

FACT_LABELS = (
    "version|port|url|uri|host|hostname|endpoint|ip(?: address)?|address|region|zone|deadline|due date|release date|start date|end date|date|budget|price|total|cost|amount"
    "|fee|balance|salary|rate|id|uuid|number|code|sku|order|reservation|booking|confirmation|invoice|account|membership|ticket|issue|pr|pull request|flight|phone|phone number"
    "|email|e-mail|zip(?: code)?|postal code|branch|commit|sha|tag|schema|database|db|bucket|cluster|namespace|service|queue|topic|seed|threshold|timeout|limit|quota|size"
    "|batch size|learning rate|model|dimension|count|temperature|concurrency|replicas|retries|workers|line|user ?name|username|login|user|customer id|user id|tenant|project|token limit"
    "|key|environment|env|channel|room|meeting|time|duration|birthday|date of birth|dob|name|status|state|plan|tier|level|language|locale|currency|time ?zone|timezone|weight|height|distance"
)
"""Nouns that name a value."""

IDENTITY_LABELS = frozenset(
    "order reservation booking confirmation invoice ticket issue pr flight commit account id number code sku user pull-request port".split()
)
"""Of these there are many at a time: a second one stands beside the first."""

CHINESE_FACT_LABELS = (
    "版本号?|端口号?|地址|域名|网址|链接|主机名?|订单号|预订号|编号|工号|账号|用户名|邮箱|电话|手机号?|预算|总价|价格|金额|费用|截止日期|日期|时间|上线时间|交付日期|数量|人数|超时时间?|阈值"
    "|分支|数据库|区域|环境|密钥名|航班号?|发票号|房间号?|会议室|型号|比例|折扣|利率|语言|时区|尺寸|重量"
)

ROLES = (
    "owner|co-owner|lead|tech lead|team lead|manager|project manager|product manager|product owner|pm|cto|ceo|cfo|coo|ciso|vp|director|head|engineer|developer|designer|architect"
    "|contact|point of contact|poc|reviewer|approver|maintainer|author|customer|client|vendor|supplier|sponsor|stakeholder|on-?call|admin|administrator|dba|sre|analyst|accountant"
    "|lawyer|counsel|auditor|assistant|secretary|intern|contractor|consultant|tester|qa|scrum master|coordinator|supervisor|boss|colleague|teammate|doctor|teacher|professor"
    "|landlord|tenant|agent|representative|rep|founder|president|chair|treasurer|buyer|seller|organi[sz]er|host|speaker|mentor|partner|wife|husband|researcher|scientist"
)
ROLE_VERBS = "owns|leads|manages|maintains|runs|heads|oversees|handles|approves|reviews|signs off|supervises|administers|coordinates|is responsible for|is in charge of|takes care of|is the (?:only )?one who|reports to|took over|takes over|has taken over"
NOT_PERSONS = frozenset(
    "this that these those it he she they we you i the a an there here what which who where when why how each every all some any one no none if so but and or "
    "then now next also note my our your his her their its yes ok okay please thanks hi hello let can could would should will may might must do does did is are was were be "
    "claude assistant user system agent bot monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december "
    "everyone nobody someone anyone nothing something everything only first second third last another both either neither once after before while since because although however "
    "error warning info debug todo fixme step phase task file function class method test code server client api database query request response result output input".split()
)
CHINESE_ROLES = "负责人|联系人|对接人|产品经理|项目经理|技术负责人|经理|客户|老板|主管|组长|审批人|审核人|维护者|开发|测试|设计师|架构师|运维|财务|法务|供应商"
