"""Loading what others wrote: a class by `package.module:Class` or `path/to/file.py:Class`.

Methods and session formats are found alike, by name among the installed entry points or by one of these.
"""

import difflib
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from tamis.errors import InputError, MissingExtra, TamisError

FORMS = "package.module:Class or path/to/file.py:Class"
"""How an object is named."""


def load_object(target: str, *, name: str, kind: str, error: type[InputError]) -> Any:
    """The object at `target`; a class is called without arguments.

    Args:
        target: `package.module:Class` or `path/to/file.py:Class`.
        name: what it was asked for as, for messages.
        kind: what it is to be: `method`, `format`.
        error: what to raise.

    Raises:
        InputError: of the kind `error`; it cannot be loaded or made, with the reason.

    >>> load_object("collections:Counter", name="tally", kind="method", error=InputError)
    Counter()
    """
    where, _, attribute = target.rpartition(":")
    module = _import(where, name=name, kind=kind, error=error)
    found = getattr(module, attribute, None)
    if found is None:
        near = difflib.get_close_matches(attribute, vars(module), n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise error(f"{where} has nothing called {attribute!r}{hint}")
    try:
        return found() if callable(found) else found
    except TypeError as problem:
        raise error(f"{target} cannot be made without arguments ({problem})") from None
    except TamisError:
        raise
    except (Exception, SystemExit) as problem:  # a plug-in's call: what it raises is its failure
        raise error(f"{target} cannot be made: {told(problem)}") from problem


def told(error: BaseException) -> str:
    """An error's kind and words, on one line.

    >>> told(KeyError("path"))
    "KeyError: 'path'"
    """
    try:
        said = " ".join(str(error).split())
    except Exception:  # an error that cannot say what it is
        said = ""
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _import(where: str, *, name: str, kind: str, error: type[InputError]) -> ModuleType:
    """A module by its dotted name, or a file by its path.

    Any error while importing is reported as the plug-in's: the code is the user's.
    """
    try:
        if where.endswith(".py"):
            return _import_file(Path(where), kind=kind, error=error)
        return importlib.import_module(where)
    except (InputError, MissingExtra):
        raise
    except (Exception, SystemExit) as problem:
        raise error(f"{kind} {name!r} cannot be loaded: {told(problem)}; give {FORMS}") from problem


def _import_file(path: Path, *, kind: str, error: type[InputError]) -> ModuleType:
    if not path.is_file():
        raise error(f"{path}: no such file; give path/to/file.py:Class")
    module_name = f"tamis_{kind}_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise error(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module  # dataclasses look their module up while it is being imported
    spec.loader.exec_module(module)
    return module
