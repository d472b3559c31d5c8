"""The three APIs: where the conversation stands in a request, and how a recall is seen and answered."""

from tamis.proxy.dialects.dialect import Dialect, RecallCall, Splicer, UnsupportedRequest
from tamis.proxy.dialects.known import DIALECTS, find_dialect

__all__ = ["DIALECTS", "Dialect", "RecallCall", "Splicer", "UnsupportedRequest", "find_dialect"]
