from __future__ import annotations

import pytest

from tamis.ledger.files.shell_commands import shell_effects


def deeds(script: str) -> list[str]:
    return [
        f"{d.action} {d.origin + ' -> ' if d.origin else ''}{d.path}{'' if d.certain else ' ?'}"
        for d in shell_effects(script, "/repo")
    ]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo a > f", ["written f"]),
        ("echo a >> f", ["written f"]),
        ("make &> log.txt", ["written log.txt"]),
        ("make 2>/dev/null 2>&1 >&2", []),
        ("echo a | tee -a f g", ["written f", "written g"]),
        ("sed -i 's/a/b/' f g", ["modified f", "modified g"]),
        ("sed -i '' -e 's/a/b/' f", ["modified f"]),
        ("sed -i.bak -n 's/a/b/p' f", ["modified f"]),
        ("sed -n '1,9p' f", ["read f"]),
        ("perl -pi -e 's/a/b/' f", ["modified f"]),
        ("perl -0777 -i -pe 's/a/b/' f", ["modified f"]),
        ("awk '{print $1}' f", ["read f"]),
        ("cat a b", ["read a", "read b"]),
        ("head -n 5 a; tail -20 b", ["read a", "read b"]),
        ("grep -n 'def x' src/a.py", ["read src/a.py"]),
        ("grep -rn x src", []),
        ("grep x a.py b.py", []),
        ("wc -l a.py", []),
        ("mv a b", ["renamed a -> b"]),
        ("mv a b dir/", ["renamed a -> dir/a", "renamed b -> dir/b"]),
        ("cp -r a b", ["copied a -> b"]),
        ("rm -f a b", ["deleted a", "deleted b"]),
        ("touch a", ["ensured a"]),
        ("mkdir -p a/b", []),
        ("black src/a.py", ["modified src/a.py ?"]),
        ("black --check src/a.py", []),
        ("ruff check --fix a.py", ["modified a.py ?"]),
        ("ruff check a.py", []),
        ("gofmt -w main.go", ["modified main.go ?"]),
        ("npx prettier --write a.ts", ["modified a.ts ?"]),
        ("curl -s -o out.json https://example.org", ["written out.json"]),
        ("sudo -u me rm a", ["deleted a"]),
        ("env A=1 B=2 timeout -k 5 10 rm a", ["deleted a"]),
        ('bash -lc "cd sub && rm a"', ["deleted a"]),
        ("docker exec -it box rm a", ["deleted a ?"]),
        ("find . | xargs -n 1 sed -i s/a/b/ f", ["modified f ?"]),
        ("rm a && rm b || rm c", ["deleted a", "deleted b", "deleted c ?"]),
        ("rm *.pyc", ["deleted *.pyc ?"]),
    ],
)
def test_what_a_command_does(script: str, expected: list[str]) -> None:
    assert deeds(script) == expected


def test_a_here_document_brings_content_and_line_count() -> None:
    [deed] = shell_effects("cat > a.py <<'EOF'\ndef f():\n    pass\nEOF")
    assert (deed.content, deed.lines_added, deed.touched) == ("def f():\n    pass\n", 2, ("f",))


def test_appending_removes_nothing() -> None:
    [deed] = shell_effects("cat >> a.txt <<E\nx\nE")
    assert (deed.lines_added, deed.lines_removed, deed.content) == (1, 0, None)


def test_a_patch_in_a_here_document_is_read() -> None:
    patch = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@ def f():\n-a\n+b\n c\n"
    [deed] = shell_effects(f"git apply <<'EOF'\n{patch}EOF")
    assert (deed.action, deed.path, deed.lines_added, deed.lines_removed) == ("modified", "x.py", 1, 1)


def test_an_apply_patch_call_inside_the_shell_is_read() -> None:
    patch = "*** Begin Patch\n*** Add File: a.py\n+x\n*** Delete File: b.py\n*** End Patch\n"
    assert deeds(f"apply_patch <<'EOF'\n{patch}EOF") == ["created a.py", "deleted b.py"]


def test_a_patch_file_is_left_to_be_looked_up() -> None:
    assert deeds("patch -p1 < fix.patch") == ["run fix.patch"]
    assert deeds("patch -p1 --dry-run < fix.patch") == []


def test_python_code_on_the_command_line_is_read() -> None:
    assert deeds("""python3 -c "open('a.txt', 'w').write('x')" """) == ["written a.txt"]


def test_python_code_in_a_here_document_is_read() -> None:
    assert deeds("python - <<'PY'\nfrom pathlib import Path\nPath('a').write_text('x')\nPY") == ["written a"]


def test_a_script_file_is_left_to_be_looked_up_with_its_arguments() -> None:
    [deed] = shell_effects("python fix.py a.txt")
    assert (deed.action, deed.path, deed.arguments) == ("run", "fix.py", ("fix.py", "a.txt"))


def test_paths_are_relative_to_where_the_command_runs() -> None:
    assert [d.cwd for d in shell_effects("cd src; rm a; cd ..; rm b", "/repo")] == ["/repo/src", "/repo"]


def test_adding_a_package_changes_the_lists_of_the_folder_perhaps() -> None:
    [manifest, lock] = shell_effects("cd web && pnpm add -D vitest 2>&1 | tail -1", "/repo")
    assert (manifest.path, lock.path, lock.cwd) == ("package.json", "pnpm-lock.yaml", "/repo/web")
    assert deeds("go mod tidy") == ["modified go.mod ?", "modified go.sum ?"]
    for line in ("npm install", "npm ci", "npm i -g tsx", "npm i --omit dev", "go install x.org/a@v1"):
        assert deeds(line) == []
