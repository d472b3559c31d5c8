from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tamis.sessions.xml_calls import XmlCall, find_elements, split_calls

NAMES = {"read_file", "write_to_file", "execute_command", "apply_diff"}


def call(name: str, **arguments: object) -> XmlCall:
    return XmlCall(name=name, arguments=dict(arguments))


def test_prose_and_calls_come_in_order() -> None:
    text = "First.\n\n<read_file>\n<path>a.py</path>\n</read_file>\n\nThen more."
    assert list(split_calls(text, NAMES)) == ["First.", call("read_file", path="a.py"), "Then more."]


def test_a_tag_that_names_no_tool_is_prose() -> None:
    text = "<config>\n<path>a.py</path>\n</config>"
    assert list(split_calls(text, NAMES)) == [text]


def test_a_tool_named_in_prose_is_no_call() -> None:
    text = "I could use <read_file> here."
    assert list(split_calls(text, NAMES)) == [text]


def test_content_may_hold_its_own_closing_tag() -> None:
    content = 'html = "<content>x</content>"\nprint(html)'
    text = f"<write_to_file>\n<path>a.py</path>\n<content>\n{content}\n</content>\n</write_to_file>"
    assert list(split_calls(text, NAMES)) == [call("write_to_file", path="a.py", content=content)]


def test_files_in_args_become_a_list() -> None:
    text = (
        "<read_file>\n<args>\n<file>\n<path>a.py</path>\n<line_range>1-9</line_range>\n</file>\n"
        "<file>\n<path>b.py</path>\n</file>\n</args>\n</read_file>"
    )
    files = [{"path": "a.py", "line_range": "1-9"}, {"path": "b.py"}]
    assert list(split_calls(text, NAMES)) == [call("read_file", files=files)]


def test_several_diffs_of_a_file_stay_together() -> None:
    diff = "<diff>\n<content>-a\n+b</content>\n<start_line>3</start_line>\n</diff>\n"
    text = f"<apply_diff>\n<args>\n<file>\n<path>a.py</path>\n{diff}{diff}</file>\n</args>\n</apply_diff>"
    one = {"content": "-a\n+b", "start_line": "3"}
    assert list(split_calls(text, NAMES)) == [
        call("apply_diff", files=[{"path": "a.py", "diff": [one, one]}])
    ]


def test_a_call_that_was_cut_off_keeps_what_it_got() -> None:
    text = "<execute_command>\n<command>git log --oneline"
    assert list(split_calls(text, NAMES)) == [call("execute_command", command="git log --oneline")]


def test_loose_text_in_a_call_is_kept() -> None:
    text = "<read_file>\n<path>a.py</path>\nplease\n</read_file>"
    assert list(split_calls(text, NAMES)) == [call("read_file", path="a.py", text="please")]


def test_elements_that_are_not_closed_are_not_found() -> None:
    assert [e.inner for e in find_elements("<a>1</a><b><a>2</a>", {"a", "b"})] == ["1", "2"]


TAGS = st.sampled_from(
    [
        "<read_file>",
        "</read_file>",
        "<path>",
        "</path>",
        "<args>",
        "</args>",
        "<file>",
        "</file>",
        "\n",
        "<diff>",
    ]
)


@given(st.lists(TAGS | st.text(max_size=8), max_size=30).map("".join))
def test_no_text_breaks_the_parser(text: str) -> None:
    for piece in split_calls(text, NAMES):
        assert isinstance(piece, XmlCall) or piece in text
    for element in find_elements(text, {"path", "file"}):
        assert element.inner in text[element.start : element.end]


@given(st.text().filter(lambda t: "<" not in t), st.text().filter(lambda t: "<" not in t))
def test_values_come_back_as_they_were_written(path: str, content: str) -> None:
    text = f"<write_to_file>\n<path>\n{path}\n</path>\n<content>\n{content}\n</content>\n</write_to_file>"
    assert list(split_calls(text, NAMES)) == [call("write_to_file", path=path, content=content)]
