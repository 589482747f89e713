"""A ruleset with a fixed number of seats. It has the functions of a PettingZoo module.

PettingZoo and Gymnasium are imported when they are needed: a bot at a table needs neither.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lonja_learning.opponents import BadOpponentError, Opponent, opponent
from lonja_learning.play import Play
from lonja_learning.policies import Policy
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.move import Move
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.numbering.choice import Choice
from rules.kernel.numbering.flat import Row
from rules.kernel.numbering.numbers import Numbers
from rules.kernel.numbering.words import Vocabulary
from rules.registry import PACKAGES

if TYPE_CHECKING:
    from gymnasium import spaces

    from lonja_learning.aec import TurnsEnv
    from lonja_learning.parallel import TogetherEnv

Opponents = Mapping[str, str | Policy]
"""By agent, who decides for its seat: a bot of the service (``"lookahead"``), or a policy."""
Observation = dict[str, NDArray[Any]]
"""``observation`` (int32) and ``action_mask`` (int8): see ``Game.observe``."""


def game(ruleset: str, seats: int | None = None, **options: object) -> "Game":
    """Return a ruleset with these options, at ``seats`` seats (by default the maximum).

    Raises:
        UnknownRulesetError: there is no such ruleset.
        BadOptions: the ruleset does not allow this number of seats, or an option.
    """
    found = Registry(PACKAGES).find(ruleset)
    wanted = found.info.max_seats if seats is None else seats
    return Game(found, wanted, found.parse_options(wanted, options))


class Game:
    """The common properties of all games of a ruleset with given options and number of seats."""

    def __init__(self, ruleset: Ruleset[Any], seats: int, options: JsonObject) -> None:
        self.ruleset = ruleset
        self.seats = all_seats(seats)
        self.agents = [f"seat_{seat}" for seat in self.seats]
        self._options = options
        self._numbers = Numbers(ruleset, ruleset.edition(options))

    @property
    def vocabulary(self) -> Vocabulary:
        """The words of which moves consist."""
        return self._numbers.vocabulary

    @property
    def name(self) -> str:
        """The ruleset's id and the version of its rules.

        Games with the same id and the same version give each word of the vocabulary the same
        number.
        """
        return f"{self.ruleset.info.id}_v{self.ruleset.info.version}"

    @property
    def view_names(self) -> tuple[str, ...]:
        """The names of those numbers of an observation that are the view."""
        return self._numbers.flat.names

    def choice(self, legal: Sequence[Move[Any]]) -> Choice:
        """Begin to choose between these moves, word by word."""
        return self._numbers.choice(legal)

    def row(self, view: JsonObject, choice: Choice | None) -> Row:
        """Return the observation of a seat with this view, which makes this choice."""
        return self._numbers.observation(view, choice)

    def env(
        self,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        opponents: Opponents | None = None,
    ) -> "TurnsEnv":
        """Return an AEC environment: the agents with a choice act one after the other.

        An agent that has acted ``max_cycles`` times is out, and the rules decide for its seat. The
        seats of ``opponents`` are played by the environment, and have no agent.

        Raises BadOpponentError.
        """
        from lonja_learning.aec import TurnsEnv  # noqa: PLC0415 - see above

        return TurnsEnv(self, max_cycles, render_mode, self._seated(opponents))

    def parallel_env(
        self,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        opponents: Opponents | None = None,
    ) -> "TogetherEnv":
        """Return a parallel environment: all agents act at once, and those without a choice wait.

        After ``max_cycles`` steps the game is broken off. ``opponents`` are as in ``env``.
        """
        from lonja_learning.parallel import TogetherEnv  # noqa: PLC0415 - see above

        return TogetherEnv(self, max_cycles, render_mode, self._seated(opponents))

    def play(self, seed: int | None, opponents: Mapping[Seat, Opponent] | None = None) -> Play:
        """Begin a game; the same seed gives the same dice and cards."""
        options = self._options
        return Play(self.ruleset, self._numbers, len(self.seats), options, seed, opponents or {})

    def _seated(self, opponents: Opponents | None) -> Mapping[Seat, Opponent]:
        """Return the opponents by seat. Raises BadOpponentError."""
        named = opponents or {}
        for agent in named:
            if agent not in self.agents:
                agents = ", ".join(self.agents)
                raise BadOpponentError(f"there is no agent {agent!r}; there are {agents}")
        if len(named) == len(self.agents):
            raise BadOpponentError("at least one seat needs an agent; all have opponents")
        return {
            seat: opponent(self.ruleset, self._numbers, named[agent])
            for seat, agent in zip(self.seats, self.agents, strict=True)
            if agent in named
        }

    @property
    def observation_names(self) -> tuple[str, ...]:
        """The names of the numbers in an observation.

        The numbers of the view come first. Then comes a number for each word of the vocabulary. A
        seat chooses its move word by word, and this number says how often the seat has chosen the
        word for the move that it is choosing now.
        """
        return self._numbers.observation_names

    def observation_space(self) -> "spaces.Dict":
        """Return the space of the observations that ``observe`` returns."""
        from gymnasium import spaces  # noqa: PLC0415 - see above

        count = len(self.vocabulary.words)
        places = self._numbers.flat.places
        low = np.array([low for _name, low, _high in places] + [0] * count, np.int32)
        high = np.array([high for _name, _low, high in places] + [127] * count, np.int32)
        return spaces.Dict(
            {
                "observation": spaces.Box(low, high, dtype=np.int32),
                "action_mask": spaces.Box(0, 1, (count,), np.int8),
            }
        )

    def action_space(self) -> "spaces.Discrete[np.int64]":
        """Return the space of actions, with a number for each word of ``vocabulary.words``."""
        from gymnasium import spaces  # noqa: PLC0415 - see above

        return spaces.Discrete(len(self.vocabulary.words))

    def observe(self, play: Play, seat: Seat) -> Observation:
        """Return the observation of a seat, and the mask of the words that the seat may say.

        ``observation`` is the seat's view in the order of ``observation_names``, followed by the
        number of times that each word was said for the move that is being chosen. ``action_mask``
        is 1 for each word that may come next. A seat that is not asked can only say ``wait``, which
        is word 0.
        """
        choice = play.choices.get(seat)
        observation = self._numbers.counted(play.row(seat), choice)
        return {
            "observation": np.frombuffer(observation, np.int32),
            "action_mask": np.frombuffer(self._numbers.mask(choice), np.int8),
        }
