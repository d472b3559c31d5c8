"""A tool call as SpecStory renders it in Markdown: what it was given and what it gave back.

    <summary>Tool use: **Bash**</summary>
    Run the tests

    `pytest -q`

    ```text
    1 failed
    ```

Every agent that SpecStory follows has its own rendering, and they differ in order and labels, not in the
elements: lines with values in backticks, labelled values, and fenced blocks, of which the last is the output.
Old files fence with three backticks whatever is inside; newer ones with more than the content has.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tamis.sessions.loose import joined, parse_arguments
from tamis.text.cues.phrases import word_set

SHELL, READ, WRITE, SEARCH, TASK = "shell", "read", "write", "search", "task"

_SUMMARY = re.compile(r"(?:<summary>)?Tool use: \*\*(.+?)\*\*(.*?)(?:</summary>)?\s*")
_FENCE = re.compile(r"\A(.*?)(?<!`)(`{3,}+)([\w+#.-]*+)\s*")
_WHOLE = re.compile(r"\A\s*`(.+)`\s*")
_PARAMETER = re.compile(
    r" ?(path|pattern|include) `((?:(?! ?(?:path|pattern|include) `).)*?)`"
    r"(?=(?: (?:path|pattern|include) `)|\s*$)"
)
_ENTRY = re.compile(r"- ([A-Za-z_]\w*): `(.*)`\s*")
_LABELLED = re.compile(
    r"(Path|Directory|Query|Patterns?|Glob|URL|Lines|Results|Category|Type|Skill|Read file|Edit file"
    r"|(?:In|Ex)clude domains|Output mode)(?:: (?:`(.*)`|(\S.*))| `(.*)`)\s*"
)
_KEY_ALONE = re.compile(r"- ([A-Za-z_]\w*):\s*")
PATCHED = re.compile(r"\A\*\*(Add|Update|Modify|Delete): `(.+)`\*\*\s*")
_TODO = re.compile(r"- \[(.)\] +(?:(?:🔥|🌡️|❄️) +)?(.*)")
_OUTPUT_LABEL = re.compile(
    r"(?:\*\*)?(Output|Result|Error|Answer)(?: \((error)\))?:(?:\*\*)?\s*(.*)", re.DOTALL
)
_WRITTEN = re.compile(
    r"The file (?=\S)((?:(?!The file ).)+?) has been "
    r"|File created successfully at: (\S.*?)(?: \(file state|$)",
    re.MULTILINE,
)
_EXIT_CODE = re.compile(
    r"\A(?:(?:Error: )?Exit code:? (-?\d+)\b|(?:.*\n){0,4}?Process exited with code (-?\d+)\n"
    r"|(?s:.*)\[Process exited with code (-?\d+)\]\s*$)"
)
_REFUSED = ("The user doesn't want to proceed", "<tool_use_error>", "Error: Exit code")
_STATUS = {" ": "pending", "⚡": "in_progress", "X": "completed", "x": "completed"}
_KINDS = {
    SHELL: word_set("bash shell exec exec_command shell_command run_shell_command run_terminal_cmd"),
    READ: word_set("read read_file view webfetch"),
    WRITE: word_set("write edit multiedit write_file edit_file apply_patch create search_replace"),
    SEARCH: word_set("grep glob ls websearch grep_search file_search codebase_search"),
    TASK: word_set("todowrite update_plan write_todos todo_write"),
}
_FIELDS = {"path": "file_path", "read file": "file_path", "edit file": "file_path"}
_FIELDS |= {"directory": "workdir", "results": "num_results"}


@dataclass(frozen=True, kw_only=True, slots=True)
class RenderedCall:
    """A call and its result; `result` is None where the rendering shows none."""

    name: str
    arguments: dict[str, Any]
    result: str | None = None
    is_error: bool | None = None
    exit_code: int | None = None


def read_call(name: str, kind: str, lines: Sequence[str]) -> RenderedCall:
    """Read the lines of one call, the summary line first.

    Args:
        name: the tool, or empty where the summary line says it.
        kind: what sort of tool SpecStory says it is: `shell`, `read`, `write`, `search`, `task` or another.
        lines: all of it, without the tags around it.
    """
    reading = _Reading(name=name, kind=kind)
    rest = list(lines)
    if rest and (summary := _SUMMARY.fullmatch(rest[0])):
        reading.name = name or summary.group(1)
        del rest[0]
        kinds = (kind for kind, names in _KINDS.items() if reading.name.lower() in names)
        reading.kind = reading.kind or next(kinds, "generic")
        reading.headline(summary.group(2))
    at = 0
    while at < len(rest):
        at = reading.take(rest, at)
    return reading.finish()


@dataclass(slots=True)
class _Reading:
    name: str
    kind: str
    arguments: dict[str, Any] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    patches: list[tuple[str, str, str]] = field(default_factory=list)
    todos: list[tuple[str, str]] = field(default_factory=list)
    output: list[str] = field(default_factory=list)
    has_output: bool = False
    failed: bool = False
    key: str = ""

    def headline(self, text: str) -> None:
        text = text.strip().removeprefix("•").strip()
        if whole := _WHOLE.fullmatch(text):
            self._main(whole.group(1).replace("` in `", " in "))
        elif text:
            self._line(text)

    def take(self, lines: Sequence[str], at: int) -> int:
        """Read from line `at` on; the next line to read."""
        line = lines[at]
        fence = _FENCE.fullmatch(line)
        if fence and (not fence.group(1).strip() or fence.group(1).rstrip().endswith(":")):
            return self._fenced(lines, at, fence)
        label = _OUTPUT_LABEL.fullmatch(line)
        if label or self.has_output:
            self.has_output = True
            if label:
                self.failed |= bool(label.group(2)) or label.group(1) == "Error"
            text = label.group(3) if label else line
            self.output += [text] if text or self.output else []
        elif key := _KEY_ALONE.fullmatch(line):
            self.key = key.group(1)
        elif line.strip():
            self._line(line)
        return at + 1

    def _line(self, line: str) -> None:
        parameters = list(_PARAMETER.finditer(line))
        if parameters and parameters[0].start() == 0:
            self.arguments |= {found.group(1): found.group(2) for found in parameters}
        elif whole := _WHOLE.fullmatch(line):
            self._main(whole.group(1))
        elif patched := PATCHED.fullmatch(line):
            self.patches.append((patched.group(1), patched.group(2), ""))
        elif todo := _TODO.fullmatch(line):
            self.todos.append((_STATUS.get(todo.group(1), "pending"), todo.group(2)))
        elif entry := _ENTRY.fullmatch(line):
            self._set(entry.group(1), entry.group(2))
        elif labelled := _LABELLED.fullmatch(line):
            label = labelled[1].lower()
            key = _FIELDS.get(label, label.replace(" ", "_"))
            key = "path" if label == "path" and self.kind == SEARCH else key
            self._set(key, next(filter(None, labelled.groups()[1:]), ""))
        elif line.strip() not in ("**Input:**", "**Agent task list:**", "Todo List:"):
            self.said.append(line.strip())

    def _main(self, value: str) -> None:
        """The one value that a tool of this kind is about."""
        if self.kind == SHELL:
            key = "command"
        elif re.match(r"https?://", value):
            key = "url"
        elif self.kind in (READ, WRITE):
            key = "file_path"
        else:
            key = "query" if "web" in self.name.lower() else "pattern" if self.kind == SEARCH else "input"
        self._set(key, value)

    def _set(self, key: str, value: Any) -> None:
        while key in self.arguments:
            key += "_"
        self.arguments[key] = value

    def _fenced(self, lines: Sequence[str], at: int, fence: re.Match[str]) -> int:
        label, ticks, info = fence.group(1).strip(), fence.group(2), fence.group(3)
        # Outputs are fenced as text or as nothing; what a tool reads or finds, as what it is.
        is_output = self.has_output or info in ("", "text") or self.kind in (READ, SEARCH)
        is_input = bool(self.key) or label.startswith("Input") or not is_output
        end = _fence_end(lines, at, ticks, last=not is_input)
        content = "\n".join(lines[at + 1 : end])
        if not is_input:
            self.output += ["", content] if self.has_output and self.output else [content]
            self.has_output = True
        elif self.key:
            self._set(self.key, content)
            self.key = ""
        elif info == "diff" and self.patches:
            verb, path, _ = self.patches[-1]
            self.patches[-1] = (verb, path, content)
        elif info == "json" and (parsed := _json_object(content)) is not None:
            self.arguments |= parsed
        else:
            written = "diff" if info == "diff" else "content"
            self._set({SHELL: "command", WRITE: written}.get(self.kind, "input"), content)
        return end + 1

    def finish(self) -> RenderedCall:
        arguments = self.arguments
        if self.said and not self.has_output and self.kind in (READ, SEARCH) and arguments:
            self.output, self.has_output = self.said, True  # Gemini's lists are not fenced
        elif self.said:
            self._set("description", "\n".join(self.said))
        if self.patches:
            self._set("input", _patch(self.patches))
        if self.todos and self.name == "update_plan":
            self._set("plan", [{"step": text, "status": status} for status, text in self.todos])
        elif self.todos:
            self._set("todos", [{"content": text, "status": status} for status, text in self.todos])
        result = "\n".join(self.output) if self.has_output else None
        # Claude Code's edits are rendered without their path; the tool itself reports it.
        unnamed = self.kind == WRITE and "file_path" not in arguments and not self.patches
        if unnamed and (written := _WRITTEN.search(result or "")):
            arguments = {"file_path": written.group(1) or written.group(2), **arguments}
        code = _EXIT_CODE.match(result) if result and self.kind == SHELL else None
        return RenderedCall(
            name=self.name,
            arguments=arguments,
            result=result,
            is_error=self.failed or (result or "").startswith(_REFUSED) or None,
            exit_code=int(next(filter(None, code.groups()))) if code else None,
        )


def _fence_end(lines: Sequence[str], at: int, ticks: str, *, last: bool) -> int:
    """The line that closes the fence opened at `at`.

    More than three backticks are exact. Three may have others inside: an output goes on to the last closing
    line there is; anything else to the first that is followed by a new element or by nothing.
    """
    fences = (n for n in range(at + 1, len(lines)) if lines[n].startswith(ticks))
    closing = [n for n in fences if not lines[n].strip("` \t")]
    if not closing:
        return len(lines)
    if len(ticks) > 3:
        return closing[0]
    if last:
        return closing[-1]
    for number in closing:
        behind = next((line for line in lines[number + 1 :][:3] if line.strip()), "")
        if not behind or _FENCE.fullmatch(behind) or _OUTPUT_LABEL.match(behind) or PATCHED.match(behind):
            return number
    return closing[-1]


def _patch(sections: Sequence[tuple[str, str, str]]) -> str:
    lines = ["*** Begin Patch"]
    for verb, path, content in sections:
        lines += [f"*** {'Update' if verb == 'Modify' else verb} File: {path}", content]
    return joined([*lines, "*** End Patch"])


def _json_object(text: str) -> dict[str, Any] | None:
    plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&#96;", "`").replace("&amp;", "&")
    read = (parse_arguments(candidate) for candidate in (text, plain))
    return next((parsed for parsed, other in read if other is None), None)
