"""A proxy in front of a model's API that keeps an agent's requests within the window.

The agent's base URL is all that changes. A request passes through `app` (HTTP in), `rewriting` (what is sent
in its place), `forwarding` (HTTP out) and, where the model asks for what was taken out, `recalling`.
"""

from tamis.proxy.serving import serve
from tamis.proxy.settings import Mode, ProxySettings

__all__ = ["Mode", "ProxySettings", "serve"]
