"""Here-documents in texts that need not be scripts."""

from __future__ import annotations

import pytest

from tamis.ledger.shell.heredocs import cut_heredocs


@pytest.mark.parametrize(
    ("text", "left", "bodies"),
    [
        ("cat > a <<EOF\n1\n\nEOF\nls", "cat > a <<\nls", ["1"]),
        ("cat <<A\n1\nA\ncat <<B\n2\nB", "cat <<\ncat <<", ["1", "2"]),
        (
            "gh pr create --body \"$(cat <<'E'\nx\nE\n)\" -t y",
            'gh pr create --body "$(cat <<\n)" -t y',
            ["x"],
        ),
        ("cat <<A\n1\nA; cat <<B\n2\nB", "cat <<; cat <<", ["1", "2"]),
        ("cat <<-\\END\n\t1\n\tEND", "cat <<", ["\t1"]),
        ("cat <<A <<B\n1\nB", "cat <<A <<", ["1"]),
        ("cat <<A\nAB\n", "cat <<A\nAB\n", []),
        ("cat <<A\nA\n", "cat <<A\nA\n", []),
        ("grep x <<<word\nx\nword", "grep x <<<word\nx\nword", []),
        ("no marks", "no marks", []),
    ],
)
def test_a_text_is_told_from_what_its_here_documents_hold(text: str, left: str, bodies: list[str]) -> None:
    assert cut_heredocs(text) == (left, bodies)
