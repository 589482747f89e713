"""States: exact codecs, true copies, pure questions, replays that equal play, bounds, results."""

import gc
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from rules.kernel.canonical import encode
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.ruleset import Chanced, Decision, Finished, Moved, Ruleset
from rules.kernel.contract.seats import all_seats
from rules.kernel.toolbox.standings import ranks
from tests.contract.tables import (
    RulesEvent,
    Spot,
    Table,
    default_tables,
    play_out,
    positions,
    record,
    spots,
    state_bytes,
)

SCRAMBLED = "scrambled"


def scramble(value: Any) -> None:
    """Change everything that can be changed in a JSON value, in place."""
    if isinstance(value, dict):
        for item in value.values():
            scramble(item)
        value[SCRAMBLED] = 1
    elif isinstance(value, list):
        for item in value:
            scramble(item)
        value.append(SCRAMBLED)


def mutable_parts(value: Any) -> dict[int, Any]:
    """Return every list, dict, set or own object that can be reached from ``value``, by id."""
    found: dict[int, Any] = {}
    queue = [value]
    while queue:
        item = queue.pop()
        if isinstance(item, type | Callable) or id(item) in found:
            continue
        if isinstance(item, tuple | frozenset):
            queue += item
        elif not isinstance(item, str | bytes | int | float | None):
            found[id(item)] = item
            queue += gc.get_referents(item)
    return found


def test_states_are_canonical_and_read_back(table: Table, seed: int) -> None:
    for spot in spots(table, seed):
        ruleset, data = spot.ruleset, spot.ruleset.to_json(spot.state)
        again = ruleset.from_json(data)
        assert encode(ruleset.to_json(again)) == encode(data), spot.where
        assert ruleset.turn(again) == ruleset.turn(spot.state), spot.where


def test_a_state_has_the_bytes_of_its_json(table: Table, seed: int) -> None:
    for spot in spots(table, seed):
        ruleset, state = spot.ruleset, spot.state
        assert ruleset.to_bytes(state) == encode(ruleset.to_json(state)), spot.where


def test_copies_and_codecs_share_nothing(table: Table, seed: int) -> None:
    for spot in spots(table, seed):
        ruleset, before, data = spot.ruleset, spot.bytes(), spot.ruleset.to_json(spot.state)
        copy, read = spot.copy(), ruleset.from_json(data)
        for name, other in (("copy", copy), ("from_json", read)):
            assert state_bytes(ruleset, other) == before, f"{spot.where}: {name} differs"
            shared = mutable_parts(spot.state).keys() & mutable_parts(other).keys()
            names = [mutable_parts(other)[key] for key in shared]
            assert not shared, f"{spot.where}: {name} shares {names}"
        shared = mutable_parts(data).keys() & mutable_parts(read).keys()
        assert not shared, f"{spot.where}: from_json keeps parts of its JSON"
        play_out(ruleset, copy)
        assert spot.bytes() == before, f"{spot.where}: playing on with a copy changed the original"
        play_out(ruleset, read)
        assert encode(data) == before, f"{spot.where}: playing on changed the JSON read"
        scramble(data)
        assert spot.bytes() == before, f"{spot.where}: to_json gives parts of the state away"


def test_copies_are_complete_at_every_position(ruleset: Ruleset[Any]) -> None:
    """Samples miss a list that is filled late, or shared only for a moment."""
    tables = default_tables(ruleset)
    for game in range(6):
        for spot, event in positions(tables[game % len(tables)], 10 + game):
            copy = ruleset.copy(spot.state)
            assert state_bytes(ruleset, copy) == state_bytes(ruleset, spot.state), spot.where
            kept = mutable_parts(copy)
            shared = [value for key, value in mutable_parts(spot.state).items() if key in kept]
            assert not shared, f"{spot.where}, before {event}: copy shares {shared}"


def test_playing_on_leaves_the_copy_alone(table: Table, seed: int) -> None:
    for spot in spots(table, seed):
        original = spot.copy()
        copy = spot.ruleset.copy(original)
        play_out(spot.ruleset, original)
        assert state_bytes(spot.ruleset, copy) == spot.bytes(), spot.where


def test_listing_is_the_same_on_equal_states(table: Table, seed: int) -> None:
    for spot in spots(table, seed):
        ruleset, state = spot.ruleset, spot.state
        again = (spot.copy(), ruleset.from_json(ruleset.to_json(state)), state)
        for seat in all_seats(table.seats):
            listed = list(ruleset.legal_moves(state, seat))
            for other in again:
                assert list(ruleset.legal_moves(other, seat)) == listed, f"{spot.where}: {seat}"


def questions(spot: Spot) -> dict[str, Callable[[], Any]]:
    """Everything that may be asked of a state without changing it."""
    ruleset, state, table = spot.ruleset, spot.state, spot.table
    seats = all_seats(table.seats)
    asked = [seat for seat in seats if ruleset.is_asked(state, seat)]

    class First:
        def randrange(self, stop: int, /) -> int:
            return 0

    def check() -> None:
        for seat in asked:
            for move in ruleset.legal_moves(state, seat):
                ruleset.check(state, seat, move)
                ruleset.read_move(state, seat, move.to_json())

    def determinize() -> list[Any]:
        answers = []
        for seat in seats:
            information = ruleset.information(state, seat)
            before = encode(information)
            answers.append(ruleset.to_json(ruleset.determinize(information, First())))
            assert encode(information) == before, f"{spot.where}: determinize changes information"
        return answers

    found: dict[str, Callable[[], Any]] = {
        "turn": lambda: ruleset.turn(state),
        "moves_now": lambda: ruleset.moves_now(state),
        "legal_moves": lambda: [ruleset.legal_moves(state, seat) for seat in seats],
        "check": check,
        "default_move": lambda: [ruleset.default_move(state, seat) for seat in asked],
        "copy": lambda: play_out(ruleset, ruleset.copy(state)) and None,
        "to_json": lambda: ruleset.to_json(state),
        "view": lambda: [ruleset.view(state, viewer) for viewer in table.viewers],
        "information": lambda: [ruleset.information(state, seat) for seat in seats],
        "determinize": determinize,
        "heuristic": lambda: ruleset.heuristic(state),
        "look": lambda: [ruleset.look(state, seat) for seat in seats],
        "violations": lambda: ruleset.violations(state),
        "draw": lambda: ruleset.draw(ruleset.view(state, None), "en", 80),
    }
    if isinstance(ruleset.turn(state), Finished):
        found["result"] = lambda: ruleset.result(state).to_json()
    return found


def test_questions_change_nothing(table: Table, seed: int) -> None:
    for spot in spots(table, seed):
        before = spot.written
        for name in questions(spot):
            fresh = Spot(table, spot.ruleset.from_json(orjson.loads(before)), spot.where)
            ask = questions(fresh)[name]
            answer = ask()
            assert fresh.bytes() == before, f"{spot.where}: {name} changes the state"
            assert ask() == answer, f"{spot.where}: {name} answers differently when asked again"
            scramble(answer)
            assert fresh.bytes() == before, f"{spot.where}: {name} gives parts of the state away"


def test_views_and_information_are_canonical(table: Table, seed: int) -> None:
    for spot in spots(table, seed):
        for viewer in table.viewers:
            encode(spot.ruleset.view(spot.state, viewer))
        for seat in all_seats(table.seats):
            encode(spot.ruleset.information(spot.state, seat))


def stored(event: RulesEvent) -> RulesEvent:
    """Return the event as it comes back from a store."""
    if isinstance(event, Chanced):
        return Chanced(event.label, event.n, list(event.picks))
    return event


def test_replay_equals_play(table: Table, seed: int) -> None:
    ruleset = table.ruleset
    silent, logged, read = table.initial(), table.initial(), table.initial()
    for number, event in enumerate(record(table, seed)):
        ruleset.reduce(silent, event)
        ruleset.reduce(logged, event, EffectLog())
        again = event
        if isinstance(event, Moved):
            again = Moved(event.seat, ruleset.recorded_move(event.move.to_json()))
        ruleset.reduce(read, stored(again))
        where = f"{table}, seed {seed}, event {number}"
        after = state_bytes(ruleset, silent)
        assert state_bytes(ruleset, logged) == after, f"{where}: a log makes a difference"
        assert state_bytes(ruleset, read) == after, f"{where}: a stored event makes a difference"
        if number % 8 == 0:
            silent = ruleset.from_json(ruleset.to_json(silent))


def test_games_keep_their_bounds(ruleset: Ruleset[Any], seed: int) -> None:
    for table in default_tables(ruleset):
        events = record(table, seed)
        decisions = sum(isinstance(event, Moved) for event in events)
        assert decisions <= ruleset.info.max_decisions, f"{table}, seed {seed}"
        assert len(events) <= ruleset.info.max_events, f"{table}, seed {seed}"


def test_heuristics_are_an_integer_for_each_seat(table: Table, seed: int) -> None:
    for spot in spots(table, seed):
        values = spot.ruleset.heuristic(spot.state)
        assert [type(value) for value in values] == [int] * table.seats, f"{spot.where}: {values}"
        assert max(map(abs, values)) < 10**9, f"{spot.where}: {values} in thousandths of a point"
        seen = [spot.ruleset.look(spot.state, seat) for seat in all_seats(table.seats)]
        assert seen == values, f"{spot.where}: one seat alone looks otherwise than among all"


def test_results_rank_every_side(table: Table, seed: int) -> None:
    ruleset = table.ruleset
    result = ruleset.result(spots(table, seed)[-1].state)
    where = f"{table}, seed {seed}: {result}"
    assert result.reason in ruleset.end_reasons, where
    encode(result.to_json())
    sides = [standing.side for standing in result.standings]
    assert sides[: table.seats] == [f"seat:{seat}" for seat in all_seats(table.seats)], where
    assert all(side.startswith("automaton:") for side in sides[table.seats :]), where
    assert len(set(sides)) == len(sides), where
    places = [standing.rank for standing in result.standings]
    assert places == ranks([-rank for rank in places]), f"no competition ranks: {where}"
    best_first = sorted(result.standings, key=lambda standing: standing.rank)
    scores = [standing.score for standing in best_first]
    assert scores == sorted(scores, reverse=True), f"a better score ranks behind: {where}"
    assert all(type(standing.score) is int for standing in result.standings), where


def test_the_catalogue_is_sound(ruleset: Ruleset[Any]) -> None:
    info = ruleset.info
    assert info.version in info.plays
    assert set(info.title) == {"en", "es"}
    assert 1 <= info.min_seats <= info.max_seats
    assert 0 < info.max_decisions <= info.max_events
    for names in (ruleset.effect_types, ruleset.error_codes, ruleset.end_reasons):
        assert names
        assert len(set(names)) == len(names)
    encode(ruleset.data.tables)


def test_decisions_are_asked_for_a_reason(table: Table) -> None:
    """A game asks somebody something before it ends."""
    state = table.initial()
    for event in record(table, 1):
        if isinstance(table.ruleset.turn(state), Decision):
            return
        table.ruleset.reduce(state, event)
    pytest.fail(f"{table}: nobody is ever asked")
