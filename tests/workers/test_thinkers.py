"""Bots that play on in guessed worlds: ``lookahead`` and ``search``."""

import random
from itertools import islice
from math import log
from typing import Any

import orjson
import pytest

from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.ruleset import ChanceEvent, Ruleset
from rules.kernel.contract.seats import Seat
from rules.macao import RULESET as MACAO
from rules.manila import RULESET as MANILA
from rules.santiago_de_cuba import RULESET as SANTIAGO
from tests.sealed import RULESET as SEALED
from tests.workers.test_bots import decisions
from workers.bots import lookahead, search
from workers.bots.bot import Bot, BotRandom, Choice
from workers.bots.worlds import GLANCED, Explorer, Learner, WorldLuck, leads, some

THINKERS = pytest.mark.parametrize("choose", [lookahead.choose, search.choose])


def asked(choose: Bot, ruleset: Ruleset[Any], state: Any, seat: Seat, nodes: int = 300) -> Choice:
    information = ruleset.information(state, seat)
    legal = ruleset.legal_moves(state, seat)
    return choose(ruleset, information, seat, legal, BotRandom(3), {"nodes": nodes})


@THINKERS
def test_a_forced_decision_costs_nothing(choose: Bot) -> None:
    met = decisions(SANTIAGO, 3)
    forced = next((s, seat) for s, seat in met if len(SANTIAGO.legal_moves(s, seat)) == 1)
    assert asked(choose, SANTIAGO, *forced).nodes == 0


@THINKERS
def test_it_sees_the_same_in_every_state_it_cannot_tell_apart(choose: Bot) -> None:
    told_apart = 0
    for number, (state, seat) in enumerate(decisions(SEALED, 7)):
        other = SEALED.determinize(SEALED.information(state, seat), random.Random(number))
        told_apart += SEALED.to_json(other) != SEALED.to_json(state)
        assert asked(choose, SEALED, state, seat) == asked(choose, SEALED, other, seat)
    assert told_apart


@THINKERS
def test_thoughts_tell_the_candidates_and_what_each_seat_may_expect(choose: Bot) -> None:
    for state, seat in islice(decisions(SANTIAGO, 4), 40, 120, 20):
        legal = [move.to_json() for move in SANTIAGO.legal_moves(state, seat)]
        if len(legal) == 1:
            continue
        choice = asked(choose, SANTIAGO, state, seat, 600)
        told = choice.thoughts["candidates"]
        assert 0 < len(told) <= lookahead.TOLD == search.TOLD
        assert all(each["move"] in legal for each in told)
        assert choice.move.to_json() in [each["move"] for each in told]
        assert all(len(each["expected"]) == 3 for each in told if each["visits"])
        assert len(orjson.dumps(choice.thoughts)) < 4_000


@THINKERS
def test_one_node_is_enough_for_a_move(choose: Bot) -> None:
    for state, seat in islice(decisions(SANTIAGO, 5), 0, 60, 6):
        choice = asked(choose, SANTIAGO, state, seat, nodes=1)
        assert choice.move in SANTIAGO.legal_moves(state, seat)


def test_more_nodes_are_more_descents() -> None:
    state, seat = next(
        (s, seat) for s, seat in decisions(SANTIAGO, 6) if len(SANTIAGO.legal_moves(s, seat)) > 3
    )
    visits = [
        sum(each["visits"] for each in asked(search.choose, SANTIAGO, state, seat, nodes).thoughts[
            "candidates"
        ])
        for nodes in (300, 1_200)
    ]  # fmt: skip
    assert visits[1] > 2 * visits[0]


def test_habits_make_descents_cheap_and_go_nearly_the_same_way() -> None:
    """After a dozen worlds of a decision, few moves are compared, and mostly the best ones."""
    differ = nodes = all_nodes = 0
    for number, (state, seat) in enumerate(islice(decisions(MANILA, 2), 20, 120, 20)):
        information, rng = MANILA.information(state, seat), BotRandom(number)
        learning, plain = Learner(MANILA, 100_000), Explorer(MANILA, 100_000)
        turns = plain.turns(plain.guess(information, rng), 9)
        for _ in range(12):
            learning.nodes = plain.nodes = 0
            world = plain.guess(information, rng, turns)
            differ += learning.play_out(world) != plain.play_out(world)
        nodes += learning.nodes  # of the last world
        all_nodes += plain.nodes
    assert nodes * 2 < all_nodes
    assert differ < 5 * 12 / 2


def test_a_draw_is_the_same_whichever_way_play_comes_to_it() -> None:
    luck, again = WorldLuck(5), WorldLuck(5)
    roll, shuffle = Chance("roll", 1, (6, 6)), Chance("shuffle", 1, (9, 8, 7))
    first = luck(roll)
    assert luck(shuffle)
    assert luck(roll) == first == again(roll)
    assert luck(Chance("roll", 2, (6,) * 20)) != luck(Chance("roll", 3, (6,) * 20))


def test_moves_are_judged_after_as_many_turns_whether_they_end_one_or_not() -> None:
    compared = 0
    for number, (state, seat) in enumerate(islice(decisions(MACAO, 8), 60, 120)):
        legal = MACAO.legal_moves(state, seat)
        if not {"end_turn", "advance_wall"} <= {move.type for move in legal}:
            continue
        explorer, rng = Explorer(MACAO, 100_000), BotRandom(number)
        turns = explorer.turns(explorer.guess(MACAO.information(state, seat), rng), 8)
        world = explorer.guess(MACAO.information(state, seat), rng, turns)
        reached = [explorer.play_on(explorer.after(world, seat, move)) for move in legal[-4:]]
        assert len({(at.state.round, at.state.phase, len(at.state.queue)) for at in reached}) == 1
        compared += 1
    assert compared


def test_whoever_compares_some_moves_compares_one_of_each_type() -> None:
    """Some of dozens of bids are enough, but the only way to pass must be among the moves."""
    state = MANILA.initial(3, MANILA.parse_options(3, {}))
    nature = uniform(BotRandom(1))
    while isinstance(turn := MANILA.turn(state), Chance):
        MANILA.reduce(state, ChanceEvent(turn.label, turn.n, nature(turn)))
    legal = MANILA.legal_moves(state, min(turn.seats))  # type: ignore[union-attr]  # an auction
    compared = some(legal)
    assert len(legal) > 2 * GLANCED >= len(compared)
    assert {move.type for move in compared} == {move.type for move in legal}
    assert some(legal[:GLANCED]) == legal[:GLANCED]


def test_a_lead_is_over_the_mean_of_the_others() -> None:
    assert leads([5000, 2000, 1000]) == [3500, -1000, -2500]
    assert leads([700]) == [0]


@pytest.mark.parametrize("number", [1, 2, 3, 10, 999, 20_000])
def test_logarithms_are_integers_that_nearly_hold(number: int) -> None:
    found = search.logarithm(number)
    assert type(found) is int
    assert found == pytest.approx(search.UNIT * log(number), abs=search.UNIT * 0.05)
