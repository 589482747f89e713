"""Every error code of the rules, and the order of the checks."""

from collections.abc import Callable
from typing import Any

import pytest

from rules.kernel.contract.seats import Seat
from rules.plus_ultra import RULESET
from rules.plus_ultra.errors import Error
from tests.rules.playing import JUNK, check_junk
from tests.rules.plus_ultra.table import GOLD, NATIVES, SILVER, A, B, Table

Case = tuple[Callable[[], Table], Seat, str, dict[str, object]]


def of(*characters: str, **given: Any) -> Callable[[], Table]:
    """A table at which A has these characters."""
    return lambda: Table(characters={A: characters}, **given)


def over() -> Table:
    table = Table(
        2, active=B, round=2, turn=7, characters={B: ("pirate", "viceroy")}, set_aside="king"
    )
    return table.play(B, "forfeit_character", character="pirate").end(B)


def acted(*characters: str, **given: Any) -> Callable[[], Table]:
    """The same table after A has forfeited the second character."""
    return lambda: of(*characters, **given)().play(A, "forfeit_character", character=characters[1])


def drafting() -> Table:
    table = Table()
    data = table.json
    data.update(
        phase="draft", round=0, place=4, picks=0, characters=[[], [], [], []],
        used=[[], [], [], []], set_aside="king",
        pack=[c["id"] for c in RULESET.data.tables["characters"] if c["id"] != "king"],
    )  # fmt: skip
    table.state = RULESET.from_json(data)
    return table


def bidding() -> Table:
    return Table(3, phase="tercio_bids")


FULL = [GOLD, SILVER, SILVER, SILVER]
POOR = {A: {"ducats": 0}}
TIRED = {A: {"active": 0, "tired": 2}}
NO_HOUSES = {A: {"reserve": 0}}
ALL_HOUSES = {A: {"reserve": 5}}
SWAP = {"war_level": 2, "war": [B, B]}
CASES: dict[str, Case] = {
    Error.GAME_OVER: (over, A, "end_activation", {}),
    Error.NOT_YOUR_DECISION: (Table, B, "end_activation", {}),
    Error.WRONG_PHASE: (Table, A, "bid_tercios", {"count": 0}),
    Error.INVALID_PARAMETER: (Table, A, "common_court", {"steps": 3}),
    Error.INSUFFICIENT_DUCATS: (Table, A, "common_painter", {}),
    Error.CHARACTER_NOT_IN_PACK: (drafting, A, "draft_character", {"character": "king"}),
    Error.BID_TOO_HIGH: (bidding, A, "bid_tercios", {"count": 3}),
    Error.BID_ALREADY_COMMITTED: (
        lambda: bidding().play(A, "bid_tercios", count=0), A, "bid_tercios", {"count": 0},
    ),
    Error.CHARACTER_NOT_YOURS: (of("king", "pirate"), A, "admiral_trade", {}),
    Error.CHARACTER_ALREADY_USED: (
        of("king", "pirate", round=2, used={A: ["king"]}), A, "king_favor", {},
    ),
    Error.ALREADY_ACTED: (acted("king", "pirate"), A, "king_favor", {}),
    Error.NOT_ACTED_YET: (Table, A, "end_activation", {}),
    Error.NOT_CURRENT_CHARACTER: (
        acted("king", "pirate", players={A: {"bulls": 1}}), A, "pirate_idle", {"with_bull": True},
    ),
    Error.NO_BULL: (Table, A, "common_loan", {"with_bull": True}),
    Error.BULL_ALREADY_USED: (
        of("king", "pirate", players={A: {"bulls": 1}}, bull_used=[1, 0, 0, 0]),
        A, "common_loan", {"with_bull": True},
    ),
    Error.BULL_SUPPLY_EMPTY: (
        of("cardinal", "pirate", players={B: {"bulls": 5}}), A, "cardinal_bull", {},
    ),
    Error.COMMON_SPACE_TAKEN: (
        of("king", "pirate", common_taken=[1] + [0] * 7, common_used=[0, 1, 0, 0],
           round=2),
        A, "common_painter", {},
    ),
    Error.COMMON_ALREADY_USED: (
        of("king", "pirate", common_taken=[1] + [0] * 7, common_used=[1, 0, 0, 0]),
        A, "common_loan", {},
    ),
    Error.NO_GOOD_IN_ROW: (
        of("admiral", "pirate", rows={1: NATIVES}), A, "admiral_ship",
        {"row": 1, "destination": "market"},
    ),
    Error.BAD_DESTINATION: (
        of("admiral", "pirate", rows={1: GOLD}, market=FULL), A, "admiral_ship",
        {"row": 1, "destination": "market"},
    ),
    Error.CHURCH_SLOT_TAKEN: (
        of("cardinal", "pirate", church=[GOLD, None, None], surplus=[SILVER]), A,
        "cardinal_donate", {"source": "surplus", "church_slot": 1, "use_rosette": False},
    ),
    Error.MARKET_SLOT_EMPTY: (of("merchant", "king"), A, "merchant_sell", {"source": "market"}),
    Error.SURPLUS_EMPTY: (of("merchant", "king"), A, "merchant_sell", {"source": "surplus"}),
    Error.NO_READY_ROSETTE: (
        of("cardinal", "king", market=FULL, players={A: {"rosettes_ready": 0}}), A,
        "cardinal_donate", {"source": "market", "church_slot": 1, "use_rosette": True},
    ),
    Error.NO_ACTIVE_TERCIO: (of("constable", "king", players=TIRED), A, "constable_place", {}),
    Error.TERCIO_SUPPLY_EMPTY: (
        of("constable", "king", players={A: {"active": 5}}), A, "constable_recruit",
        {"state": "active"},
    ),
    Error.WAR_NOT_MATCHED: (of("constable", "king"), A, "constable_swap", {"war_space": 1}),
    Error.WAR_ALREADY_MATCHED: (of("constable", "king", **SWAP), A, "constable_place", {}),
    Error.WAR_SPACE_EMPTY: (of("constable", "king", **SWAP), A, "constable_swap",
                             {"war_space": 3}),
    Error.NOTHING_TO_EXPLORE: (of("conquistador", "king"), A, "conquistador_explore", {}),
    Error.NO_TRADE_MARKER: (of("pirate", "king"), A, "pirate_raid_trade", {"target": B}),
    Error.NO_SETTLEMENT_IN_ROW: (
        of("pirate", "king", rows={1: GOLD}), A, "pirate_raid_goods", {"row": 1},
    ),
    Error.RAID_POSSIBLE: (
        of("pirate", "king", players={B: {"trade": 1}}), A, "pirate_idle", {},
    ),
    Error.ROSETTE_SUPPLY_EMPTY: (
        of("king", "pirate", players={B: {"rosettes_ready": 7}}), A, "common_workshops",
        {"reward": "rosette"},
    ),
    Error.HOUSE_SUPPLY_EMPTY: (
        of("king", "pirate", players=ALL_HOUSES), A, "common_workshops", {"reward": "house"},
    ),
    Error.MAGELLAN_SUPPLY_EMPTY: (
        of("secretary", "pirate", players={B: {"magellan": 6}}), A, "secretary_patronage",
        {"reward": "magellan"},
    ),
    Error.ESTATE_SUPPLY_EMPTY: (
        of("secretary", "pirate", estates_used=["castle", "palace", "vineyard", "manor", "abbey",
                                                "shipyard"]),
        A, "secretary_estate", {},
    ),
    Error.NO_HOUSE_IN_RESERVE: (
        of("viceroy", "king", players=NO_HOUSES, settlements={1: (2, [])}), A, "viceroy_settle",
        {"settlement_space": 1},
    ),
    Error.NO_SETTLEMENT: (of("viceroy", "king"), A, "viceroy_settle", {"settlement_space": 1}),
    Error.SETTLEMENT_FULL: (
        of("viceroy", "king", settlements={1: (2, [B, B])}, players={B: {"reserve": 0}}), A,
        "viceroy_settle", {"settlement_space": 1},
    ),
    Error.NO_NATIVES_IN_ROW: (
        of("viceroy", "king", rows={1: GOLD}), A, "viceroy_capture", {"row": 1, "payment": "bull"},
    ),
    Error.SEA_TRADE_FULL: (
        of("king", "pirate", players={A: {"trade": 15}}), A, "common_trade_route", {},
    ),
    Error.COURT_TOO_FAR: (Table, A, "common_court", {"steps": 1}),
    Error.ESTATE_NOT_OWNED: (Table, A, "use_estate", {"estate": "abbey"}),
    Error.ESTATE_WITHOUT_RESOURCE: (
        of("king", "pirate", players={A: {"estates": ["castle"]}}), A, "use_estate",
        {"estate": "castle"},
    ),
}  # fmt: skip


def test_every_code_has_a_case() -> None:
    assert set(CASES) == set(Error) == set(RULESET.error_codes)


@pytest.mark.parametrize("code", CASES)
def test_the_code(code: str) -> None:
    make, seat, type_, params = CASES[code]
    assert make().refused(seat, type_, **params) == code


@pytest.mark.parametrize(
    ("make", "seat", "type_", "params", "code"),
    [
        (over, B, "bid_tercios", {"count": "x"}, Error.GAME_OVER),
        (Table, B, "bid_tercios", {"count": "x"}, Error.NOT_YOUR_DECISION),
        (Table, A, "fly", {}, Error.INVALID_PARAMETER),
        (Table, A, "bid_tercios", {"count": "x"}, Error.WRONG_PHASE),
        (Table, A, "admiral_ship", {"row": 8, "destination": "market"}, Error.INVALID_PARAMETER),
        # With a bull, the character comes before the bull.
        (of("king", "pirate"), A, "king_favor", {"with_bull": True}, Error.NOT_CURRENT_CHARACTER),
        # A taken space comes before the action that is used up, and the bull before the price.
        (
            of("king", "pirate", common_taken=[1] + [0] * 7, common_used=[1, 0, 0, 0]),
            A, "common_painter", {}, Error.COMMON_SPACE_TAKEN,
        ),
        (Table, A, "common_painter", {"with_bull": True}, Error.NO_BULL),
        # An invalid value of any type comes before the price: R58
        (
            of("viceroy", "king", players={A: {"ducats": 0, "reserve": 0}}), A, "viceroy_settle",
            {"settlement_space": "1"}, Error.INVALID_PARAMETER,
        ),
        (
            of("viceroy", "king", players={A: {"ducats": 0, "reserve": 0}}), A, "viceroy_settle",
            {"settlement_space": 8}, Error.INVALID_PARAMETER,
        ),
        # The price comes before the supply.
        (
            of("king", "pirate", players={A: {"ducats": 0, "reserve": 5}}), A, "common_workshops",
            {"reward": "house"}, Error.INSUFFICIENT_DUCATS,
        ),
        (
            of("viceroy", "king", players={A: {"ducats": 0, "reserve": 0}}), A, "viceroy_settle",
            {"settlement_space": 1}, Error.INSUFFICIENT_DUCATS,
        ),
        (
            of("viceroy", "king", players=NO_HOUSES), A, "viceroy_settle",
            {"settlement_space": 1}, Error.NO_HOUSE_IN_RESERVE,
        ),
        (Table, A, "pirate_raid_trade", {"target": 4}, Error.INVALID_PARAMETER),
        (lambda: Table(2, characters={A: ("pirate", "king")}), A, "pirate_raid_trade",
         {"target": 2}, Error.INVALID_PARAMETER),
        (of("king", "pirate", players={A: {"estates": ["barracks"]}}), A, "use_estate",
         {"estate": "barracks"}, Error.INVALID_PARAMETER),
        (of("king", "pirate", players={A: {"estates": ["abbey"]}}), A, "use_estate",
         {"estate": "abbey", "state": "tired"}, Error.INVALID_PARAMETER),
    ],
)  # fmt: skip
def test_the_first_error_is_reported(
    make: Callable[[], Table], seat: Seat, type_: str, params: dict[str, object], code: str
) -> None:
    assert make().refused(seat, type_, **params) == code


@pytest.mark.parametrize("type_", RULESET.move_types, ids=lambda t: t.type)
@pytest.mark.parametrize("make", [Table, drafting, bidding, over])
def test_junk_is_refused_with_a_code(make: Callable[[], Table], type_: Any) -> None:
    state = make().state
    names = type_.__match_args__
    for junk in (*JUNK, ["x"]):
        given = [dict.fromkeys(names, junk), dict.fromkeys(names[:1], junk), {"x": junk}]
        given += [{**dict.fromkeys(names, False), name: junk} for name in names]
        for params in given:
            data = {"type": type_.type, **params}
            check_junk(RULESET, state, (0, 1, -1, 7), data)


def test_what_the_rules_give_a_default_may_be_left_out() -> None:
    """4.2, 4.5: ``with_bull`` is false; 4.6: only the tercio estate has ``state``."""
    for type_ in RULESET.move_types:
        schema = type_.schema()
        may = schema["properties"].keys() - set(schema["required"])
        defaults = {name: schema["properties"][name]["default"] for name in may}
        has = {"with_bull", "state"} if type_.type == "use_estate" else {"with_bull"}
        known = {"with_bull": False, "state": None}
        assert defaults == {n: known[n] for n in has & schema["properties"].keys()}, type_.type
    state = of("king", "pirate")().state
    move = RULESET.read_move(state, A, {"type": "king_favor"})
    assert move.to_json() == {"type": "king_favor", "with_bull": False}
