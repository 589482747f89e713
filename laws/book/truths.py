"""Law: the true state is always among the states that a seat may guess."""

from collections import Counter
from dataclasses import dataclass, field
from re import sub
from typing import Any

from laws.book.memory import leaves
from laws.book.secrecy import twins
from laws.games import Spot, Subject, sample_game, spots
from laws.law import Breach, Scope, law
from laws.tables import default_tables
from rules.kernel.canonical import encode
from rules.kernel.contract.seats import Seat, all_seats

FIRST, GUESSES = 4, 20
"""Number of guesses: first a few, to see whether anything is hidden, then more, until one is
right.
"""
ENOUGH = 20
"""If a value was hidden less often than this, the law does not count as broken."""
FEW = 20
"""Maximum number of different values: if a hidden value has more, a right guess is too rare to
demand one.
"""


@dataclass
class _HiddenThing:
    """How often guesses were right or wrong about one hidden value.

    The value is identified by its path in the JSON of states, without indexes.
    """

    times: int = 0
    met: int = 0
    """Number of times that at least one guess was right."""
    sure: int = 0
    """Number of times that all guesses had the same wrong value."""
    values: set[bytes] = field(default_factory=set)
    shown: str = ""


@law(
    Scope.RULESET,
    "6. What each viewer knows",
    "determinize must draw what the information leaves open from rng, so that every"
    " possibility can occur",
)
def a_guess_can_be_the_truth(subject: Subject) -> None:
    """Whatever is hidden from a seat, some of the seat's guesses have it right.

    The law examines each value in the JSON of states that was hidden at least ``ENOUGH`` times. It
    is a breach if all guesses have the same wrong value in more than half of these cases. It is
    also a breach if no guess is ever right, unless the cases have more than ``FEW`` different
    values.
    """
    found: dict[str, _HiddenThing] = {}
    for table in subject.tables or default_tables(subject.ruleset):
        for spot in spots(sample_game(table, subject.seeds[0])) if subject.seeds else ():
            for seat in all_seats(table.seats):
                _compare(spot, seat, found)
    for kind, hidden in sorted(found.items()):
        if hidden.times < ENOUGH:
            continue
        if 2 * hidden.sure > hidden.times or (not hidden.met and len(hidden.values) <= FEW):
            raise Breach(
                f"the state's {kind} was hidden {hidden.times} times; {hidden.sure} times all"
                f" guesses were sure of something wrong, {hidden.met} times one was right:"
                f" {hidden.shown}"
            )


def _compare(spot: Spot, seat: Seat, found: dict[str, _HiddenThing]) -> None:
    """Count the values in which guesses differ from each other or from the true state."""
    true = dict(leaves(spot.ruleset.to_json(spot.state)))
    guesses = _guesses(spot, seat, range(FIRST))
    if all(guess == true for guess in guesses):
        return
    guesses += _guesses(spot, seat, range(FIRST, GUESSES))
    for where, value in true.items():
        guessed = Counter(guess.get(where) for guess in guesses)
        if guessed[value] == GUESSES:
            continue
        hidden = found.setdefault(sub(r"\[\d+\]", "[]", where), _HiddenThing())
        hidden.times += 1
        hidden.met += value in guessed
        hidden.values |= {encode(one) for one in (value, *guessed)}
        if len(guessed) == 1:
            hidden.sure += 1
            (sure,) = guessed
            hidden.shown = f"{spot.where}, seat {seat}: {where} is {value}, guessed as {sure}"
        elif not hidden.shown:
            hidden.shown = f"{spot.where}, seat {seat}: {where} is {value}"


def _guesses(spot: Spot, seat: Seat, numbers: range) -> list[dict[str, Any]]:
    """Return the values of the guesses with these numbers."""
    to_json = spot.ruleset.to_json
    return [dict(leaves(to_json(twin))) for twin in twins(spot, seat, numbers)]
