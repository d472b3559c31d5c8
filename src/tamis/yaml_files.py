"""YAML files with the line of everything in them, so that an error can point at the place.

Read as YAML 1.2: `no` and `1.1.0` stay the texts that they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from tamis.errors import InputError
from tamis.text_files import read_text


@dataclass(frozen=True, kw_only=True)
class YamlDocument:
    """One document of a file: its data, and the lines of its parts."""

    source: str
    data: Any
    lines: Any

    def line_of(self, place: Sequence[str | int]) -> int:
        """The line of the part at this place, or of the innermost part around it that is there."""
        node = self.lines
        line = int(node.start_mark.line) + 1
        for step in place:
            found = _child(node, step)
            if found is None:
                break
            key, node = found
            line = int((key or node).start_mark.line) + 1
        return line

    def error(self, place: Sequence[str | int], reason: str) -> InputError:
        """The error for this place: file, line, where, why."""
        where = ".".join(map(str, place)) or "the document"
        return InputError(f"{self.source}, line {self.line_of(place)}: {where}: {reason}")


def read_documents(path: Path) -> tuple[YamlDocument, ...]:
    """Every document of a YAML file, empty ones left out.

    Raises:
        UnreadableFile: the file cannot be read as text.
        InputError: it is not YAML; says the line.
        MissingExtra: the YAML library is not installed.
    """
    return parse_documents(read_text(path, "name a YAML file in UTF-8"), source=str(path))


def parse_documents(text: str, *, source: str) -> tuple[YamlDocument, ...]:
    """The documents of a text; `source` names it in errors."""
    yaml = YAML(typ="safe", pure=True)
    documents = []
    try:
        _, parser = yaml.get_constructor_parser(text)
        composer: Composer = parser.composer if hasattr(parser, "composer") else yaml.composer
        while composer.check_node():
            node = composer.get_node()
            data = yaml.constructor.construct_document(node)
            if data is not None:
                documents.append(YamlDocument(source=source, data=data, lines=node))
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputError(f"{source}, line {line}: not YAML ({error.problem}); correct the line") from None
    except YAMLError as error:
        raise InputError(f"{source}: not YAML ({str(error).splitlines()[0]})") from None
    return tuple(documents)


def _child(node: Any, step: str | int) -> tuple[Any, Any] | None:
    """The key (of a mapping) and the value at this step."""
    if isinstance(node.value, list) and isinstance(step, int) and node.id == "sequence":
        return (None, node.value[step]) if 0 <= step < len(node.value) else None
    if isinstance(node.value, list) and node.id == "mapping":
        return next(((k, v) for k, v in node.value if k.value == step), None)
    return None
