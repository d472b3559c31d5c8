"""The prompts: files in a package, each with a version.

A file has a line `version: N`, then the instructions and the text, each under a line of its own. `$name`
marks what is filled in; what is filled in is never looked at for marks.
"""

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from string import Template

from tamis.models import Prompt

INSTRUCTIONS = "=== instructions ===\n"
TEXT = "=== text ===\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class PromptFile:
    """A prompt as it stands in its file."""

    name: str
    version: str
    instructions: Template
    text: Template

    def fill(self, *, max_output_tokens: int | None = None, **values: str) -> Prompt:
        """The prompt with its marks filled in; a mark without a value is a bug and a KeyError."""
        return Prompt(
            instructions=self.instructions.substitute(values),
            text=self.text.substitute(values),
            max_output_tokens=max_output_tokens,
        )

    @property
    def words(self) -> str:
        """All that it says itself, its marks not filled in."""
        return f"{self.instructions.template}\n{self.text.template}"


@lru_cache
def load_prompt(name: str, package: str = "tamis.compactors") -> PromptFile:
    """The prompt `prompts/NAME.txt` of a package.

    >>> load_prompt("hybrid").version
    '1'
    """
    content = (files(package) / "prompts" / f"{name}.txt").read_text(encoding="utf-8")
    head, _, rest = content.partition(INSTRUCTIONS)
    instructions, _, text = rest.partition(TEXT)
    return PromptFile(
        name=name,
        version=head.removeprefix("version:").strip(),
        instructions=Template(instructions.strip()),
        text=Template(text.strip()),
    )
