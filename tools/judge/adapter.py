"""Our rules as a game of OpenSpiel, and OpenSpiel's ISMCTS bot with the interface of our bots.

For a game that is written in Python, OpenSpiel can use only its algorithms in Python, and not its
ISMCTS in C++. An action is the index of a move in the list of legal moves, which depends only on
what the seat knows. A draw is one chance node, whose outcome the game itself chooses ("sampled
stochastic"). Forced moves are played automatically.
"""

import random
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.chance import Chance, Nature, uniform
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import ChanceEvent, Decision, GameOver, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat
from tools.judge.rows import SETTINGS

DRAWN = 0
"""The only action at a chance node."""
MOST_ACTIONS, LONGEST = 1_000, 100_000
FEWEST = 2
"""Minimum number of simulations: the first one only makes the root."""


class Position:
    """A state of our rules at which OpenSpiel has to decide."""

    def __init__(self, ruleset: Ruleset[Any], state: Any, nature: Nature) -> None:
        self.ruleset = ruleset
        self.state = state
        self.nature = nature
        self.legal: Sequence[Move[Any]] = ()
        self._settle()

    def __deepcopy__(self, _memo: object) -> "Position":
        """Copy only the state; OpenSpiel makes deep copies of positions."""
        copied = object.__new__(Position)
        copied.__dict__.update(self.__dict__, state=self.ruleset.copy(self.state))
        return copied

    def apply(self, action: int) -> None:
        """Draw, or play the legal move with this index."""
        if isinstance(self.turn, Chance):
            picks = self.nature(self.turn)
            self.ruleset.reduce(self.state, ChanceEvent(self.turn.label, self.turn.n, picks))
        else:
            assert isinstance(self.turn, Decision)
            self.ruleset.reduce(self.state, MoveEvent(self.turn.seats[0], self.legal[action]))
        self._settle()

    def _settle(self) -> None:
        self.__dict__.pop("known", None)
        self.legal = ()
        while isinstance(turn := self.ruleset.turn(self.state), Decision):
            seat = turn.seats[0]
            self.legal = self.ruleset.legal_moves(self.state, seat)
            if len(self.legal) > 1:
                break
            self.ruleset.reduce(self.state, MoveEvent(seat, self.legal[0]))
        self.turn = turn

    @property
    def player(self) -> int:
        """The player who decides, in OpenSpiel's numbering."""
        if isinstance(self.turn, Chance):
            return int(pyspiel.PlayerId.CHANCE)
        if isinstance(self.turn, GameOver):
            return int(pyspiel.PlayerId.TERMINAL)
        return self.turn.seats[0]

    @cached_property
    def known(self) -> str:
        """The information of the deciding seat, as text."""
        return self.known_to(Seat(self.player))

    def known_to(self, seat: Seat) -> str:
        return encode(self.ruleset.information(self.state, seat)).decode()


class LonjaState(pyspiel.State):  # type: ignore[misc] # it has no types
    """A position with the interface of OpenSpiel's states."""

    def __init__(self, game: "LonjaGame", position: Position) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        return self.position.player

    def _legal_actions(self, _player: int) -> list[int]:
        return list(range(len(self.position.legal)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(DRAWN, 1.0)]

    def _apply_action(self, action: int) -> None:
        self.position.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return "draw" if player < 0 else str(self.position.legal[action].to_json())

    def is_terminal(self) -> bool:
        return isinstance(self.position.turn, GameOver)

    def returns(self) -> list[float]:
        """Return, for each seat, twice its share of beaten opponents, minus 1; 0 before the end."""
        position = self.position
        seats = self.num_players()
        if not self.is_terminal():
            return [0.0] * seats
        return [2 * share - 1 for share in shares(position.ruleset, position.state, seats)]

    def information_state_string(self, player: int | None = None) -> str:
        if player is None or player == self.position.player:
            return self.position.known
        return self.position.known_to(Seat(player))

    def __str__(self) -> str:
        return str(self.position.state)


class LonjaGame(pyspiel.Game):  # type: ignore[misc] # likewise
    """A ruleset with a number of seats; the draws in its states follow from ``seed``."""

    def __init__(self, ruleset: Ruleset[Any], seats: int, seed: str = "") -> None:
        kind = pyspiel.GameType(
            short_name=f"lonja_{ruleset.info.id}",
            long_name=f"Lonja: {ruleset.info.id}",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=seats, min_num_players=seats,
            provides_information_state_string=True, provides_information_state_tensor=False,
            provides_observation_string=False, provides_observation_tensor=False,
        )  # fmt: skip
        info = pyspiel.GameInfo(
            num_distinct_actions=MOST_ACTIONS, max_chance_outcomes=1, num_players=seats,
            min_utility=-1.0, max_utility=1.0, utility_sum=0.0, max_game_length=LONGEST,
        )  # fmt: skip
        super().__init__(kind, info, {})
        self.ruleset = ruleset
        self.seats = seats
        self.luck = random.Random(seed)

    def new_initial_state(self) -> LonjaState:
        return self.state(
            self.ruleset.initial(self.seats, self.ruleset.parse_options(self.seats, {}))
        )

    def state(self, state: Any, nature: Nature | None = None) -> LonjaState:
        """Return a state of the rules as a state of OpenSpiel."""
        return LonjaState(self, Position(self.ruleset, state, nature or uniform(self.luck)))

    def guess(self, information: JsonObject) -> LonjaState:
        """Return a state that is possible for a seat with this information."""
        return self.state(self.ruleset.determinize(information, self.luck))


def shares(ruleset: Ruleset[Any], state: Any, seats: int) -> list[float]:
    """Return the share of opponents that each seat beats; a tie counts half."""
    ranks = [side.rank for side in ruleset.result(state).standings[:seats]]
    return [
        (sum((mine < rank) + (mine == rank) / 2 for rank in ranks) - 0.5) / (seats - 1)
        for mine in ranks
    ]


class TimeIsUpError(Exception):
    """The time is used up; raised between two simulations."""


class Answer(NamedTuple):
    """The index of the chosen move, and the number of simulations."""

    action: int
    simulations: int


def ask(
    game: LonjaGame, information: JsonObject, seconds: float, simulations: float = inf,
    settings: Mapping[str, Any] = SETTINGS,
) -> Answer:  # fmt: skip
    """Let OpenSpiel's bot decide for the seat with this information; its tree is not kept.

    It begins at most ``simulations``, and none after ``seconds`` of processor time. The bot itself
    knows only the number of simulations, so an exception stops it when it asks for the world of its
    next one.
    """
    luck = np.random.RandomState(game.luck.getrandbits(32))
    evaluator = RandomRolloutEvaluator(settings["rollouts"], luck)
    bot = ISMCTSBot(game, evaluator, settings["uct_c"], 10**9, random_state=luck)
    until = time.process_time() + seconds
    done = 0

    def another(_state: LonjaState, _player: int) -> LonjaState:
        nonlocal done
        if done >= FEWEST and (done >= simulations or time.process_time() >= until):
            raise TimeIsUpError
        done += 1
        return game.guess(information)

    bot.set_resampler(another)
    root = game.guess(information)
    try:
        policy = bot.run_search(root)
    except TimeIsUpError:
        policy = bot.get_final_policy(root, bot._root_node)
    actions, odds = zip(*policy, strict=True)
    return Answer(int(luck.choice(actions, p=odds)), done)
