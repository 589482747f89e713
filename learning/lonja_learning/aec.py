"""PettingZoo's AEC environment: agents act one after the other."""

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from rules.kernel.contract.seats import Seat

if TYPE_CHECKING:
    from lonja_learning.game import Game, Observation


class TurnsEnv(AECEnv[str, "Observation", int]):  # type: ignore[misc] # it has no types
    """Agents with a choice act in turn; if several are asked at once, the lowest seat is first.

    Rewards come at the end: twice the share of opponents beaten, minus 1. If the mask forbids an
    action, the rules' default move is played, as when a player's time runs out, and ``infos`` has
    ``{"illegal": True}``.
    """

    def __init__(self, game: "Game", max_cycles: int | None, render_mode: str | None) -> None:
        super().__init__()
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

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game, with the dice and cards of ``seed``."""
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._acted = dict.fromkeys(self.agents, 0)
        self._play = self.game.play(seed)
        self._select()

    def observe(self, agent: str) -> "Observation":
        """See ``Game.observe``."""
        return self.game.observe(self._play, self._seat(agent))

    def step(self, action: int | None) -> None:
        """Act for the agent whose turn it is; ``action`` is None for a terminated agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        self._act(agent, action)
        self._acted[agent] += 1
        if (shares := self._play.shares()) is not None:
            self.rewards = {name: 2 * shares[self._seat(name)] - 1 for name in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._acted[agent] == self._max_cycles:
            self.truncations[agent] = True
            self._play.leave(self._seat(agent))
        self._accumulate_rewards()
        self._select()
        self._deads_step_first()

    def render(self) -> str | None:
        """Return the spectators' view of the board as text."""
        return self._play.drawn("en") if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: an environment holds no open resources."""

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
            self.agent_selection = self.possible_agents[min(self._play.choices)]

    def _seat(self, agent: str) -> Seat:
        return self.game.seats[self.possible_agents.index(agent)]
