"""Suites: a folder of template files, with word lists of its own.

A suite is named by the folder's path, or by the name of one that ships with the package. Word lists in
`words/*.yaml` below the folder are added to the package's own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from tamis.bench.case import Case, CaseQuestions, Spot, case_id, make_case, make_questions
from tamis.bench.filler import own_work
from tamis.bench.template import Template, read_template
from tamis.bench.word_lists import Words, own_words, read_words
from tamis.errors import InputError
from tamis.yaml_files import YamlDocument, read_documents


@dataclass(frozen=True, kw_only=True)
class Suite:
    """Templates under one name; `version` is theirs where they share one, else `mixed`."""

    key: str
    templates: tuple[Template, ...]
    words: Words

    @property
    def version(self) -> str:
        """The common version of the templates, or `mixed`."""
        versions = {template.version for template in self.templates}
        return versions.pop() if len(versions) == 1 else "mixed"

    @property
    def name(self) -> str:
        """Key and version, as seeds and boards name it."""
        return f"{self.key}@{self.version}"

    @property
    def families(self) -> tuple[str, ...]:
        """The families, in order."""
        return tuple(dict.fromkeys(template.family for template in self.templates))

    @property
    def digest(self) -> str:
        """A hash over all templates: two runs with the same one were asked the same."""
        whole = "\n".join(template.model_dump_json() for template in self.templates)
        return hashlib.sha256(whole.encode()).hexdigest()[:16]

    def narrowed(self, per_family: int) -> Suite:
        """The suite with the first so many templates of each family; raises InputError for fewer than one."""
        if per_family < 1:
            raise InputError(f"{per_family} templates of each family; give at least 1")
        taken = [[t for t in self.templates if t.family == f][:per_family] for f in self.families]
        return replace(self, templates=tuple(template for found in taken for template in found))

    def questions(self, spots: Sequence[Spot]) -> Iterator[CaseQuestions]:
        """What every case asks, without the transcripts."""
        for template in self.templates:
            for spot in spots:
                yield make_questions(template, self.name, spot, words=self.words)

    def cases(self, spots: Sequence[Spot], *, cycles: int, leave_out: Collection[str] = ()) -> Iterator[Case]:
        """Every template's case at every spot, but for those whose ids are to be left out."""
        for template in self.templates:
            for spot in spots:
                if case_id(template, spot) in leave_out:
                    continue
                yield make_case(template, self.name, spot, words=self.words, work=own_work(), cycles=cycles)


def own_suites() -> tuple[str, ...]:
    """The names of the suites that ship with the package."""
    folder = files("tamis.bench") / "suites"
    return tuple(sorted(entry.name for entry in folder.iterdir() if entry.is_dir()))


def load_suite(name: str) -> Suite:
    """The suite of this name or at this path.

    Raises:
        InputError: there is none, it is empty, two templates have one key, or a template is broken.
    """
    folder = Path(name)
    if name in own_suites():
        folder = Path(str(files("tamis.bench") / "suites" / name))
    elif not folder.is_dir():
        known = ", ".join(own_suites())
        raise InputError(f"no suite is called {name!r}; give one of {known}, or a folder of templates")
    words = read_words(sorted((folder / "words").glob("*.yaml")), own_words())
    documents = [d for path in sorted(folder.glob("*.yaml")) for d in read_documents(path)]
    if not documents:
        raise InputError(f"{folder}: no templates (*.yaml) in this folder; name one that has some")
    first: dict[str, YamlDocument] = {}
    templates = []
    for document in documents:
        template = read_template(document, words.lists)
        if template.key in first:
            there = first[template.key]
            raise document.error(
                ("template", "key"),
                f"{template.key!r} is the key of a template in {there.source} too; give each its own",
            )
        first[template.key] = document
        templates.append(template)
    return Suite(key=folder.resolve().name, templates=tuple(templates), words=words)
