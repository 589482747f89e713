"""Opponents in an environment: bots of the service, and policies."""

import random
from typing import Any

import numpy as np
import pytest
from lonja_learning import BadOpponentError, game, opponents

from service.catalogue.bots import BOTS
from tests.learning.test_environments import GAMES
from workers.bots import FUNCTIONS


def by_chance(rng: random.Random) -> Any:
    return lambda _observation, mask: rng.choice(np.flatnonzero(mask).tolist())


def rewards(env: Any, seed: int) -> dict[str, float]:
    """Play a game at random; return the rewards of the agents."""
    policy, found = by_chance(random.Random(seed)), {}
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, found[agent], termination, truncation, _ = env.last()
        over = termination or truncation
        row, mask = observation["observation"], observation["action_mask"]
        env.step(None if over else policy(row, mask))
    return found


def test_bots_are_those_of_the_service() -> None:
    assert {name: settings for name, (_bot, settings) in opponents.BOTS.items()} == {
        name: offer.settings for name, offer in BOTS.items()
    }
    for name, (bot, _settings) in opponents.BOTS.items():
        assert bot is FUNCTIONS[name, BOTS[name].version]


def test_a_bot_plays_as_well_as_at_a_table() -> None:
    env = game("ragusa", 2).env(opponents={"seat_0": "greedy:nodes=100"})
    assert env.possible_agents == ["seat_1"]
    assert [rewards(env, seed) for seed in range(3)] == [{"seat_1": -1.0}] * 3


@pytest.mark.parametrize("played", GAMES, ids=[ruleset for ruleset, _ in GAMES])
def test_the_environment_plays_for_opponents(played: tuple[str, int]) -> None:
    """Whether agents act in turn or all at once, and are asked at once or not."""
    table = game(*played)

    def opposed() -> Any:
        return {"seat_0": "random", "seat_2": by_chance(random.Random(3))}

    first, again = (rewards(table.env(opponents=opposed()), 5) for _ in range(2))
    assert first == again
    assert {*first} == {*table.agents} - {"seat_0", "seat_2"}
    env, policy = table.parallel_env(opponents=opposed()), by_chance(random.Random(5))
    seen, _ = env.reset(seed=5)
    while env.agents:
        said = {agent: policy(None, seen[agent]["action_mask"]) for agent in env.agents}
        assert {*said} == {*first}
        seen, *_ = env.step(said)


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ({"seat_2": "greedy"}, "there is no agent 'seat_2'; there are seat_0, seat_1"),
        ({"seat_0": "gredy"}, "there is no bot 'gredy'; there are random, greedy"),
        ({"seat_0": "greedy:node=3"}, "'node=3' is no setting of greedy, such as nodes=2000"),
        ({"seat_0": "greedy:nodes=x"}, "'nodes=x' is no setting"),
        ({"seat_0": "random", "seat_1": "random"}, "at least one seat needs an agent"),
    ],
)
def test_a_wrong_opponent_is_named(named: dict[str, Any], told: str) -> None:
    with pytest.raises(BadOpponentError, match=told):
        game("ragusa", 2).env(opponents=named)
