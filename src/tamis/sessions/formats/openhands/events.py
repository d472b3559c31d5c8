"""The event stream of OpenHands: actions and the observations that they caused.

Two generations are read. Up to 1.0 an event has `action` and `args`, or `observation`, `content` and
`extras`, and an observation names its action in `cause`. The software-agent SDK writes `ActionEvent`,
`ObservationEvent`, `MessageEvent` ... under `kind`, linked by `tool_call_id` and `action_id`.

Calls of one model response become one message, although their observations stand between them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tamis.messages import Media, Origin, Part, Role, Text, Thinking, ToolCall, ToolResult
from tamis.sessions.builder import SessionBuilder
from tamis.sessions.formats.openai_chat.reader import read_parts
from tamis.sessions.loose import as_dict, as_list, as_text, content_text, first_text, parse_arguments
from tamis.sessions.media import media_at

_ASIDE = frozenset({"thought", "content", "image_urls", "file_urls", "wait_for_response"})
_SAID = frozenset({"message", "finish", "reject", "summarize"})
_SILENT = frozenset({"null", "recall", "change_agent_state", "start", "stop", "pause", "resume"})
_SILENT |= {"condensation_request"}
_REFUSED = frozenset({"error", "user_rejected"})


def is_event(item: Mapping[str, Any]) -> bool:
    """Whether an object is an event of either generation."""
    acts = "action" in item and isinstance(item.get("args"), dict)
    observes = "observation" in item and bool({"extras", "cause", "source"} & item.keys())
    return acts or observes or bool(as_text(item.get("kind")) and {"source", "timestamp"} <= item.keys())


@dataclass(slots=True)
class EventReading:
    """What the events read so far came to. `beside` are events that say nothing in the conversation."""

    builder: SessionBuilder
    beside: list[dict[str, Any]] = field(default_factory=list)
    _responses: dict[str, int] = field(default_factory=dict)
    _calls: dict[str, ToolCall] = field(default_factory=dict)
    _open: dict[str, ToolCall] = field(default_factory=dict)

    def take(self, number: int, event: dict[str, Any]) -> None:
        """One event; `number` is its line or position."""
        if "action" in event and isinstance(event.get("args"), dict):
            self._action(event, event["args"])
        elif "observation" in event and not event.get("kind"):
            self._observation(event, as_dict(event.get("extras")))
        elif isinstance(event.get("kind"), str):
            self._sdk(event, event["kind"])
        else:
            self.builder.miss(number, f"no event: keys {', '.join(list(event)[:5])}")

    def _add(
        self, event: Mapping[str, Any], role: Role, parts: Sequence[Part], origin: Origin = "conversation"
    ) -> None:
        if not parts:
            self.beside.append(dict(event))
        when = as_text(event.get("timestamp")) or None
        self.builder.add(role, parts, id=_event_id(event), origin=origin, timestamp=when)

    # Up to 1.0

    def _action(self, event: dict[str, Any], args: dict[str, Any]) -> None:
        name = as_text(event["action"])
        by_user = event.get("source") == "user"
        if name == "system":
            self._offered(args)
            self._add(event, "system", _texts(args.get("content")))
        elif name == "condensation":
            self._condensed(event, as_text(args.get("summary")))
        elif name in _SILENT:
            self.beside.append(event)
        elif name in _SAID:
            said = [args.get("content"), _thought(args), args.get("final_thought"), args.get("summary")]
            said.append(as_dict(args.get("outputs")).get("content"))
            texts = _texts(*dict.fromkeys(map(as_text, said)))
            parts = [*_reasoning(args), *texts, *_images(args.get("image_urls"))]
            self._add(event, "user" if by_user else "assistant", parts)
        elif by_user:
            call = _plain_call(event, args)
            self._add(event, "user", [call])
            self._remember(event, call)
        else:
            self._agent_call(event, args)

    def _agent_call(self, event: dict[str, Any], args: dict[str, Any]) -> None:
        metadata = as_dict(event.get("tool_call_metadata"))
        response = as_dict(metadata.get("model_response"))
        choices = as_list(response.get("choices"))
        sent = as_dict(as_dict(choices[0]).get("message")) if choices else {}
        self.builder.model = as_text(response.get("model")) or self.builder.model
        call_id = as_text(metadata.get("tool_call_id"))
        answer = _parts_of(sent)
        call = next((part for part in answer if isinstance(part, ToolCall) and part.id == call_id), None)
        if call is None:
            call = _plain_call(event, args)
            call = replace(call, id=call_id or call.id)
        said: list[Part] = [part for part in answer if not isinstance(part, ToolCall)]
        said = said or [*_reasoning(args), *_texts(_thought(args))]
        self._call(event, call, said, as_text(response.get("id")))

    def _observation(self, event: dict[str, Any], extras: dict[str, Any]) -> None:
        kind = as_text(event["observation"])
        metadata = as_dict(extras.get("metadata"))
        around = as_text(metadata.get("prefix")), as_text(metadata.get("suffix"))
        text = around[0] + as_text(event.get("content")) + around[1]
        call_id = as_text(as_dict(event.get("tool_call_metadata")).get("tool_call_id"))
        call = self._answered(call_id, event.get("cause"))
        if call is None:
            if kind == "condense":
                self._condensed(event, text)
            elif kind == "recall":
                self._add(event, "user", _texts(*_recalled(extras)), "meta")
            else:
                self._add(event, "user", _texts(text) if kind not in _SILENT else [], "meta")
            return
        result = _result(call, text, {**extras, **metadata}, failed=kind in _REFUSED)
        media = tuple(_images([*as_list(extras.get("image_urls")), extras.get("screenshot")]))
        self._answer(event, replace(result, media=media, details=extras or None), metadata)

    # The software-agent SDK

    def _sdk(self, event: dict[str, Any], kind: str) -> None:
        if kind == "SystemPromptEvent":
            self._offered(event)
            prompts = [as_dict(event.get(key)).get("text") for key in ("system_prompt", "dynamic_context")]
            self._add(event, "system", _texts(*prompts))
        elif kind == "MessageEvent":
            role: Role = "user" if event.get("source") == "user" else "assistant"
            parts = _parts_of({"role": role, **as_dict(event.get("llm_message"))})
            self._add(event, role, [*parts, *_texts(content_text(event.get("extended_content")))])
        elif kind == "ActionEvent":
            self._sdk_call(event)
        elif kind in ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation"):
            self._sdk_result(event)
        elif kind in ("Condensation", "CondensationSummaryEvent"):
            self._condensed(event, as_text(event.get("summary")))
        else:
            self.beside.append(event)

    def _sdk_call(self, event: dict[str, Any]) -> None:
        sent = as_dict(event.get("tool_call"))
        function = as_dict(sent.get("function")) or sent
        action = {key: value for key, value in as_dict(event.get("action")).items() if key != "kind"}
        arguments, raw = parse_arguments(function["arguments"]) if "arguments" in function else (action, None)
        call = ToolCall(
            id=as_text(event.get("tool_call_id")) or as_text(sent.get("id")) or f"event-{_event_id(event)}",
            name=as_text(event.get("tool_name")) or as_text(function.get("name")),
            arguments=arguments,
            raw_arguments=raw,
        )
        reasoning = {key: event[key] for key in ("reasoning_content", "thinking_blocks") if event.get(key)}
        said = [*_parts_of({"role": "assistant", **reasoning}), *_texts(content_text(event.get("thought")))]
        self._call(event, call, said, as_text(event.get("llm_response_id")))

    def _sdk_result(self, event: dict[str, Any]) -> None:
        seen = as_dict(event.get("observation"))
        said = _parts_of({"role": "user", "content": seen.get("content") or seen.get("output")})
        texts = [part.text for part in said if isinstance(part, Text)]
        texts += [as_text(event.get(key)) for key in ("error", "rejection_reason") if event.get(key)]
        failed = seen.get("is_error") is True or event["kind"] != "ObservationEvent"
        call = self._answered(as_text(event.get("tool_call_id")), event.get("action_id"))
        if call is None:
            self._add(event, "user", _texts(*texts), "meta")
            return
        metadata = as_dict(seen.get("metadata"))
        result = _result(call, "\n".join(texts), {**metadata, **seen}, failed=failed)
        media = tuple(part for part in said if isinstance(part, Media))
        self._answer(event, replace(result, media=media, details=seen or None), metadata)

    # Both

    def _call(self, event: Mapping[str, Any], call: ToolCall, said: Sequence[Part], response: str) -> None:
        """A call of the model, in one message with the calls before it that came in the same response."""
        messages = self.builder.messages
        at = self._responses.get(response) if response else None
        if at is None:
            self._responses[response] = len(messages)
            self._add(event, "assistant", [*said, call])
        else:
            messages[at] = messages[at].with_parts([*messages[at].parts, call])
        self._remember(event, call)

    def _remember(self, event: Mapping[str, Any], call: ToolCall) -> None:
        self._calls[_event_id(event)] = call
        self._open[call.id] = call

    def _answered(self, call_id: str, cause: object) -> ToolCall | None:
        """The call that an observation answers, unless it has been answered before."""
        known = self._calls.get(str(cause)) if cause is not None else None
        return self._open.pop(call_id, None) or (self._open.pop(known.id, None) if known else None)

    def _answer(self, event: Mapping[str, Any], result: ToolResult, metadata: dict[str, Any]) -> None:
        cwd = first_text(metadata, "working_dir")
        self.builder.first_cwd = self.builder.first_cwd or cwd
        self._add(event, "tool", [result])
        self.builder.messages[-1] = replace(self.builder.messages[-1], cwd=cwd)

    def _offered(self, prompt: Mapping[str, Any]) -> None:
        self.builder.tools = [*self.builder.tools, *map(as_dict, as_list(prompt.get("tools")))]

    def _condensed(self, event: Mapping[str, Any], summary: str) -> None:
        self.builder.cut("condensation")
        self._add(event, "user", _texts(summary), "summary")


def _result(call: ToolCall, text: str, told: Mapping[str, Any], *, failed: bool) -> ToolResult:
    """The answer to a call; a negative exit code says that there is none yet."""
    code = told.get("exit_code")
    code = code if isinstance(code, int) and code >= 0 else None
    return ToolResult(call_id=call.id, text=text, name=call.name, is_error=failed or None, exit_code=code)


def _event_id(event: Mapping[str, Any]) -> str:
    return str(event["id"]) if event.get("id") is not None else ""


def _texts(*said: object) -> list[Part]:
    return [Text(text=text) for text in said if isinstance(text, str) and text]


def _images(urls: object) -> list[Media]:
    return [media_at(url, "image") for url in as_list(urls) if isinstance(url, str) and url]


def _thought(args: Mapping[str, Any]) -> str:
    thought = args.get("thought")
    return as_text(thought) or as_text(as_dict(thought).get("text"))


def _reasoning(args: Mapping[str, Any]) -> list[Part]:
    text = as_text(as_dict(args.get("thought")).get("reasoning_content"))
    return [Thinking(text=text)] if text else []


def _plain_call(event: Mapping[str, Any], args: Mapping[str, Any]) -> ToolCall:
    """A call from the action itself: its name, and the arguments that say something."""
    said = _ASIDE - {"content"} if event["action"] in ("write", "edit") else _ASIDE
    given = {key: value for key, value in args.items() if key not in said and value not in (None, "")}
    return ToolCall(id=f"event-{_event_id(event)}", name=as_text(event["action"]), arguments=given)


def _parts_of(message: Mapping[str, Any]) -> list[Part]:
    """The parts of a chat message that an event carries, without its records: they are no request's."""
    parts = read_parts(message, lambda n, name: f"{name}-{n}") if message.get("role") else ()
    return [replace(part, native=None) for part in parts]


def _recalled(extras: Mapping[str, Any]) -> list[str]:
    """What the harness put in front of the model: instructions of the repository, knowledge by keyword."""
    keys = ("repo_instructions", "additional_agent_instructions", "conversation_instructions")
    knowledge = map(as_dict, as_list(extras.get("microagent_knowledge")))
    said = [*map(extras.get, keys), *(item.get("content") for item in knowledge)]
    return [text for text in map(as_text, said) if text]
