"""An agent that takes a night's reports, files each, and is asked at the end what stood in the first ones.

OPENAI_BASE_URL=http://127.0.0.1:8788/v1 python examples/agent_loop/agent.py --log night.json

The script hands out the reports and asks the questions. At each step the model chooses a tool and its
arguments. Nothing here knows of a proxy: the base URL is all that changes. The exit status is 0 if every
answer is right, else 1.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import openai

from reports import Report, make_reports

Json = dict[str, Any]

SYSTEM = (
    "You are the night operator. Every answer of yours is one tool call. Take one report after the other "
    "with next_report and file each one with file_report before you take the next. Then you are asked "
    "questions. Never guess a code: a report that you do not see any more was taken out to save room, and "
    "cannot be taken again; call recall with the words of the question, and answer with what it gives you."
)
TASK = "Take and file all {count} reports of tonight. Begin with next_report."
MAX_TOKENS = 200


def _tool(name: str, description: str, **properties: Json) -> Json:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    parameters["additionalProperties"] = False
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


TOOLS = [
    _tool("next_report", "Take the next report."),
    _tool(
        "file_report",
        "File the report that you took last.",
        number={"type": "integer"},
        service={"type": "string"},
        verdict={"type": "string", "enum": ["passed", "failed"]},
    ),
    _tool("answer", "Answer the question that was asked last.", text={"type": "string"}),
]


@dataclass(kw_only=True)
class Night:
    """The world that the agent acts in: what it has taken, filed and answered."""

    reports: Sequence[Report]
    asked: Sequence[Report]
    taken: int = 0
    filed: list[bool] = field(default_factory=list)
    answers: list[bool] = field(default_factory=list)

    @property
    def question(self) -> str | None:
        """What is asked now; nothing before all reports are filed, and after the last answer."""
        if len(self.filed) < len(self.reports) or self.is_over:
            return None
        return f"What is the rollback code of {self.asked[len(self.answers)].service}?"

    @property
    def is_over(self) -> bool:
        """Whether everything was asked."""
        return len(self.answers) == len(self.asked)

    def act(self, name: str, arguments: Json) -> str:
        """Carry out a call, and say what came of it."""
        match name:
            case "next_report":
                return self._next()
            case "file_report":
                return self._file(arguments)
            case "answer":
                return self._answer(str(arguments.get("text", "")))
        return f"There is no tool {name}."

    def _next(self) -> str:
        if self.taken > len(self.filed):
            return f"Report {self.taken} is not filed yet. Call file_report."
        if self.taken == len(self.reports):
            return f"There are no more reports. {self.question}"
        self.taken += 1
        return self.reports[self.taken - 1].text

    def _file(self, arguments: Json) -> str:
        if self.taken == len(self.filed):
            return "There is no report to file. " + (self.question or "Call next_report.")
        report = self.reports[self.taken - 1]
        self.filed.append(
            (arguments.get("service"), arguments.get("verdict")) == (report.service, report.verdict)
        )
        return f"Report {report.number} is filed. " + (self.question or "Call next_report.")

    def _answer(self, text: str) -> str:
        if self.question is None:
            return "Nothing was asked yet. Call next_report."
        self.answers.append(self.asked[len(self.answers)].code in text)
        return self.question or "That was the last question."


def run(client: openai.OpenAI, night: Night, messages: list[Json], *, model: str, max_steps: int) -> None:
    """The loop: ask, act, tell, until everything is answered or the steps are used up."""
    for _ in range(max_steps):
        reply = client.chat.completions.create(
            model=model,
            messages=messages,  # type: ignore[arg-type] # as the API has them
            tools=TOOLS,  # type: ignore[arg-type]
            tool_choice="required",
            temperature=0,
            seed=0,
            max_tokens=MAX_TOKENS,
        )
        said = reply.choices[0].message
        messages.append(said.model_dump(exclude_none=True))
        for call in said.tool_calls or ():
            result = night.act(call.function.name, json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
        if not said.tool_calls:
            messages.append({"role": "user", "content": "That was no tool call. Call a tool."})
        if night.is_over:
            break


def main() -> int:
    """Run one night; print what came of it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--reports", type=int, default=24)
    parser.add_argument("--questions", type=int, default=3)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("TAMIS_AB_PAIR", "1")))
    parser.add_argument("--model", default="local")
    parser.add_argument("--log", type=Path, help="where the conversation goes")
    given = parser.parse_args()
    reports = make_reports(given.reports, given.seed)
    night = Night(reports=reports, asked=reports[: given.questions])
    client = openai.OpenAI(api_key=os.environ.get("OPENAI_API_KEY", "none"), timeout=600, max_retries=0)
    messages: list[Json] = [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": TASK.format(count=given.reports)},
    ]
    max_steps = given.reports * 3 + given.questions * 4
    trouble = ""
    try:
        run(client, night, messages, model=given.model, max_steps=max_steps)
    except openai.APIError as error:
        trouble = f"{type(error).__name__}: {error}"
    if given.log:
        given.log.write_text(json.dumps({"messages": messages}, indent=1), encoding="utf-8")
    told = {"taken": night.taken, "filed_right": sum(night.filed), "answered_right": sum(night.answers)}
    print(json.dumps(told | {"asked": len(night.asked), "trouble": trouble}))
    return 0 if sum(night.answers) == len(night.asked) else 1


if __name__ == "__main__":
    sys.exit(main())
