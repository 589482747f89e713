"""PettingZoo's AEC environment: agents act one after the other."""

from typing import Any

from pettingzoo import AECEnv

from lonja_learning.environment import GameEnvironment


class TurnsEnv(GameEnvironment, AECEnv[str, Any, int]):  # type: ignore[misc] # it has no types
    """Agents with a choice act in turn; if several are asked at once, the lowest seat is first.

    Rewards come at the end: twice the share of opponents beaten, minus 1. If the mask forbids an
    action, the rules' default move is played, as when a player's time runs out, and ``infos`` has
    ``{"illegal": True}``.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game, with the dice and cards of ``seed``."""
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._acted = dict.fromkeys(self.agents, 0)
        self._play = self.game.play(seed, self._opponents)
        self._select()

    def step(self, action: int | None) -> None:
        """Act for the agent whose turn it is; ``action`` is None for a terminated agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._act(agent, action)
        self._acted[agent] += 1
        if (shares := self._play.shares()) is not None:
            self.rewards = {name: 2 * shares[self._seat(name)] - 1 for name in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        elif self._acted[agent] == self._max_cycles:
            self.truncations[agent] = True
            self._play.leave(self._seat(agent))
        self._select()
        if self.terminations[agent] or self.truncations[agent]:
            self._deads_step_first()

    def _act(self, agent: str, action: int | None) -> None:
        seat = self._seat(agent)
        legal = action in self._play.choices[seat].words
        self.infos[agent] = {} if legal else {"illegal": True}
        if legal and action is not None:
            self._play.say(seat, int(action))
        else:
            self._play.answer_for(seat)

    def _select(self) -> None:
        if self._play.choices:
            self.agent_selection = self.game.agents[min(self._play.choices)]
