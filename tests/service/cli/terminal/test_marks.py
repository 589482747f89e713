"""Marks in a drawing, and the steps of the cursor from place to place."""

import pytest

from rules.kernel.contract.drawing import Drawing, Line, Part, Span, line, text_of, width
from service.cli.terminal import lists, marks
from service.cli.terminal.places import Point, nearest, points

FEWER, MORE = ((line(f"grain {n}"), line(Span("explained", "muted"))) for n in (3, 4))
A, B = Span("·", "muted", "a"), Span("⌂C", "seat.2", "b")


def drawn(players: str, board: str) -> Drawing:
    part = Part("Board", tuple(line(text) for text in board.splitlines()))
    return Drawing((), tuple(line(text) for text in players.splitlines()), (part,))


def texts(lines: tuple[Line, ...]) -> list[str]:
    return [text_of(one) for one in lines]


def test_what_has_changed_is_marked_in_the_compact_form_too() -> None:
    before, now = (Part("Board", lines[:2], compact=lines[:1]) for lines in (FEWER, MORE))
    empty = Drawing((), (), ())
    (part,) = marks.changed(empty._replace(parts=(now,)), empty._replace(parts=(before,))).parts
    assert texts(part.within(2)) == ["grain•4", "explained"]
    assert texts(part.within(1)) == ["grain•4"]
    assert now._replace(compact=()).within(1) == now.lines


def test_what_one_may_choose_and_the_cursor_have_signs_of_their_own() -> None:
    row = line(" ", A, Span(" ── ", "muted"), B, Span(" ─", "muted"))
    shown = marks.chosen([row], {"a", "b"}, ())[0]
    assert text_of(shown) == "›· ──›⌂C ─"
    assert text_of(marks.chosen([row], {"a", "b"}, {"b"})[0]) == "›· ──[⌂C]─"
    assert {span.style for span in shown if span.place} == {"muted+legal", "seat.2+legal"}
    assert width(shown) == width(row)


def test_a_sign_covers_neither_a_piece_nor_another_choice() -> None:
    beside = line(B, Span("·", "muted", "c"), A)
    assert text_of(marks.chosen([beside], {"a", "c"}, ())[0]) == "⌂C··"


@pytest.mark.parametrize(
    ("before", "now", "shown"),
    [
        ("A Red  12  5", "A Red   9  5", "A Red  •9  5"),
        ("Bid: 9 by Red", "Bid: 10 by Blue", "Bid:•10 by•Blue"),
        ("►A Red  1", " A Red  1", " A Red  1"),
        ("· ── · ── ⌂A", "· ── ⌂B ── ⌂A", "· ──•⌂B ── ⌂A"),
        ("owns silk", "owns silk, jade and tea", "owns•silk, jade and tea"),
    ],
)
def test_what_has_changed_is_marked(before: str, now: str, shown: str) -> None:
    found = marks.changed(drawn(before, before), drawn(before, before))
    assert found == drawn(before, before)
    found = marks.changed(drawn(now, now), drawn(before, before))
    assert texts(found.players) == [shown]
    assert texts(found.parts[0].lines) == [shown]


def test_a_line_that_has_come_in_is_marked_and_those_around_it_are_not() -> None:
    found = marks.changed(drawn("", "one\n  two new\nthree"), drawn("", "one\nthree"))
    assert texts(found.parts[0].lines) == ["one", " •two new", "three"]


def test_an_arrow_key_goes_to_the_nearest_place_in_its_direction() -> None:
    where = {"a": Point(10, 5), "b": Point(20, 5), "c": Point(12, 9), "d": Point(40, 6)}
    assert nearest(where, where["a"], 1, 0) == "b"
    assert nearest(where, where["b"], 1, 0) == "d"
    assert nearest(where, where["a"], 0, 1) == "c"
    assert nearest(where, where["c"], 0, -1) == "a"
    assert nearest(where, where["a"], -1, 0) is None


def test_a_list_stands_in_as_few_columns_as_the_lines_allow() -> None:
    entries = [line(f"entry {number}") for number in range(9)]
    assert len(lists.listed(entries, 60, 9)) == 9
    five = lists.listed(entries, 60, 5)
    assert [text_of(one) for one in five][:2] == [" entry 0  entry 5", " entry 1  entry 6"]
    assert lists.packed(entries, 60) == 2
    assert len(points(five)) == 9
    assert len(lists.listed(entries, 20, 2)) == 5
    ragged = [line("a"), line("b" * 30), line("c" * 30), line("d"), line("e" * 50), line("f")]
    assert [len(text_of(one).split()) for one in lists.listed(ragged, 40, 2)] == [2, 2, 1, 1, 1]
    long = lists.listed([line("a name that is longer than its list")], 20, 1)
    assert [text_of(one) for one in long] == [" a name that is", "   longer than its", "   list"]
