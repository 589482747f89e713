"""Every ruleset as a game of OpenSpiel: docs/learning.md, "OpenSpiel".

The import of this module registers the games, so that OpenSpiel finds them by names such as
``lonja_manila(players=3)``. It needs ``open_spiel``, which the extra ``openspiel`` of this package
brings.
"""

from functools import cache
from typing import Any

import numpy as np
import orjson
import pyspiel

from lonja_learning.game import Game, game
from lonja_learning.play import shares
from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import ChanceEvent, Decision, GameOver, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat
from rules.kernel.numbering.choice import Choice
from rules.registry import PACKAGES

MOST_OUTCOMES = 128
"""No pick of a draw has more outcomes."""


class LonjaGame(pyspiel.Game):  # type: ignore[misc] # it has no types
    """A ruleset with its default options, at ``players`` seats."""

    def __init__(self, ruleset: Ruleset[Any], params: JsonObject | None = None) -> None:
        given = params or {}
        seats = given.get("players", ruleset.info.max_seats)
        self.table = _table(ruleset.info.id, seats)
        words = self.table.vocabulary
        info = pyspiel.GameInfo(
            num_distinct_actions=len(words.words),
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None if seats == 1 else 0.0,
            max_game_length=ruleset.info.max_decisions * words.longest,
        )
        super().__init__(game_type(ruleset, seats), info, given)

    def new_initial_state(self) -> "LonjaState":
        """Return the position before the first draw."""
        return LonjaState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: JsonObject | None = None
    ) -> "LonjaObserver":
        """Return an observer; without a type, it sees what a seat sees at the moment."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return LonjaObserver(self.table, kind, params)


@cache
def _table(ruleset: str, seats: int) -> Game:
    return game(ruleset, seats)


def game_type(ruleset: Ruleset[Any], seats: int | None = None) -> Any:
    """Return the entry of a ruleset in OpenSpiel's list of games.

    The points are a constant sum, but not of one player against automata.
    """
    info = ruleset.info
    is_alone = seats == 1 or (seats is None and info.min_seats == 1)
    utilities = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=f"lonja_{info.id}",
        long_name=f"Lonja: {info.title['en']}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utilities.GENERAL_SUM if is_alone else utilities.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=info.max_seats,
        min_num_players=info.min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": info.max_seats},
    )


class Position:
    """A state of the rules at which OpenSpiel goes on: at a pick, at a word, or at the end.

    Forced moves are played. Of several seats that decide at once, the lowest one is first.
    """

    def __init__(self, table: Game) -> None:
        self.table = table
        ruleset, seats = table.ruleset, len(table.seats)
        self.state = ruleset.initial(seats, ruleset.parse_options(seats, {}))
        self.turn: Chance | Decision | GameOver = ruleset.turn(self.state)
        self.picks: tuple[int, ...] = ()
        """The picks of the draw so far."""
        self.choice: Choice | None = None
        """The choice of the seat that decides; None at a pick, and at the end."""
        self._settle()

    def __deepcopy__(self, _memo: object) -> "Position":
        """Copy only what changes; OpenSpiel makes deep copies of positions."""
        copied = object.__new__(Position)
        copied.__dict__.update(
            self.__dict__,
            state=self.table.ruleset.copy(self.state),
            choice=None if self.choice is None else self.choice.copy(),
        )
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the function and the arguments with which ``pickle`` restores the position."""
        ruleset = self.table.ruleset
        state = encode(ruleset.to_json(self.state))
        said = () if self.choice is None else tuple(self.choice.said)
        return _read, (ruleset.info.id, len(self.table.seats), state, self.picks, said)

    @property
    def player(self) -> int:
        """Who acts, in OpenSpiel's numbering."""
        if type(self.turn) is Chance:
            return int(pyspiel.PlayerId.CHANCE)
        if type(self.turn) is Decision:
            return self.turn.seats[0]
        return int(pyspiel.PlayerId.TERMINAL)

    @property
    def outcomes(self) -> int:
        """The number of outcomes of the next pick, which are equally probable."""
        assert type(self.turn) is Chance  # noqa: S101 - OpenSpiel asks at chance nodes only
        return self.turn.sizes[len(self.picks)]

    def act(self, action: int) -> None:
        """Take the outcome of a pick, or say a word."""
        if self.choice is None:
            self.picks += (action,)
        else:
            self.choice.say(action)
        self._settle()

    def said_by(self, player: int) -> Choice | None:
        """Return the choice that a seat is making."""
        return self.choice if self.player == player else None

    def _settle(self) -> None:
        """Play what is complete and what is forced."""
        ruleset, state = self.table.ruleset, self.state
        while True:
            turn = self.turn
            if type(turn) is Chance:
                if len(self.picks) < len(turn.sizes):
                    return
                ruleset.reduce(state, ChanceEvent(turn.label, turn.n, self.picks))
                self.picks = ()
            elif type(turn) is Decision:
                seat = turn.seats[0]
                if self.choice is None:
                    self.choice = self.table.choice(ruleset.legal_moves(state, seat))
                if self.choice.move is None:
                    return
                ruleset.reduce(state, MoveEvent(seat, self.choice.move))
                self.choice = None
            else:
                return
            self.turn = ruleset.turn(state)


def _read(
    ruleset: str, seats: int, state: bytes, picks: tuple[int, ...], said: tuple[int, ...]
) -> Position:
    position = Position(_table(ruleset, seats))
    rules = position.table.ruleset
    position.state = rules.from_json(orjson.loads(state))
    position.turn, position.picks, position.choice = rules.turn(position.state), picks, None
    if isinstance(position.turn, Decision):
        seat = position.turn.seats[0]
        choice = position.table.choice(rules.legal_moves(position.state, seat))
        while len(choice.said) < len(said):
            choice.say(said[len(choice.said)])
        position.choice = choice
    return position


class LonjaState(pyspiel.State):  # type: ignore[misc] # likewise
    """A position with the interface of OpenSpiel's states."""

    def __init__(self, of: LonjaGame) -> None:
        super().__init__(of)
        self.position = Position(of.table)

    def current_player(self) -> int:
        return self.position.player

    def _legal_actions(self, _player: int) -> list[int]:
        choice = self.position.choice
        return [] if choice is None else sorted(choice.words)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return each outcome of a pick with its probability."""
        outcomes = self.position.outcomes
        return [(outcome, 1 / outcomes) for outcome in range(outcomes)]

    def _apply_action(self, action: int) -> None:
        self.position.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        turn = self.position.turn
        if player == pyspiel.PlayerId.CHANCE:
            assert type(turn) is Chance  # noqa: S101 - only there
            return f"{turn.label} {turn.n}, pick {len(self.position.picks)}: {action}"
        return self.position.table.vocabulary.words[action]

    def is_terminal(self) -> bool:
        return type(self.position.turn) is GameOver

    def returns(self) -> list[float]:
        """Return, for each seat, twice its share of beaten opponents, minus 1; 0 before the end."""
        table = self.position.table
        if not self.is_terminal():
            return [0.0] * len(table.seats)
        found = shares(table.ruleset.result(self.position.state), table.seats)
        return [2 * share - 1 for share in found]

    def __str__(self) -> str:
        position = self.position
        told: JsonObject = {
            "picks": [*position.picks],
            "said": [] if position.choice is None else position.choice.said,
            "state": position.table.ruleset.to_json(position.state),
        }
        return encode(told).decode()


class LonjaObserver:
    """Makes the observations of a player: a tensor, and a text.

    An observation is the seat's view and what it has said for the move that it is choosing, as in
    an environment of PettingZoo. With perfect recall, it is what the seat knows: all that it was
    ever shown and that still matters.
    """

    def __init__(self, table: Game, kind: Any, params: JsonObject | None) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations, such as {params}")
        single = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not (single and kind.public_info):
            raise ValueError("only what one player sees and knows can be observed")
        self._table = table
        self._recalls: bool = kind.perfect_recall
        sizes = {"view": len(table.view_names), "said": len(table.vocabulary.words)}
        if self._recalls:
            sizes |= {f"view_{number}": sizes["view"] for number in range(1, len(table.seats))}
        self.tensor = np.zeros(sum(sizes.values()), np.float32)
        ends = np.cumsum([*sizes.values()])[:-1]
        self.dict = dict(zip(sizes, np.split(self.tensor, ends), strict=True))

    def set_from(self, state: LonjaState, player: int) -> None:
        """Write the observation or, with perfect recall, the information state to the tensor.

        ``view`` is the seat's view, ``said`` counts the words that it has said for its move. With
        perfect recall, ``view_1`` and so on are the views of the next seats clockwise, in the first
        world that is possible by what the seat knows.
        """
        position, table = state.position, self._table
        row = table.row(table.ruleset.view(position.state, Seat(player)), position.said_by(player))
        seen = len(self.dict["view"])
        self.tensor[: len(row)] = row
        if self._recalls:
            information = table.ruleset.information(position.state, Seat(player))
            world = table.ruleset.determinize(information, _LeastChoice())
            for number in range(1, len(table.seats)):
                seat = Seat((player + number) % len(table.seats))
                view = table.ruleset.view(world, seat)
                self.dict[f"view_{number}"][:] = table.row(view, None)[:seen]

    def string_from(self, state: LonjaState, player: int) -> str:
        """Return the observation or, with perfect recall, the information state as JSON."""
        position, ruleset = state.position, self._table.ruleset
        choice = position.said_by(player)
        seen = ruleset.information if self._recalls else ruleset.view
        told: JsonObject = {
            "said": [] if choice is None else choice.said,
            "information" if self._recalls else "view": seen(position.state, Seat(player)),
        }
        return encode(told).decode()


class _LeastChoice:
    """A source of chance that always returns the least number: equal questions, equal worlds."""

    def randrange(self, _stop: int, /) -> int:
        return 0


def _class_of(ruleset: Ruleset[Any]) -> type[LonjaGame]:
    """Return a class of games that needs no ruleset: OpenSpiel passes nothing but parameters."""

    class RulesetGame(LonjaGame):
        def __init__(self, params: JsonObject | None = None) -> None:
            super().__init__(ruleset, params)

    return RulesetGame


for _ruleset in Registry(PACKAGES):
    # A function in place of the class ends the interpreter with a fault (OpenSpiel 2.0.2).
    pyspiel.register_game(game_type(_ruleset), _class_of(_ruleset))
