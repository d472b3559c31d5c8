"""Reading shell scripts with a real parser: which simple commands would run, with which words, where.

`parse_script` walks a bash syntax tree as a shell would, as far as that can be known without running it: it
follows `cd`, expands variables that the script itself sets, braces and `for` loops over written-out lists,
enters subshells and functions, and takes here-documents in. What it cannot know it marks as uncertain.
Scripts that are not quite bash are read as far as they can be.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

from tree_sitter import Node

from tamis.ledger.files.paths import resolve
from tamis.ledger.shell.bash_tree import node_text, parse_bash
from tamis.ledger.shell.heredocs import lift_heredocs
from tamis.ledger.shell.script import Redirect, Script, SimpleCommand
from tamis.ledger.shell.word_expansion import Word, expand

__all__ = ["Redirect", "Script", "SimpleCommand", "parse_script"]

MAX_SCRIPT_CHARS = 100_000
"""Longer scripts are data, not commands; they are not read."""

MAX_COMMANDS = 2_000
"""No script that an agent writes runs more; loops could."""

MAX_DEPTH = 8
"""How deep functions may call each other."""


@lru_cache(maxsize=512)
def parse_script(text: str, cwd: str | None = None) -> Script:
    """Read a script that starts in `cwd`.

    >>> script = parse_script("cd src && F=a.py; sed -i s/x/y/ $F > log", "/repo")
    >>> [[word.text for word in command.argv] for command in script.commands]
    [['sed', '-i', 's/x/y/', 'a.py']]
    >>> script.commands[0].cwd, script.commands[0].redirects[0].target.text
    ('/repo/src', 'log')
    """
    if len(text) > MAX_SCRIPT_CHARS:
        return Script(commands=(), cwd=cwd)
    source, heredocs = lift_heredocs(text)
    walk = _Walk(heredocs)
    scope = _Scope(cwd=cwd)
    try:
        walk.statement(parse_bash(source), scope)
    except RecursionError:  # nested beyond anything that is meant to run: what was read so far is kept
        walk.tail = False
    if walk.commands and walk.tail:
        walk.commands[-1] = replace(walk.commands[-1], last=True)
    return Script(commands=tuple(walk.commands), cwd=scope.cwd)


@dataclass(kw_only=True, slots=True)
class _Scope:
    """What a shell process knows; a subshell gets a copy."""

    cwd: str | None
    variables: dict[str, Word] = field(default_factory=dict)
    functions: dict[str, Node] = field(default_factory=dict)
    folders: list[str | None] = field(default_factory=list)
    certain: bool = True
    depth: int = 0

    def fork(self) -> _Scope:
        return replace(
            self,
            variables=dict(self.variables),
            functions=dict(self.functions),
            folders=list(self.folders),
        )


class _Walk:
    """Runs over the tree and collects commands. `tail`: the last command hands its status to the script."""

    def __init__(self, heredocs: dict[str, str]) -> None:
        self.commands: list[SimpleCommand] = []
        self.tail = False
        self._heredocs = heredocs

    def statement(self, node: Node, scope: _Scope) -> None:
        if len(self.commands) >= MAX_COMMANDS:
            return
        match node.type:
            case "command":
                self._command(node, scope, ())
            case "redirected_statement":
                self._redirected(node, scope)
            case "list":
                self._list(node, scope)
            case "pipeline":
                self._pipeline(node, scope)
            case "subshell" | "command_substitution" | "process_substitution":
                self._block(node, scope.fork())
            case "if_statement" | "while_statement" | "case_statement":
                self._branches(node, scope)
            case "for_statement":
                self._for(node, scope)
            case "function_definition":
                name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
                if name is not None and body is not None:
                    scope.functions[node_text(name)] = body
            case "variable_assignment":
                self._assign(node, scope)
            case "variable_assignments" | "declaration_command":
                for child in node.named_children:
                    self.statement(child, scope)
            case "negated_command":
                self._block(node, scope)
                self.tail = False
            case "ERROR":
                for child in node.named_children:
                    self._unsure(child, scope)
            case "program" | "compound_statement" | "do_group" | "else_clause" | "elif_clause" | "case_item":
                self._block(node, scope)
            case _:
                self._substitutions(node, scope)

    def _block(self, node: Node, scope: _Scope) -> None:
        for child in node.named_children:
            self.statement(child, scope)

    def _unsure(self, node: Node, scope: _Scope) -> None:
        """A statement that may not run."""
        before, scope.certain = scope.certain, False
        self.statement(node, scope)
        scope.certain = before

    def _list(self, node: Node, scope: _Scope) -> None:
        """`a && b || c`: the parser nests to the left, which is undone here as chains may be long."""
        chain: list[tuple[str, Node]] = []
        while node.type == "list":
            operator = next((child.type for child in node.children if child.type in ("&&", "||")), "")
            chain.append((operator, node.named_children[-1]))
            node = node.named_children[0]
        self.statement(node, scope)
        for operator, right in reversed(chain):
            if operator != "||":
                self.statement(right, scope)
                continue
            folder = scope.cwd
            self._unsure(right, scope)
            scope.cwd = folder
            self.tail = False

    def _branches(self, node: Node, scope: _Scope) -> None:
        """Conditions run for sure, what depends on them may not."""
        conditions = [
            node.child(i) for i in range(node.child_count) if node.field_name_for_child(i) == "condition"
        ]
        for child in node.named_children:
            if child in conditions:
                self.statement(child, scope)
            else:
                self._unsure(child, scope)
        self.tail = False

    def _for(self, node: Node, scope: _Scope) -> None:
        name, body = node.child_by_field_name("variable"), node.child_by_field_name("body")
        if name is None or body is None:
            return
        values = [node.child(i) for i in range(node.child_count) if node.field_name_for_child(i) == "value"]
        words = [word for value in values if value is not None for word in self._expand(value, scope)]
        for word in words or [Word(text="$" + node_text(name), certain=False)]:
            scope.variables[node_text(name)] = word
            self.statement(body, scope)
        self.tail = False

    def _assign(self, node: Node, scope: _Scope) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None:
            return
        words = self._expand(value, scope) if value is not None else []
        scope.variables[node_text(name)] = words[0] if len(words) == 1 else Word(text="", certain=not words)

    def _redirected(self, node: Node, scope: _Scope) -> None:
        body = node.child_by_field_name("body")
        redirects = tuple(child for child in node.children if child.type.endswith("_redirect"))
        if body is not None and body.type == "command":
            self._command(body, scope, redirects)
            return
        before = len(self.commands)
        if body is not None:
            self.statement(body, scope)
        several = body is not None and body.type in ("pipeline", "list", "negated_command")
        if several and len(self.commands) > before:
            files, stdin, more = self._redirects(redirects, scope)
            owner = self.commands[-1]
            self.commands[-1] = replace(
                owner, argv=owner.argv + more, redirects=owner.redirects + files, stdin=stdin or owner.stdin
            )
            return
        self._emit((), redirects, scope)

    def _pipeline(self, node: Node, scope: _Scope) -> None:
        """Every part runs in a process of its own; a text that is only passed on is known further down."""
        piped: str | None = None
        for child in node.named_children:
            before = len(self.commands)
            self.statement(child, scope.fork())
            if len(self.commands) > before:
                reader = self.commands[before] = replace(
                    self.commands[before], fed=child != node.named_child(0)
                )
                if piped is not None and reader.stdin is None:
                    self.commands[before] = replace(reader, stdin=piped)
                piped = _printed(self.commands[-1])
        self.tail = False

    def _command(self, node: Node, scope: _Scope, redirects: tuple[Node, ...]) -> None:
        inner = scope
        words: list[Word] = []
        assigned: tuple[str, ...] = ()
        for child in node.children:
            if child.type.endswith("_redirect"):
                redirects += (child,)
            elif child.type == "variable_assignment":
                inner = scope.fork() if inner is scope else inner
                self._assign(child, inner)
                assigned += (node_text(child),)
            elif child.is_named:
                words += self._expand(child, scope)
        if not words:
            self._emit((), redirects, scope)
            return
        if self._move(words, scope) or self._call(words, scope):
            self.tail = True
            return
        before = len(self.commands)
        self._emit(tuple(words), redirects, scope)
        if assigned:
            self.commands[before:] = [replace(c, assigned=assigned) for c in self.commands[before:]]

    def _call(self, words: list[Word], scope: _Scope) -> bool:
        body = scope.functions.get(words[0].text)
        if body is None or scope.depth >= MAX_DEPTH:
            return False
        for i, word in enumerate(words[1:], start=1):
            scope.variables[str(i)] = word
        scope.depth += 1
        self.statement(body, scope)
        scope.depth -= 1
        return True

    def _move(self, words: list[Word], scope: _Scope) -> bool:
        """Follow `cd`, `pushd` and `popd`; True if it was one."""
        name = words[0].text
        target = next((w for w in words[1:] if w.text == "-" or not w.text.startswith("-")), None)
        if name == "popd":
            scope.cwd = scope.folders.pop() if scope.folders else scope.cwd
        elif name in ("cd", "pushd"):
            before = scope.cwd
            if target is None:
                scope.cwd = "~"
            elif target.text == "-":
                scope.cwd = scope.folders.pop() if scope.folders else None
            else:
                scope.cwd = resolve(target.text, scope.cwd)
            scope.folders.append(before)
        else:
            return False
        return True

    def _emit(self, argv: tuple[Word, ...], nodes: tuple[Node, ...], scope: _Scope) -> None:
        redirects, stdin, more = self._redirects(nodes, scope)
        if argv or redirects:
            self.commands.append(
                SimpleCommand(
                    argv=argv + more, redirects=redirects, stdin=stdin, cwd=scope.cwd, certain=scope.certain
                )
            )
            self.tail = scope.certain

    def _redirects(
        self, nodes: tuple[Node, ...], scope: _Scope
    ) -> tuple[tuple[Redirect, ...], str | None, tuple[Word, ...]]:
        """Files, standard input, and the words behind a redirection, which the parser counts to it."""
        files: list[Redirect] = []
        stdin: str | None = None
        more: list[Word] = []
        for node in nodes:
            targets = [child for child in node.named_children if child.type != "file_descriptor"]
            words = [word for target in targets for word in self._expand(target, scope)]
            if not words:
                continue
            operator = next((child.type for child in node.children if not child.is_named), "")
            if node.type == "herestring_redirect":
                stdin = words[0].text + "\n"
            elif words[0].text in self._heredocs:
                stdin = self._heredocs[words[0].text]
            else:
                files.append(Redirect(operator=operator, target=words[0]))
            more += words[1:]
        return tuple(files), stdin, tuple(more)

    def _expand(self, node: Node, scope: _Scope) -> list[Word]:
        self._substitutions(node, scope)
        return expand(node, scope.variables, scope.cwd)

    def _substitutions(self, node: Node, scope: _Scope) -> None:
        """Commands inside `$(...)` and `<(...)` run too."""
        if node.type in ("command_substitution", "process_substitution"):
            before = len(self.commands)
            self.statement(node, scope)
            self.commands[before:] = [replace(c, inner=True) for c in self.commands[before:]]
            return
        for child in node.named_children:
            self._substitutions(child, scope)


def _printed(command: SimpleCommand) -> str | None:
    """What a command writes to its output, where that is plain: `cat` of its input, `echo` of its words."""
    if not command.argv or any(r.operator.startswith((">", "&>")) for r in command.redirects):
        return None
    name, *words = command.argv
    if name.text == "cat" and not words:
        return command.stdin
    if name.text in ("echo", "printf") and all(word.certain for word in words):
        shown = [word.text for word in words if word.text not in ("-n", "-e", "-ne", "-en")]
        return " ".join(shown) + "\n"
    return None
