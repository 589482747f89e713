import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest

from rules.kernel.canonical import encode
from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import ChanceEvent, Decision, GameOver, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat
from rules.santiago_de_cuba import RULESET as SANTIAGO
from service.catalogue.bots import BOTS
from service.cli import local
from tests.sealed import RULESET as SEALED
from workers import bots
from workers.bots import greedy, random_bot
from workers.bots.bot import Bot, BotRandom

RULESETS: list[Ruleset[Any]] = [SANTIAGO, SEALED]
GREEDY = BOTS["greedy"].settings
by_id = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.info.id)


def play(
    ruleset: Ruleset[Any], seed: int, choose: Callable[[Any, Seat], Any], seats: int = 2
) -> Any:
    """Play a game whose moves ``choose`` picks; return the last state."""
    state = ruleset.initial(seats, ruleset.parse_options(seats, {}))
    nature = uniform(random.Random(seed))
    while not isinstance(turn := ruleset.turn(state), GameOver):
        if isinstance(turn, Chance):
            ruleset.reduce(state, ChanceEvent(turn.label, turn.n, nature(turn)))
        else:
            ruleset.reduce(state, MoveEvent(turn.seats[0], choose(state, turn.seats[0])))
    return state


def decisions(ruleset: Ruleset[Any], seed: int) -> Iterator[tuple[Any, Seat]]:
    """Yield copies of the states of a random game, each with the deciding seat."""
    met: list[tuple[Any, Seat]] = []
    rng = random.Random(seed)

    def choose(state: Any, seat: Seat) -> Any:
        met.append((ruleset.copy(state), seat))
        return rng.choice(ruleset.legal_moves(state, seat))

    play(ruleset, seed, choose, seats=3)
    yield from met


def test_every_offered_bot_is_installed_and_none_else() -> None:
    assert {(offer.name, offer.version) for offer in BOTS.values()} <= bots.FUNCTIONS.keys()
    assert {name for name, _ in bots.FUNCTIONS} == set(BOTS)


def test_unknown_versions_are_refused() -> None:
    with pytest.raises(bots.UnknownBotError, match="greedy@99"):
        bots.find("greedy", "99")


def test_the_random_source_is_pinned() -> None:
    rng = BotRandom(1)
    assert [rng.randrange(size) for size in (1, 2, 6, 6, 100, 10**12)] == PINNED


PINNED = [0, 0, 4, 0, 32, 541672336265]


def test_the_random_source_refuses_an_empty_range() -> None:
    with pytest.raises(ValueError, match=r"range\(0\)"):
        BotRandom(1).randrange(0)


@by_id
@pytest.mark.parametrize("choose", bots.FUNCTIONS.values(), ids=[n for n, _ in bots.FUNCTIONS])
def test_choices_are_legal_reproducible_and_within_budget(
    ruleset: Ruleset[Any], choose: Bot
) -> None:
    quick = choose.__module__ not in bots.WITH_WORLDS
    for number, (state, seat) in enumerate(
        islice(decisions(ruleset, 5), 0, None, 1 if quick else 9)
    ):
        legal = ruleset.legal_moves(state, seat)
        information = ruleset.information(state, seat)
        before = encode(information)
        choice, again = (
            choose(ruleset, information, seat, legal, BotRandom(number), {"nodes": 50})
            for _ in range(2)
        )
        assert choice == again
        assert choice.move in legal
        assert choice.nodes <= 50 + 10  # the draws after the last move may exceed the budget
        assert encode(information) == before
        encode(choice.thoughts)


@by_id
def test_a_small_budget_tries_some_moves(ruleset: Ruleset[Any]) -> None:
    for number, (state, seat) in enumerate(decisions(ruleset, 6)):
        legal = ruleset.legal_moves(state, seat)
        information = ruleset.information(state, seat)
        choice = greedy.choose(ruleset, information, seat, legal, BotRandom(number), {"nodes": 2})
        assert choice.move in legal
        assert choice.thoughts["tried"] <= 2


def test_greedy_sees_the_same_in_every_state_it_cannot_tell_apart() -> None:
    """In two states that look the same to a seat, its bot chooses the same move."""
    told_apart = 0
    for number, (state, seat) in enumerate(decisions(SEALED, 7)):
        information = SEALED.information(state, seat)
        other = SEALED.determinize(information, random.Random(number))
        told_apart += SEALED.to_json(other) != SEALED.to_json(state)
        one, two = (
            greedy.choose(
                SEALED,
                SEALED.information(s, seat),
                seat,
                SEALED.legal_moves(s, seat),
                BotRandom(number),
                GREEDY,
            )
            for s in (state, other)
        )
        assert one == two
    assert told_apart  # otherwise the test would check nothing


def test_bots_are_never_given_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """A spy records every state that a bot's ruleset uses; none is the true one."""
    table = local.start(
        Registry(("tests.sealed",)), "sealed", [BOTS["greedy"].holder(SEALED)] * 3, {}, "spy"
    )
    game = table.game
    touched: list[int] = []

    class Spy(type(SEALED)):  # type: ignore[misc]  # the ruleset's own class
        def copy(self, state: Any) -> Any:
            touched.append(id(state))
            return super().copy(state)

        def reduce(self, state: Any, event: Any, log: Any = None) -> None:
            touched.append(id(state))
            super().reduce(state, event, log)

        def heuristic(self, state: Any) -> list[int]:
            touched.append(id(state))
            return [*super().heuristic(state)]

        def look(self, state: Any, seat: Any) -> int:
            touched.append(id(state))
            return int(super().look(state, seat))

    game.ruleset = Spy()
    given: list[Any] = []
    real = greedy.choose

    def watched(*arguments: Any) -> Any:
        given.append(arguments)
        return real(*arguments)

    monkeypatch.setitem(bots.FUNCTIONS, ("greedy", "2"), watched)
    before = encode(SEALED.to_json(game.state))
    bots.question(game, min(game.asked), table.secrets.salt)()
    assert touched
    assert id(game.state) not in touched
    assert encode(SEALED.to_json(game.state)) == before
    ((_, information, *_),) = given
    assert information == SEALED.information(game.state, min(game.asked))


@pytest.mark.parametrize(
    ("ruleset", "games", "least"),
    [(SANTIAGO, 20, 18), (SEALED, 60, 33)],
    ids=["santiago", "sealed"],
)
def test_greedy_beats_random(ruleset: Ruleset[Any], games: int, least: int) -> None:
    won = 0
    for number in range(games):
        rng = BotRandom(number)
        mine = number % 2

        def choose(state: Any, seat: Seat, rng: BotRandom = rng, mine: int = mine) -> Any:
            bot = greedy.choose if seat == mine else random_bot.choose
            information = ruleset.information(state, seat)
            legal = ruleset.legal_moves(state, seat)
            return bot(ruleset, information, seat, legal, rng, GREEDY).move

        state = play(ruleset, number, choose)
        ranks = {standing.side: standing.rank for standing in ruleset.result(state).standings}
        won += ranks[f"seat:{mine}"] < ranks[f"seat:{1 - mine}"]
    assert won >= least


def test_a_decision_has_its_own_seed() -> None:
    """The luck follows from salt, seat and decision, so equal positions may get different moves."""
    table = local.start(
        Registry(("tests.sealed",)), "sealed", [BOTS["random"].holder(SEALED)] * 2, {}, "seeds"
    )
    seat = min(table.game.asked)
    assert isinstance(table.game.ruleset.turn(table.game.state), Decision)
    chosen: set[bytes] = set()
    for salt in range(30):
        choice = bots.question(table.game, seat, bytes([salt]) * 32)()
        assert choice == bots.question(table.game, seat, bytes([salt]) * 32)()
        chosen.add(encode(choice.move.to_json()))
    assert len(chosen) > 1


def test_events_name_a_bot_with_its_version() -> None:
    assert bots.signature(BOTS["greedy"].holder(SEALED)) == "greedy@2"
