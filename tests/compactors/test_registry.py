from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from compactors.conversations import compact, lines, say
from tamis.compactors import METHODS, Compactor, get_method, list_plugins, registry
from tamis.errors import UnknownMethod

MINE = """
from dataclasses import dataclass
from tamis.compactors.methods.truncate import Truncate


@dataclass
class Note:
    text: str


class Mine(Truncate):
    name = "mine"


class Demanding(Truncate):
    def __init__(self, model):
        self.model = model


class NotOne:
    pass
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(MINE, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", METHODS)
def test_every_listed_method_is_there_under_its_name(name: str) -> None:
    method = get_method(name)
    assert isinstance(method, Compactor)
    assert method.name == name
    assert METHODS[name]


def test_a_class_in_a_module() -> None:
    assert get_method("tamis.compactors.methods.mask:Mask").name == "mask"


def test_a_class_in_a_file(mine: Path) -> None:
    method = get_method(f"{mine}:Mine")
    assert method.name == "mine"
    assert compact(method, [say("user", lines("a", 30)), say("user", "b")], 20).method == "mine"


def test_an_installed_plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint(name="plugged", value="tamis.compactors.methods.mask:Mask", group="tamis.methods")
    monkeypatch.setattr(registry, "_plugins", lambda: iter([entry]))
    assert get_method("plugged").name == "mask"
    assert list_plugins() == {"plugged": "tamis.compactors.methods.mask:Mask"}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("truncat", "did you mean truncate?"),
        ("headtail", "did you mean head-tail?"),
        ("zzz", "choose one of ledger"),
        ("", "choose one of"),
        ("tamis.compactors.methods.mask:Maks", "did you mean Mask?"),
        ("tamis.no_such_module:Thing", "No module named"),
        ("no/such/file.py:Thing", "no such file"),
    ],
)
def test_an_unknown_name_says_what_is_near(name: str, says: str) -> None:
    with pytest.raises(UnknownMethod) as error:
        get_method(name)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("attribute", "says"),
    [
        ("Demanding", "cannot be made without arguments"),
        ("NotOne", "is no compactor"),
        ("MISSING", "has nothing called"),
    ],
)
def test_a_class_that_is_no_compactor_is_refused(mine: Path, attribute: str, says: str) -> None:
    with pytest.raises(UnknownMethod, match=says):
        get_method(f"{mine}:{attribute}")


def test_a_file_that_breaks_on_import_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("import no_such_thing_at_all\n", encoding="utf-8")
    with pytest.raises(UnknownMethod, match="ModuleNotFoundError"):
        get_method(f"{path}:Thing")
