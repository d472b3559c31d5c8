from __future__ import annotations

from itertools import cycle, islice
from pathlib import Path

import pytest

from tamis.compactors.secret_rules import secrets_in
from tamis.compactors.secrets import find_secrets

PAGE = Path(__file__).parents[2] / "docs/how-to/live-context.md"


def text(count: int, letters: str = "aB3dE5gH7jK9mN1pQ") -> str:
    return "".join(islice(cycle(letters), count))


HEX = "0a1b2c3d4e5f6789"
UPPER = "A2B4C6D7E3F5G"
SHAPED = [
    ("Age", "AGE-SECRET-KEY-1" + text(58, UPPER)),
    ("Airtable", "pat" + text(14) + "." + text(64, HEX)),
    ("Anthropic", "sk-ant-api03-" + text(93) + "-AA"),
    ("Artifactory", "AKCp" + text(69)),
    ("Atlassian", "ATATT3" + text(186)),
    ("AWS Access Key", "AKIA" + text(16, UPPER)),
    ("AWS Bedrock", "ABSK" + text(128)),
    ("Azure AD", "aB3" + "8Q~" + text(34)),
    ("Databricks", "dapi" + text(32, HEX)),
    ("DigitalOcean", "dop_v1_" + text(64, HEX)),
    ("Discord", "M" + text(24) + ".a1b2C3." + text(27)),
    ("Docker", "dckr_pat_" + text(27)),
    ("Doppler", "dp.pt." + text(43)),
    ("Figma", "figd_" + text(40)),
    ("Fly.io", "fm2_" + text(100)),
    ("GitHub", "ghp_" + text(36)),
    ("GitHub", "github_pat_" + text(22) + "_" + text(59)),
    ("GitLab", "glpat-" + text(20)),
    ("Google", "AIza" + text(35)),
    ("Google", "GOCSPX-" + text(28)),
    ("Grafana", "glsa_" + text(32) + "_" + text(8, HEX)),
    ("Groq", "gsk_" + text(52)),
    ("Heroku", "HRKU-" + text(60)),
    ("Hugging Face", "hf_" + text(34, "abcdefghijkLMNOPqrs")),
    ("JSON Web Token", f"eyJ{text(20)}.eyJ{text(40)}.{text(43)}"),
    ("LangSmith", "lsv2_pt_" + text(32, HEX) + "_" + text(10, HEX)),
    ("Linear", "lin_api_" + text(40)),
    ("Mailchimp", text(32, HEX) + "-us12"),
    ("Mailgun", "key-" + text(32, HEX)),
    ("New Relic", "NRAK-" + text(27, UPPER)),
    ("Notion", "ntn_" + text(46)),
    ("npm", "npm_" + text(36)),
    ("OpenAI", "sk-proj-" + text(74) + "T3Blbk" + "FJ" + text(74)),
    ("OpenAI", "sk-" + text(48)),
    ("Perplexity", "pplx-" + text(48)),
    ("PlanetScale", "pscale_tkn_" + text(43)),
    ("Postman", "PMAK-" + text(24, HEX) + "-" + text(34, HEX)),
    ("Pulumi", "pul-" + text(40, HEX)),
    ("PyPI", "pypi-AgEIcHlwaS5vcmc" + text(90)),
    ("Replicate", "r8_" + text(37)),
    ("RubyGems", "rubygems_" + text(48, HEX)),
    ("SendGrid", "SG." + text(22) + "." + text(43)),
    ("Sentry", "sntrys_" + text(80)),
    ("Shopify", "shpat_" + text(32, HEX)),
    ("Slack", "xoxb-123456789012-123456789012-" + text(24)),
    ("Slack", "xapp-1-" + text(60)),
    ("Square", "sq0csp-" + text(43)),
    ("Stripe", "sk_" + "live_" + text(24)),
    ("Supabase", "sbp_" + text(40, HEX)),
    ("Tavily", "tvly-dev-" + text(32)),
    ("Telegram", "1234567890:AA" + text(33)),
    ("Terraform", text(14) + ".atlasv1." + text(67)),
    ("Twilio", "SK" + text(32, HEX)),
    ("Vault", "hvs." + text(90)),
    ("xAI", "xai-" + text(80)),
]


@pytest.mark.parametrize(("kind", "secret"), SHAPED)
@pytest.mark.parametrize("around", ["use {} now.", "X={}", '{{"v": "{}"}}', r"a\n{}\nb", "{}."])
def test_a_key_is_known_by_its_shape_wherever_it_stands(kind: str, secret: str, around: str) -> None:
    assert (kind, secret) in list(secrets_in(around.format(secret)))


@pytest.mark.parametrize(
    ("said", "secret"),
    [
        ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYz", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYz"),
        ("Use this from now on: DB_PASSWORD=Tr0ub4dor&3xYz", "Tr0ub4dor&3xYz"),
        ("export PGPASSWORD=swordfish", "swordfish"),
        ("      POSTGRES_PASSWORD: swordfish # local", "swordfish"),
        ("password: hunter2", "hunter2"),
        ("+  db.password=hunter2", "hunter2"),
        ("client-secret: 8f14e45f-ceea-467f-9c1d", "8f14e45f-ceea-467f-9c1d"),
        ('{"clientSecret": "swordfish"}', "swordfish"),
        (r"{\"api_key\": \"a1b2c3d4\"}", "a1b2c3d4"),
        ('os.environ["API_KEY"] = "a1b2c3d4"', "a1b2c3d4"),
        ("    SECRET_KEY: str = 'a;b(c)d<e'", "a;b(c)d<e"),
        ("deploy --password swordfish --force", "swordfish"),
        ("deploy --auth-token=a1b2c3d4", "a1b2c3d4"),
        ("https://example.org/x?user=me&access_token=a1b2c3d4e5&page=2", "a1b2c3d4e5"),
        ("<Password>hunter2</Password>", "hunter2"),
        ("log in, the password is hunter2.", "hunter2"),
        ("my api key: a1b2c3d4e5", "a1b2c3d4e5"),
        ('PASSPHRASE="correct horse battery"', "correct horse battery"),
        ("API_TOKEN='it\"s-a1b2'", 'it"s-a1b2'),
        ("ENV API_TOKEN a1b2c3d4", "a1b2c3d4"),
        ("mysql -u root -phunter2 shop", "hunter2"),
        ("sshpass -p hunter2 ssh host", "hunter2"),
        ("machine example.org login me password hunter2", "hunter2"),
        ("DB_PASSWORD='@dm!n-er'", "@dm!n-er"),
        ("aws_secret_access_key = /K7MDENG/bPxRfiCYz1", "/K7MDENG/bPxRfiCYz1"),
        ("Use password: DB_PASSWORD=Tr0ub4dor&3", "Tr0ub4dor&3"),
        ("redis://:s3cretpw@cache:6379/0", "s3cretpw"),
        ("postgres://app:swordfish@db/app", "swordfish"),
        ("-H 'Authorization: Bearer a1b2c3d4e5f6'", "a1b2c3d4e5f6"),
        ('"Authorization": "Basic dXNlcjpwYXNz1=="', "dXNlcjpwYXNz1=="),
        ("curl -s -u admin:hunter2 https://example.org", "hunter2"),
        ("AccountKey=aB3dE5gH7jK9mN1pQ==;Endpoint=x", "aB3dE5gH7jK9mN1pQ=="),
        ("//registry.example.org/:_authToken=0a1b2c3d-4e5f", "0a1b2c3d-4e5f"),
        ("https://hooks.slack.com/services/T0/B0/aB3dE5gH7jK9mN1pQ", "T0/B0/aB3dE5gH7jK9mN1pQ"),
    ],
)
def test_a_secret_is_known_by_the_name_or_the_place_in_front_of_it(said: str, secret: str) -> None:
    assert secret in find_secrets([said]).values()


@pytest.mark.parametrize(
    "said",
    [
        "commit c384b3b991f1a49d4fd7791d1613831b8d7bbe28",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "password = ask_user()",
        "client = Client(token=self.token2, password=password1, api_key=settings.API_KEY_2)",
        'API_KEY = os.environ["API_KEY_2"]',
        "DB_PASSWORD=$DB_PASSWORD_2 ./run; DB_PASSWORD=${OTHER1} ./run",
        "token: ${{ secrets.GITHUB_TOKEN2 }}",
        'password: "{{ vault_password_1 }}"',
        'apiKey: "YOUR_API_KEY"',
        "API_KEY=your-key-1234-here",
        "ANTHROPIC_API_KEY=sk-ant-xxxxxxxxxxxxxxxxxxxxxxxx",
        "The password: must have at least 12 characters, and the token: see README2.md.",
        "max_tokens=4096, tokens: 12345678, token_count=1234567",
        'pad_token="<pad_1>", eos_token="endoftext"',
        "  --pass: #34d399;",
        "--- PASS: TestShadow2 (0.01s)",
        '"@tokenizer/token": "^0.3.10"',
        "password: Optional[str2] = None",
        "secret_file=/run/secrets/db1 password=/run/secrets/db1",
        "postgres://app:${PASSWORD}@db/app and postgres://app:password@db/app",
        "at 10.0.0.1:8080, git@github.com:acme/app.git, http://localhost:8080/@x1y2z3",
        "class sk-circle-fade-dot-animation-with-a-long-name",
        "Bearer authentication is needed; a bearer {token} too",
        "a bearer tokenAWS_BEARER=XXX",
        "the password is stored, the token is 12345678 characters long, its token: 2026-01-02T03:04:05",
        'password: "Enter your 1st password"',
        "password: !vault_2 |",
        "run --token-file secrets1.txt --dry-run",
    ],
)
def test_prose_hashes_and_code_that_names_a_variable_are_left(said: str) -> None:
    assert find_secrets([said]) == {}


@pytest.mark.parametrize(
    "kind", ["RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PRIVATE KEY", "PGP PRIVATE KEY BLOCK"]
)
def test_a_private_key_goes_whole_and_by_the_line(kind: str) -> None:
    block = f"-----BEGIN {kind}-----\nMIIabcdef\n-----END {kind}-----"
    assert set(find_secrets([f"see\n{block}\nend"]).values()) == {block, "MIIabcdef"}


def test_the_page_lists_every_service_whose_keys_are_known() -> None:
    listed = " ".join(PAGE.read_text(encoding="utf-8").split()).lower()
    assert [kind for kind, _ in SHAPED if kind.removesuffix(" Access Key").lower() not in listed] == []


def test_a_shaped_key_in_an_address_takes_no_more_than_itself() -> None:
    key = "ghs_" + text(36)
    assert set(find_secrets([f"https://x-access-token:{key}@example.org/a/b"]).values()) == {key}


def test_a_chain_of_names_is_read_once() -> None:
    assert len(list(secrets_in("PASSWORD=" * 1_000))) == 1
