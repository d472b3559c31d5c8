from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.ledger.shell.parser import SimpleCommand, parse_script


def argvs(script: str, cwd: str | None = "/repo") -> list[list[str]]:
    return [[word.text for word in command.argv] for command in parse_script(script, cwd).commands]


def only(script: str, cwd: str | None = "/repo") -> SimpleCommand:
    [command] = parse_script(script, cwd).commands
    return command


def test_words_lose_their_quotes() -> None:
    assert argvs("""rm 'a b' "c d" e\\ f g"h"i""") == [["rm", "a b", "c d", "e f", "ghi"]]


def test_variables_that_the_script_sets_are_expanded() -> None:
    assert argvs('F=x.py; D="out"; cp $F "${D}/$F"') == [["cp", "x.py", "out/x.py"]]


def test_a_variable_from_outside_makes_a_word_uncertain() -> None:
    word = only("rm $TARGET/a").argv[1]
    assert (word.text, word.certain) == ("$TARGET/a", False)


def test_a_pattern_makes_a_word_uncertain_unless_it_is_quoted() -> None:
    assert [word.certain for word in only("grep '*.py' src/*.py").argv] == [True, True, False]


def test_braces_are_expanded_outside_quotes() -> None:
    assert argvs("touch a/{b,c}.py '{d,e}'") == [["touch", "a/b.py", "a/c.py", "{d,e}"]]


def test_a_loop_over_written_words_is_unrolled() -> None:
    assert argvs("for f in a b; do rm $f.txt; done") == [["rm", "a.txt"], ["rm", "b.txt"]]


def test_cd_is_followed_and_a_subshell_does_not_move_its_parent() -> None:
    script = parse_script("cd src && ls; (cd ../docs; ls); ls", "/repo")
    assert [command.cwd for command in script.commands] == ["/repo/src", "/repo/docs", "/repo/src"]
    assert script.cwd == "/repo/src"


def test_cd_dash_and_popd_go_back() -> None:
    assert parse_script("cd /a; cd -", "/repo").cwd == "/repo"
    assert parse_script("pushd /a; popd", "/repo").cwd == "/repo"


def test_a_here_document_is_standard_input_and_the_line_goes_on_behind_it() -> None:
    script = "cat > a.py <<'EOF' && python a.py 2>&1 | tail -3\nprint('$x')\nEOF\necho done"
    commands = parse_script(script).commands
    assert [command.name for command in commands] == ["cat", "python", "tail", "echo"]
    assert commands[0].stdin == "print('$x')\n"
    assert commands[0].redirects[0].target.text == "a.py"


def test_a_here_document_may_hold_shell_that_does_not_run() -> None:
    assert argvs("cat <<EOF > run.sh; ls\nrm -rf /\nEOF") == [["cat"], ["ls"]]


def test_a_here_document_is_handed_down_a_pipe() -> None:
    assert parse_script("cat <<'E' | python3 -\nprint(1)\nE").commands[1].stdin == "print(1)\n"


def test_tabs_in_front_of_an_indented_here_document_go() -> None:
    assert only("cat <<-E\n\tx\n\tE").stdin == "x\n"


def test_what_may_not_run_is_uncertain() -> None:
    commands = parse_script("if test -f a; then rm a; fi; rm b || rm c; rm d").commands
    assert [(c.argv[-1].text, c.certain) for c in commands if c.name == "rm"] == [
        ("a", False),
        ("b", True),
        ("c", False),
        ("d", True),
    ]


def test_the_last_command_hands_back_the_exit_status_unless_it_is_piped_on() -> None:
    assert [c.last for c in parse_script("make && rm a").commands] == [False, True]
    assert not any(c.last for c in parse_script("rm a | tail").commands)


def test_a_function_runs_where_it_is_called() -> None:
    assert argvs("put() { rm $1; }; ls; put a.txt") == [["ls"], ["rm", "a.txt"]]


def test_commands_inside_substitutions_run() -> None:
    assert argvs('echo "$(cat a.txt)"') == [["cat", "a.txt"], ["echo", "$(cat a.txt)"]]


def test_words_behind_a_redirection_still_belong_to_the_command() -> None:
    assert argvs("python - <<'E' one two\nx\nE") == [["python", "-", "one", "two"]]


@pytest.mark.parametrize("script", ["", "   ", "((((", "if", "cat <<EOF", "'", "a && && b", "\x00", "<<<"])
def test_broken_scripts_are_read_without_an_error(script: str) -> None:
    parse_script(script, "/repo")


@given(st.text(alphabet="ab $'\"(){}<>|&;\n\\*=-/", max_size=60))
def test_any_text_can_be_read(script: str) -> None:
    assert parse_script(script, "/repo") == parse_script(script, "/repo")


def test_a_very_long_chain_is_read_to_its_end() -> None:
    assert len(parse_script("a && " * 1500 + "b").commands) == 1501


def test_braces_that_would_explode_stay_as_they_are() -> None:
    [command] = parse_script("touch " + "{a,b}" * 20).commands
    assert [word.text for word in command.argv] == ["touch", "{a,b}" * 20]


def test_nesting_without_end_is_cut_off() -> None:
    parse_script("( " * 5000 + "ls" + " )" * 5000)
