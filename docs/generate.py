"""Write the pages that follow from the program: the map, command line, methods, formats, JSON, examples.

python docs/generate.py            # write them
python docs/generate.py --check    # exit with 1 if one is stale
"""

from __future__ import annotations

import copy
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import page_examples
from house_map import house_map
from pydantic import TypeAdapter

from tamis.ab import ABReport
from tamis.ab.ticket_report import TicketReport
from tamis.archive import Hit
from tamis.audit import AuditFigures
from tamis.bench.board import BoardRow
from tamis.bench.case import CaseQuestions
from tamis.bench.compat.result_file import PublishedScore
from tamis.bench.seal import Seal, Secret
from tamis.bench.standings import Segment
from tamis.bench.template import Template
from tamis.cli import cli
from tamis.cli.lazy import COMMANDS
from tamis.cli.work.archive import ExpandJson, PinJson
from tamis.cli.work.bench.cases import EstimateJson
from tamis.cli.work.check_method import CheckMethodJson
from tamis.cli.work.compact import CompactJson
from tamis.cli.work.doctor import DoctorJson
from tamis.cli.work.judge import JudgeJson
from tamis.cli.work.learn import LearnJson
from tamis.cli.work.lists import FormatJson, MethodJson, describe_formats
from tamis.cli.work.probes import ProbesJson
from tamis.cli.work.runs import ReportJson, ScoreJson, ViewJson
from tamis.cli.work.show import ShowJson
from tamis.compactors import METHODS, MODEL_METHODS, peers
from tamis.evals.exam.scoring import ExamScore
from tamis.evals.inference.sample_size import SampleSizePlan
from tamis.evals.regression_gate import GateVerdict
from tamis.memory import ShadowReport
from tamis.monitoring.sources import MonitorReport
from tamis.reports import RunReport

FOLDER = Path(__file__).parent
OFTEN = 2
"""An option that so many commands have in the same words is told once."""
NOTE = "<!-- Written by docs/generate.py; do not edit. -->\n\n"
OUTPUTS: dict[str, Any] = {
    "audit": AuditFigures,
    "compact": CompactJson,
    "show": ShowJson,
    "eval": RunReport,
    "learn": LearnJson,
    "score": ScoreJson,
    "judge": JudgeJson,
    "exam score": ExamScore,
    "probes": ProbesJson,
    "recall": list[Hit],
    "expand": ExpandJson,
    "doctor": DoctorJson,
    "pin": list[PinJson],
    "memory shadow": ShadowReport,
    "monitor": MonitorReport,
    "ab": ABReport | TicketReport,
    "gate": GateVerdict,
    "plan": SampleSizePlan,
    "report": ReportJson,
    "view": ViewJson,
    "methods": list[MethodJson],
    "formats": list[FormatJson],
    "check-method": CheckMethodJson,
    "bench templates": list[Template],
    "bench cases": list[CaseQuestions],
    "bench estimate": EstimateJson,
    "bench run": BoardRow | PublishedScore,
    "bench score": list[BoardRow | PublishedScore],
    "bench rank": list[Segment],
    "bench seal": Seal,
    "bench reveal": Secret,
}


def main(*, check: bool) -> int:
    """Write every page, or only compare."""
    pages: dict[str, Callable[[], str]] = {
        "map.md": house_map,
        "reference/cli.md": command_line,
        "reference/methods.md": methods,
        "reference/formats.md": formats,
        "reference/json.md": json_output,
    }
    texts = {FOLDER / name: NOTE + page().rstrip() + "\n" for name, page in pages.items()}
    for shown in map(FOLDER.joinpath, page_examples.PAGES):
        texts[shown] = page_examples.with_examples(shown.read_text(encoding="utf-8"))
    stale = []
    for path, text in texts.items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path.name)
        if not check:
            path.write_text(text, encoding="utf-8")
    if check and stale:
        sys.stderr.write(f"stale reference pages: {', '.join(stale)}; run make docs\n")
        return 1
    return 0


def command_line() -> str:
    """`--help` of every command; an option that stands in many alike is told once."""
    commands = dict(_commands())
    uses = Counter(said for command in commands.values() for said in _options(command).values())
    often = {said for said, times in uses.items() if times >= OFTEN}
    parts = [
        "# Command line",
        "`tamis COMMAND --help` prints these texts. Options behind *Also* are told at the\n"
        "[end](#options-of-many-commands).",
        _fenced(_help(cli, "tamis")),
    ]
    for path, command in commands.items():
        usage, _, told = _help(_without(command, often), path).partition("\n\n")
        takes = usage.removeprefix(f"Usage: {path} [OPTIONS]").replace(" COMMAND [ARGS]...", "")
        prose = re.split(r"\n\n(?=\w+:\n)", told)[0]
        told = textwrap.dedent(prose) + told.removeprefix(prose)
        if isinstance(command, click.Group):
            first, second, *_ = command.commands
            alike = f"{path} {second}" not in commands
            told = f"{told}\n\nEach as {first}." if alike else told.partition("\n\nCommands:")[0]
        if shared := [name for name, said in _options(command).items() if said in often]:
            told += f"\n\nAlso: {', '.join(shared)}."
        parts += [f"{'#' * path.count(' ')}# {path}{takes}", _fenced(told)]
    parts += [
        "## Options of many commands",
        _fenced("\n".join(f"{names}: {told}" for names, told in sorted(often))),
        "## Exit status",
        "| status | meaning |\n|---|---|\n| 0 | done |\n| 1 | a check failed, or a method broke |\n"
        "| 2 | bad input: one line on stderr says what is wrong and what to do |\n| 130 | interrupted |\n"
        "| 141 | whoever read the output went away |",
    ]
    return "\n\n".join(parts)


def _commands() -> Iterator[tuple[str, click.Command]]:
    """Every command, and the commands of each group; where they take the same options, the first alone."""
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        yield f"tamis {name}", command
        if isinstance(command, click.Group):
            subs = list(command.commands.items())
            alike = len({tuple(_options(sub)) for _, sub in subs}) == 1
            yield from ((f"tamis {name} {part}", sub) for part, sub in (subs[:1] if alike else subs))


def _without(command: click.Command, often: set[tuple[str, str]]) -> click.Command:
    shared = [name for name, said in _options(command).items() if said in often]
    own = copy.copy(command)
    own.params = [param for param in command.params if param.opts[-1] not in shared]
    return own


def _options(command: click.Command) -> dict[str, tuple[str, str]]:
    """Each option's last name, and its line of help."""
    context = click.Context(command, show_default=True)
    options = (param for param in command.params if isinstance(param, click.Option))
    return {option.opts[-1]: record for option in options if (record := option.get_help_record(context))}


def methods() -> str:
    """Tamis's own methods."""
    rows = "\n".join(f"| `{name}` | {keeps} |" for name, keeps in METHODS.items())
    asking = "\n".join(f"| `{name}@MODEL` | {keeps} |" for name, keeps in MODEL_METHODS.items())
    others = "\n".join(
        f"| `{name}` | {keeps} | `{peers.needed(extra)}` |" for name, keeps, extra in peers.list_peers()
    )
    return (
        "# Methods\n\n"
        "Named with `-m` on the command line and `method=` in Python. Besides these: what installed\n"
        "packages add (`tamis methods` lists it), `package.module:Class`, `path/to/file.py:Class`, and\n"
        "`exec:COMMAND`.\n\n"
        f"| name | what it keeps |\n|---|---|\n{rows}\n\n"
        "These ask a language model and are named with it ([Use a model](../how-to/use-a-model.md)):\n\n"
        f"| name | what it keeps |\n|---|---|\n{asking}\n\n"
        "These are other libraries', held to the same rules; each needs its extra. The library decides what\n"
        "is kept; where its strongest setting is too long, its oldest messages go, and a warning says so.\n"
        "Headroom wants another release of the OpenAI client than tamis: give it its own environment.\n"
        "What is on npm runs in Node.js, and is found in `node_modules` of the folder at hand or one above\n"
        "it, in `NODE_PATH`, or where `npm install -g` puts it. The pruning for\n"
        "opencode is under the AGPL-3.0, pi under the MIT licence.\n\n"
        f"| name | what it keeps | needs |\n|---|---|---|\n{others}"
    )


def formats() -> str:
    """What tamis reads and writes."""
    yes = {True: "yes", False: ""}
    rows = "\n".join(
        f"| `{f.name}` | {f.title} | {yes[f.writes]} | {yes[f.api]} | {yes[f.streams]} | {yes[f.many]} |"
        for f in describe_formats()
    )
    return (
        "# Formats\n\n"
        "A file's format is found by its content, whatever its name; plain, `.gz` or `.xz`. All are read.\n\n"
        "| name | what it is | written | taken by an API | read by line | several a file |\n"
        f"|---|---|---|---|---|---|\n{rows}"
    )


def json_output() -> str:
    """What each command prints: a table a command; values that several outputs hold come last."""
    adapters: list[Any] = [(name, "serialization", TypeAdapter(kind)) for name, kind in OUTPUTS.items()]
    schemas, definitions = TypeAdapter.json_schemas(adapters)
    values: dict[str, Any] = definitions["$defs"]
    uses = Counter(name for schema in (*schemas.values(), *values.values()) for name in _named(schema))
    shared = {name for name, times in uses.items() if times > 1}
    parts = [
        "# JSON output",
        "Every command but `completion` takes `--json` and then prints one JSON value on stdout. Fields may\n"
        "be added; those that are there keep their meaning. Times end in their unit, shares go from 0 to 1.",
        "`?`: or null. `[]`: a list. `{}`: an object with values of this type. A value with a link is in\n"
        "several outputs and stands once, under *Shared values*.",
    ]
    for command in OUTPUTS:
        schema = schemas[(command, "serialization")]
        own = _reached(schema, values, shared)
        printed = _type(schema, shared)
        told = bool(own) and printed == _title(own[0])
        parts += [f"## tamis {command} --json", "" if told else printed, _table(own, values, shared)]
    last = [
        each
        for name in sorted(shared, key=_title)
        for each in (name, *_reached(values[name], values, shared))
    ]
    parts += ["## Shared values", _table(last, values, shared)]
    return "\n\n".join(part for part in parts if part)


def _named(schema: Any) -> list[str]:
    """The values that a schema names, in order."""
    if isinstance(schema, list):
        return [name for part in schema for name in _named(part)]
    if not isinstance(schema, dict):
        return []
    if "$ref" in schema:
        return [schema["$ref"].rpartition("/")[2]]
    return [name for part in schema.values() for name in _named(part)]


def _reached(schema: dict[str, Any], values: dict[str, Any], shared: set[str]) -> list[str]:
    """The values that only this schema holds, each before those that it holds itself."""
    own = [name for name in dict.fromkeys(_named(schema)) if name not in shared]
    return [each for name in own for each in (name, *_reached(values[name], values, shared))]


def _table(names: list[str], values: dict[str, Any], shared: set[str]) -> str:
    """A row for each value: what it is, and its fields, those of one type together."""
    rows: list[str] = []
    for name in names:
        said = _first_sentence(values[name].get("description", ""))
        anchor = f'<a id="{_title(name).lower()}"></a>' if name in shared else ""
        by_type: dict[str, list[str]] = {}
        for field, schema in values[name]["properties"].items():
            by_type.setdefault(_type(schema, shared), []).append(f"`{field}`")
        fields = "<br>".join(f"{', '.join(fields)}: {kind}" for kind, fields in by_type.items())
        rows.append(f"| {anchor}**{_title(name)}**{said and f': {said}'} | {fields} |")
    return "\n".join(["| value | fields |", "|---|---|", *rows]) if rows else ""


def _type(schema: dict[str, Any], shared: set[str]) -> str:
    """A JSON schema in short, with links to the values that stand elsewhere."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{_title(name)}](#{_title(name).lower()})" if name in shared else _title(name)
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return "/".join(f"`{value}`" for value in schema["enum"])
    if any_of := schema.get("anyOf") or schema.get("oneOf"):
        options = [_type(option, shared) for option in any_of]
        either = " or ".join(option for option in options if option != "null")
        return (f"({either})" if " or " in either else either) + "?" if "null" in options else either
    kind = schema.get("type", "any value")
    if kind == "array":
        return f"{_grouped(schema['items'], shared)}[]" if "items" in schema else "list"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"{_grouped(schema['additionalProperties'], shared)}{{}}"
    return str(kind)


def _grouped(schema: dict[str, Any], shared: set[str]) -> str:
    """A type that a mark follows: in brackets where it is a choice."""
    kind = _type(schema, shared)
    return f"({kind})" if " or " in kind and not kind.startswith("(") else kind


def _title(name: str) -> str:
    """A name that can stand in a heading and a link.

    `Entry_FileState_` is `EntryFileState`; of two classes of one name, `tamis__bench__template__Expected` is
    `BenchExpected`.
    """
    *module, own = name.split("__")
    return (module[1].title() if len(module) > 1 else "") + own.replace("_", "")


def _first_sentence(description: str) -> str:
    """The docstring's first sentence; blank where it says no more than that the value is printed."""
    text = " ".join(description.partition("\n\n")[0].split())
    end = re.search(r"(?<!e\.g)(?<!i\.e)[.](?= |$)", text)
    text = (text[: end.start()] if end else text).replace("|", "\\|")
    text = re.sub(r"^(What|One entry of what) `tamis [\w -]+ --json` prints(: |; | when |$)", "", text)
    return "" if "(*" in text else text


def _help(command: click.Command, path: str) -> str:
    context = click.Context(
        command, info_name=path, max_content_width=100, terminal_width=100, show_default=True
    )
    context.help_option_names = ["-h", "--help"]
    text = re.sub(r"\n +-h, --help .*", "", command.get_help(context)).removesuffix("\n\nOptions:")
    return text.replace("\n\nOptions:\n\n", "\n\n")


def _fenced(text: str, language: str = "text") -> str:
    return f"```{language}\n{text}\n```"


if __name__ == "__main__":
    raise SystemExit(main(check="--check" in sys.argv[1:]))
