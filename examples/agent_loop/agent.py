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
    "You are the night operator. Every answer of yours is one tool call. File each report with file_report; "
    "it gives you the next one. Only when all are filed you are asked questions. Never guess a code then: a "
    "report that you do not see any more was taken out to save room. Call recall with the name of the "
    "service, and answer with the code that it gives you."
)
TASK = "File all {count} reports of tonight. Begin with next_report."
MAX_TOKENS = 200


def _tool(name: str, description: str, **properties: Json) -> Json:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    parameters["additionalProperties"] = False
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


TOOLS = [
    _tool("next_report", "Get the report that is to be filed next."),
    _tool(
        "file_report",
        "File the report that you got last, and get the next one.",
        number={"type": "integer"},
        service={"type": "string"},
        verdict={"type": "string", "enum": ["passed", "failed"]},
    ),
    _tool("answer", "Answer the question that was asked last.", text={"type": "string"}),
]


@dataclass(kw_only=True)
class Night:
    """The world that the agent acts in: what it has filed, what it was asked, what it answered."""

    reports: Sequence[Report]
    asked: Sequence[Report]
    filed: list[bool] = field(default_factory=list)
    questions: int = 0
    answers: list[bool] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Whether every question has its answer."""
        return len(self.answers) == len(self.asked)

    def ask(self) -> str | None:
        """The next question, once: when all reports are filed and the one before is answered."""
        if len(self.filed) < len(self.reports) or self.questions > len(self.answers) or self.is_over:
            return None
        self.questions += 1
        return f"What is the rollback code of {self.asked[self.questions - 1].service}?"

    def act(self, name: str, arguments: Json) -> str:
        """Carry out a call, and say what came of it."""
        match name:
            case "next_report":
                return self._open_report()
            case "file_report":
                return self._file(arguments)
            case "answer":
                return self._answer(str(arguments.get("text", "")))
        return f"There is no tool {name}."

    def _open_report(self) -> str:
        if len(self.filed) == len(self.reports):
            return "All reports are filed."
        return self.reports[len(self.filed)].text

    def _file(self, arguments: Json) -> str:
        if len(self.filed) == len(self.reports):
            return "All reports are filed."
        report = self.reports[len(self.filed)]
        if arguments.get("number") != report.number:
            return f"Report {report.number} is to be filed now.\n{report.text}"
        right = (arguments.get("service"), arguments.get("verdict")) == (report.service, report.verdict)
        self.filed.append(right)
        return f"Report {report.number} is filed.\n{self._open_report()}"

    def _answer(self, text: str) -> str:
        if self.questions == len(self.answers):
            return "Nothing was asked."
        self.answers.append(self.asked[len(self.answers)].code in text)
        return "Noted."


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
        if question := night.ask():
            messages.append({"role": "user", "content": question})


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
    max_steps = given.reports * 2 + given.questions * 4
    trouble = ""
    try:
        run(client, night, messages, model=given.model, max_steps=max_steps)
    except openai.APIError as error:
        trouble = f"{type(error).__name__}: {error}"
    if given.log:
        given.log.write_text(json.dumps({"messages": messages}, indent=1), encoding="utf-8")
    told = {"filed": len(night.filed), "filed_right": sum(night.filed), "answered_right": sum(night.answers)}
    print(json.dumps(told | {"asked": len(night.asked), "trouble": trouble}))
    return 0 if sum(night.answers) == len(night.asked) else 1


if __name__ == "__main__":
    sys.exit(main())
