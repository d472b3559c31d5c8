"""Names: what is one, of which kind, and where it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import PHRASES, texts
from tamis.messages import Media, Message, Text, Thinking, ToolCall, ToolResult
from tamis.text.names import MAX_NAME_CHARS, Name, find_names, message_names, names_in, stands_in


def found(text: str) -> list[tuple[str, str]]:
    return [(n.kind, n.text) for n in find_names(text)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("open src/app/io.py now", "src/app/io.py"),
        ("open /etc/hosts now", "/etc/hosts"),
        ("open ./run.sh now", "./run.sh"),
        ("in ~/.config/tool.toml.", "~/.config/tool.toml"),
        ("see README.md!", "README.md"),
        ("the Dockerfile is wrong", "Dockerfile"),
        ("in tests/unit/ only", "tests/unit"),
        ("--- a/src/io.py", "src/io.py"),
        ("+++ b/src/io.py", "src/io.py"),
        ("src/io.py:120: in read", "src/io.py"),
        ("(src/io.py)", "src/io.py"),
        ("src/io.go-214-\treturn", "src/io.go"),
    ],
)
def test_paths(text: str, name: str) -> None:
    assert ("path", name) in found(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("call parse_args here", "parse_args"),
        ("call parseArgs here", "parseArgs"),
        ("a HTTPServer there", "HTTPServer"),
        ("in os.path.join we", "os.path.join"),
        ("self.total_count += 1", "total_count"),
        ("use $HOME_DIR there", "$HOME_DIR"),
        ("commit 3f2a9bc says", "3f2a9bc"),
        ("ticket ABC-123-x9", "ABC-123-x9"),
        ("the _private field", "_private"),
    ],
)
def test_identifiers(text: str, name: str) -> None:
    assert ("identifier", name) in found(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("raised ValueError: no", "ValueError"),
        ("java.lang.NullPointerException thrown", "java.lang.NullPointerException"),
        ("E501 line too long", "E501"),
        ("got ENOENT on open", "ENOENT"),
        ("killed by SIGKILL", "SIGKILL"),
        ("error TS2304 in", "TS2304"),
    ],
)
def test_errors(text: str, name: str) -> None:
    assert ("error", name) in found(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("port 8080 is taken", "8080"),
        ("version 2.3.1 of it", "2.3.1"),
        ("tag v1.0.0-rc1 now", "v1.0.0-rc1"),
        ("on 2024-05-01 we", "2024-05-01"),
        ("costs $1,250,000 now", "$1,250,000"),
        ("python 3.12 only", "3.12"),
        ("about 100% of", "100%"),
    ],
)
def test_numbers(text: str, name: str) -> None:
    assert ("number", name) in found(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("run with --dry-run twice", "--dry-run"),
        ("run with --output=x.json", "--output"),
        ("`--no-cache`", "--no-cache"),
    ],
)
def test_flags(text: str, name: str) -> None:
    assert ("flag", name) in found(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("see https://example.org/a?b=c#d.", "https://example.org/a?b=c#d"),
        ("(http://localhost:8000/x)", "http://localhost:8000/x"),
        ("**https://example.org/bold**", "https://example.org/bold"),
    ],
)
def test_urls(text: str, name: str) -> None:
    assert found(text) == [("url", name)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('the title is "Annual report"', "Annual report"),
        ("the title is 'Annual report'", "Annual report"),
        ("run `make test now`", "make test now"),
        ("x = f'plain words'", "plain words"),
        ("x = rb'plain words'", "plain words"),
        ("标题是'Annual report'文件", "Annual report"),
        ("I don't like the name 'big red' at all", "big red"),
    ],
)
def test_quoted_values(text: str, name: str) -> None:
    assert ("quoted", name) in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Please fix the failing test and tell me what it was.",
        "It was done.Next we look at the other one.",
        "either/or and yes/no",
        "1 2 3 10 42",
        "at 09:30:12.5 o'clock",
        "e.g. this, i.e. that, etc.",
        "==== ---- .... ////",
        "",
        "请修复失败的测试。",
        "Here's a summary of what we'll do; it doesn't end.",
        "the users' own wishes and the authors' names",
        "That isn't what we're after, let's see.",
    ],
)
def test_plain_words_are_no_names(text: str) -> None:
    assert found(text) == []


def test_an_apostrophe_does_not_swallow_the_quotation_behind_it() -> None:
    assert found("it isn't 'left over' any more") == [("quoted", "left over")]


def test_a_template_is_no_value() -> None:
    assert found("'hello {name} there' and \"%s of %d\"") == []


def test_what_is_a_name_of_its_own_is_not_quoted_as_well() -> None:
    assert found('"src/io.py"') == [("path", "src/io.py")]


def test_the_columns_of_line_numbers_are_no_names() -> None:
    view = "  101\tdef parse_args():\n  102\t    pass\n1234:return_code = 0\n1235-other_code"
    assert {n.text for n in find_names(view)} == {"parse_args", "return_code", "other_code"}


def test_escapes_are_no_letters() -> None:
    assert {n.text for n in find_names(r"first_line\nsecond_line\tthird_line")} == {
        "first_line",
        "second_line",
        "third_line",
    }


def test_closing_tags_are_no_paths() -> None:
    assert found("<b>bold</b><file_name>x</file_name>") == [("identifier", "file_name")]


def test_names_in_chinese_prose_stand_unspaced() -> None:
    assert found("请修改config.yaml文件，保持端口8080不变，不要动parse_args函数") == [
        ("path", "config.yaml"),
        ("number", "8080"),
        ("identifier", "parse_args"),
    ]


def test_a_blob_is_no_name() -> None:
    assert found("x1" * MAX_NAME_CHARS) == []


def test_names_come_in_order_with_their_places() -> None:
    text = "run src/a.py then src/a.py with --fast"
    assert [(n.text, n.start) for n in find_names(text)] == [
        ("src/a.py", 4),
        ("src/a.py", 18),
        ("--fast", 32),
    ]


PIECES = st.sampled_from(
    [
        *PHRASES,
        "src/a.py:12",
        "'",
        '"',
        "`",
        "don't",
        "b'x y z'",
        "\\n",
        "</a>",
        "\n 12\t",
        "--x-y",
        "1,000",
        "E501",
    ]
)


@given(st.one_of(texts(), st.lists(PIECES, max_size=8).map("".join)))
def test_every_name_stands_at_its_place(text: str) -> None:
    for name in find_names(text):
        assert text[name.start : name.end] == name.text


@given(st.one_of(texts(), st.lists(PIECES, max_size=8).map("".join)))
def test_the_fast_way_finds_the_same_names(text: str) -> None:
    assert {Name(n.kind, n.text) for n in find_names(text)} == names_in(text)


@pytest.mark.parametrize(
    ("name", "text", "stands"),
    [
        ("io.py", "see src/io.py:12", True),
        ("io.py", "radio.py", False),
        ("8080", "18080", False),
        ("8080", "端口8080。", True),
        ("parse", "parse_args", False),
        ("parse", "reparse, parse", True),
        ("--fast", "run --fast", True),
        ("x", "", False),
    ],
)
def test_a_name_stands_as_itself_or_not_at_all(name: str, text: str, stands: bool) -> None:
    assert stands_in(name, text) is stands


def test_names_of_a_message_come_from_every_part_that_holds_text() -> None:
    message = Message(
        id="m",
        role="assistant",
        parts=(
            Text(text="edit src/a.py"),
            Thinking(text="maybe src/b.py"),
            ToolCall(id="c", name="read_file", arguments={"path": ["src/c.py"], "limit": 250, "all": True}),
            ToolCall(id="d", name="bash", raw_arguments='cat src/d.py"'),
            ToolResult(call_id="c", text="src/e.py"),
            Media(kind="image", url="https://example.org/a.png"),
        ),
    )
    assert {n.text for n in message_names(message)} == {
        "src/a.py",
        "src/b.py",
        "read_file",
        "src/c.py",
        "250",
        "src/d.py",
        "src/e.py",
    }
    assert {n.text for n in message_names(message, parts=message.parts[:1])} == {"src/a.py"}
