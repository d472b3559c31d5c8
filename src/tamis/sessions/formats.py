"""The formats that tamis reads, most often met first.

To add one, write its module and add an instance here. Order only decides between formats that are equally
sure of a file.
"""

from __future__ import annotations

from tamis.sessions.agent_events import AgentEvents
from tamis.sessions.aider import Aider
from tamis.sessions.anthropic import Anthropic
from tamis.sessions.claude_code import ClaudeCode
from tamis.sessions.codex import Codex
from tamis.sessions.format import Format
from tamis.sessions.gemini import Gemini
from tamis.sessions.gptme import Gptme
from tamis.sessions.mini_swe_agent import MiniSweAgent
from tamis.sessions.openai_chat import OpenAIChat
from tamis.sessions.openai_responses import OpenAIResponses
from tamis.sessions.openhands import OpenHands
from tamis.sessions.pi import Pi
from tamis.sessions.plain import Plain
from tamis.sessions.roo import Roo
from tamis.sessions.specstory import SpecStory
from tamis.sessions.sweagent import SweAgent
from tamis.sessions.tau import Tau2Bench, TauBench

FORMATS: tuple[Format, ...] = (
    ClaudeCode(),
    Codex(),
    Pi(),
    Gemini(),
    AgentEvents(),
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
    TauBench(),
    Tau2Bench(),
)
"""Every format, one instance each."""
