"""PettingZoo's parallel environment: all agents act at once."""

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from rules.kernel.contract.seats import Seat

if TYPE_CHECKING:
    from lonja_learning.game import Game, Observation

Infos = dict[str, dict[str, Any]]


class TogetherEnv(ParallelEnv[str, "Observation", int]):  # type: ignore[misc] # it has no types
    """In each step, all agents that are asked say a word; the actions of others are ignored.

    Rewards and illegal actions are as in ``TurnsEnv``.
    """

    def __init__(self, game: "Game", max_cycles: int | None, render_mode: str | None) -> None:
        self.game = game
        self.metadata: dict[str, Any] = {"name": game.name, "render_modes": ["ansi"]}
        self.render_mode = render_mode
        self.possible_agents = [*game.agents]
        self._max_cycles = max_cycles
        self._observations = {agent: game.observation_space() for agent in game.agents}
        self._actions = {agent: game.action_space() for agent in game.agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """See ``Game.observation_space``."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        """See ``Game.action_space``."""
        return self._actions[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, "Observation"], Infos]:
        """Begin a new game, with the dice and cards of ``seed``."""
        self.agents = [*self.possible_agents]
        self._steps = 0
        self._play = self.game.play(seed)
        return self._observed(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, "Observation"], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Act for every agent."""
        there, self._steps = self.agents, self._steps + 1
        infos: Infos = {agent: {} for agent in there}
        for seat, choice in [*self._play.choices.items()]:
            agent = self.possible_agents[seat]
            if actions[agent] in choice.words:
                self._play.say(seat, int(actions[agent]))
            else:
                infos[agent] = {"illegal": True}
                self._play.answer_for(seat)
        shares = self._play.shares()
        cut = shares is None and self._steps == self._max_cycles
        rewards = {
            agent: 0.0 if shares is None else 2 * shares[self._seat(agent)] - 1 for agent in there
        }
        seen = self._observed()
        if shares is not None or cut:
            self.agents = []
        over = dict.fromkeys(there, shares is not None)
        return seen, rewards, over, dict.fromkeys(there, cut), infos

    def render(self) -> str | None:
        """Return the spectators' view of the board as text."""
        return self._play.drawn("en") if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: an environment holds no open resources."""

    def _observed(self) -> dict[str, "Observation"]:
        return {agent: self.game.observe(self._play, self._seat(agent)) for agent in self.agents}

    def _seat(self, agent: str) -> Seat:
        return self.game.seats[self.possible_agents.index(agent)]
