"""Hidden suites that anybody can check afterwards.

`seal` draws a secret seed group and publishes a hash of it, with the suite's own hash. `reveal` opens it:
whoever has both files can see that the secret is the one that was sealed, and run the same cases.
"""

import hashlib
import secrets
from pathlib import Path
from typing import Final, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from tamis.bench.suite import Suite
from tamis.errors import InputError, NotComparable, OutputExists
from tamis.faults import first_fault
from tamis.text_files import read_text

SEAL_FORMAT: Final = "tamis-seal/1"
SealModel = TypeVar("SealModel", "Secret", "Seal")


class Secret(BaseModel, extra="forbid", frozen=True):
    """What is kept back: the seed group, 256 bits of chance."""

    format: Literal["tamis-seal/1"] = SEAL_FORMAT
    suite: str
    suite_digest: str
    seed_group: str

    @property
    def hash(self) -> str:
        """The hash of everything in it."""
        return "sha256:" + hashlib.sha256(self.model_dump_json().encode()).hexdigest()


class Seal(BaseModel, extra="forbid", frozen=True):
    """What is published beforehand."""

    format: Literal["tamis-seal/1"] = SEAL_FORMAT
    suite: str
    suite_digest: str
    hash: str


def make_secret(suite: Suite, seed_group: str | None = None) -> Secret:
    """A secret for the suite as it is now; by chance unless a seed group is given."""
    group = seed_group or f"hidden-{secrets.token_hex(32)}"
    return Secret(suite=suite.name, suite_digest=suite.digest, seed_group=group)


def seal_of(secret: Secret) -> Seal:
    """What may be published of it."""
    return Seal(suite=secret.suite, suite_digest=secret.suite_digest, hash=secret.hash)


def write_new(path: Path, what: Secret | Seal, *, private: bool) -> None:
    """Write it to a new file, for its owner's eyes only where it is private."""
    try:
        path.touch(mode=0o600 if private else 0o644, exist_ok=False)
        path.write_text(what.model_dump_json(indent=2) + "\n", encoding="utf-8")
    except FileExistsError:
        raise OutputExists(f"{path} exists; name a new file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot write there ({error.strerror}); choose another place") from None


def read_secret(path: Path) -> Secret:
    """A secret from its file."""
    return _read(path, Secret)


def check_suite(secret: Secret, suite: Suite) -> Secret:
    """The secret, if it was made for the suite as it is; raises NotComparable otherwise."""
    if (secret.suite, secret.suite_digest) != (suite.name, suite.digest):
        raise NotComparable(
            f"the secret was sealed for {secret.suite} {secret.suite_digest}, and this is "
            f"{suite.name} {suite.digest}; name the suite as it was"
        )
    return secret


def reveal(seal_path: Path, secret_path: Path) -> Secret:
    """The secret, if it is the one that was sealed; raises NotComparable otherwise."""
    seal, secret = _read(seal_path, Seal), read_secret(secret_path)
    if seal != seal_of(secret):
        raise NotComparable(
            f"{secret_path} is not what {seal_path} was made from: "
            f"it hashes to {secret.hash}, sealed was {seal.hash}"
        )
    return secret


def _read(path: Path, kind: type[SealModel]) -> SealModel:
    text = read_text(path, "name a file of `tamis bench seal`")
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise InputError(f"{path}: {first_fault(error, 'the document')}") from None
