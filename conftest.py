"""The examples in README.md and docs/ are tests: each fenced Python block runs, one page in one namespace."""

import pytest
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

pytest_collect_file = Sybil(
    parsers=[SkipParser(), PythonCodeBlockParser()],
    patterns=["README.md", "docs/*.md", "docs/**/*.md"],
).pytest()


class PageScheduling(LoadScopeScheduling):
    """Test by test, but all examples of a page in one process: they go on from one another."""

    def _split_scope(self, nodeid: str) -> str:
        page, separator, _ = nodeid.partition(".md::")
        return page if separator else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> PageScheduling:
    """Several processes share the tests."""
    return PageScheduling(config, log)
