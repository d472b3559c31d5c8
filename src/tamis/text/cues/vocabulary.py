"""Words as such: what is too common to matter, what means the same, what excludes what."""

from __future__ import annotations

from tamis.text.cues.phrases import word_set

STEERING = word_set("""
    a ahead all and alright approve approved awesome bye can carry cheers cont continue cool correct do done
    exactly exit fine for fire go good great hello hey hi hm hmm i is it just keep k let lets lgtm looks
    love ma may me moving much my nah nice no nope now of off ok okay okey on one ooh oh oops perfect please
    pls proceed quit resume right see so sounds stop sure thank thanks that that's the then there this thx
    to too transfer try up very wait well wonderful wow ya yay yea yeah yep yes you your yup 好 好的 继续 是
    是的 对 对的 可以 行 嗯 谢谢 没问题 开始吧 继续吧 好吧 不 不是 当然 明白 了解 收到 同意 确认
""")
"""A message of nothing but these steers the agent and asks for nothing of its own."""

STEERING_OPENERS = word_set("""
    yes yeah yep yup ok okay no nope sure continue proceed go thanks thank great perfect good cool right
    correct exactly fine nice awesome lgtm stop wait hi hello hey done bye exit quit sounds looks please
    approved hm hmm oh
""")
"""A steering message of more than three words begins with one of these."""

STOP_WORDS = word_set("""
    a able about absolutely actually after again agreed ahead ain all allow allowed alone already also
    always am an and another any anymore anyone anything anyway are aren around as ask asked at avoid back
    be because been before being best better bump bumped but by can cannot careful change changed choose
    chose chosen correction could currently cut decide decided definitely did didn directly do does doesn
    doing don done dont down each earlier either else enough ensure entire even ever every everything
    exactly exceed feel few final fine first fixed for forget free from get getting give go going good got
    great had hard has have having he her here him his hold how however i id if im in increase increased
    instead intact into is isn it its ive just keep kept kindly know last later least leave leaves less let
    lets likely limit limits ll longer lot lowered lower made make makes making many may maybe me mean meant
    might mind more most move moved much must mustn my need needed needs never new nice no none nor not note
    nothing now of off ok okay on once one only onto opt opted or other our out over overall own per perhaps
    pick picked please possible prefer preferably previously probably put quite raise raised rather re
    really reduce reduced remain remember right rule rules safe said same say scratch second see set shall
    she should shouldn simply since so some something soon start stay stick still stop strict strictly stuck
    such supposed sure switch take than that the their them then there these they thing things think this
    those though thus time times to today together tomorrow too total try unchanged under unless until
    untouched up update updated upon us use used using usually ve very want wanted wants was wasn way we
    well were weren what whatever whatsoever when whenever where whether which while who whole why will wish
    with within without won would wouldn couldn yes yet you your yours
""")

LIMIT_WORDS = word_set("""
    budget cap caps limit limits ceiling maximum max quota spend spending allowance threshold minimum min
""")
"""Nouns that name a limit: they are the measure, not what it is about."""

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
    "meeting sync standup 会议",
    "production prod 生产 生产环境 线上",
    "staging stage 预发",
    "dependency dependencies package packages library libraries 依赖 依赖包",
    "function method 函数",
    "commit commits 提交",
    "push pushing 推送",
    "email mail e-mail 邮件",
    "vendor supplier provider third-party 供应商",
    "customer client 客户",
    "price cost fee 价格 费用",
    "ticket 机票",
    "flight fly flies 航班",
    "timeout time-out 超时",
    "language locale 语言",
    "comment comments 注释",
)
"""Words that are one word when it is asked what a sentence is about."""

EXCLUSIVE: dict[str, str] = {
    "cache": "redis memcached dragonfly valkey hazelcast",
    "database": "postgres postgresql mysql mariadb sqlite mongodb mongo dynamodb cassandra oracle duckdb",
    "queue": "rabbitmq kafka sqs nats celery pulsar",
    "test runner": "pytest unittest nose jest vitest mocha jasmine playwright cypress",
    "package manager": "npm yarn pnpm bun pip poetry uv conda pipenv",
    "web framework": "flask django fastapi starlette express koa rails laravel",
    "ui framework": "react vue svelte angular solid preact",
    "css": "tailwind bootstrap bulma sass less",
    "programming language": (
        "python javascript typescript golang rust java kotlin swift ruby php scala elixir c++ c#"
    ),
    "language": (
        "english chinese mandarin french german spanish japanese korean italian portuguese russian "
        "中文 英文 英语 汉语 日语 法语 德语"
    ),
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

CHINESE_STOP = word_set("""
    不要 不能 不可以 不可 不得 不许 不准 不再 不用 不必 不需要 无需 禁止 严禁 切勿 请勿 避免 必须 务必 只能
    只可 仅限 只允许 只 一定要 一定 确保 保证 保持 始终 总是 一律 尽量 优先 应该 应当 需要 要求 可以 允许
    不超过 不得超过 最多 至多 至少 控制在 限制在 上限 下限 预算 以内 之内 以下 以上 改成 改为 改用 改到 换成
    换为 换用 调整为 调整到 调到 提高到 降到 推迟到 提前到 取消 作废 其实 现在 还是用 还是 算了 以后 而是
    我们 你们 他们 我 你 他 她 它 这个 那个 这些 那些 这 那 请 先 再 就 都 也 和 或 与 的 了 着 过 吧 呢 吗
    啊 在 是 为 把 被 让 给 用 使用 采用 选择 决定 到 从 对 于 有 没 没有 不 别 勿 要 会 能 得 任何 所有
    全部 一切 超过 之前 之后 时候 时 上 下 里 中 内 直接 已经 一下 任意 千万 绝对 绝不 记得 注意 规定
""")
"""Taken out of Chinese text before it is asked what it is about."""
