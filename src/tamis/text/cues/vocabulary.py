"""Words as such: what is too common to matter, what means the same, what excludes what."""

from tamis.text.cues import zh
from tamis.text.cues.phrases import word_set

STEERING = (
    word_set("""
    a ahead all and alright approve approved awesome bye can carry cheers cont continue cool correct do done
    exactly exit fine for fire go good great hello hey hi hm hmm i is it just keep k let lets lgtm looks
    love ma may me moving much my nah nice no nope now of off ok okay okey on one ooh oh oops perfect please
    pls proceed quit resume right see so sounds stop sure thank thanks that that's the then there this thx
    to too transfer try up very wait well wonderful wow ya yay yea yeah yep yes you your yup
""")
    | zh.STEERING
)
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

DENIALS = "not|never|no longer|instead of|rather than|formerly|previously"
"""Words that deny what stands behind them, as alternatives of a pattern."""
NOT_ENDING = "n['’]t"

LIMIT_WORDS = word_set("""
    budget cap caps limit limits ceiling maximum max quota spend spending allowance threshold minimum min
""")
"""Nouns that name a limit: they are the measure, not what it is about."""

_IRREGULAR = """
    build built rebuild rebuilt; buy bought; draw drew drawn; drive drove driven; eat ate eaten; feed fed
    fly flew flown; grow grew grown; lend lent; rise rose risen; sell sold; speak spoke spoken
    teach taught; wear wore worn; win won; write wrote written rewrite rewrote rewritten
"""
IRREGULAR = {
    form: group.split()[0]
    for line in _IRREGULAR.splitlines()
    for group in line.split(";")
    for form in group.split()
}
"""The base of each form of a verb that no ending tells, of verbs that say what a sentence is about."""

_SYNONYMS = """
    deploy release ship rollout launch; call invoke hit query request contact; delete remove drop erase
    wipe; modify edit alter touch rewrite; test spec; doc docs documentation readme; database db; config
    configuration settings setting; repo repository; reply respond answer response; meeting sync
    standup; production prod; staging stage; dependency dependencies package packages library libraries;
    function method; commit commits; push pushing; email mail e-mail; vendor supplier provider
    third-party; customer client; price cost fee; ticket; flight fly flies; timeout time-out; language
    locale; comment comments
"""
SYNONYMS = tuple(" ".join((*group.split(), zh.SYNONYMS[group.split()[0]])) for group in _SYNONYMS.split(";"))
"""Words that are one word when it is asked what a sentence is about."""

_EXCLUSIVE: dict[str, str] = {
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
    ),
    "format": "json yaml toml csv xml markdown html pdf protobuf parquet",
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
    "cabin": "economy business first-class",
    "payment": "paypal stripe visa mastercard amex gift-card credit-card",
    "container": "docker podman kubernetes k8s nomad",
    "ci": "jenkins github-actions gitlab-ci circleci travis buildkite",
    "license": "mit apache gpl bsd mpl lgpl agpl",
    "editor": "vim emacs vscode neovim",
    "channel": "slack teams discord email sms telegram",
}
EXCLUSIVE = {kind: f"{names} {zh.EXCLUSIVE.get(kind, '')}".strip() for kind, names in _EXCLUSIVE.items()}
"""Values of which one is chosen at a time: another of the same kind, said of the same thing, replaces it."""
