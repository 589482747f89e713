"""The processor time of a random game through an environment for learners, against the rules alone.

Both play the same games, with the same dice and cards. The environment numbers each observation and
each mask, and a move takes several actions.
"""

import random
from collections.abc import Iterator, Sequence
from functools import partial
from time import process_time
from typing import Any
from unittest.mock import patch

import click
from lonja_learning import Game, game
from lonja_learning.play import Play

from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import ChanceEvent, Decision, MoveEvent, Ruleset
from rules.registry import PACKAGES
from tools.bench.measure import Row, alternate, at_most

SEEDS = range(4)
MOST = {
    "santiago_de_cuba": 25.0,
    "macao": 30.0,
    "manila": 25.0,
    "plus_ultra": 17.0,
    "ragusa": 14.0,
}


def measure(rulesets: Sequence[Ruleset[Any]]) -> Iterator[Row]:
    """Yield a row for each game."""
    for ruleset in rulesets:
        info = ruleset.info
        played = game(info.id, max(3, info.min_seats))
        env = played.env()
        moves = [_moves(env, seed) for seed in SEEDS]
        through, direct, ratio = alternate(
            partial(_seconds, [partial(_act, env, seed) for seed in SEEDS]),
            partial(_seconds, [partial(_replay, played, s, moves[s]) for s in SEEDS]),
        )
        yield at_most(
            "processor time of a random game through an environment for learners, against the same"
            f" game with the rules alone: {info.title['en']}",
            ratio, MOST[info.id], seconds_through=through, seconds_direct=direct,
        )  # fmt: skip


def _seconds(games: Sequence[partial[None]]) -> float:
    start = process_time()
    for play in games:
        play()
    return process_time() - start


def _act(env: Any, seed: int) -> None:
    """Play a random game through an environment."""
    chance = random.Random(seed).random
    env.reset(seed=seed)
    for _agent in env.agent_iter():
        seen, _reward, is_over, _is_cut, _info = env.last()
        possible = () if is_over else seen["action_mask"].nonzero()[0]
        env.step(None if is_over else int(possible[int(chance() * len(possible))]))


def _moves(env: Any, seed: int) -> list[MoveEvent[Any]]:
    """Return the moves of the game that ``_act`` plays."""
    moves = []
    reduce = Play._reduce

    def kept(play: Play, event: Any) -> None:
        if isinstance(event, MoveEvent):
            moves.append(event)
        reduce(play, event)

    with patch.object(Play, "_reduce", kept):
        _act(env, seed)
    return moves


def _replay(played: Game, seed: int, moves: Sequence[MoveEvent[Any]]) -> None:
    """Play a game again, with nothing but the rules."""
    ruleset, nature, coming = played.ruleset, uniform(random.Random(seed)), iter(moves)
    options = ruleset.parse_options(len(played.seats), {})
    state = ruleset.initial(len(played.seats), options)
    while True:
        turn = ruleset.turn(state)
        if type(turn) is Chance:
            ruleset.reduce(state, ChanceEvent(turn.label, turn.n, nature(turn)))
        elif type(turn) is Decision:
            moved = next(coming)
            ruleset.legal_moves(state, moved.seat)
            ruleset.reduce(state, MoveEvent(moved.seat, moved.move))
        else:
            return


if __name__ == "__main__":
    for row in measure([*Registry(PACKAGES)]):
        click.echo(f"{row.value:8.2f}   {row.bound:18} {row.name}")
