"""Every error code of the rules, and the order of the checks."""

from collections.abc import Callable

import pytest

from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.move import MalformedMove
from rules.kernel.contract.seats import Seat
from rules.macao import RULESET
from rules.macao.errors import Error
from tests.rules.macao.table import A, B, Table, acting, at_the_end, choosing, drafting
from tests.rules.playing import JUNK, Json, bad_option


def _draft() -> Table:
    return drafting(2, ["bank"], ["inn", "tavern", "market", "garden"])


def _overflow() -> Table:
    tableau = ["bank", "gate", "tower", "school", "garden"]
    table = drafting(2, tableau, ["market", "inn", "tavern"])
    return table.play(A, "draft_card", card="inn")


def _city() -> Table:
    return acting({"black": 1, "red": 1}, owners={"q01": B})


def _claimed() -> Table:
    table = acting({"black": 1, "red": 1}, holds={"punishments": 12}, owners={"q01": B})
    data = table.json
    data["turn"]["claims"] = 1
    table.state = RULESET.from_json(data)
    return table


def _no_markers() -> Table:
    return acting({"black": 1}, holds={"punishments": 12}, owners={"q01": B})


def _advanced() -> Table:
    return acting({"red": 2, "blue": 1}).play(A, "advance_wall", color="red")


def _closed() -> Table:
    return _advanced().play(A, "move_ship", space="s01", color="red")


def _at_the_wall_end() -> Table:
    return acting({"red": 3}, "guard", wall={15: [A], 0: [B]})


def _reached_the_end() -> Table:
    return acting({"red": 3}, wall={14: [A], 0: [B]}).play(A, "advance_wall", color="red")


def _sea() -> Table:
    return acting({"red": 1}, holds={"ship": "lisboa", "goods": {"tea": 1}})


def _free() -> Table:
    return acting({"red": 1}, "cabin_boy").play(A, "use_card", card="cabin_boy")


def _bought() -> Table:
    return acting({}, holds={"coins": 3}).play(A, "buy_prestige")


def _cards() -> Table:
    active = ("mint", "inn", "tavern", "gate", "bank", "theatre", "astrologer")
    return acting({"red": 1}, *active, holds={"coins": 0, "tableau": ["market"]})


def _no_reds() -> Table:
    return acting({"red": 50}, "guildhall", "tavern", "astrologer", holds={"jokers": 1})


def _one_red() -> Table:
    return acting({"red": 49}, "juggler", holds={"jokers": 1})


DRAFT, DISCARD, START, DICE = (
    "draft_card",
    "discard_tableau_card",
    "choose_start_cubes",
    "choose_dice",
)
CLAIM, WALL, EXTRA, SAIL = "claim_quarter", "advance_wall", "advance_wall_extra", "move_ship"
USE, JOKER = "use_card", "use_joker"


def _claim(quarter: object, **payment: object) -> Json:
    return {"type": CLAIM, "quarter": quarter, "payment": payment}


def _initial_draft() -> Table:
    holds = {"activated": ["idler"]}
    return Table(players={A: holds}, phase="initial_draft", round=1, display=["inn", "tavern"])


def _initial_cubes() -> Table:
    return Table(phase="initial_cubes", round=1)


CASES: list[tuple[str, Callable[[], Table], Seat, Json]] = [
    # Any move, in the order of the checks
    ("game_finished", at_the_end, A, {"type": "nonsense"}),
    ("game_finished", at_the_end, A, {"type": "end_turn"}),
    ("wrong_phase", Table, B, {"type": "nonsense"}),
    ("wrong_phase", Table, B, {"type": ["end_turn"]}),
    ("wrong_phase", Table, B, {"type": DRAFT, "x": 1}),
    ("wrong_phase", _overflow, A, {"type": DRAFT, "card": "tavern"}),
    ("not_your_turn", Table, B, {"type": "end_turn", "x": 1}),
    ("malformed_action", Table, A, {"type": "end_turn", "x": 1}),
    ("malformed_action", Table, A, {"type": WALL}),
    # A wrong type comes before an id that names nothing: R51
    ("malformed_action", _city, A, {"type": CLAIM, "quarter": "q99", "payment": 1}),
    ("unknown_id", _city, A, {"type": CLAIM, "quarter": "q99", "payment": {"pink": 1}}),
    # Drafting
    ("malformed_action", _draft, A, {"type": DRAFT, "card": 1}),
    ("unknown_id", _draft, A, {"type": DRAFT, "card": "casino"}),
    ("card_not_in_display", _draft, A, {"type": DRAFT, "card": "bank"}),
    ("must_draft", _draft, A, {"type": "skip_draft"}),
    ("wrong_phase", _initial_draft, A, {"type": "skip_draft"}),
    ("unknown_id", _overflow, A, {"type": DISCARD, "card": "casino"}),
    ("card_not_on_tableau", _overflow, A, {"type": DISCARD, "card": "tavern"}),
    # Cubes and dice
    ("unknown_color", _initial_cubes, A, {"type": START, "first": "pink", "second": "red"}),
    ("unknown_color", _initial_cubes, A, {"type": START, "first": "red", "second": "pink"}),
    ("malformed_action", choosing, A, {"type": DICE, "colors": ["red"]}),
    ("malformed_action", choosing, A, {"type": DICE, "colors": ["red", 1]}),
    ("unknown_color", choosing, A, {"type": DICE, "colors": ["pink", "pink"]}),
    ("wrong_phase", choosing, A, {"type": "choose_dice_secretly", "colors": ["red", "blue"]}),
    ("same_die_twice", choosing, A, {"type": DICE, "colors": ["red", "red"]}),
    # Activating
    ("unknown_id", _cards, A, {"type": "activate_card", "card": "casino"}),
    ("card_not_on_tableau", _cards, A, {"type": "activate_card", "card": "school"}),
    ("card_not_on_tableau", _cards, A, {"type": "activate_card", "card": "mint"}),
    ("cubes_not_available", _cards, A, {"type": "activate_card", "card": "market"}),
    # Claiming
    ("malformed_action", _city, A, _claim("q31", red=0)),
    ("malformed_action", _city, A, _claim("q31", red=True)),
    ("malformed_action", _city, A, {"type": CLAIM, "quarter": "q05", "payment": ["black"]}),
    ("unknown_id", _city, A, _claim("q31", pink=1)),
    ("unknown_color", _city, A, _claim("q01", pink=1)),
    ("quarter_already_owned", _claimed, A, _claim("q01", red=1)),
    ("claim_limit_reached", _claimed, A, _claim("q05", black=1)),
    ("no_ownership_markers", _no_markers, A, _claim("q05", red=1)),
    ("wrong_payment", _city, A, _claim("q05", red=1)),
    ("wrong_payment", _city, A, _claim("q05", black=2)),
    ("wrong_payment", _city, A, _claim("q05", black=10**30)),
    ("wrong_payment", _city, A, _claim("q05")),
    ("cubes_not_available", _city, A, _claim("q20", green=1)),
    # The wall
    ("unknown_color", _advanced, A, {"type": WALL, "color": "pink"}),
    ("wall_already_advanced", _advanced, A, {"type": WALL, "color": "green"}),
    ("wall_end_reached", _at_the_wall_end, A, {"type": WALL, "color": "blue"}),
    ("cubes_not_available", _sea, A, {"type": WALL, "color": "blue"}),
    ("unknown_color", _city, A, {"type": EXTRA, "payment": {"pink": 2}}),
    ("wall_not_open", _city, A, {"type": EXTRA, "payment": {"red": 1}}),
    ("wall_not_open", _closed, A, {"type": EXTRA, "payment": {"red": 1, "blue": 1}}),
    ("wall_end_reached", _reached_the_end, A, {"type": EXTRA, "payment": {"red": 1}}),
    ("wrong_payment", _advanced, A, {"type": EXTRA, "payment": {"red": 1}}),
    ("cubes_not_available", _advanced, A, {"type": EXTRA, "payment": {"red": 2}}),
    # The sea
    ("malformed_action", _sea, A, {"type": SAIL, "space": "s03", "color": None}),
    ("unknown_id", _sea, A, {"type": SAIL, "space": "s13", "color": "pink"}),
    ("unknown_color", _sea, A, {"type": SAIL, "space": "macao", "color": "pink"}),
    ("not_adjacent", _sea, A, {"type": SAIL, "space": "macao", "color": "red"}),
    ("not_adjacent", _sea, A, {"type": SAIL, "space": "lisboa", "color": "red"}),
    ("free_step_available", _free, A, {"type": SAIL, "space": "s01", "color": "red"}),
    ("malformed_action", _sea, A, {"type": SAIL, "space": "s03"}),
    ("cubes_not_available", _sea, A, {"type": SAIL, "space": "s03", "color": "blue"}),
    ("unknown_id", _sea, A, {"type": "deliver_goods", "good": "joker"}),
    ("no_such_goods", _sea, A, {"type": "deliver_goods", "good": "spices"}),
    ("port_not_reachable", _sea, A, {"type": "deliver_goods", "good": "tea"}),
    # Tribute
    ("tribute_limit_reached", _bought, A, {"type": "buy_prestige"}),
    ("not_enough_coins", _cards, A, {"type": "buy_prestige"}),
    # Uses of cards
    ("unknown_id", _cards, A, {"type": USE, "card": "casino", "pay_colors": ["pink"]}),
    ("unknown_color", _cards, A, {"type": USE, "card": "market", "pay_colors": ["pink"]}),
    ("unknown_color", _cards, A, {"type": USE, "card": "market", "gain_colors": ["pink"]}),
    ("card_not_active", _cards, A, {"type": USE, "card": "market"}),
    ("card_has_no_use", _cards, A, {"type": USE, "card": "gate", "pay_colors": ["red"]}),
    ("card_already_used", _free, A, {"type": USE, "card": "cabin_boy", "pay_colors": []}),
    ("malformed_action", _cards, A, {"type": USE, "card": "mint", "pay_colors": []}),
    ("malformed_action", _cards, A, {"type": USE, "card": "tavern"}),
    ("malformed_action", _cards, A, {"type": USE, "card": "tavern", "pay_colors": ["red"]}),
    ("malformed_action", _cards, A, {"type": USE, "card": "inn", "gain_colors": ["red"]}),
    ("malformed_action", _cards, A, {"type": USE, "card": "inn", "gain_colors": ["red"] * 3}),
    ("malformed_action", _cards, A, {"type": USE, "card": "inn", "gain_colors": ["red"] * 200}),
    ("wall_end_reached", _at_the_wall_end, A, {"type": USE, "card": "guard"}),
    ("not_enough_coins", _cards, A, {"type": USE, "card": "inn", "gain_colors": ["red"] * 2}),
    ("cubes_not_available", _cards, A, {"type": USE, "card": "mint"}),
    (
        "cubes_not_available",
        _no_reds,
        A,
        {"type": USE, "card": "tavern", "pay_colors": ["blue"], "gain_colors": ["red"]},
    ),
    (
        "supply_color_empty",  # the bank as it is before the payment (R35)
        _no_reds,
        A,
        {"type": USE, "card": "tavern", "pay_colors": ["red"], "gain_colors": ["red"]},
    ),
    # Jokers
    ("unknown_color", _sea, A, {"type": JOKER, "cubes": ["pink"], "coins": 0}),
    ("no_joker", _sea, A, {"type": JOKER, "cubes": [], "coins": 0}),
    ("malformed_action", _no_reds, A, {"type": JOKER, "cubes": [], "coins": True}),
    ("malformed_action", _no_reds, A, {"type": JOKER, "cubes": [], "coins": 2}),
    ("malformed_action", _no_reds, A, {"type": JOKER, "cubes": ["blue"], "coins": 3}),
    ("malformed_action", _no_reds, A, {"type": JOKER, "cubes": ["blue", "blue"], "coins": 0}),
    ("malformed_action", _no_reds, A, {"type": JOKER, "cubes": ["red", "red"], "coins": 0}),
    ("supply_color_empty", _no_reds, A, {"type": JOKER, "cubes": ["red"], "coins": 0}),
    ("supply_color_empty", _no_reds, A, {"type": JOKER, "cubes": ["red"], "coins": 3}),
    ("supply_color_empty", _one_red, A, {"type": JOKER, "cubes": ["red", "red"], "coins": 0}),
    ("supply_color_empty", _one_red, A, {"type": JOKER, "cubes": ["red", "red"], "coins": 3}),
    ("malformed_action", _one_red, A, {"type": JOKER, "cubes": ["red"], "coins": 0}),
]


@pytest.mark.parametrize(("code", "position", "seat", "move"), CASES)
def test_the_move_is_refused_with_the_code(
    code: str, position: Callable[[], Table], seat: Seat, move: Json
) -> None:
    assert position().refused_json(seat, move) == code


def test_every_code_is_covered() -> None:
    covered = {code for code, *_ in CASES}
    assert covered == set(RULESET.error_codes)
    assert len(RULESET.error_codes) == len(set(RULESET.error_codes)) == 29
    assert RULESET.error_codes == tuple(Error)


FIELDS: list[tuple[Callable[[], Table], Json, str, set[str]]] = [
    (_draft, {"type": DRAFT}, "card", {"unknown_id"}),
    (_overflow, {"type": DISCARD}, "card", {"unknown_id"}),
    (_initial_cubes, {"type": START, "second": "red"}, "first", {"unknown_color"}),
    (choosing, {"type": DICE}, "colors", set()),
    (_cards, {"type": "activate_card"}, "card", {"unknown_id"}),
    (_city, {"type": CLAIM, "payment": {"red": 1}}, "quarter", {"unknown_id"}),
    (_city, {"type": CLAIM, "quarter": "q05"}, "payment", {"wrong_payment", "unknown_color"}),
    (_city, {"type": WALL}, "color", {"unknown_color"}),
    (_advanced, {"type": EXTRA}, "payment", {"wrong_payment", "unknown_color"}),
    (_sea, {"type": SAIL, "color": "red"}, "space", {"unknown_id"}),
    (_sea, {"type": SAIL, "space": "s03"}, "color", {"unknown_color"}),
    (_sea, {"type": "deliver_goods"}, "good", {"unknown_id"}),
    (_cards, {"type": USE}, "card", {"unknown_id"}),
    (_cards, {"type": USE, "card": "pawnshop"}, "pay_colors", {"card_not_active"}),
    (_no_reds, {"type": JOKER, "coins": 0}, "cubes", set()),
    (_no_reds, {"type": JOKER, "cubes": []}, "coins", set()),
]


@pytest.mark.parametrize(("position", "move", "field", "codes"), FIELDS)
def test_junk_gets_a_code_of_its_field(
    position: Callable[[], Table], move: Json, field: str, codes: set[str]
) -> None:
    table = position()
    for junk in JUNK:
        code = table.refused_json(A, {**move, field: junk})
        assert code in {"malformed_action", *codes}


def test_a_type_of_any_kind_belongs_to_no_phase() -> None:
    for junk in JUNK:
        assert Table().refused(A, junk) == "wrong_phase"


def test_a_move_made_in_code_is_checked_too() -> None:
    for data in ({"type": WALL, "color": "green"}, {"type": DRAFT, "card": "bank"}):
        with pytest.raises(IllegalMove):
            RULESET.check(_city().state, A, RULESET.recorded_move(data))
    with pytest.raises(MalformedMove):
        RULESET.recorded_move({"type": WALL, "color": "pink"})
    RULESET.check(_city().state, A, RULESET.recorded_move({"type": WALL, "color": "red"}))


@pytest.mark.parametrize(
    ("seats", "given", "option"),
    [
        (1, {}, "seats"),
        (5, {}, "seats"),
        (2, {"colour": "red"}, "colour"),
        (2, {"simultaneous_dice": 1}, "simultaneous_dice"),
        (2, {"simultaneous_dice": "yes"}, "simultaneous_dice"),
    ],
)
def test_bad_options_name_the_option(seats: int, given: Json, option: str) -> None:
    assert bad_option(RULESET, seats, given) == option
