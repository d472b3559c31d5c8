"""`ScriptedModel`: a model that says what it was told to say. For tests, yours too."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pydantic import BaseModel

from tamis.models.protocol import Prompt, Reply

ScriptedReply = str | BaseModel | Mapping[str, Any] | Exception | Callable[[Prompt], Any]
"""One line of the script: a text, a value to say as JSON, an error to raise, or what makes one of them of the
prompt."""


class ScriptedModel:
    """Gives the replies of a script in order, and keeps the prompts that it was given.

    >>> import asyncio
    >>> model = ScriptedModel(["first", {"port": 8080}])
    >>> [asyncio.run(model.ask(Prompt(instructions="", text="?"))).text for _ in range(2)]
    ['first', '{"port": 8080}']
    """

    def __init__(
        self, script: Iterable[ScriptedReply], *, name: str = "scripted", window_tokens: int | None = None
    ) -> None:
        self.name = name
        self.window_tokens = window_tokens
        self.prompts: list[Prompt] = []
        self._script = list(script)

    async def ask(self, prompt: Prompt, *, schema: type[BaseModel] | None = None) -> Reply:
        """The next line of the script.

        Raises:
            IndexError: more questions than lines: the fault of the test, not of a model.
        """
        del schema  # what was scripted is said, whatever was asked for
        at = len(self.prompts)
        self.prompts.append(prompt)
        if at >= len(self._script):
            raise IndexError(f"asked {at + 1} times; the script has {len(self._script)} replies")
        line = self._script[at]
        if callable(line):
            line = line(prompt)
        if isinstance(line, Exception):
            raise line
        text = line.model_dump_json() if isinstance(line, BaseModel) else line
        text = text if isinstance(text, str) else json.dumps(text)
        asked, said = f"{prompt.instructions} {prompt.text}".split(), text.split()
        return Reply(text=text, model=self.name, input_tokens=len(asked), output_tokens=len(said))
