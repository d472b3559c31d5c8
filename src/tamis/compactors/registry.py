"""Methods by name: tamis's own, installed plug-ins, a class in a module or a file, or a command.

A package adds a method by naming its class under the entry point group `tamis.methods`. A class of any origin
must be callable without arguments. tamis's own methods that ask a model are named with it: `hybrid@MODEL`.
`ledger@FILE` is `ledger` with the weights that `tamis learn` wrote. Other libraries' strategies (`peers`) are
named likewise, and need the library.
"""

import difflib
import importlib
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from tamis.compactors import peers
from tamis.compactors.protocol import Compactor
from tamis.errors import UnknownMethod
from tamis.plugins import load_object, told

ENTRY_POINT_GROUP = "tamis.methods"

METHODS: dict[str, str] = {
    "ledger": "a hand-off in whole statements: asked, rules, what was done and found, where it stands, next",
    "index": "a bare list of the names in the span, newest first (a control: it says nothing about them)",
    "extractive": "reasoning stripped, tool output shortened, the best sentences of long messages kept",
    "mask": "old tool output replaced by a line that says what it was",
    "truncate": "the newest whole messages that fit",
    "head-tail": "the first and the newest whole messages",
    "recorded": "the summary that the session's own agent made at this point, where there is one",
    "full": "nothing taken out (a control)",
    "nothing": "everything taken out (a control)",
}
"""tamis's own methods: name and what it keeps, in a line."""

MODEL_METHODS: dict[str, str] = {
    "hybrid": "as ledger, with a story that a model writes and the session bears out",
    "anchored": "lasting sections (intent, files, decisions, next steps); a model works in what is new",
    "regenerative": "a structured summary that a model writes anew each time",
    "opaque": "whatever the provider's own compaction keeps; not always readable",
}
"""Methods that ask a model, named with it: `METHOD@MODEL`."""

_CLASSES = peers.CLASSES | {
    "ledger": "tamis.compactors.methods.ledger:LedgerMethod",
    "index": "tamis.compactors.methods.index:Index",
    "extractive": "tamis.compactors.methods.extractive:Extractive",
    "mask": "tamis.compactors.methods.mask:Mask",
    "truncate": "tamis.compactors.methods.truncate:Truncate",
    "head-tail": "tamis.compactors.methods.head_tail:HeadTail",
    "recorded": "tamis.compactors.methods.recorded:Recorded",
    "full": "tamis.compactors.methods.full:Full",
    "nothing": "tamis.compactors.methods.nothing:Nothing",
}
_MODEL_CLASSES = peers.MODEL_CLASSES | {
    "hybrid": "tamis.compactors.methods.hybrid:Hybrid",
    "anchored": "tamis.compactors.methods.anchored:Anchored",
    "regenerative": "tamis.compactors.methods.regenerative:Regenerative",
    "opaque": "tamis.compactors.methods.opaque:Opaque",
}

_FORMS = "or give package.module:Class, path/to/file.py:Class, or exec:COMMAND"


def get_method(name: str) -> Compactor:
    """The compactor of this name, ready to use.

    Raises:
        UnknownMethod: no such method, or it cannot be loaded; says what is near, or why.

    >>> get_method("truncate").name
    'truncate'
    """
    if name.startswith("exec:"):
        # Like every method, it is loaded when it is asked for.
        from tamis.compactors.methods.command import CommandMethod

        return CommandMethod(name.removeprefix("exec:"))
    if name in _CLASSES:
        return _load(name, _CLASSES[name])
    kind, _, what = name.partition("@")
    if kind in _MODEL_CLASSES:
        return _with_model(kind, what)
    if kind == "ledger" and what:
        return _with_weights(Path(what))
    if kind == "extractive" and what:
        return _extractive(what)
    plugins = list_plugins()
    if name in plugins:
        return _load(name, plugins[name])
    if ":" in name:
        return _load(name, name)
    asking = (*MODEL_METHODS, *peers.MODEL_PEERS)
    known = [*METHODS, *peers.PEERS, *(f"{kind}@MODEL" for kind in asking), *plugins]
    near = difflib.get_close_matches(name, known, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"choose one of {', '.join(known)},"
    raise UnknownMethod(f"no method is called {name!r}; {hint} {_FORMS}")


def list_plugins() -> dict[str, str]:
    """The methods that installed packages add: name, and where the class is."""
    return {p.name: p.value for p in _plugins()}


def _with_model(kind: str, model: str) -> Compactor:
    """A method that asks a model, by the model's name.

    Raises:
        UnknownMethod: no model is named.
        UnknownModel: there is no such model.
    """
    if not model and kind in peers.FOLDER_PEERS:
        raise UnknownMethod(f"{kind} needs its model's folder; write {kind}@FOLDER")
    if not model:
        raise UnknownMethod(
            f"{kind} asks a model, and none is named; write {kind}@MODEL, as in "
            f"{kind}@openai:gpt-5-mini, {kind}@http://127.0.0.1:8080 or {kind}@gguf:FILE"
        )
    where, _, attribute = _MODEL_CLASSES[kind].rpartition(":")
    made: Compactor = getattr(importlib.import_module(where), attribute).named(model)
    return made


def _plugins() -> Iterator[EntryPoint]:
    yield from entry_points(group=ENTRY_POINT_GROUP)


def _with_weights(file: Path) -> Compactor:
    """The ledger with somebody's own weights; the name and the version tell them from the shipped ones."""
    from tamis.compactors.brief.choice.worth import read_worth
    from tamis.compactors.methods.ledger import LedgerMethod

    weights = read_worth(file)
    ledger = LedgerMethod(weights)
    ledger.name = f"ledger@{file.stem}"
    ledger.version = f"{ledger.version}+{weights.version}"
    return ledger


def _extractive(what: str) -> Compactor:
    """`extractive` with learned scores, or as published: it declines below half of a window."""
    from tamis.compactors.methods.extractive import Extractive, ExtractiveSettings
    from tamis.compactors.methods.sentence_scores import LEARNED

    if what == "learned":
        method = Extractive(ExtractiveSettings(scores=LEARNED))
    elif what.isdecimal() and int(what) > 0:
        method = Extractive(ExtractiveSettings(window_tokens=int(what)))
    else:
        raise UnknownMethod(
            f"extractive@{what}: no window; give its tokens, as in extractive@200000, or extractive@learned"
        )
    method.name = f"extractive@{what}"
    return method


def _load(name: str, target: str) -> Compactor:
    compactor = load_object(target, name=name, kind="method", error=UnknownMethod)
    try:
        is_compactor = isinstance(compactor, Compactor) and isinstance(compactor.name, str)
    except Exception as error:  # a plug-in's own property
        raise UnknownMethod(f"{target} cannot be asked for its name: {told(error)}") from error
    if not is_compactor:
        raise UnknownMethod(f"{target} is no compactor: it needs name, version and an async compact(request)")
    made: Compactor = compactor
    return made
