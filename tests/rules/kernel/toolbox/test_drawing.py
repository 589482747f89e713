"""The parts of drawings: no text is lost, and no line is too long."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.kernel.contract.drawing import Line, Span, line, text_of, width, wrapped
from rules.kernel.toolbox.drawing import (
    Canvas,
    flowed,
    grid,
    headed,
    paragraphs,
    right,
    strong,
    table,
)

WORD = st.text("abcdefghij", min_size=1, max_size=12)
WORDS = st.lists(WORD, min_size=1, max_size=30)
COLUMNS = st.integers(20, 60)


def said(lines: list[Line]) -> list[str]:
    return " ".join(map(text_of, lines)).split()


@settings(max_examples=25)
@given(WORDS, COLUMNS, st.integers(0, 6))
def test_a_line_breaks_between_words(words: list[str], columns: int, indent: int) -> None:
    lines = wrapped(line(" ".join(words)), columns, indent)
    assert said(lines) == words
    assert all(width(one) <= columns for one in lines)
    assert all(text_of(one).startswith(" " * indent) for one in lines[1:])


def test_a_word_that_is_too_long_is_broken_and_styles_stay() -> None:
    lines = wrapped(line("an ", strong("x" * 12), " end"), 8, 2)
    assert [text_of(one) for one in lines] == ["an", "  xxxxxx", "  xxxxxx", "  end"]
    assert lines[1][-1] == Span("xxxxxx", "strong")


@settings(max_examples=25)
@given(WORDS, COLUMNS)
def test_items_flow_and_none_is_torn(words: list[str], columns: int) -> None:
    lines = flowed(words, columns, ", ", "First: ")
    assert [word.strip(",") for word in said(lines)][1:] == words
    assert all(width(one) <= columns for one in lines)


@settings(max_examples=25)
@given(st.lists(WORDS, min_size=1, max_size=5), COLUMNS)
def test_tables_and_grids_lose_no_cell(rows: list[list[str]], columns: int) -> None:
    for lines in (
        table(rows, columns, "<>"),
        grid([word for row in rows for word in row], columns),
    ):
        assert said(lines) == [word for row in rows for word in row]
        assert all(width(one) <= columns for one in lines)


def test_cells_stand_below_each_other() -> None:
    lines = table([["a", "b", "long"], ["name", strong(12), "1"]], 30, "<>")
    assert [text_of(one) for one in lines] == ["a      b  long", "name  12     1"]
    close = table([["a", "b", "long"], ["name", "12", "1"]], 12, "<>")
    assert [text_of(one) for one in close] == ["a     b long", "name 12    1"]


def test_heads_are_short_where_there_is_no_room() -> None:
    rows = [["Ana", "1", "2"]]
    roomy, narrow = (headed(["points", "goods"], ["p.", "g."], rows, n) for n in (20, 14))
    assert text_of(roomy[0]).split() == ["points", "goods"]
    assert text_of(narrow[0]).split() == ["p.", "g."]


def test_what_is_said_stands_beside_its_name() -> None:
    lines = paragraphs([("a", "one two three four"), ("bb", "five")], 18)
    assert [text_of(one) for one in lines] == ["a   one two three", "    four", "bb  five"]


def test_a_canvas_keeps_to_its_edges() -> None:
    canvas = Canvas(6, 2)
    canvas.put(4, 0, "abc")
    canvas.put_round(5, 1, "name")
    canvas.put(0, 1, strong("!"))
    assert [text_of(one) for one in canvas.lines()] == ["    ab", "! name"]
    assert canvas.lines()[1][0] == Span("!", "strong")
    assert text_of(right("ab", 4)) == "  ab"
