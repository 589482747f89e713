"""Installed editions: cards, quarters and sea that replace the published tables."""

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest

from laws.games import play
from laws.streams import GAME_ID, played
from laws.tables import Table as Game
from rules.kernel.canonical import encode
from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.drawing import plain
from rules.kernel.contract.edition import BadEditionError
from rules.kernel.contract.errors import BadOptions
from rules.kernel.contract.ruleset import ChanceEvent, Decision, GameOver, MoveEvent
from rules.kernel.contract.schemas import view_schema
from rules.kernel.proof.verify import verify
from rules.macao import RULESET, tables
from service.cli.local import LocalGame
from tests.contract.tables import REGISTRY
from tests.rules.macao.table import A, Table, acting
from tests.rules.playing import Json

PUBLISHED = RULESET.data.tables


@pytest.fixture(autouse=True)
def uninstalled() -> Iterator[None]:
    """Uninstall the editions of the test."""
    words = RULESET.labels.tables
    yield
    for id_ in tables.EDITIONS.keys() - {PUBLISHED["edition"]}:
        _forget(id_)
    RULESET.labels.tables = words


def _forget(id_: str) -> None:
    del tables.EDITIONS[id_], tables.TABLES[id_]
    tables.OFFERED.discard(id_)


def _names(text: str) -> Json:
    return {"en": text, "es": text}


def _card(id_: str, kind: str, effects: list[Json], **cost: int) -> Json:
    return {
        "id": id_,
        "kind": kind,
        "name": _names(f"The {id_}"),
        "cost": cost,
        "tribute": {"gold": 1, "prestige": 1},
        "effects": effects,
        "text": _names(f"What the {id_} says"),
    }


def made_up(id_: str = "made_up") -> Json:
    """A deck of new cards with the existing effects."""
    claims = {"type": "modify", "rule": "claims_per_round", "value": 3}
    steps = {"type": "modify", "rule": "steps_per_cube", "value": 4}
    now = {"type": "gain_now", "gain": {"cubes": {"green": 2}, "prestige": 1}}
    step = {"type": "trigger", "event": "ship_step", "filter": {}, "gain": {"coins": 2, "wall": 1}}
    mix = {
        "type": "convert",
        "limit": "once_per_round",
        "pay": {"coins": 1, "cubes": {"red": 1}, "cubes_any": 1},
        "gain": {"cubes": {"blue": 1}, "cubes_any": 3, "ship_steps": 2},
    }
    end = {
        "type": "end_game",
        "metric": "coins",
        "divisor": 3,
        "prestige": 2,
        "max_prestige": 5,
    }
    kinds: list[list[Json]] = [[claims, now], [steps], [step, end], [mix], [], [end]]
    cards = [_card(f"office_{n}", "office", kinds[n % 6], red=1, gray=1) for n in range(24)]
    cards += [_card(f"house_{n}", "building", kinds[n % 6], violet=2) for n in range(40)]
    cards += [_card(f"man_{n}", "person", kinds[n % 6], blue=1) for n in range(20)]
    return {"edition": id_, "cards": cards}


def _play(state: Any, seed: int) -> None:
    rng = random.Random(seed)
    nature = uniform(rng)
    while not isinstance(turn := RULESET.turn(state), GameOver):
        if isinstance(turn, Chance):
            RULESET.reduce(state, ChanceEvent(turn.label, turn.n, nature(turn)))
            continue
        assert isinstance(turn, Decision)
        seat = turn.seats[0]
        moves = RULESET.legal_moves(state, seat)
        assert len(set(moves)) == len(moves)
        for move in moves[:: max(1, len(moves) // 5)]:
            data = move.to_json()
            assert RULESET.read_move(state, seat, data) == move
            key, words = move.label()
            assert RULESET.labels.text(key, "es", **words)
        RULESET.reduce(state, MoveEvent(seat, rng.choice(moves)))
        assert RULESET.violations(state) == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_made_up_deck_is_played(seats: int) -> None:
    RULESET.install(made_up())
    options = RULESET.parse_options(seats, {"data": "made_up"})
    for seed in range(5):
        state = RULESET.initial(seats, options)
        assert len(RULESET.view(state, None)["deck"]) == 60
        _play(state, seed)
        data = RULESET.to_json(state)
        assert data["edition"] == "made_up"
        assert encode(RULESET.to_json(RULESET.from_json(data))) == encode(data)
        board = plain(RULESET.draw(RULESET.view(state, A), "en", 78))
        assert "The office_" in board
        assert len(RULESET.heuristic(state)) == seats
        assert RULESET.result(state).reason == "rounds_played"


def test_a_card_nobody_has_seen_does_what_its_row_says() -> None:
    RULESET.install(made_up())
    holds = {"supply": {"red": 1, "gray": 2}, "activated": ["house_3"], "coins": 4}
    table = Table(options={"data": "made_up"}, players={A: holds})
    table.play(
        A, "use_card", card="house_3", pay_colors=["gray"], gain_colors=["blue", "green", "green"]
    )
    assert table.held(A) == {"blue": 2, "green": 2, "gray": 1}
    assert (table.money(A)[0], table["turn"]["free_steps"]) == (3, 2)


def test_what_only_another_edition_has_does_not_exist_in_this_one() -> None:
    RULESET.install(made_up())
    table = acting({"red": 1})
    for code, params in (
        ("unknown_id", {"card": "office_0"}),
        ("card_not_on_tableau", {"card": "bank"}),
    ):
        assert table.refused(A, "activate_card", **params) == code
    assert table.refused(A, "use_card", card="house_3") == "unknown_id"


def test_quarters_alone_may_be_replaced() -> None:
    quarters = deepcopy(PUBLISHED["quarters"])
    for quarter in quarters:
        quarter["cost"] = {"red": 1}
    RULESET.install({"edition": "cheap", "quarters": quarters})
    table = Table(options={"data": "cheap"}, players={A: {"supply": {"red": 1}}})
    assert len(table.legal("claim_quarter")) == 30
    assert len(Table(players={A: {"supply": {"red": 1}}}).legal("claim_quarter")) == 1


def test_the_schema_of_a_view_has_the_ids_of_its_edition() -> None:
    RULESET.install(made_up())
    kinds = view_schema(RULESET, "en", tables.EDITIONS["made_up"])["$defs"]
    assert kinds["card"]["enum"] == [card["id"] for card in made_up()["cards"]]
    assert kinds["quarter_id"]["enum"] == [quarter["id"] for quarter in PUBLISHED["quarters"]]


def test_an_edition_is_an_option_once_it_is_installed() -> None:
    with pytest.raises(BadOptions) as error:
        RULESET.parse_options(2, {"data": "made_up"})
    assert error.value.option == "data"
    RULESET.install(made_up())
    RULESET.install(made_up())
    assert RULESET.parse_options(2, {"data": "made_up"})["data"] == "made_up"
    (option,) = [option for option in RULESET.info.options if option.name == "data"]
    assert option.schema()["enum"] == ["macao/1", "made_up"]
    assert RULESET.parse_options(2, {})["data"] == "macao/1"


def test_two_editions_have_two_ids_and_no_word_for_two_things() -> None:
    RULESET.install(made_up())
    other = made_up()
    other["cards"][0]["cost"] = {"green": 1}
    with pytest.raises(BadEditionError, match="another one with the id made_up"):
        RULESET.install(other)
    renamed = made_up("renamed")
    renamed["cards"][0]["name"] = _names("Another")
    with pytest.raises(BadEditionError, match="card office_0: edition made_up calls it The office"):
        RULESET.install(renamed)
    with pytest.raises(BadEditionError, match="another one with the id macao/1"):
        RULESET.install(made_up("macao/1"))


def test_a_record_brings_its_tables_along() -> None:
    RULESET.install(made_up())
    game = Game(RULESET, 2, RULESET.parse_options(2, {"data": "made_up"}), "made up")
    stream = played(game, list(play(RULESET, game.initial(), random.Random(1))))
    copies = stream.copies(None)
    pinned = copies[0]["body"]["game"]["data"]
    assert pinned == {
        "edition": "made_up",
        "digest": tables.EDITIONS["made_up"].digest,
        "tables": made_up(),
    }
    _forget("made_up")
    report = verify(GAME_ID, copies, REGISTRY)  # in another installation, without this edition
    assert [f for c in report.checks if c.name != "chance" for f in c.failures] == []
    assert "made_up" in tables.EDITIONS
    assert [edition.id for edition in RULESET.editions()] == ["macao/1"]
    (option,) = [option for option in RULESET.info.options if option.name == "data"]
    assert option.schema()["enum"] == ["macao/1"], "a record's edition is played, not offered"
    table = LocalGame(REGISTRY, "another")
    with pytest.raises(BadOptions, match="'made_up' is not offered here"):
        table.change(lambda batch: batch.create("macao", 2, {"data": "made_up"}, {"player": "p"}))
    RULESET.install(made_up())
    table.change(lambda batch: batch.create("macao", 2, {"data": "made_up"}, {"player": "p"}))


def test_a_game_with_the_published_tables_pins_their_digest_alone() -> None:
    game = Game(RULESET, 2, RULESET.parse_options(2, {}), "published")
    events = list(play(RULESET, game.initial(), random.Random(1)))
    pinned = played(game, events).copies(None)[0]["body"]["game"]["data"]
    assert pinned == {"edition": "macao/1", "digest": RULESET.data.digest}


# Faults of editions, and their places


def _change(part: str, index: int, **changes: object) -> Callable[[], Json]:
    def make() -> Json:
        rows = deepcopy(PUBLISHED[part])
        rows[index].update(changes)
        return {"edition": "bad", part: rows}

    return make


def _effect(index: int, **effect: object) -> Callable[[], Json]:
    return _change("cards", index, effects=[effect])


def _without(part: str, index: int) -> Callable[[], Json]:
    def make() -> Json:
        rows = deepcopy(PUBLISHED[part])
        del rows[index]
        return {"edition": "bad", part: rows}

    return make


CONVERT: Json = {"type": "convert", "limit": "unlimited", "pay": {"cubes_any": 1}}
BAD: list[tuple[Callable[[], Json], str]] = [
    (lambda: {"edition": "bad", "dice": []}, "edition: dice is not one of cards, ports"),
    (lambda: {"edition": "bad", "cards": {}}, "edition: cards is {}, not a list"),
    (lambda: {"edition": "bad", "cards": [1]}, "cards row 1: 1 is not an object"),
    (_change("cards", 2, id=7), "cards row 3: id is 7, not a text"),
    (_change("cards", 2, id="tax_office"), "cards row 3 (tax_office): a row before it has"),
    (_change("cards", 2, kind="castle"), "cards row 3 (land_office): kind is 'castle', not one of"),
    (_change("cards", 2, cost={"pink": 1}), "cards row 3 (land_office), cost: there is no pink"),
    (_change("cards", 2, cost={"red": 0}), "cards row 3 (land_office), cost: red is 0, not 1 to 4"),
    (_change("cards", 2, cost={}), "cards row 3 (land_office): cost has 0 cubes, not 1 to 4"),
    (
        _change("cards", 2, tribute={"gold": 3, "prestige": 0}),
        "cards row 3 (land_office), tribute: gold is 3, not 0 to 2",
    ),
    (_change("cards", 2, name={"en": "x"}), "cards row 3 (land_office), name: es is missing"),
    (_effect(2, type="explode"), "cards row 3 (land_office), effect 1: type is 'explode', not one"),
    (
        _effect(2, type="gain_now", gain={"cubes_any": 1}),
        "cards row 3 (land_office), effect 1, gain: nobody is asked",
    ),
    (
        _effect(2, type="gain_now", gain={"gold": 1}),
        "cards row 3 (land_office), effect 1, gain: there is no gold here",
    ),
    (
        _effect(2, type="gain_now", gain={"wall": 1, "prestige": 1}),
        "cards row 3 (land_office), effect 1: an activation gives coins, prestige and cubes only",
    ),
    (
        _effect(2, type="gain_now", gain={"ship_steps": 1}),
        "cards row 3 (land_office), effect 1: an activation gives coins, prestige and cubes only",
    ),
    (
        _effect(2, **{**CONVERT, "gain": {"prestige": 1}}),
        "cards row 3 (land_office), effect 1: an unlimited convert gives coins only",
    ),
    (
        _effect(2, **{**CONVERT, "limit": "once_per_round", "gain": {"wall": 0}}),
        "cards row 3 (land_office), effect 1: a convert that gains nothing has no use",
    ),
    (
        _effect(2, **{**CONVERT, "pay": {"coins": 1}, "gain": {"coins": 1}}),
        "cards row 3 (land_office), effect 1: an unlimited convert that costs no cube",
    ),
    (
        _change("cards", 2, effects=[{**CONVERT, "gain": {"coins": 1}}] * 2),
        "cards row 3 (land_office): there is more than one convert",
    ),
    (
        _effect(2, type="trigger", event="ship_step", filter={}, gain={"ship_steps": 1}),
        "cards row 3 (land_office), effect 1: a ship step that gives cubes or ship steps",
    ),
    (
        _effect(2, type="trigger", event="card_activated", filter={}, gain={}),
        "cards row 3 (land_office), effect 1, filter: kind is missing",
    ),
    (
        _effect(2, type="modify", rule="dice", value=1),
        "cards row 3 (land_office), effect 1: rule is 'dice', not one of",
    ),
    (
        _effect(2, type="modify", rule="claim_wild", value=0),
        "cards row 3 (land_office), effect 1: value is 0, not 1 to 4",
    ),
    (
        _effect(40, type="modify", rule="stack_top", value=1),
        "cards row 41 (university): a card before it is on top of its stack too",
    ),
    (
        _effect(2, type="end_game", metric="luck", divisor=1, prestige=1, max_prestige=None),
        "cards row 3 (land_office), effect 1: metric is 'luck', not one of",
    ),
    (_without("cards", 0), "edition: cards has 23 offices, not 24"),
    (
        lambda: {"edition": "bad", "cards": PUBLISHED["cards"][:70]},
        "edition: cards has 46 buildings and persons, at least 54",
    ),
    (_change("quarters", 0, shade="dark"), "edition: quarters has 23 light of 30, not 24 light"),
    (_change("quarters", 0, adjacent=["q99"]), "quarters row 1 (q01): adjacent names 'q99'"),
    (_change("quarters", 0, adjacent=["q30"]), "quarters row 1 (q01): q30 is adjacent, but not"),
    (_change("quarters", 0, cost={"red": 5}), "quarters row 1 (q01), cost: red is 5, not 1 to 4"),
    (_change("ports", 1, good="spices"), "ports row 2 (london): a port before it wants spices"),
    (_change("ports", 1, slot_points=[5]), "ports row 2 (london): slot_points is [5], not 3"),
    (_without("ports", 0), "edition: ports has 7 ports, not one for each good"),
    (_change("sea_spaces", 1, type="port"), "sea_spaces row 2 (s01): ports, and only they"),
    (_change("sea_spaces", 0, type="sea"), "edition: sea_spaces has 0 docks, not one"),
    (_without("sea_spaces", 0), "sea_spaces row 1 (s01): adjacent names 'macao'"),
]


@pytest.mark.parametrize(("make", "message"), BAD, ids=[message for _, message in BAD])
def test_what_is_wrong_is_named_by_its_row(make: Callable[[], Json], message: str) -> None:
    before = dict(tables.EDITIONS)
    with pytest.raises(BadEditionError) as error:
        RULESET.install(make())
    assert str(error.value).startswith(message)
    assert before == tables.EDITIONS


EFFECTS: list[Json] = [
    {"type": "gain_now", "gain": {"coins": 1}},
    {**CONVERT, "gain": {"coins": 1}},
    {"type": "trigger", "event": "tribute_paid", "filter": {}, "gain": {"coins": 1}},
    {"type": "modify", "rule": "claim_wild", "value": 1},
    {"type": "modify", "rule": "delivery_multiplier", "value": 2, "good": "tea"},
    {"type": "end_game", "metric": "coins", "divisor": 1, "prestige": 1, "max_prestige": None},
]


@pytest.mark.parametrize("effect", EFFECTS, ids=[effect["type"] for effect in EFFECTS])
def test_an_effect_has_no_key_too_many(effect: Json) -> None:
    for extra in sorted({"good", "limit", "luck"} - effect.keys()):
        with pytest.raises(BadEditionError) as error:
            RULESET.install(_effect(2, **effect, **{extra: "tea"})())
        assert str(error.value) == f"cards row 3 (land_office), effect 1: there is no {extra} here"
    RULESET.install(_effect(2, **effect)())
