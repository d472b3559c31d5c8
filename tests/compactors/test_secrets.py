from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

import tamis
from compactors.conversations import compact, run, say
from tamis.api import gated
from tamis.archive import Archive
from tamis.compactors import get_method, secrets
from tamis.compactors.secrets import find_secrets, masking
from tamis.ledger.state_json import state_to_json
from tamis.messages import part_text

AWS = "AKIA" + "IOSFODNN7EXAMPLE"
GITHUB = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
PASSWORD = "hunter2" + "hunter2"
KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIabc\nDEF=\n-----END RSA PRIVATE KEY-----"
TALK = (
    say("user", f"Deploy with {AWS}. Never print it.", id="1"),
    *run("a", f"curl -H 'Authorization: {GITHUB}' https://example.org", "ok " * 400, 0),
    *run("b", "cat settings.py", f"password = '{PASSWORD}'\n{KEY}\n" + "line\n" * 300, 0),
    say("assistant", f"The password {PASSWORD} is in settings.py.", id="2"),
)


def test_secrets_are_found_whole() -> None:
    text = f"{AWS} {GITHUB}\npassword = '{PASSWORD}'\nurl = https://user:s3cretpw@host/x\n{KEY}"
    assert set(find_secrets([text]).values()) == {AWS, GITHUB, PASSWORD, "s3cretpw", KEY, "MIIabc"}


def test_of_two_secrets_with_one_digest_both_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = secrets.hashlib.sha256
    monkeypatch.setattr(
        secrets.hashlib,
        "sha256",
        lambda data: SimpleNamespace(hexdigest=lambda: "0" * 8 + whole(data).hexdigest()),
    )
    found = find_secrets([f"password = '{PASSWORD}'\npassword = 'another-{PASSWORD}'"])
    assert sorted(found.values()) == [f"another-{PASSWORD}", PASSWORD]


def test_what_looks_like_one_is_left() -> None:
    text = "commit c384b3b991f1a49d4fd7791d1613831b8d7bbe28\npassword = ask_user()\nat 10.0.0.1:8080"
    assert find_secrets([text]) == {}


@pytest.mark.parametrize("method", ["ledger", "truncate", "extractive", "mask", "index", "head-tail"])
@pytest.mark.parametrize("budget", [150, 400, 1_000])
def test_no_secret_is_in_what_is_made(method: str, budget: int) -> None:
    made = compact(masking(get_method(method)), TALK, budget)
    assert made.outcome == "fits"
    assert made.tokens_after <= budget
    state = json.dumps(state_to_json(made.state)) if made.state else ""
    for secret in (AWS, GITHUB, PASSWORD, "MIIabc"):
        assert secret not in repr(made.messages) + state


@pytest.mark.parametrize("method", ["ledger", "truncate", "mask"])
@pytest.mark.parametrize("budget", [20, 60, 100, 400])
def test_no_secret_is_in_anything_that_is_said_of_it(method: str, budget: int) -> None:
    talk = [
        say("user", "Earlier: look. " * 60, id="1"),
        say("user", f"Never use {GITHUB} in a test.", id="2"),
        say("assistant", "Looking around here. " * 80, id="3"),
    ]
    made = compact(gated(method, gate="repair", mask_secrets=True), talk, budget)
    said = (made.warnings, made.carry, made.account, made.state and state_to_json(made.state))
    assert GITHUB not in repr(said)
    assert made.outcome == "unmet" or GITHUB not in repr(made.messages)


def test_a_secret_in_a_message_that_is_kept_is_told() -> None:
    kept = tamis.compact(TALK, budget=200, method="truncate", keep_last=1, mask_secrets=True)
    assert PASSWORD in repr(kept.messages[-1])
    assert kept.warnings[-1] == "1 secret stands in the messages that are kept as they are"


def test_a_message_that_was_masked_is_not_called_kept() -> None:
    made = compact(masking(get_method("truncate")), TALK, 100)
    fates = {f.message_id: f.fate for f in made.account}
    assert fates["2"] == "condensed"


def test_nothing_replaced_is_nothing_masked_and_said() -> None:
    made = compact(masking(get_method("truncate")), TALK, 100_000)
    assert made.outcome == "unchanged"
    assert "no secret was masked" in made.warnings[-1]


def test_a_placeholder_can_be_had_back_from_the_archive_only(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "a") as archive:
        result = tamis.compact(TALK, budget=400, archive=archive, mask_secrets=True)
        said = "\n".join(part_text(part) for message in TALK for part in message.parts)
        marks = {mark for mark in find_secrets([said]) if mark in result.text}
        assert marks
        for mark in marks:
            assert archive.reveal(mark)[0] in said
        assert list(archive.messages("messages")) == list(TALK)
