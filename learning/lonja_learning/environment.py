"""The common base of PettingZoo's two kinds of environment."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from lonja_learning.opponents import Opponent
from rules.kernel.contract.seats import Seat

if TYPE_CHECKING:
    from lonja_learning.game import Game, Observation
    from lonja_learning.play import Play


class GameEnvironment:
    """A game's agents, spaces and drawing; subclasses define ``reset`` and ``step``."""

    _play: "Play"

    def __init__(
        self,
        game: "Game",
        max_cycles: int | None,
        render_mode: str | None,
        opponents: Mapping[Seat, Opponent],
    ) -> None:
        super().__init__()
        self.game = game
        self._opponents = opponents
        self._seats = {game.agents[seat]: seat for seat in game.seats if seat not in opponents}
        self.metadata: dict[str, Any] = {"name": game.name, "render_modes": ["ansi"]}
        self.render_mode = render_mode
        self.possible_agents = [*self._seats]
        self._max_cycles = max_cycles
        self._observations = {agent: game.observation_space() for agent in self._seats}
        self._actions = {agent: game.action_space() for agent in self._seats}

    def observation_space(self, agent: str) -> spaces.Dict:
        """See ``Game.observation_space``."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        """See ``Game.action_space``."""
        return self._actions[agent]

    def observe(self, agent: str) -> "Observation":
        """See ``Game.observe``."""
        return self.game.observe(self._play, self._seat(agent))

    def render(self) -> str | None:
        """Return the spectators' view of the board as text."""
        return self._play.drawn("en") if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: an environment holds no open resources."""

    def _seat(self, agent: str) -> Seat:
        return self._seats[agent]
