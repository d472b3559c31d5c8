"""A look at the sessions on this machine: what agents' own compactions lost, and what tokens went to."""

from tamis.audit.discovery import Discovery, StoredSession, Trouble, discover_sessions
from tamis.audit.scan import ScanResult, conduct
from tamis.audit.stores import STORES, Machine, Store
from tamis.audit.totals import AgentFigures, AuditFigures, add_up

__all__ = [
    "STORES",
    "AgentFigures",
    "AuditFigures",
    "Discovery",
    "Machine",
    "ScanResult",
    "Store",
    "StoredSession",
    "Trouble",
    "add_up",
    "conduct",
    "discover_sessions",
]
