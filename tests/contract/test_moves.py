"""Legal moves: complete, ordered, without duplicates; everything else is refused for a reason."""

import random
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from rules.kernel.canonical import JsonObject, NotCanonicalError, encode
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.move import MalformedMove
from rules.kernel.contract.ruleset import Decision, Finished, Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from tests.contract.tables import Spot, Table, move_pool, positions, sampled, spots

JUNK: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 1.0, 0.5, 2**53, 10**5000, "", "x", "0", "\ud800", "none",
    [], [0], [[]], {}, {"type": "x"}, float("nan"),
)  # fmt: skip


def test_turn_is_one_of_three(table: Table, seed: int) -> None:
    for spot, event in positions(table, seed):
        turn = spot.ruleset.turn(spot.state)
        if isinstance(turn, Decision):
            assert turn.seats, f"{spot.where}: nobody is asked {turn.name}"
            assert list(turn.seats) == sorted(set(turn.seats)), spot.where
            assert set(turn.seats) <= set(range(table.seats)), spot.where
        elif isinstance(turn, Chance):
            assert all(size >= 1 for size in turn.sizes), f"{spot.where}: {turn}"
            audiences = {"public", "none", *(f"seat:{seat}" for seat in all_seats(table.seats))}
            assert turn.audience in audiences, f"{spot.where}: {turn}"
            assert turn.n >= 1, f"{spot.where}: {turn}"
        else:
            assert isinstance(turn, Finished), spot.where
            assert event is None, f"{spot.where}: the game goes on"


def test_a_draw_has_a_name_of_its_own(table: Table, seed: int) -> None:
    drawn: set[tuple[str, int]] = set()
    for spot, _event in positions(table, seed):
        turn = spot.ruleset.turn(spot.state)
        if isinstance(turn, Chance):
            assert (turn.label, turn.n) not in drawn, f"{spot.where}: {turn} was drawn before"
            drawn.add((turn.label, turn.n))


def test_who_is_asked_has_legal_moves_and_nobody_else(table: Table, seed: int) -> None:
    for spot, _event in positions(table, seed):
        turn = spot.ruleset.turn(spot.state)
        asked = turn.seats if isinstance(turn, Decision) else ()
        for seat in all_seats(table.seats):
            moves = spot.ruleset.legal_moves(spot.state, seat)
            assert bool(moves) == (seat in asked), f"{spot.where}: seat {seat} has {moves}"
            assert spot.ruleset.is_asked(spot.state, seat) == (seat in asked), spot.where


def test_no_legal_move_is_listed_twice(table: Table, seed: int) -> None:
    for spot, _event in positions(table, seed):
        for seat in all_seats(table.seats):
            moves = spot.ruleset.legal_moves(spot.state, seat)
            assert len(set(moves)) == len(moves), f"{spot.where}: seat {seat}: {moves}"
            written = {encode(move.to_json()) for move in moves}
            assert len(written) == len(moves), f"{spot.where}: seat {seat}: {moves}"


def test_every_legal_move_is_accepted_and_reads_back(table: Table, seed: int) -> None:
    for spot in spots(table, seed):
        ruleset, state = spot.ruleset, spot.state
        for seat in all_seats(table.seats):
            for move in ruleset.legal_moves(state, seat):
                data = move.to_json()
                ruleset.check(state, seat, move)
                assert ruleset.read_move(state, seat, data) == move, f"{spot.where}: {data}"
                again = type(move).from_json(data)
                assert again == move, f"{spot.where}: {data}"
                assert hash(again) == hash(move), f"{spot.where}: {data}"
                assert encode(again.to_json()) == encode(data), f"{spot.where}: {data}"
                assert ruleset.recorded_move(data) == move, f"{spot.where}: {data}"
                assert type(move) in ruleset.moves_now(state), f"{spot.where}: {data}"


def test_schemas_are_schemas(ruleset: Ruleset[Any]) -> None:
    types = [type_.type for type_ in ruleset.move_types]
    assert len(types) == len(set(types))
    for type_ in ruleset.move_types:
        jsonschema.Draft202012Validator.check_schema(type_.schema())
        assert type_.schema()["description"], f"{type_.type} says nothing about itself"
    for option in ruleset.info.options:
        jsonschema.Draft202012Validator.check_schema(option.schema())
        assert option.kind.accepts(option.default), f"{option.name}: {option.default!r}"
        encode(option.default)


def test_legal_moves_fit_their_schemas(table: Table, seed: int) -> None:
    validators = {
        type_: jsonschema.Draft202012Validator(type_.schema()) for type_ in table.ruleset.move_types
    }
    for spot in spots(table, seed):
        for seat in all_seats(table.seats):
            for move in spot.ruleset.legal_moves(spot.state, seat):
                problems = list(validators[type(move)].iter_errors(move.to_json()))
                assert not problems, f"{spot.where}: {move}: {problems}"


def test_what_a_schema_gives_a_default_may_be_left_out(table: Table, seed: int) -> None:
    schemas = {type_: type_.schema() for type_ in table.ruleset.move_types}
    for type_, schema in schemas.items():
        optional = {name for name, one in schema["properties"].items() if "default" in one}
        assert not optional.intersection(schema["required"]), type_.type
    for spot in spots(table, seed):
        for seat in all_seats(table.seats):
            for move in spot.ruleset.legal_moves(spot.state, seat):
                schema, whole = schemas[type(move)], move.to_json()
                data = {
                    name: value
                    for name, value in whole.items()
                    if "default" not in schema["properties"][name]
                    or encode(value) != encode(schema["properties"][name]["default"])
                }
                if data == whole:
                    continue
                assert set(schema["required"]) <= data.keys(), spot.where
                read = spot.ruleset.read_move(spot.state, seat, data)
                assert encode(read.to_json()) == encode(whole), f"{spot.where}: {data}"


def test_the_default_move_is_legal(table: Table, seed: int) -> None:
    for spot, _event in positions(table, seed):
        for seat in all_seats(table.seats):
            if spot.ruleset.is_asked(spot.state, seat):
                move = spot.ruleset.default_move(spot.state, seat)
                legal = spot.ruleset.legal_moves(spot.state, seat)
                assert move in legal, f"{spot.where}: seat {seat}: {move}"


def test_the_general_checks_have_codes_and_an_order(ruleset: Ruleset[Any]) -> None:
    *codes, order, _types = ruleset.general_checks
    assert set(codes) <= set(ruleset.error_codes)
    assert sorted(order) == ["malformed", "over", "phase", "seat", "unknown"]
    assert len(set(ruleset.error_codes)) == len(ruleset.error_codes)


def mutations(move: JsonObject, rng: random.Random) -> Iterator[JsonObject]:
    """Yield ``move`` with a field changed, missing or too many."""
    for name, value in move.items():
        yield {n: v for n, v in move.items() if n != name}
        for junk in rng.sample(JUNK, 6):
            yield {**move, name: junk}
        if isinstance(value, int):
            yield {**move, name: value + 1}
            yield {**move, name: value - 1}
            yield {**move, name: float(value)}
            yield {**move, name: str(value)}
        if isinstance(value, str):
            yield {**move, name: value.upper()}
            yield {**move, name: [value]}
    yield {**move, "more": 1}


def candidates(spot: Spot, rng: random.Random) -> Iterator[JsonObject]:
    ruleset = spot.ruleset
    foreign = sampled(move_pool(ruleset), 40, rng)
    yield from foreign
    for move in sampled(foreign, 4, rng):
        yield from mutations(move, rng)
    for seat in all_seats(spot.table.seats):
        for legal in sampled(ruleset.legal_moves(spot.state, seat), 3, rng):
            yield from mutations(legal.to_json(), rng)
    yield from ({"type": junk} for junk in JUNK)
    yield {}


def completed(ruleset: Ruleset[Any], data: JsonObject) -> JsonObject:
    """Return a move as events record it: what may be left out is there."""
    for type_ in ruleset.move_types:
        if type_.type == data.get("type"):
            properties = type_.schema()["properties"].items()
            defaults = {name: one["default"] for name, one in properties if "default" in one}
            return {**defaults, **data}
    return data


def _written(move: JsonObject) -> bytes:
    try:
        return encode(move)
    except NotCanonicalError:
        return b"no JSON that a legal move has"


def test_nothing_but_legal_moves_is_accepted(table: Table, seed: int) -> None:
    ruleset = table.ruleset
    for spot in spots(table, seed):
        rng = random.Random(spot.where)
        before = spot.bytes()
        legal = [
            {encode(move.to_json()) for move in ruleset.legal_moves(spot.state, seat)}
            for seat in all_seats(table.seats)
        ]
        for data in candidates(spot, rng):
            for seat in all_seats(table.seats):
                where = f"{spot.where}: seat {seat}: {str(data)[:200] if _short(data) else 'huge'}"
                accepted = _accepts(spot, seat, data, where)
                asked = completed(ruleset, data)
                assert accepted == (_written(asked) in legal[seat]), where
        assert spot.bytes() == before, f"{spot.where}: a refused move changed the state"


def _short(data: JsonObject) -> bool:
    return all(not isinstance(value, int) or abs(value) < 10**100 for value in data.values())


def _accepts(spot: Spot, seat: Seat, data: JsonObject, where: str) -> bool:
    """Whether ``read_move`` takes the JSON and ``check`` the move; they must agree."""
    ruleset = spot.ruleset
    refusal = None
    try:
        move = ruleset.read_move(spot.state, seat, data)
    except IllegalMove as error:
        refusal = error
    else:
        assert _written(move.to_json()) == _written(completed(ruleset, data)), where
    if refusal is not None:
        assert refusal.code in ruleset.error_codes, f"{where}: {refusal.code}"
        assert refusal.message, where
        assert len(refusal.message) < 500, f"{where}: {refusal.message[:500]}…"
        refusal.message.encode()  # it goes into UTF-8 as it is
        encode(refusal.details)
    accepted = refusal is None
    types = [type_ for type_ in ruleset.move_types if type_.type == data.get("type")]
    if types:
        try:
            move = types[0].from_json(data)
        except MalformedMove:
            assert not accepted, where
            return accepted
        if accepted:
            ruleset.check(spot.state, seat, move)
        else:
            with pytest.raises(IllegalMove):
                ruleset.check(spot.state, seat, move)
    return accepted
