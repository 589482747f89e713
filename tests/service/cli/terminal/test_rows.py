"""How a narrow screen is shared: the board has room, and no preview is cut."""

import pytest

from service.cli.terminal.rows import BOARD, FEW, LEAST, SAID, share

LOW = range(12, 20)
"""What is left of 24 lines by the players, the heading and the keys."""


@pytest.mark.parametrize("choices", [None, 1, 2, 3, 5, 40])
@pytest.mark.parametrize("room", [*LOW, 30, 50])
def test_all_lines_are_given_away(room: int, choices: int | None) -> None:
    for preview in range(12):
        assert sum(share(room, choices, preview)) == room


@pytest.mark.parametrize("room", LOW)
def test_the_board_has_ten_lines_wherever_there_are_so_many(room: int) -> None:
    rows = share(room, 40, 1)
    assert rows.board >= min(BOARD, room - 5)
    assert rows.choices >= FEW


@pytest.mark.parametrize("room", LOW)
def test_a_long_preview_takes_its_lines_from_the_log_and_the_board(room: int) -> None:
    for preview in range(2, room - FEW - LEAST):
        rows = share(room, 40, preview)
        assert rows.preview >= preview
        assert rows.choices >= FEW
        assert rows.board >= LEAST


def test_waiting_leaves_the_board_where_it_is() -> None:
    for room in (*LOW, 40):
        assert share(room, None, 0).board == share(room, 6, 1).board


@pytest.mark.parametrize("room", LOW)
def test_what_a_small_board_leaves_goes_to_the_choices(room: int) -> None:
    """A board that is drawn in three lines gets no ten while choices are not listed."""
    rows = share(room, 9, 1, 3)
    assert rows.board == LEAST
    assert rows.choices == min(9, room - LEAST - SAID)
    assert sum(rows) == room
