"""Record the example sessions: small tasks, really done, each in the format of another agent.

    python examples/record.py FOLDER        # writes its sessions/ and long/; `examples` replaces ours

Every command in them ran, every file was written, every test failed or passed as it says. The words are ours.
Needs bash, git and pytest.
"""

from __future__ import annotations

import importlib.util
import lzma
import shutil
import sys
import tempfile
from pathlib import Path

import shapes
from desk import Desk
from stories import freight, logmerge, rota, till

STORIES = (
    (till, shapes.claude_code, "sessions/till.claude-code.jsonl"),
    (logmerge, shapes.openai_chat, "sessions/logmerge.openai-chat.json"),
    (rota, shapes.codex, "sessions/rota.codex.jsonl"),
    (freight, shapes.claude_code, "long/freight.claude-code.jsonl.xz"),
)


def main(target: Path) -> None:
    """Do every task and write what happened."""
    for story, shape, file_name in STORIES:
        with tempfile.TemporaryDirectory() as folder:
            desk = Desk(Path(folder), story.FOLDER)
            desk.prepare(story.FILES)
            story.tell(desk)
        path = target / file_name
        path.parent.mkdir(parents=True, exist_ok=True)
        name = path.name.partition(".")[0]
        recorded = shape(desk.log, story.FOLDER, f"example-{name}").encode()
        path.write_bytes(lzma.compress(recorded) if path.suffix == ".xz" else recorded)
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("Usage: python examples/record.py FOLDER")
    gone = [name for name in ("bash", "git") if shutil.which(name) is None]
    gone += [name for name in ("pytest",) if importlib.util.find_spec(name) is None]
    if gone:  # a story would go on, and record that it is missing
        sys.exit(f"nothing was recorded: {' and '.join(gone)} must be installed first")
    main(Path(sys.argv[1]))
