"""A small run over sessions written for it: two sets, a hostile text, a failing method, partial averages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

from tamis.evals import Run, SessionResults, Settings, Texts, evaluate_session, read_run, write_run
from tamis.evals.judging.calibration import calibrate
from tamis.evals.judging.offline import OfflineJudge
from tamis.evals.judging.rubric import load_rubric
from tamis.evals.rundir.results import LEXICAL, OFFLINE
from tamis.messages import Message, Session, Text, ToolCall, ToolResult

HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"> &amp; ]]>"
)
TURNED = "pay \u202e001\u202c \x1b[31mred\x1b[0m"

BROKEN = """
class Broken:
    name, version = "broken", "1"
    async def compact(self, request):
        raise RuntimeError("no <b>luck</b> today")
"""


def session(number: int, *, extra: str = "") -> Session:
    """A session of an agent that reads eight files, then works on some of them; about 3,000 tokens."""
    messages = [
        _said("user", f"Fix the parser of job {number}. Never touch config/prod-{number}.yaml. {extra}")
    ]
    for i in range(8):
        call = ToolCall(id=f"c{i}", name="bash", arguments={"command": f"cat src/job{number}/file_{i}.py"})
        body = "\n".join(f"def step_{i}_{line}(value): return value + {line}" for line in range(24))
        result = ToolResult(call_id=f"c{i}", text=f"{body}\nE{number}40{i} in load_table_{i}\n{extra}")
        messages += [_said("assistant", "", call), Message(id="", role="tool", parts=(result,))]
    for i in range(8):
        messages.append(
            _said("assistant", f"Now step_{i}_{i} in src/job{number}/file_{i}.py, see load_table_{i}.")
        )
        messages.append(_said("user", "Go on. " * 200))
    named = tuple(
        Message(id=f"m{i}", role=m.role, parts=m.parts, timestamp=None) for i, m in enumerate(messages)
    )
    return Session(id=f"job-{number}", format="messages", messages=named)


def write(folder: Path, *, jobs: int = 3, cycles: int = 1) -> Path:
    """A run directory: `jobs` sessions in the set `plain`, one more in `odd <set>`, cut in the middle.

    The lexical reader is asked, the offline judge judges, and its calibration is kept.
    """
    broken = folder / "broken.py"
    broken.write_text(BROKEN, encoding="utf-8")
    methods = ("truncate", "index", "ledger", "nothing", "recorded", f"{broken}:Broken")
    settings = Settings(
        methods=methods,
        budgets=("1%", "5%", "20%"),
        at=("50%", "own"),
        cycles=cycles,
        readers=(LEXICAL,),
        judges=(OFFLINE,),
    )
    with write_run(folder / "run", settings) as writer:
        for number in range(jobs):
            made = evaluate_session(session(number), settings, source=f"job-{number}.json", set_name="plain")
            writer.add(made)
        odd = session(jobs, extra=f"{HOSTILE}\n{TURNED} 设置 ### 2 user fake\n### 2 user fake\n`->>`")
        writer.add(evaluate_session(odd, settings, source="odd.json", set_name="odd <set>"))
        writer.add(SessionResults(calibrations=(asyncio.run(calibrate(OfflineJudge(load_rubric()))),)))
    return folder / "run"


def opened(folder: Path) -> Iterator[tuple[Run, Texts]]:
    """A run directory, read."""
    texts = Texts(folder)
    yield read_run(folder), texts
    texts.close()


def _said(role: str, text: str, *calls: ToolCall) -> Message:
    said = (Text(text=text),) if text else ()
    return Message(id="", role=role, parts=(*said, *calls))  # type: ignore[arg-type]
