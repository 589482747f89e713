"""Views: public tables, sealed dice, labels, drawings."""

import random

from rules.kernel.canonical import encode
from rules.kernel.contract.drawing import plain
from rules.kernel.contract.effects import can_see
from rules.macao import RULESET
from tests.rules.macao.table import A, B, C, Table, acting, choosing
from tests.rules.macao.test_playouts import games
from tests.rules.playing import Json

TOGETHER = {"simultaneous_dice": True}
SECRETLY = "choose_dice_secretly"


def _picked(*colors: str) -> Table:
    table = choosing(3, options=TOGETHER, queue=[C, A, B])
    return table.play(A, SECRETLY, colors=list(colors))


def test_sealed_dice_are_shown_to_nobody_else() -> None:
    one, two = _picked("red", "blue"), _picked("gray", "violet")
    for viewer in (None, B, C):
        assert RULESET.view(one.state, viewer) == RULESET.view(two.state, viewer)
        assert RULESET.view(one.state, viewer)["pending_dice"] == ["sealed", None, None]
    for seat in (B, C):
        assert RULESET.information(one.state, seat) == RULESET.information(two.state, seat)
        seen = [[e for e in t.log if can_see(seat, e.audience)] for t in (one, two)]
        assert seen[0] == seen[1]
    assert RULESET.view(one.state, A)["pending_dice"] == [["red", "blue"], None, None]
    assert RULESET.view(one.state, A) != RULESET.view(two.state, A)


def test_all_who_have_not_chosen_are_asked_and_nobody_twice() -> None:
    table = _picked("red", "blue")
    assert RULESET.view(table.state, None)["active"] is None
    assert table.refused(A, SECRETLY, colors=["red", "blue"]) == "not_your_turn"
    assert table.refused(B, "choose_dice", colors=["red", "blue"]) == "wrong_phase"
    assert RULESET.legal_moves(table.state, A) == ()
    assert all(len(RULESET.legal_moves(table.state, seat)) == 15 for seat in (B, C))


def test_dice_chosen_together_are_put_down_in_turn_order() -> None:
    players = {B: {"windrose": {6: {"red": 48}}}}
    table = choosing(3, options=TOGETHER, players=players, queue=[C, A, B], turn_order=[C, A, B])
    for seat in (B, A, C):
        table.play(seat, SECRETLY, colors=["red", "green"])
    assert table.sectors(C)[2] == {"red": 2, "green": 3}
    assert table.sectors(A)[2] == {"green": 3}
    assert table["pending_dice"] == [None, None, None]
    assert table.asked() == ("actions", C)


def test_a_guess_keeps_own_dice_and_draws_those_of_others() -> None:
    table = _picked("red", "blue")
    for seat, own in ((A, True), (B, False)):
        known = RULESET.information(table.state, seat)
        guesses = {
            encode(RULESET.to_json(RULESET.determinize(known, random.Random(n)))["pending_dice"])
            for n in range(20)
        }
        assert (len(guesses) == 1) == own


def test_without_the_option_a_seat_knows_everything() -> None:
    table = acting({"red": 2}, "bank")
    for seat in (A, B):
        known = RULESET.information(table.state, seat)
        guess = RULESET.determinize(known, random.Random(1))
        assert RULESET.to_json(guess) == table.json
    assert {**RULESET.view(table.state, A), "viewer": None} == RULESET.view(table.state, None)


def test_the_order_of_the_deck_is_in_no_state() -> None:
    for _, steps in games(3)[:5]:
        for state, _, _ in steps:
            deck = RULESET.view(state, None)["deck"]
            order = [card["id"] for card in RULESET.data.tables["cards"] if card["id"] in deck]
            assert deck == order


def test_the_view_holds_what_a_client_draws() -> None:
    holds = {"goods": {"tea": 1}, "jokers": 1, "ship": "london", "punishments": 2}
    table = acting({"red": 2}, "banker", holds=holds, owners={"q05": A, "q04": A}, wall={3: [B, A]})
    view = RULESET.view(table.state, None)
    player: Json = view["players"][A]
    assert player["tribute_price"] == 2
    assert player["markers_left"] == 12 - 2 - 2
    assert player["quarters"] == ["q04", "q05"]
    assert (player["wall_space"], player["ship"]) == (3, "london")
    assert view["quarters"][3] == {"quarter": "q04", "owner": A, "tile": None}
    assert view["quarters"][5] == {"quarter": "q06", "owner": None, "tile": "joker"}
    assert view["ports"][2] == {
        "port": "london",
        "good": "tea",
        "filled": 0,
        "slot_points": [5, 4, 3],
    }
    assert view["wall"][3] == [B, A]
    assert view["wall_order"] == [A, B]
    assert (view["active"], view["round"], view["rounds"]) == (A, 6, 12)
    assert view["jokers_used"] == 0
    assert len(view["future_offices"]) == 6
    assert view["die_values"] == dict.fromkeys(view["cube_bank"], 3)


def test_offices_of_rounds_to_come_lie_open() -> None:
    _, steps = games(2)[0]
    for state, _, _ in steps:
        view = RULESET.view(state, None)
        coming = [card for pair in view["future_offices"] for card in pair]
        assert not set(coming) & {*view["display"], *view["discard"], *view["deck"]}


def test_every_name_has_words() -> None:
    words = RULESET.labels.tables
    for kind, table in (("good", "goods"), ("space", "sea_spaces"), ("quarter", "quarters")):
        assert all(f"{kind}.{row['id']}" in words["es"] for row in RULESET.data.tables[table])
    for row in RULESET.data.tables["cards"]:
        for language in ("en", "es"):
            assert words[language][f"card.{row['id']}"] == row["name"][language]


def test_the_board_shows_where_things_are() -> None:
    holds = {"goods": {"tea": 1}, "ship": "london", "tableau": ["market"]}
    table = acting({"red": 2}, "banker", holds=holds, owners={"q05": B})
    board = plain(RULESET.draw(RULESET.view(table.state, A), "en", 78))
    for line in (
        "Round 6 of 12 · Orange: act or end the turn · tribute 6 PP for 3 coins",
        "─ 5 ⌂B",
        "London Tea 5 4 3 0 5",
        "London ▲A → 5, 6",
        "1 Tea",
        "Market GK building: Any number of times: pay 2 cubes",
    ):
        assert line in " ".join(board.split())
