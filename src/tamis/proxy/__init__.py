"""A proxy in front of a model's API that keeps an agent's requests within the window.

The agent's base URL is all that changes. A request passes through `handler` (HTTP in), `rewriter` (what is
sent in its place), `upstream` (HTTP out) and, where the model asks for what was taken out, `recall_rounds`.
"""

from tamis.proxy.server import serve
from tamis.proxy.settings import ProxyMode, ProxySettings

__all__ = ["ProxyMode", "ProxySettings", "serve"]
