"""Law: the public facts of a game do not depend on its hidden parts.

A verifier of a running game guesses the parts that are not revealed yet, and checks public facts in
the guess. This proves something only if these facts are the same in the true game and in the guess.
"""

import random
from collections.abc import Iterator
from typing import Any

from laws.book.secrecy import DEFAULT, WAITS
from laws.games import RulesEvent, SampleGame, move_pool, sampled
from laws.law import Breach, Scope, law
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.effects import PUBLIC, EffectLog, can_see, seat_audience
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.ruleset import ChanceEvent, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat

TRIED = 4
"""Number of moves that are tried at each decision; most of them are illegal."""


@law(
    Scope.GAME,
    "6. What each viewer knows",
    "whether the move is legal follows from something hidden: list the code in hidden_errors",
)
def what_is_public_follows_from_what_is_public(game: SampleGame) -> None:
    """Turns, default moves and public refusals do not depend on hidden parts."""
    table, ruleset = game.table, game.ruleset
    if table.seats == 1 or not hidden_from(None, game):
        return
    for viewer in (None, Seat(1)):
        rng = random.Random(f"{table} {game.seed}")
        for number, (state, guess, event) in enumerate(side_by_side(game, viewer)):
            at = "in the true game and on a guess from what is public"
            if viewer is not None:
                at = f"in the true game and on a guess from what seat {viewer} knows"
            if ruleset.turn(guess) != ruleset.turn(state):
                raise Breach(
                    f"{at}, other turns come: {ruleset.turn(state)}, {ruleset.turn(guess)}",
                    number,
                    advice=WAITS,
                )
            if ruleset.moves_now(guess) != ruleset.moves_now(state):
                raise Breach(f"{at}, other moves are for now", number, advice=WAITS)
            if not isinstance(event, MoveEvent):
                continue
            if not event.move.secret:
                defaults = [ruleset.default_move(s, event.seat) for s in (state, guess)]
                if defaults[0] != defaults[1]:
                    told = f"{at}, seat {event.seat} has other default moves"
                    raise Breach(told, number, advice=DEFAULT)
            for move in [event.move.to_json(), *sampled(move_pool(ruleset), TRIED, rng)]:
                codes = {refusal(ruleset, s, event.seat, move) for s in (state, guess)}
                if len(codes) > 1 and not codes & {*ruleset.hidden_errors}:
                    told = " or ".join(sorted(code or "accepted" for code in codes))
                    raise Breach(f"{at}, {move} of seat {event.seat} is {told}", number)


def hidden_from(viewer: Seat | None, game: SampleGame) -> set[int]:
    """Return the numbers of a game's events whose move or picks the viewer never sees."""
    ruleset, state = game.ruleset, game.table.initial()
    named: dict[tuple[str, str, int], list[int]] = {}
    hidden: set[int] = set()
    for number, event in enumerate(game.events):
        turn, log = ruleset.turn(state), EffectLog()
        key, audience = ("", "", 0), PUBLIC
        if isinstance(event, MoveEvent) and event.move.secret:
            key, audience = ("move", event.move.type, event.seat), seat_audience(event.seat)
        elif isinstance(turn, Chance) and isinstance(event, ChanceEvent):
            key, audience = ("picks", turn.label, turn.n), turn.audience
        if not can_see(viewer, audience):
            named.setdefault(key, []).append(number)
            hidden.add(number)
        ruleset.reduce(state, event, log)
        for opened in log.opened:
            hidden.difference_update(named.pop(opened, ()))
    return hidden


def guessed(ruleset: Ruleset[Any], guess: Any, event: RulesEvent, rng: random.Random) -> RulesEvent:
    """Return an event that could have happened instead of a hidden event.

    If the hidden event is a draw, the returned event is a draw, too. In half of the cases all its
    picks are 0, to try an extreme draw.
    """
    turn = ruleset.turn(guess)
    if isinstance(turn, Chance):
        extreme = rng.random() < 0.5
        picks = (0,) * len(turn.sizes) if extreme else uniform(rng)(turn)
        return ChanceEvent(turn.label, turn.n, picks)
    if not isinstance(event, MoveEvent):
        raise Breach(f"a guess waits for {turn}, and the true game for a draw")
    moves = [move for move in ruleset.legal_moves(guess, event.seat) if move.secret]
    if len({move.type for move in moves}) != 1:
        raise Breach(f"seat {event.seat} has secret moves of several types at once, or none")
    return MoveEvent(event.seat, rng.choice(moves))


def side_by_side(game: SampleGame, viewer: Seat | None) -> Iterator[tuple[Any, Any, RulesEvent]]:
    """Yield the true state, a guessed state, and the next event.

    It stops when the guess does not allow the true event, because the reason may be something
    hidden.
    """
    ruleset, table = game.ruleset, game.table
    rng = random.Random(f"{table} {game.seed} {viewer}")
    hidden = hidden_from(viewer, game)
    state, guess = table.initial(), table.initial()
    for number, event in enumerate(game.events):
        yield state, guess, event
        if number in hidden:
            ruleset.reduce(guess, guessed(ruleset, guess, event, rng))
        else:
            if isinstance(event, MoveEvent) and refusal(
                ruleset, guess, event.seat, event.move.to_json()
            ):
                return
            ruleset.reduce(guess, event)
        ruleset.reduce(state, event)


def refusal(ruleset: Ruleset[Any], state: Any, seat: Seat, move: JsonObject) -> str:
    """Return the code with which a move is refused, or "" if it is legal."""
    try:
        ruleset.read_move(state, seat, move)
    except IllegalMove as error:
        return error.code
    return ""
