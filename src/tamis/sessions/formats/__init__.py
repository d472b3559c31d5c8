"""The formats that tamis reads, most often met first.

To add one, write its module and add an instance here. Order only decides between formats that are equally
sure of a file.
"""

from tamis.sessions.format import Format
from tamis.sessions.formats.agent_events import AgentEvents
from tamis.sessions.formats.aider.reader import Aider
from tamis.sessions.formats.anthropic.format import Anthropic
from tamis.sessions.formats.claude_code.format import ClaudeCode
from tamis.sessions.formats.codex import Codex
from tamis.sessions.formats.copilot import Copilot
from tamis.sessions.formats.gemini import Gemini
from tamis.sessions.formats.goose import Goose
from tamis.sessions.formats.gptme.reader import Gptme
from tamis.sessions.formats.group_chat import GroupChat
from tamis.sessions.formats.mini_swe_agent import MiniSweAgent
from tamis.sessions.formats.openai_chat.format import OpenAIChat
from tamis.sessions.formats.openai_responses.format import OpenAIResponses
from tamis.sessions.formats.opencode import OpenCode
from tamis.sessions.formats.openhands.reader import OpenHands
from tamis.sessions.formats.pi import Pi
from tamis.sessions.formats.plain import Plain
from tamis.sessions.formats.roo.reader import Roo
from tamis.sessions.formats.specstory.reader import SpecStory
from tamis.sessions.formats.sweagent import SweAgent
from tamis.sessions.formats.tagged_calls import TaggedCalls
from tamis.sessions.formats.tau import Tau2Bench, TauBench

FORMATS: tuple[Format, ...] = (
    ClaudeCode(),
    Codex(),
    Copilot(),
    OpenCode(),
    Pi(),
    Gemini(),
    Goose(),
    AgentEvents(),
    TaggedCalls(),
    OpenAIChat(),
    OpenAIResponses(),
    Anthropic(),
    SweAgent(),
    MiniSweAgent(),
    Roo(),
    SpecStory(),
    Aider(),
    Plain(),
    OpenHands(),
    Gptme(),
    GroupChat(),
    TauBench(),
    Tau2Bench(),
)
"""Every format, one instance each."""
