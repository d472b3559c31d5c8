"""A proxy in front of a model's API that keeps an agent's requests within the window.

The agent's base URL is all that changes. A request passes through `app` (HTTP in), `rewriting` (what is sent
in its place), `forwarding` (HTTP out) and, where the model asks for what was taken out, `recalling`.
"""

from tamis.proxy.server import serve
from tamis.proxy.settings import ProxyMode, ProxySettings

__all__ = ["ProxyMode", "ProxySettings", "serve"]
