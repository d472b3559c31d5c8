"""Record the example sessions: small tasks, really done, each in the format of another agent.

    python examples/record.py [FOLDER]        # examples/sessions unless told

Every command in them ran, every file was written, every test failed or passed as it says. The words are ours.
Needs bash, git and pytest.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import shapes
from desk import Desk
from stories import logmerge, rota, till

STORIES = (
    (till, shapes.claude_code, "till.claude-code.jsonl"),
    (logmerge, shapes.openai_chat, "logmerge.openai-chat.json"),
    (rota, shapes.codex, "rota.codex.jsonl"),
)


def main(target: Path) -> None:
    """Do every task and write what happened."""
    target.mkdir(parents=True, exist_ok=True)
    for story, shape, file_name in STORIES:
        with tempfile.TemporaryDirectory() as folder:
            desk = Desk(Path(folder), story.FOLDER)
            desk.prepare(story.FILES)
            story.tell(desk)
        name = file_name.partition(".")[0]
        (target / file_name).write_text(shape(desk.log, story.FOLDER, f"example-{name}"), encoding="utf-8")
        sys.stdout.write(f"{target / file_name}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "sessions")
