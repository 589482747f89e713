"""PettingZoo's parallel environment: all agents act at once."""

from typing import TYPE_CHECKING, Any

from pettingzoo import ParallelEnv

from lonja_learning.environment import GameEnvironment

if TYPE_CHECKING:
    from lonja_learning.game import Observation

Infos = dict[str, dict[str, Any]]


class TogetherEnv(GameEnvironment, ParallelEnv[str, "Observation", int]):  # type: ignore[misc] # it has no types
    """In each step, all agents that are asked say a word; the actions of others are ignored.

    Rewards and illegal actions are as in ``TurnsEnv``.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, "Observation"], Infos]:
        """Begin a new game, with the dice and cards of ``seed``."""
        self.agents = [*self.possible_agents]
        self._steps = 0
        self._play = self.game.play(seed, self._opponents)
        return self._observed(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, "Observation"], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Act for every agent."""
        there, self._steps = self.agents, self._steps + 1
        infos: Infos = {agent: {} for agent in there}
        for seat, choice in [*self._play.choices.items()]:
            agent = self.game.agents[seat]
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

    def _observed(self) -> dict[str, "Observation"]:
        return {agent: self.observe(agent) for agent in self.agents}
