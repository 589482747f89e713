"""Views: possessions, labels, drawings."""

import random
import re

from rules.kernel.canonical import encode
from rules.kernel.contract.drawing import plain
from rules.kernel.contract.seats import all_seats
from rules.santiago_de_cuba import RULESET
from tests.rules.santiago_de_cuba.table import (
    LAYOUT_L,
    A,
    B,
    C,
    D,
    Table,
    at_alonso,
    at_building,
    in_harbour,
)
from tests.rules.santiago_de_cuba.test_playouts import games

HIDDEN = ("pesos", "vp", "goods")


def test_screens_hide_the_holdings_of_others() -> None:
    state = Table(3).state
    for viewer in (None, A, B, C):
        for player in RULESET.view(state, viewer)["players"]:
            own = player["seat"] == viewer
            assert all((player[key] is not None) == own for key in HIDDEN)
            assert player["markers_left"] == 3


def test_open_holdings_are_shown_to_all_and_at_the_end_all_are() -> None:
    open_ = Table(holdings_visibility="open").state
    over = at_building("port_office", value_index=2, ship_number=7)
    over.play(A, "use_building", direction="right")
    for state in (open_, over.state):
        for viewer in (None, A):
            players = RULESET.view(state, viewer)["players"]
            assert all(player[key] is not None for player in players for key in HIDDEN)


def test_hidden_holdings_do_not_change_the_view() -> None:
    # The supply is public, so a hidden difference needs the goods of two seats.
    one = Table(3, players={B: {"goods": {"rum": 1}}, C: {"goods": {}}, A: {"goods": {}}})
    two = Table(3, players={B: {"goods": {}}, C: {"goods": {"rum": 1}}, A: {"goods": {}}})
    for viewer in (None, A):
        assert RULESET.view(one.state, viewer) == RULESET.view(two.state, viewer)
    assert RULESET.view(one.state, B) != RULESET.view(two.state, B)


def test_the_view_holds_what_a_client_draws() -> None:
    table = at_building("port_office", owner={"bank": B}, inactive=["maria"], value_index=1)
    view = RULESET.view(table.state, None)
    assert view["street"][0] == {"stop": 0, "citizen": None, "flower": None, "active": True}
    assert view["street"][5] == {"stop": 5, "citizen": "maria", "flower": "red", "active": False}
    assert view["buildings"][5] == {
        "space": "blue_3",
        "flower": "blue",
        "building": "bank",
        "owner": B,
        "pawn": None,
    }
    assert view["buildings"][8]["pawn"] == A
    assert (view["car"], view["value_index"], view["flag_value"]) == (8, 1, 3)
    assert view["left_out"] == "sugar"
    assert view["demand"] == {"citrus": 1, "tobacco": 1, "rum": 1, "cigars": 1}
    assert view["roll"] == {"sugar": 1, "citrus": 1, "tobacco": 1, "rum": 1, "cigars": 1}
    assert view["supply"] == {
        "sugar": 6, "citrus": 6, "tobacco": 6, "rum": 8, "cigars": 8, "wood": 8,
    }  # fmt: skip
    assert view["tribute_queue"] == []
    assert view["loading"] is None
    tribute = Table(4, car=2).play(A, "drive_car", steps=1).play(B, "give_tribute", kind="vp")
    assert RULESET.view(tribute.state, None)["tribute_queue"] == [C, D]
    without_dice = Table(demand=None, phase="choose_demand")
    assert RULESET.view(without_dice.state, None)["left_out"] is None
    loading = in_harbour().play(A, "pass_loading")
    assert RULESET.view(loading.state, None)["loading"] == {"current": B, "passed": [A]}


def test_a_perfect_memory_leaves_nothing_to_guess() -> None:
    for seats in (2, 3, 4):
        for _, steps in games(seats)[:5]:
            for state, _, _ in steps[::7]:
                for seat in all_seats(seats):
                    known = RULESET.information(state, seat)
                    guess = RULESET.determinize(known, random.Random(1))
                    assert RULESET.information(guess, seat) == known
                    encode(RULESET.view(state, seat))


def test_both_languages_have_the_same_keys_and_all_that_is_needed() -> None:
    words = RULESET.labels.tables
    assert words["en"].keys() == words["es"].keys()
    assert all(words[language][key] for language in words for key in words[language])
    needed = {f"error.{code}" for code in RULESET.error_codes}
    needed |= {f"effect.{type_}" for type_ in RULESET.effect_types}
    needed |= {f"reason.{reason}" for reason in RULESET.end_reasons}
    needed |= {f"option.{option.name}" for option in RULESET.info.options}
    needed |= {f"move.{type_.type}" for type_ in RULESET.move_types} - {"move.use_building"}
    needed |= {f"seat.{seat}" for seat in range(4)}
    for table in ("goods", "citizens", "buildings", "flowers"):
        kind = {"goods": "good", "citizens": "citizen"}.get(table, table[:-1])
        needed |= {f"{kind}.{row['id']}" for row in RULESET.data.tables[table]}
    assert needed <= words["en"].keys()


def _heading(table: Table) -> str:
    return plain(RULESET.draw(RULESET.view(table.state, A), "en", 78)).splitlines()[0]


def test_the_board_numbers_the_turns() -> None:
    table = Table()
    table.state = RULESET.initial(2, RULESET.parse_options(2, LAYOUT_L | {"start_player": A}))
    assert _heading(table).startswith("Turn 1 ·")
    assert _heading(table.roll(rum=1)).startswith("Turn 1 ·")
    assert _heading(table.play(B, "choose_demand", leave_out="sugar")).startswith("Turn 1 ·")
    assert _heading(Table(turns_done=1, active=B, decider=B)).startswith("Turn 2 ·")


def test_the_dice_for_a_new_ship_belong_to_the_turn_it_came_in() -> None:
    table = at_building("port_office", value_index=2)
    assert _heading(table).startswith("Turn 3 ·")
    table.play(A, "use_building", direction="right")
    assert table.asked() == ("roll/demand", 2)
    assert _heading(table).startswith("Turn 3 ·")
    assert _heading(table.roll(rum=1)).startswith("Turn 3 ·")
    assert _heading(table.play(A, "choose_demand", leave_out="sugar")).startswith("Turn 4 ·")


def test_the_board_shows_the_turn_that_was_the_last() -> None:
    limit = at_building("bank", turn_limit=3).play(A, "skip_building")
    assert _heading(limit) == "Turn 3 · the turn limit has been reached"
    ship = at_building("port_office", value_index=2, ship_number=7)
    ship.play(A, "use_building", direction="right")
    assert _heading(ship) == "Turn 3 · the seventh ship has sailed"


def test_the_board_shows_where_things_are() -> None:
    table = at_alonso(players={B: {"pawn": "bank"}}, owner={"bank": A})
    board = plain(RULESET.draw(RULESET.view(table.state, A), "en", 78))
    assert "Bank ⌂A●B" in board
    assert re.search(r"►\d Alonso", board)
    assert "Turn 3 · Yellow: claim a building" in board
