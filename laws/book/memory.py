"""Laws of memory: a seat's information keeps what the seat was shown.

The information may forget something only when it no longer matters.
"""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import orjson

from laws.book.secrecy import hidden_next, seen, twins, visible_next
from laws.games import RulesEvent, Spot, play, possible, reduced, sampled, shown, state_bytes
from laws.law import Breach, Scope, law
from rules.kernel.canonical import encode
from rules.kernel.contract.effects import NONE, EffectLog, can_see
from rules.kernel.contract.ruleset import GameOver, ResignationEvent, Ruleset
from rules.kernel.contract.seats import Seat, all_seats

KNOWN = "6. What each viewer knows"
FORGETS = "information lacks what the seat was shown: have the state remember it"
FEW, MANY = 10, 120
"""Number of guesses to compare: a few at first, and many before the law counts as broken."""
EVENTS = 4
"""Number of possible next events to examine for each seat."""
OFTEN = 5
"""The law is broken if one in ``OFTEN`` later guesses, or more, contradicts what the seat saw."""
ENOUGH = 30
"""Minimum number of guesses that must be left after an event, or else the law does not count as
broken.
"""


@law(Scope.EVERY_POSITION, KNOWN, FORGETS)
def what_a_seat_saw_alone_is_remembered(spot: Spot) -> None:
    """Perfect recall: if a seat could tell two pasts apart, its information tells them apart.

    From one position, the game goes on in two ways that differ in something that only the seat
    sees. Then the same events follow in both. If the seat's information is equal in both, the
    difference must no longer matter: their states must be equal, too.
    """
    ruleset, happened = spot.ruleset, spot.next
    rng = random.Random(f"{spot.where} recall")
    for audience, events in hidden_next(spot, rng):
        if happened is None or type(events[0]) is not type(happened):
            continue
        for seat in all_seats(spot.table.seats):
            if can_see(seat, audience) or audience == NONE:
                for event in sampled(events, 3, rng):
                    told = f"seat {seat} forgets that {shown(event)}"
                    pasts = [reduced(ruleset, spot.state, e)[0] for e in (happened, event)]
                    name = f"{spot.where}: {told}"
                    _keep_apart(ruleset, pasts, seat, random.Random(name), told)


def _keep_apart(
    ruleset: Ruleset[Any], states: list[Any], seat: Seat, rng: random.Random, told: str
) -> None:
    def information() -> set[bytes]:
        return {encode(ruleset.information(state, seat)) for state in states}

    if len(information()) == 1:
        return
    for event in play(ruleset, ruleset.copy(states[0]), rng):
        if ruleset.turn(states[0]) != ruleset.turn(states[1]):
            return
        if not possible(ruleset, states[1], event):
            return
        logs = [EffectLog(), EffectLog()]
        for state, log in zip(states, logs, strict=True):
            ruleset.reduce(state, event, log)
        if seen(logs[0].effects, seat) != seen(logs[1].effects, seat):
            return  # The seat sees another difference, so it may need no memory of the first one.
        if any(isinstance(ruleset.turn(state), GameOver) for state in states):
            return
        if len(information()) == 1:
            if len({encode(ruleset.to_json(state)) for state in states}) > 1:
                raise Breach(f"{told} once {shown(event)}")
            return


@law(Scope.POSITION, KNOWN, FORGETS)
def what_was_shown_is_remembered(spot: Spot) -> None:
    """Guesses agree with everything that a seat was shown.

    A public move that names hidden cards shows these cards, too. Before an event, a seat considers
    several positions possible; the event rules out some of them. If a value is the same in all
    positions that remain, the seat now knows the value. Then the value must be the same in the
    positions that the ruleset guesses for the seat after the event.
    """
    if spot.game.seed > 1:
        return
    rng = random.Random(f"{spot.where} shown")
    for seat in all_seats(spot.table.seats):
        few = twins(spot, seat, range(FEW))
        if {state_bytes(spot.ruleset, twin) for twin in few} == {spot.bytes()}:
            continue  # nothing is hidden
        for event in sampled(visible_next(spot, seat, rng), EVENTS, rng):
            if isinstance(event, ResignationEvent) or not _forgotten(spot, event, seat, few, 3):
                continue
            if forgotten := _forgotten(spot, event, seat, twins(spot, seat, range(MANY)), ENOUGH):
                raise Breach(
                    f"once {shown(event)}, seat {seat} knows that the state's {forgotten},"
                    " and guesses that it is another"
                )


def _forgotten(spot: Spot, event: RulesEvent, seat: Seat, guesses: list[Any], least: int) -> str:
    """Describe a value that the seat knows after ``event``, but that later guesses contradict.

    The seat knows a value if it is the same in all ``guesses`` in which the event is possible.
    Return "" if there is no such value, or if these guesses are fewer than ``least``.
    """
    ruleset = spot.ruleset
    after, effects, opened = reduced(ruleset, spot.state, event)
    if isinstance(ruleset.turn(after), GameOver):
        return ""
    told, left = (seen(effects, seat), opened), []
    for guess in guesses:
        if possible(ruleset, guess, event):
            led_to, effects, opened = reduced(ruleset, guess, event)
            if (seen(effects, seat), opened) == told:
                left.append(dict(leaves(ruleset.to_json(led_to))))
    if len(left) < least:
        return ""
    agreed = {
        where: value
        for where, value in leaves(ruleset.to_json(after))
        if all(one.get(where) == value for one in left)
    }
    others: Counter[str] = Counter()
    for guess in twins(Spot(spot.game, after, spot.number), seat, range(len(guesses))):
        found = dict(leaves(ruleset.to_json(guess)))
        others.update(where for where, value in agreed.items() if found.get(where) != value)
    where, times = next(iter(others.most_common(1)), ("", 0))
    return f"{where} is {agreed[where]}" if times * OFTEN >= len(guesses) else ""


def leaves(value: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each number, text, flag or null within a JSON value, with its path."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from leaves(item, f"{where}.{name}" if where else name)
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            yield from leaves(item, f"{where}[{number}]")
    else:
        yield where, orjson.loads(orjson.dumps(value))
