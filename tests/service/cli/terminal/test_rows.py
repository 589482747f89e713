"""The division of a narrow screen: first the choices, then the board; previews are not cut."""

import pytest

from service.cli.terminal.rows import FEW, LEAST, MANY, Demand, share, waiting

LOW = range(10, 20)
"""Numbers of lines that remain of 20 to 24, without the players, the heading and the keys."""
DEMAND = Demand(choices=40, packed=20, least=1, preview=1, part=8, board=20)


@pytest.mark.parametrize("choices", [1, 2, 3, 5, 40])
@pytest.mark.parametrize("room", [*LOW, 30, 50])
@pytest.mark.parametrize("shown", [False, True])
def test_all_lines_are_given_away(room: int, choices: int, *, shown: bool) -> None:
    for preview in range(12):
        packed = (choices + 1) // 2
        wanted = DEMAND._replace(choices=choices, packed=packed, preview=preview, shown=shown)
        rows = share(room, wanted)
        assert sum(rows) == room
        assert min(rows) >= 0


@pytest.mark.parametrize("room", LOW)
def test_all_choices_come_before_the_board_if_they_are_few(room: int) -> None:
    rows = share(room, DEMAND._replace(choices=12, packed=5))
    assert rows.choices >= min(5, room - LEAST - 2)
    assert rows.board >= LEAST
    many = share(room, DEMAND)
    assert many.choices <= MANY or many.board >= DEMAND.part


@pytest.mark.parametrize("room", range(14, 20))
def test_a_map_with_all_choices_on_it_comes_first(room: int) -> None:
    """The list has a line for the choice under the cursor."""
    rows = share(room, DEMAND._replace(part=12, shown=True))
    assert rows.board >= 12
    assert rows.choices >= 1


@pytest.mark.parametrize("room", [6, 7, 8, 9])
def test_the_board_keeps_its_lines_below_a_high_table_of_players(room: int) -> None:
    rows = share(room, DEMAND._replace(choices=12, packed=5))
    assert sum(rows) == room
    assert rows.board >= LEAST
    assert rows.choices >= min(FEW, room - LEAST)
    assert share(6, DEMAND._replace(least=3)).choices == 3, "the longest choice is not cut"


def test_the_preview_keeps_one_line_if_the_board_is_whole_then() -> None:
    wanted = DEMAND._replace(choices=6, packed=3, part=9)
    assert share(14, wanted) == (9, 0, 3, 2)
    assert share(13, wanted) == (9, 0, 3, 1)
    assert share(12, wanted).preview == 2


@pytest.mark.parametrize("room", LOW)
def test_a_long_preview_takes_its_lines_from_the_log_and_the_board(room: int) -> None:
    for preview in range(2, room - FEW - LEAST):
        rows = share(room, DEMAND._replace(preview=preview))
        assert rows.preview >= preview
        assert rows.choices >= FEW
        assert rows.board >= LEAST


def test_waiting_leaves_the_board_as_high_as_its_part() -> None:
    for room in (*LOW, 40):
        rows = waiting(room, 8)
        assert sum(rows) == room
        assert rows.board == min(8, room - 5)
