"""The subject of a question and the kind of its answer, told by the wording alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from tamis.evals.probing.item_match import find_quantities
from tamis.evals.probing.passage_index import Passage, terms_in
from tamis.text.file_types import FILE_EXTENSIONS
from tamis.text.names import names_in

_QUOTED = re.compile(r'"([^"]+)"|`([^`]+)`')
_FILE = re.compile(r"(?<![\w./\\-])[\w./\\-]*\w\.[A-Za-z]\w{0,9}\b|(?<!\w)\w++/[\w./-]*\w")
_COMMAND = re.compile(r'`[^`]+`|\{"')
_KINDS: Mapping[str, re.Pattern[str]] = {
    "path": re.compile(r"\b(?:which|what|in what) (?:\w+ ){0,2}files?\b|哪[个些]?文件", re.IGNORECASE),
    "command": re.compile(r"\bcommands?\b|\barguments\b|\bhow were\b|命令", re.IGNORECASE),
    "number": re.compile(
        r"\bhow (?:many|much|long)\b|\bversion\b|\bport\b|\bamount\b|多少|版本|端口", re.IGNORECASE
    ),
}

_SCAFFOLDING = frozenset(
    terms_in("""
        which what where who why how whose whole full new newly latest last line value version file files
        function functions class classes section sections command arguments argument error message rule
        instruction choice reason role mention mentions mentioned speak speaks say said come came give given
        name named names stand stands concern concerns regard laid down decided decide decision rest rests
        ran run called call raised raise occur define defines written wrote edited edit changed change use
        used tell
    """)
)
"""Words that a question is made of, whatever it asks about: they rank passages, but need not stand in one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionAnalysis:
    """A question, taken apart.

    `names` must stand in the context, or nobody can answer. `about` are the terms of what is quoted and named
    in the question, of all its telling words where nothing is. `kind` is what the answer holds, if it shows.
    """

    question: str
    names: frozenset[str]
    about: frozenset[str]
    kind: str | None

    @classmethod
    @lru_cache(maxsize=4096)  # one question is put to the contexts of many methods
    def read(cls, question: str) -> QuestionAnalysis:
        """Take a question apart.

        >>> asked = QuestionAnalysis.read("In which file was load_table changed?")
        >>> sorted(asked.names), asked.kind
        (['load_table'], 'path')
        """
        quoted = [match[1] or match[2] for match in _QUOTED.finditer(question)]
        found = names_in(_QUOTED.sub(" ", question))
        names = frozenset(n.text.rpartition("/")[2] or n.text if n.kind == "path" else n.text for n in found)
        about = frozenset(terms_in(" ".join([*quoted, *names])))
        if not about:
            every = frozenset(terms_in(question))
            about = every - _SCAFFOLDING or every
        kind = next((kind for kind, shows in _KINDS.items() if shows.search(question)), None)
        return cls(question=question, names=names, about=about, kind=kind)

    def may_answer(self, passage: Passage) -> bool:
        """Whether the passage or its heading holds a thing of the kind that is asked for."""
        return self.kind is not None and (self._has_answer(passage.text) or self._has_answer(passage.heading))

    def quote(self, passage: Passage) -> str:
        """What is said; behind its heading where only that holds a thing of the kind that is asked for."""
        if self.kind is None or self._has_answer(passage.text) or not self._has_answer(passage.heading):
            return passage.text
        return f"{passage.heading}\n{passage.text}"

    def _has_answer(self, text: str) -> bool:
        if self.kind == "number":
            return any(True for _ in find_quantities(text))
        if self.kind == "command":
            return bool(_COMMAND.search(text))
        return any(
            found not in self.question and ("/" in found or found.rpartition(".")[2] in FILE_EXTENSIONS)
            for found in _FILE.findall(text)
        )
