"""A look at the sessions on this machine: what agents' own compactions lost, and what tokens went to."""

from tamis.audit.conducting import Audited, conduct
from tamis.audit.figures import AgentFigures, AuditFigures, add_up
from tamis.audit.finding import Found, Stored, Trouble, find_stored
from tamis.audit.stores import STORES, Machine, Store

__all__ = [
    "STORES",
    "AgentFigures",
    "AuditFigures",
    "Audited",
    "Found",
    "Machine",
    "Store",
    "Stored",
    "Trouble",
    "add_up",
    "conduct",
    "find_stored",
]
