"""Asking a viewer that runs, as a browser would."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit


@dataclass(frozen=True)
class Served:
    """A viewer that runs."""

    url: str
    folders: tuple[Path, ...]

    def get(self, path: str, *, headers: Mapping[str, str] | None = None, **asked: object) -> tuple[int, Any]:
        """The status and what was said; JSON where it is some."""
        url = f"{self.url.rstrip('/')}/{path.lstrip('/')}" + (f"?{urlencode(asked)}" if asked else "")
        request = urllib.request.Request(url, headers=dict(headers or {}))
        try:
            with urllib.request.urlopen(request) as reply:
                return reply.status, self._read(reply)
        except urllib.error.HTTPError as error:
            return error.code, self._read(error)

    def listed(self, what: str, **query: object) -> Any:
        """A page of answers or contexts."""
        status, found = self.get(f"api/{what}", query=json.dumps(query))
        assert status == 200, found
        return found

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 0

    @staticmethod
    def _read(reply: Any) -> Any:
        body = reply.read().decode()
        return json.loads(body) if "json" in reply.headers["Content-Type"] else body


def arm(method: str, budget: str = "5%", *, run: int = 0, cycle: int = 1) -> dict[str, object]:
    """Whose answers are asked for."""
    return {"run": run, "method": method, "budget": budget, "cycle": cycle, "reader": "lexical"}
