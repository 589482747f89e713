"""Laws of legal moves: lists are complete and ordered, and other moves are refused."""

import random
from collections.abc import Iterator
from typing import Any

import jsonschema_rs

from laws.games import SampleGame, Spot, Subject, move_pool, sampled
from laws.law import Breach, Scope, law
from rules.kernel.canonical import JsonObject, NotCanonicalError, encode
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.move import MalformedMove
from rules.kernel.contract.ruleset import Decision, GameOver, Ruleset
from rules.kernel.contract.seats import Seat, all_seats

SEQUENCE = "3. The sequence of play"
MOVES = "4. Moves"
DRAWS = "5. The catalogue, options and draws"
JUNK: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 1.0, 0.5, 2**53, 10**5000, "", "x", "0", "\ud800", "none",
    [], [0], [[]], {}, {"type": "x"}, float("nan"),
)  # fmt: skip
"""Values of all kinds that a caller may send for a field."""


@law(
    Scope.EVERY_POSITION,
    SEQUENCE,
    "the method turn must answer a Chance, a Decision with its seats in order, or FINISHED",
)
def a_turn_is_one_of_three(spot: Spot) -> None:
    """A state waits for a draw, for seats with a decision, or for nobody."""
    turn, seats = spot.ruleset.turn(spot.state), spot.table.seats
    if isinstance(turn, Decision):
        if not turn.seats:
            raise Breach(f"nobody is asked {turn.name}")
        if list(turn.seats) != sorted(set(turn.seats)) or not {*turn.seats} <= {*range(seats)}:
            raise Breach(f"the seats that are asked are not seats in ascending order: {turn.seats}")
    elif isinstance(turn, Chance):
        if not all(size >= 1 for size in turn.sizes) or turn.n < 1:
            raise Breach(f"sizes and the occurrence count from 1: {turn}")
        audiences = {"public", "none", *(f"seat:{seat}" for seat in all_seats(seats))}
        if turn.audience not in audiences:
            raise Breach(f"{turn.audience!r} is no audience: {turn}")
    elif not isinstance(turn, GameOver):
        raise Breach(f"turn answers {turn!r}")


@law(Scope.GAME, DRAWS, "the label needs another occurrence, which the state counts")
def a_draw_has_a_name_of_its_own(game: SampleGame) -> None:
    """If two draws of a game have the same label, they have different numbers (``Chance.n``)."""
    drawn: set[tuple[str, int]] = set()
    for spot in game.positions():
        turn = spot.ruleset.turn(spot.state)
        if isinstance(turn, Chance):
            if (turn.label, turn.n) in drawn:
                raise Breach(f"{turn.label} {turn.n} is drawn again", spot.number)
            drawn.add((turn.label, turn.n))


@law(
    Scope.EVERY_POSITION,
    SEQUENCE,
    "turn asks a seat without moves: skip it in the sequence of play",
)
def whoever_is_asked_has_moves(spot: Spot) -> None:
    """Exactly the seats with a decision have legal moves."""
    ruleset, turn = spot.ruleset, spot.ruleset.turn(spot.state)
    asked = turn.seats if isinstance(turn, Decision) else ()
    for seat in all_seats(spot.table.seats):
        moves = ruleset.legal_moves(spot.state, seat)
        if bool(moves) != (seat in asked):
            raise Breach(f"{asked} are asked, and seat {seat} has {len(moves)} legal moves")
        if ruleset.is_asked(spot.state, seat) != (seat in asked):
            raise Breach(f"is_asked says another thing of seat {seat} than turn")


@law(Scope.EVERY_POSITION, MOVES, "two candidates are equal, or have equal JSON")
def no_move_is_listed_twice(spot: Spot) -> None:
    """A list of legal moves contains each move once."""
    for seat in all_seats(spot.table.seats):
        moves = spot.ruleset.legal_moves(spot.state, seat)
        if len(set(moves)) < len(moves) or len({encode(m.to_json()) for m in moves}) < len(moves):
            raise Breach(f"seat {seat} has a move twice among {[m.to_json() for m in moves][:40]}")


@law(
    Scope.POSITION,
    MOVES,
    "the type's own legal disagrees with refusal, or a field's read with its write",
)
def legal_moves_are_accepted(spot: Spot) -> None:
    """Every legal move is accepted, and its JSON reads back as the same move."""
    ruleset, state = spot.ruleset, spot.state
    for seat in all_seats(spot.table.seats):
        for move in ruleset.legal_moves(state, seat):
            data = move.to_json()
            try:
                ruleset.check(state, seat, move)
                read = ruleset.read_move(state, seat, data)
            except IllegalMove as error:
                raise Breach(f"seat {seat} may play {data}, and is refused: {error}") from None
            again = type(move).from_json(data)
            if not move == read == again == ruleset.recorded_move(data):
                raise Breach(f"{data} reads back as {again}")
            if hash(again) != hash(move) or encode(again.to_json()) != encode(data):
                raise Breach(f"{data} is written as {again.to_json()} when it was read")
            if type(move) not in ruleset.moves_now(state):
                raise Breach(f"{data} is legal, and not of a type in moves_now")


@law(
    Scope.RULESET,
    MOVES,
    "give the class a docstring, or the kind of the parameter a sound schema",
)
def moves_and_options_have_schemas(subject: Subject) -> None:
    """Moves and options have JSON Schemas, and each default fits its parameter."""
    ruleset = subject.ruleset
    types = [type_.type for type_ in ruleset.move_types]
    if len(types) > len(set(types)):
        raise Breach(f"two types of move have one name: {types}")
    for type_ in ruleset.move_types:
        schema = type_.schema()
        jsonschema_rs.meta.validate(schema)
        if not schema["description"]:
            raise Breach(f"{type_.type} says nothing about itself: it has no docstring")
        optional = {name for name, one in schema["properties"].items() if "default" in one}
        if optional.intersection(schema["required"]):
            raise Breach(f"{type_.type} needs what has a default: {optional}")
    for option in ruleset.info.options:
        jsonschema_rs.meta.validate(option.schema())
        if not option.kind.accepts(option.default):
            raise Breach(f"the option {option.name} does not take its default {option.default!r}")
        encode(option.default)


@law(Scope.POSITION, MOVES, "the kind of the parameter writes what its schema does not describe")
def moves_fit_their_schemas(spot: Spot) -> None:
    """Legal moves fit the schemas of their types."""
    ruleset = spot.ruleset
    validators = {t: jsonschema_rs.Draft202012Validator(t.schema()) for t in ruleset.move_types}
    for seat in all_seats(spot.table.seats):
        for move in ruleset.legal_moves(spot.state, seat):
            data = move.to_json()
            if not validators[type(move)].is_valid(data):
                wrong = [error.message for error in validators[type(move)].iter_errors(data)]
                raise Breach(f"{data}: {wrong}")


@law(Scope.POSITION, MOVES, "a parameter with a default may be left out: read and write it alike")
def defaults_may_be_left_out(spot: Spot) -> None:
    """Leaving out parameters that have their defaults does not change how a move is read."""
    ruleset = spot.ruleset
    schemas = {type_: type_.schema() for type_ in ruleset.move_types}
    for seat in all_seats(spot.table.seats):
        for move in ruleset.legal_moves(spot.state, seat):
            schema, whole = schemas[type(move)], move.to_json()
            data = {
                name: value
                for name, value in whole.items()
                if "default" not in schema["properties"][name]
                or encode(value) != encode(schema["properties"][name]["default"])
            }
            if data == whole:
                continue
            if not set(schema["required"]) <= data.keys():
                raise Breach(f"{data} lacks what {schema['required']} are needed for")
            read = ruleset.read_move(spot.state, seat, data)
            if encode(read.to_json()) != encode(whole):
                raise Breach(f"{data} reads as {read.to_json()}")


@law(Scope.EVERY_POSITION, DRAWS, "default_move is one of the legal moves of whoever is asked")
def the_default_move_is_legal(spot: Spot) -> None:
    """The default move of a deciding seat is legal."""
    for seat in all_seats(spot.table.seats):
        if spot.ruleset.is_asked(spot.state, seat):
            move = spot.ruleset.default_move(spot.state, seat)
            if move not in spot.ruleset.legal_moves(spot.state, seat):
                raise Breach(f"seat {seat} would play {move.to_json()}, which is not legal")


@law(Scope.RULESET, DRAWS, "general_checks has five of the game's codes, and their order")
def general_checks_are_the_games(subject: Subject) -> None:
    """The checks of moves that all games share use error codes of this game. Each is made once.

    ``general_checks`` has the five error codes. Its member ``order`` names each of the five checks
    once.
    """
    ruleset = subject.ruleset
    *codes, order, _types = ruleset.general_checks
    if not set(codes) <= set(ruleset.error_codes):
        raise Breach(f"{set(codes) - set(ruleset.error_codes)} are none of the error codes")
    if sorted(order) != ["malformed", "over", "phase", "seat", "unknown"]:
        raise Breach(f"the order {order} lacks a check, or has one that there is not")


@law(
    Scope.POSITION, MOVES, "the type's own legal disagrees with refusal; compare them on this move"
)
def nothing_but_legal_moves_is_accepted(spot: Spot) -> None:
    """Every illegal move is refused, with a code, and leaves no trace in the state."""
    ruleset = spot.ruleset
    rng = random.Random(spot.where)
    before = spot.bytes()
    legal = [
        {encode(move.to_json()) for move in ruleset.legal_moves(spot.state, seat)}
        for seat in all_seats(spot.table.seats)
    ]
    for data in candidates(spot, rng):
        for seat in all_seats(spot.table.seats):
            told = f"seat {seat}: {str(data)[:200] if _short(data) else 'a huge number'}"
            accepted = _accepts(spot, seat, data, told)
            if accepted != (_written(completed(ruleset, data)) in legal[seat]):
                how = "is accepted, and not among" if accepted else "is refused, and among"
                raise Breach(f"{told} {how} the legal moves")
    if spot.bytes() != before:
        raise Breach("a refused move changed the state")


def mutations(move: JsonObject, rng: random.Random) -> Iterator[JsonObject]:
    """Yield ``move`` with a field changed, missing or added."""
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
    """Yield moves from other positions, and altered legal ones."""
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
    """Return a move as events record it, with its optional fields."""
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


def _short(data: JsonObject) -> bool:
    return all(not isinstance(value, int) or abs(value) < 10**100 for value in data.values())


def _accepts(spot: Spot, seat: Seat, data: JsonObject, told: str) -> bool:
    """Whether ``read_move`` accepts the JSON and ``check`` accepts the move.

    Raises:
        Breach: one of them accepts and the other refuses.
    """
    ruleset = spot.ruleset
    refusal = None
    try:
        move = ruleset.read_move(spot.state, seat, data)
    except IllegalMove as error:
        refusal = error
    else:
        if _written(move.to_json()) != _written(completed(ruleset, data)):
            raise Breach(f"{told} is accepted as {move.to_json()}")
    if refusal is not None:
        spot.game.refusals.add(refusal.code)
        if refusal.code not in ruleset.error_codes:
            raise Breach(f"{told} is refused by {refusal.code!r}, which is none of the codes")
        if not 0 < len(refusal.message) < 500:
            raise Breach(f"{told} is refused in no sentence of sense: {refusal.message[:500]!r}")
        refusal.message.encode()  # raises an error for a text that UTF-8 cannot encode
        encode(refusal.details)
    accepted = refusal is None
    types = [type_ for type_ in ruleset.move_types if type_.type == data.get("type")]
    if types and accepted != _checked(spot, seat, types[0], data):
        raise Breach(f"{told}: read_move and check disagree")
    return accepted


def _checked(spot: Spot, seat: Seat, type_: Any, data: JsonObject) -> bool:
    try:
        spot.ruleset.check(spot.state, seat, type_.from_json(data))
    except (MalformedMove, IllegalMove):
        return False
    return True
