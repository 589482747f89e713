"""What is public of a game does not follow from what stays hidden in it.

Of a game that goes on, verification guesses the parts that nobody has opened, and judges what is
public on the guess. That proves something only if the true game and the guess go the same way.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.effects import PUBLIC, EffectLog, can_see, seat_audience
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.ruleset import Chanced, Moved, Ruleset
from rules.kernel.contract.seats import Seat
from tests.contract.tables import (
    SEEDS,
    RulesEvent,
    Table,
    default_tables,
    move_pool,
    record,
    sampled,
)

TRIED = 4
"""How many moves that are mostly illegal are tried at each decision."""


def hidden_from(viewer: Seat | None, table: Table, seed: int) -> set[int]:
    """Return the events of a recorded game of which the viewer is never shown all."""
    ruleset, state = table.ruleset, table.initial()
    named: dict[tuple[str, str, int], list[int]] = {}
    hidden: set[int] = set()
    for number, event in enumerate(record(table, seed)):
        turn, log = ruleset.turn(state), EffectLog()
        key, audience = ("", "", 0), PUBLIC
        if isinstance(event, Moved) and event.move.secret:
            key, audience = ("move", event.move.type, event.seat), seat_audience(event.seat)
        elif isinstance(turn, Chance) and isinstance(event, Chanced):
            key, audience = ("picks", turn.label, turn.n), turn.audience
        if not can_see(viewer, audience):
            named.setdefault(key, []).append(number)
            hidden.add(number)
        ruleset.reduce(state, event, log)
        for opened in log.opened:
            hidden.difference_update(named.pop(opened, ()))
    return hidden


def guessed(ruleset: Ruleset[Any], guess: Any, event: RulesEvent, rng: random.Random) -> RulesEvent:
    """Return what may have happened instead of an event that is hidden.

    Half of the draws take the first of everything, as far from the mean as can be.
    """
    turn = ruleset.turn(guess)
    if isinstance(turn, Chance):
        extreme = rng.random() < 0.5
        return Chanced(
            turn.label, turn.n, (0,) * len(turn.sizes) if extreme else uniform(rng)(turn)
        )
    assert isinstance(event, Moved)
    moves = [move for move in ruleset.legal_moves(guess, event.seat) if move.secret]
    assert len({move.type for move in moves}) == 1
    return Moved(event.seat, rng.choice(moves))


def side_by_side(
    table: Table, seed: int, viewer: Seat | None
) -> Iterator[tuple[Any, Any, RulesEvent]]:
    """Yield the true state, one that is guessed, and the event that follows.

    It ends where the true event is none that the guess allows, for a reason that may be hidden.
    """
    ruleset = table.ruleset
    rng = random.Random(f"{table} {seed} {viewer}")
    hidden = hidden_from(viewer, table, seed)
    state, guess = table.initial(), table.initial()
    for number, event in enumerate(record(table, seed)):
        yield state, guess, event
        if number in hidden:
            ruleset.reduce(guess, guessed(ruleset, guess, event, rng))
        else:
            if isinstance(event, Moved) and refusal(
                ruleset, guess, event.seat, event.move.to_json()
            ):
                return
            ruleset.reduce(guess, event)
        ruleset.reduce(state, event)


def refusal(ruleset: Ruleset[Any], state: Any, seat: Seat, move: JsonObject) -> str:
    try:
        ruleset.read_move(state, seat, move)
    except IllegalMove as error:
        return error.code
    return ""


WITH_SECRETS = [
    table for table in default_tables() if table.seats > 1 and hidden_from(None, table, SEEDS[0])
]


@pytest.mark.parametrize("of", WITH_SECRETS, ids=str)
@pytest.mark.parametrize("viewer", [None, 1])
def test_what_is_public_does_not_follow_from_what_is_hidden(of: Table, viewer: Seat | None) -> None:
    ruleset = of.ruleset
    for seed in SEEDS:
        rng = random.Random(f"{of} {seed}")
        for number, (state, guess, event) in enumerate(side_by_side(of, seed, viewer)):
            where = f"{of}, seed {seed}, event {number}"
            assert ruleset.turn(guess) == ruleset.turn(state), f"{where}: the turn"
            assert ruleset.moves_now(guess) == ruleset.moves_now(state), f"{where}: the phase"
            if not isinstance(event, Moved):
                continue
            if not event.move.secret:
                defaults = [ruleset.default_move(s, event.seat) for s in (state, guess)]
                assert defaults[0] == defaults[1], f"{where}: the default move"
            for move in [event.move.to_json(), *sampled(move_pool(ruleset), TRIED, rng)]:
                codes = {refusal(ruleset, s, event.seat, move) for s in (state, guess)}
                same = len(codes) == 1 or codes & {*ruleset.hidden_errors}
                assert same, f"{where}: {move} in the true game or on a guess alone: {codes}"


def test_guesses_differ_from_the_truth() -> None:
    for table in WITH_SECRETS:
        *_before, (state, guess, _event) = side_by_side(table, SEEDS[0], None)
        assert table.ruleset.to_json(state) != table.ruleset.to_json(guess), table
