"""Luck of each game's own: what an entry remembers of one game is worth nothing in another."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from statistics import fmean

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import chance_key, draw
from service.catalogue.bots import ENGINE, HOUSE, MODULE, PROGRAM, BotOffer
from service.tournaments.formats import OPTIONS
from service.tournaments.luck import Luck
from service.tournaments.plan import (
    ALL,
    LUCKS,
    OF_BLOCK,
    OF_GAME,
    BadPlanError,
    Plan,
    TournamentRequest,
    make,
)
from service.tournaments.record import export
from service.tournaments.tournament import Block, Tournament, chance_scope
from tests.service.tournaments.conftest import Check, Hall, failures
from tests.service.tournaments.forging import File, forger_of
from tests.service.tournaments.held import REGISTRY, plan
from tests.service.tournaments.test_other_verifier import Judge, judge
from tests.service.verifier.programs import codes, standing

__all__ = ["judge"]

SCOPE, SEED = "t07-mfrggzdfmztwq2lknnwg", bytes(32)
BLOCKS, SEATS, DICE, FACES = 50, 3, 10, 6


def keys(luck: str) -> Iterator[tuple[bytes, tuple[int, ...]]]:
    """Yield the chance key and the seating of each game of a tournament, block by block."""
    tournament = Tournament(SCOPE)
    tournament.plan, tournament.scope = replace(plan(SEATS, "swiss"), luck=luck), SCOPE
    source = Luck(SCOPE, SEED, [None] * SEATS, luck)
    for number in range(1, BLOCKS + 1):
        block = Block(number, 1, tuple(range(SEATS)))
        for rotation, seating in enumerate(block.seatings(ALL)):
            seed = source.secrets(block, rotation).chance_seed
            scope = chance_scope(tournament, block, rotation)
            yield chance_key(seed, scope, [None] * SEATS), seating


def right_guesses(luck: str, remembering: Collection[int]) -> list[float]:
    """Return how often each entry is right, if each has to guess the dice of its seat.

    The entries in ``remembering`` guess what they saw last, on any seat; they tell each other. The
    others guess a 1.
    """
    seen: dict[tuple[int, int], int] = {}
    right: list[list[bool]] = [[] for _ in range(SEATS)]
    for key, seating in keys(luck):
        for seat, entry in enumerate(seating):
            for n in range(1, DICE + 1):
                (face,) = draw(key, f"die/seat_{seat}", n, (FACES,))
                guess = seen.get((seat, n), 0) if entry in remembering else 0
                right[entry].append(guess == face)
                if entry in remembering:
                    seen[seat, n] = face
    return [fmean(guesses) for guesses in right]


@pytest.mark.parametrize("remembering", [{0}, {0, 1}], ids=["one", "two that tell each other"])
def test_who_remembers_gains_by_shared_luck_alone(remembering: set[int]) -> None:
    shared, own = (right_guesses(luck, remembering) for luck in LUCKS)
    fair = 1 / FACES
    for entry in remembering:
        assert shared[entry] > 2 * fair
        assert own[entry] == pytest.approx(fair, abs=0.02)


def asked(*kinds: str, luck: str | None = None) -> Plan:
    offers = {kind: BotOffer(kind, "1", kind=kind) for kind in kinds}
    request: JsonObject = {"ruleset": "sealed", "entries": [{"bot": kind} for kind in kinds]}
    return make(TournamentRequest.of({**request, "luck": luck}), REGISTRY, offers, OPTIONS)


def test_luck_is_shared_if_no_entry_may_remember() -> None:
    made = asked(HOUSE, ENGINE)
    assert made.luck == OF_BLOCK
    assert "luck" not in made.to_json(), "as in plans of earlier releases"
    own = asked(HOUSE, ENGINE, luck=OF_GAME)
    assert own.to_json()["luck"] == OF_GAME
    assert Plan.from_json(own.to_json()) == own


@pytest.mark.parametrize("kind", [MODULE, PROGRAM])
def test_one_entry_that_may_remember_forces_luck_of_each_games_own(kind: str) -> None:
    assert asked(HOUSE, ENGINE, kind).luck == OF_GAME
    with pytest.raises(BadPlanError, match=f"because {kind} runs outside the sandbox") as refused:
        asked(HOUSE, ENGINE, kind, luck=OF_BLOCK)
    assert (refused.value.field, refused.value.value) == ("luck", OF_BLOCK)


@pytest.fixture
def file(hall: Hall) -> File:
    """The record of a short tournament, in which each game has luck of its own."""
    held = hall.hold(luck=OF_GAME, seats=2, format={"type": "round_robin", "games": 4})
    return File.of(export.lines(hall.runtime, held))


def test_both_verifiers_know_it(hall: Hall, file: File, check: Check, judge: Judge) -> None:
    scopes = [game.copies[0]["body"]["game"]["chance"]["scope"] for game in file.games]
    places = ["1/0/1", "1/1/1", "2/0/1", "2/1/1"]
    assert [scope.partition("/")[2] for scope in scopes] == places
    assert check(file.lines()).ok
    assert standing(judge(file.lines())) == "sound"
    assert file.header["report"]["plan"]["luck"] == OF_GAME
    del file.stream[0]["body"]["created"]["plan"]["luck"]
    held = hall.runtime.director.find(file.header["tournament_id"])
    forged = forger_of(hall, held).forge(file).lines()
    assert "the game has other luck than its block" in failures(check(forged))["games"][0]
    assert "game_differs" in codes(judge(forged), "failure")
