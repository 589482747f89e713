"""Every error code of the rules, and the order of the checks."""

from collections.abc import Callable

import pytest

from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.seats import Seat
from rules.manila import RULESET
from rules.manila.errors import Error
from tests.rules.manila.table import (
    MOVE_2,
    MOVE_3,
    PLACE_1,
    PLACE_3,
    A,
    B,
    C,
    D,
    Table,
    at_sea,
    before_roll,
)
from tests.rules.playing import JUNK, Json, bad_option

STARTS = {"silk": 5, "ginseng": 4, "jade": 0}


def _over() -> Table:
    table = before_roll(
        MOVE_3, market={"jade": 20}, positions={"silk": 3, "ginseng": 3, "jade": 13}
    )
    return table.roll(silk=1, ginseng=1, jade=1)


def _bidding() -> Table:
    return Table(players={B: {"cash": 2, "pledged": 1}}).bid(A, 5)


def _buying() -> Table:
    return Table(
        players={A: {"cash": 1, "pledged": 2}, B: {"bought": {"silk": 2}}},
        market={"silk": 10},
        phase="buy_share",
        harbour_master=A,
    )


def _loading() -> Table:
    return Table(phase="load_wares", harbour_master=A)


def _starting() -> Table:
    return Table(phase="place_punts", harbour_master=A, left_out="nutmeg")


def _placing(cash: int = 30, pledged: int = 0, **crews: list[Seat]) -> Table:
    return at_sea(
        "placement",
        PLACE_3,
        players={A: {"cash": cash, "pledged": pledged}},
        positions={"silk": 14, "ginseng": 7, "jade": 7},
        docked=["silk"],
        crews={"punt_ginseng": [B, B, C], "port_a": [C], "pirate": [D, D], **crews},
    )


def _short() -> Table:
    taken = {"port_c": [B], "shipyard_c": [C], "pilot_small": [D]}
    return _placing(cash=1, pledged=2, **taken)


def _spent(table: Table) -> Table:
    """A position that play never reaches, because there are as many accomplices as rounds."""
    table.state.in_hand[A] = 0
    return table


def _piloting() -> Table:
    return at_sea("pilot_small", MOVE_3, B, positions=STARTS, crews={"pilot_small": [B]})


def _big_piloting() -> Table:
    return at_sea("pilot_big", MOVE_3, B, positions=STARTS, crews={"pilot_big": [B]})


def _arriving() -> Table:
    table = before_roll(MOVE_2, positions={"silk": 11, "ginseng": 3, "jade": 11})
    return table.roll(silk=3, ginseng=1, jade=3)


def _boarding(*, displace: bool = False, nutmeg: int = 3, jade: int = 1) -> Table:
    """Nutmeg and jade are on 13 with these crews; the captain is C, the second pirate D."""
    table = before_roll(
        MOVE_2,
        positions={"nutmeg": 10, "ginseng": 3, "jade": 10},
        crews={
            "punt_nutmeg": [A, B, A][:nutmeg],
            "punt_jade": [B, A, B, A][:jade],
            "pirate": [C, D],
        },
        pirates_displace=displace,
    )
    return table.roll(nutmeg=3, ginseng=1, jade=3)


def _displacing() -> Table:
    return _boarding(displace=True, nutmeg=2, jade=1)


def _crowded() -> Table:
    """The captain has taken seat 1 of the only punt on 13, which is full."""
    table = before_roll(
        MOVE_2,
        positions={"nutmeg": 10, "ginseng": 3, "jade": 3},
        crews={"punt_nutmeg": [A, B, A], "pirate": [C, D]},
        pirates_displace=True,
    )
    table.roll(nutmeg=3, ginseng=1, jade=1)
    return table.play(C, "board_punt", ware="nutmeg", displace_seat=1)


def _plundering() -> Table:
    table = before_roll(MOVE_3, positions=STARTS | {"jade": 12}, crews={"pirate": [B]})
    return table.roll(silk=1, ginseng=1, jade=1)


def _pledged(cash: int) -> Table:
    return Table(players={A: {"cash": cash, "pledged": 2}})


def _borrowing() -> Table:
    return Table(players={A: {"pledged": 1}}).play(A, "take_loan")


def _redeeming() -> Table:
    return Table(players={A: {"pledged": 1}}).play(A, "redeem_share")


def _move(type_: str, **fields: object) -> Json:
    return {"type": type_, **fields}


def _starts(**starts: object) -> Json:
    return _move("place_punts", starts=starts)


def _place(space: object) -> Json:
    return _move("place_accomplice", space=space)


def _pilot(*moves: tuple[object, object]) -> Json:
    return _move("pilot_move", moves=[{"ware": ware, "delta": delta} for ware, delta in moves])


def _order(*order: object) -> Json:
    return _move("choose_arrival_order", order=list(order))


def _board(ware: object, seat: object = None) -> Json:
    return _move("board_punt", ware=ware, displace_seat=seat)


def _send(ware: object, destination: object) -> Json:
    return _move("send_plundered", ware=ware, destination=destination)


CASES: list[tuple[str, Callable[[], Table], Seat, Json]] = [
    # Any move
    ("game_over", _over, A, _move("bid", amount=1)),
    ("game_over", _over, A, _move("nonsense")),
    ("not_your_turn", Table, B, _move("nonsense")),
    ("not_your_turn", Table, B, _move("skip_share")),
    ("not_your_turn", Table, B, _move("bid", amount="x")),
    ("malformed_action", Table, A, _move("nonsense")),
    ("wrong_phase", Table, A, _move("skip_share")),
    ("wrong_phase", Table, A, _move("buy_share", ware=1, more=2)),
    ("malformed_action", Table, A, _move("bid")),
    ("malformed_action", Table, A, _move("bid", amount=1, more=2)),
    ("malformed_action", Table, A, _move("bid", amount="1")),
    ("malformed_action", Table, A, _move("bid", amount=True)),
    ("malformed_action", Table, A, _move("pass_auction", amount=1)),
    # The auction
    ("bid_too_low", Table, A, _move("bid", amount=0)),
    ("bid_too_low", _bidding, B, _move("bid", amount=5)),
    ("bid_exceeds_funds", _bidding, B, _move("bid", amount=15)),
    ("bid_exceeds_funds", Table, A, _move("bid", amount=10**5000)),
    # Buying and loading
    ("unknown_ware", _buying, A, _move("buy_share", ware="rice")),
    ("no_share_in_supply", _buying, A, _move("buy_share", ware="silk")),
    ("insufficient_funds", _buying, A, _move("buy_share", ware="jade")),
    ("unknown_ware", _loading, A, _move("load_wares", left_out="rice")),
    # Start spaces, in the order of the checks; a wrong type comes before all of them: R62
    ("malformed_action", _starting, A, _starts(silk="5", ginseng=4, jade=0)),
    ("malformed_action", _starting, A, _move("place_punts", starts=[5, 4, 0])),
    ("wrong_wares", _starting, A, _starts(nutmeg=9, ginseng=9, jade=9)),
    ("wrong_wares", _starting, A, _starts(silk=5, ginseng=4)),
    ("wrong_wares", _starting, A, _starts(silk=3, ginseng=3, jade=3, nutmeg=0)),
    ("wrong_wares", _starting, A, _starts()),
    ("start_out_of_range", _starting, A, _starts(silk=6, ginseng=4, jade=0)),
    ("start_out_of_range", _starting, A, _starts(silk=-1, ginseng=5, jade=5)),
    ("start_sum_not_nine", _starting, A, _starts(silk=5, ginseng=5, jade=0)),
    # Accomplices, in the order of the checks
    ("malformed_action", _placing, A, _place(3)),
    ("unknown_space", _placing, A, _place("lighthouse")),
    ("ware_not_loaded", _placing, A, _place("punt_nutmeg")),
    ("punt_not_at_sea", _placing, A, _place("punt_silk")),
    ("space_occupied", _placing, A, _place("punt_ginseng")),
    ("space_occupied", _placing, A, _place("port_a")),
    ("space_occupied", _placing, A, _place("pirate")),
    ("space_occupied", lambda: _placing(0, 2), A, _place("port_a")),
    ("blind_passenger_punts_only", lambda: _placing(0, 2), A, _place("insurance")),
    ("blind_passenger_punts_only", lambda: _placing(0, 2), A, _place("port_c")),
    ("blind_passenger_punts_only", lambda: _spent(_placing(0, 2)), A, _place("port_c")),
    ("cheapest_space_only", _short, A, _place("shipyard_a")),
    ("cheapest_space_only", lambda: _spent(_short()), A, _place("shipyard_a")),
    ("insufficient_funds", lambda: _placing(2, 2), A, _place("pilot_big")),
    ("insufficient_funds", lambda: _placing(4, 2), A, _place("pilot_big")),
    ("insufficient_funds", lambda: _spent(_placing(2, 2)), A, _place("pilot_big")),
    ("no_accomplice_left", lambda: _spent(_placing()), A, _place("port_b")),
    ("no_accomplice_left", lambda: _spent(_placing(4, 2)), A, _place("port_b")),
    # Pilots
    ("malformed_action", _piloting, B, _move("pilot_move", moves={"silk": 1})),
    ("malformed_action", _piloting, B, _move("pilot_move", moves=["silk"])),
    ("malformed_action", _piloting, B, _move("pilot_move", moves=[{"ware": "silk"}])),
    ("malformed_action", _piloting, B, _pilot(("silk", "1"))),
    ("illegal_pilot_move", _piloting, B, _pilot()),
    ("illegal_pilot_move", _piloting, B, _pilot(("rice", 1))),
    ("illegal_pilot_move", _piloting, B, _pilot(("nutmeg", 1))),
    ("illegal_pilot_move", _piloting, B, _pilot(("silk", 0))),
    ("illegal_pilot_move", _piloting, B, _pilot(("silk", 2))),
    ("illegal_pilot_move", _piloting, B, _pilot(("jade", -1))),
    ("illegal_pilot_move", _piloting, B, _pilot(("silk", 1), ("ginseng", 1))),
    ("illegal_pilot_move", _big_piloting, B, _pilot(("silk", 1), ("silk", 1))),
    ("illegal_pilot_move", _big_piloting, B, _pilot(("silk", 2), ("ginseng", 1))),
    ("illegal_pilot_move", _big_piloting, B, _pilot(("ginseng", 1), ("silk", 1))),
    ("illegal_pilot_move", _big_piloting, B, _pilot(("silk", 3))),
    # Arrivals
    ("malformed_action", _arriving, A, _move("choose_arrival_order", order="silk")),
    ("malformed_action", _arriving, A, _order("silk", 1)),
    ("not_a_permutation", _arriving, A, _order("silk")),
    ("not_a_permutation", _arriving, A, _order("silk", "silk")),
    ("not_a_permutation", _arriving, A, _order("silk", "ginseng")),
    ("not_a_permutation", _arriving, A, _order("silk", "jade", "ginseng")),
    # Boarding
    ("malformed_action", _boarding, C, _move("board_punt")),
    ("malformed_action", _boarding, C, _move("board_punt", displace_seat=None)),
    ("punt_not_boardable", _boarding, C, _move("board_punt", ware="rice")),
    ("malformed_action", _crowded, D, _move("board_punt", ware="nutmeg")),
    ("malformed_action", _boarding, C, _board("jade", "0")),
    ("punt_not_boardable", _boarding, C, _board("rice", 0)),
    ("punt_not_boardable", _boarding, C, _board("rice")),
    ("malformed_action", _boarding, C, _board("rice", "0")),
    ("displacement_not_allowed", _boarding, C, _board("ginseng", 0)),
    ("punt_not_boardable", _boarding, C, _board("ginseng")),
    ("punt_not_boardable", _boarding, C, _board("nutmeg")),
    ("punt_not_boardable", _displacing, C, _board("ginseng", 0)),
    ("fill_vacancy_first", _displacing, C, _board("nutmeg", 0)),
    ("fill_vacancy_first", _displacing, C, _board("nutmeg", 3)),
    ("malformed_action", _displacing, C, _board("jade", 9)),
    ("fill_vacancy_first", lambda: _boarding(displace=True), C, _board("nutmeg")),
    ("punt_not_boardable", _crowded, D, _board("jade", 0)),
    ("malformed_action", _crowded, D, _board("nutmeg")),
    ("malformed_action", _crowded, D, _board("nutmeg", 3)),
    ("malformed_action", _crowded, D, _board("nutmeg", -1)),
    ("seat_protected", _crowded, D, _board("nutmeg", 1)),
    # Plunder
    ("malformed_action", _plundering, B, _send("silk", "port")),
    ("malformed_action", _plundering, B, _send("rice", "beach")),
    ("malformed_action", _plundering, B, _send("jade", 1)),
    ("invalid_destination", _plundering, B, _send("jade", "beach")),
    # Loans, in the order of the checks
    ("no_free_share", lambda: _pledged(30), A, _move("take_loan")),
    ("finance_direction_locked", _redeeming, A, _move("take_loan")),
    ("no_pledged_share", Table, A, _move("redeem_share")),
    ("insufficient_funds", lambda: _pledged(14), A, _move("redeem_share")),
    ("finance_direction_locked", _borrowing, A, _move("redeem_share")),
]


@pytest.mark.parametrize(("code", "position", "seat", "move"), CASES)
def test_the_move_is_refused_with_the_code(
    code: str, position: Callable[[], Table], seat: Seat, move: Json
) -> None:
    assert position().refused_json(seat, move) == code


def test_every_code_is_covered() -> None:
    covered = {code for code, *_ in CASES}
    assert covered == set(RULESET.error_codes)
    assert len(RULESET.error_codes) == 29
    assert RULESET.error_codes == tuple(Error)


FIELDS: list[tuple[Callable[[], Table], Seat, Json, str, set[str]]] = [
    (Table, A, _move("bid"), "amount", {"bid_too_low", "bid_exceeds_funds"}),
    (_buying, A, _move("buy_share"), "ware", {"unknown_ware"}),
    (_loading, A, _move("load_wares"), "left_out", {"unknown_ware"}),
    (_starting, A, _move("place_punts"), "starts", {"wrong_wares"}),
    (_placing, A, _move("place_accomplice"), "space", {"unknown_space"}),
    (_piloting, B, _move("pilot_move"), "moves", {"illegal_pilot_move"}),
    (_arriving, A, _move("choose_arrival_order"), "order", {"not_a_permutation"}),
    (_boarding, C, _move("board_punt", displace_seat=None), "ware", {"punt_not_boardable"}),
    (_crowded, D, _move("board_punt", ware="nutmeg"), "displace_seat", set()),
    (_plundering, B, _move("send_plundered", destination="port"), "ware", set()),
    (_plundering, B, _move("send_plundered", ware="jade"), "destination", {"invalid_destination"}),
]


@pytest.mark.parametrize(("position", "seat", "move", "field", "codes"), FIELDS)
def test_junk_is_malformed_or_gets_the_code_of_its_field(
    position: Callable[[], Table], seat: Seat, move: Json, field: str, codes: set[str]
) -> None:
    table = position()
    legal = [listed.get(field) for listed in table.legal()]
    for junk in (*JUNK, ["x"]):
        if type(junk) is bool or junk not in legal:
            code = table.refused_json(seat, {**move, field: junk})
            assert code in codes | {"malformed_action"}, junk


def test_who_has_no_accomplice_left_can_only_abstain_or_borrow() -> None:
    assert _spent(_placing()).legal() == [{"type": "abstain"}, {"type": "take_loan"}]


def test_a_type_of_any_kind_is_malformed() -> None:
    for junk in (*JUNK, ["x"]):
        assert Table().refused(A, junk) == "malformed_action"


def test_a_move_made_in_code_is_checked_too() -> None:
    for data in (_move("bid", amount=99), _move("take_loan")):
        with pytest.raises(IllegalMove):
            RULESET.check(_pledged(30).state, A, RULESET.recorded_move(data))
    RULESET.check(Table().state, A, RULESET.recorded_move(_move("bid", amount=30)))


@pytest.mark.parametrize(
    ("position", "seat", "move", "message", "details"),
    [
        (
            *(_bidding, B, _move("bid", amount=15)),
            *("15 is too high: you can raise 14", {"funds": 14}),
        ),
        (_loading, A, _move("load_wares", left_out="rice"), "there is no ware rice", {}),
        (
            *(_starting, A, _starts(silk=6, ginseng=4, jade=0)),
            "silk is not on 0 to 5 in {'ginseng': 4, 'jade': 0, 'silk': 6}",
            {"ware": "silk"},
        ),
        (
            *(_crowded, D, _board("nutmeg", 3), "3 does not fit here: [0, 1, 2] would"),
            {"given": 3, "expected": [0, 1, 2]},
        ),
        (
            *(_plundering, B, _send("silk", "port"), "silk does not fit here: jade would"),
            {"given": "silk", "expected": "jade"},
        ),
    ],
)
def test_refusals_name_the_values(
    position: Callable[[], Table], seat: Seat, move: Json, message: str, details: Json
) -> None:
    with pytest.raises(IllegalMove) as error:
        RULESET.read_move(position().state, seat, move)
    assert error.value.message == message
    assert error.value.details == details


def test_no_space_is_refused_for_another_reason_when_nobody_can_pay() -> None:
    table = at_sea("placement", PLACE_1, positions=STARTS, players={A: {"cash": 0, "pledged": 2}})
    refusals = {table.refused(A, "place_accomplice", space=s["id"]) for s in SPACES_ASHORE}
    assert refusals == {"blind_passenger_punts_only"}


SPACES_ASHORE = [s for s in RULESET.data.tables["placement_spaces"] if s["kind"] != "punt"]


# Options


@pytest.mark.parametrize(
    ("seats", "given", "option"),
    [
        (2, {}, "seats"),
        (6, {}, "seats"),
        (3, {"colour": "red"}, "colour"),
        (3, {"pirates_displace": 1}, "pirates_displace"),
        (3, {"first_starter": 0}, "first_starter"),
        (3, {"arrival_order": "random"}, "arrival_order"),
        (3, {"initial_pool": 3}, "initial_pool"),
        (3, {"voyage_limit": -1}, "voyage_limit"),
        (3, {"voyage_limit": 10**5000}, "voyage_limit"),
    ],
)
def test_bad_options_name_the_option(seats: int, given: Json, option: str) -> None:
    assert bad_option(RULESET, seats, given) == option
