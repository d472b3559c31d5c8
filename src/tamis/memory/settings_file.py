"""Settings from a YAML file and from the environment; an unknown key is refused with its place.

The file has the key `compression`, and below it the keys of `MemorySettings`; a block `monitoring` may stand
beside it (`tamis.monitoring.load_monitoring`). A variable overrides a key:
its name is `TAMIS_MEMORY_` and the key's path in capitals (`TAMIS_MEMORY_CACHE_TTL=60`); lists are given as
JSON.
"""

import difflib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from tamis.errors import InputError
from tamis.memory.settings import MemorySettings
from tamis.yaml_files import read_documents

ROOT = "compression"
BESIDE = "monitoring"
PREFIX = "TAMIS_MEMORY_"
Keys = tuple[str, ...]
"""The path of a key: the keys above it and its own."""


def load_settings(path: Path | None = None, environment: Mapping[str, str] | None = None) -> MemorySettings:
    """The defaults, changed by the file, changed by the environment.

    The file is YAML. The environment is `os.environ` unless told; only variables with the prefix count.

    Raises:
        UnreadableFile: the file is missing or not text.
        InputError: not YAML, an unknown key, or a value that is not accepted; says file, line and remedy.

    >>> load_settings(environment={"TAMIS_MEMORY_MODE": "shadow"}).mode
    'shadow'
    """
    settings = _read(path) if path else MemorySettings()
    return _overridden(settings, os.environ if environment is None else environment)


def leaves(model: type[BaseModel] = MemorySettings, above: Keys = ()) -> Iterator[tuple[Keys, FieldInfo]]:
    """The path of every key that holds a value, with its pydantic field."""
    for name, field in model.model_fields.items():
        path = (*above, key_of(name, field))
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from leaves(field.annotation, path)
        else:
            yield path, field


def key_of(name: str, field: FieldInfo) -> str:
    """The key of a field in a file: its name, but for words that Python keeps for itself."""
    return field.serialization_alias or name


def variable(path: Sequence[str]) -> str:
    """The variable that overrides the key at this path.

    >>> variable(["cache", "ttl"])
    'TAMIS_MEMORY_CACHE_TTL'
    """
    return PREFIX + "_".join(path).upper()


def _read(path: Path) -> MemorySettings:
    documents = read_documents(path)
    if not documents:
        return MemorySettings()
    if len(documents) > 1:
        raise InputError(f"{path}: {len(documents)} YAML documents; keep the settings in one")
    document = documents[0]
    data = document.data
    if not isinstance(data, dict) or set(data) - {ROOT, BESIDE} or not isinstance(data.get(ROOT, {}), dict):
        keys = ", ".join(map(str, data)) if isinstance(data, dict) else type(data).__name__
        raise InputError(f"{path}, line 1: has {keys}; put all settings below one key, {ROOT}:")
    try:
        return MemorySettings.model_validate(data.get(ROOT, {}))
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = tuple(problem["loc"])
        raise document.error((ROOT, *place), _explain(problem, place)) from None


def _overridden(settings: MemorySettings, environment: Mapping[str, str]) -> MemorySettings:
    known = {variable(path): path for path, _ in leaves()}
    data = settings.model_dump(mode="json", by_alias=True)
    changed: dict[Keys, str] = {}
    for name in sorted(environment):
        if not name.startswith(PREFIX):
            continue
        if name not in known:
            raise InputError(f"{name}: no such setting{_nearest(name, list(known))}")
        *above, last = known[name]
        group = data
        for step in above:
            group = group[step]
        group[last] = _value(environment[name])
        changed[known[name]] = name
    if not changed:
        return settings
    try:
        return MemorySettings.model_validate(data)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = tuple(str(step) for step in problem["loc"])
        name = next((n for p, n in changed.items() if p[: len(place)] == place[: len(p)]), PREFIX + "*")
        raise InputError(f"{name}: {_explain(problem, place)}") from None


def _value(text: str) -> Any:
    """JSON where it is JSON (numbers, lists, true, null), else the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _explain(problem: Any, place: Sequence[str | int]) -> str:
    if problem["type"] == "extra_forbidden":
        siblings = _keys_beside(place)
        return f"unknown key{_nearest(str(place[-1]), siblings)}; known here: {', '.join(siblings)}"
    given = problem["input"]
    shown = "" if isinstance(given, dict) else f" (it is {given!r})"
    said = problem["msg"].removeprefix("Value error, ")
    return f"{said}{shown}; correct it, or leave it out for the default"


def _keys_beside(place: Sequence[str | int]) -> list[str]:
    model: type[BaseModel] = MemorySettings
    for step in place[:-1]:
        for name, field in model.model_fields.items():
            kind = field.annotation
            if key_of(name, field) == step and isinstance(kind, type) and issubclass(kind, BaseModel):
                model = kind
                break
    return [key_of(name, field) for name, field in model.model_fields.items()]


def _nearest(given: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(given, known, n=1)
    return f"; did you mean {close[0]}?" if close else ""


def settings_text(settings: MemorySettings) -> str:
    """All settings as a YAML file, each key with its meaning; `load_settings` reads it back."""
    lines = [f"{ROOT}:", *_group_lines(settings, 1)]
    return "\n".join(lines) + "\n"


def _group_lines(group: BaseModel, depth: int) -> Iterator[str]:
    indent = "  " * depth
    for name, field in type(group).model_fields.items():
        value = getattr(group, name)
        key = key_of(name, field)
        if isinstance(value, BaseModel):
            about = field.description or (type(value).__doc__ or "").splitlines()[0]
            yield f"{indent}{key}:  # {about}"
            yield from _group_lines(value, depth + 1)
        else:
            yield f"{indent}{key}: {json.dumps(value, ensure_ascii=False)}  # {field.description}"
