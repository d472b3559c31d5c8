from __future__ import annotations

import pytest

from tamis.ledger.files.definitions import definition, touched


@pytest.mark.parametrize(
    ("path", "line", "name"),
    [
        ("a.py", "class Cart(Base):", "Cart"),
        ("a.py", "    def total(self) -> int:", "total"),
        ("a.py", "    total = definition(x)", None),
        ("a.ts", "export default async function load(url: string) {", "load"),
        ("a.ts", "export const load = async (url: string) => {", "load"),
        ("a.ts", "  private async load(url: string): Promise<void> {", "load"),
        ("a.ts", "  if (ready) {", None),
        ("a.go", "func (s *Server) Run(ctx context.Context) error {", "Run"),
        ("a.go", "type Server struct {", "Server"),
        ("a.rs", "pub(crate) async fn run<T>(x: T) -> T {", "run"),
        ("A.java", "    public static int total(List<Item> items) {", "total"),
        ("A.java", "        return total(items)", None),
        ("a.c", "static int parse_line(char *line, int n)", "parse_line"),
        ("a.rb", "  def self.build(name)", "build"),
        ("a.md", "## How it works ##", "How it works"),
        ("a.toml", "[tool.ruff]", "tool.ruff"),
        ("a.sh", "deploy() {", "deploy"),
        ("a.txt", "def f():", None),
    ],
)
def test_a_definition_is_known_by_its_line(path: str, line: str, name: str | None) -> None:
    assert definition(path, line) == name


def test_a_change_belongs_to_the_definition_that_holds_it() -> None:
    lines = ["class A:", "    def f(self):", "        x = 1", "", "    def g(self):", "        y = 2"]
    assert touched("a.py", lines, [2]) == ("f",)
    assert touched("a.py", lines, [5, 4]) == ("g",)


def test_a_change_between_definitions_belongs_to_none() -> None:
    assert touched("a.py", ["def f():", "    pass", "", "X = 1"], [3]) == ()


def test_the_section_of_a_document_is_the_heading_above() -> None:
    assert touched("a.md", ["# One", "text", "## Two", "more"], [1, 3]) == ("One", "Two")


def test_a_hunk_header_helps_where_the_lines_do_not() -> None:
    assert touched("a.py", ["    return 2"], [0], header="def f():") == ("f",)


def test_a_long_line_without_a_definition_is_left_quickly() -> None:
    assert definition("a.c", "a & b * " * 40 + "(") is None


def test_a_block_of_remarks_is_about_what_follows() -> None:
    lines = ["function a() {", "}", "/**", " * Reads rows.", " */", "function b() {", "}"]
    assert touched("a.ts", lines, range(2, 7)) == ("b",)


def test_a_method_with_a_type_parameter_is_a_definition() -> None:
    assert definition("a.ts", "  async request<T>(path: string): Promise<Row<T>> {") == "request"
