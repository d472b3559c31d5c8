"""Cases as files: the transcript as a session in the format of OpenAI chats, for other tools."""

from pathlib import Path

from tamis.bench.case import Case
from tamis.errors import InputError
from tamis.messages import Session
from tamis.sessions import write


def write_case(case: Case, folder: Path) -> Path:
    """Write the transcript into the folder; gives the file's path."""
    name = case.questions.case.replace(":", "_").replace("@", "-")
    path = folder / f"{name}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made ({error.strerror}); choose another place") from None
    write(Session(id=name, format="tamis", messages=case.messages), path, "openai-chat", force=True)
    return path
