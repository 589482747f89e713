"""Plays a game through OpenSpiel: ``python -m tests.learning.simulations RULESET PLAYERS``.

It runs OpenSpiel's own test, and compares what a player is told with the rules. A difference is an
AssertionError. It runs in an environment of its own, which has OpenSpiel.
"""

import random
import sys

import numpy as np
import pyspiel
from lonja_learning import openspiel  # registers the games
from open_spiel.python.observation import make_observation

from rules.kernel.contract.seats import Seat

EVERY = 7
"""What is told is compared at one of so many actions."""


def main(ruleset: str, players: int) -> None:
    """Play two random games, one of them in OpenSpiel's own test."""
    game = pyspiel.load_game(f"lonja_{ruleset}(players={players})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    rng = random.Random(1)
    state = game.new_initial_state()
    actions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            assert abs(sum(odds) - 1) < 1e-9
            state.apply_action(rng.choice(outcomes))
            continue
        actions += 1
        if actions % EVERY == 0:
            compare(game, state, rng)
        state.apply_action(rng.choice(state.legal_actions()))
    assert actions <= game.max_game_length()
    table = game.table
    assert len(table.seats) == players
    found = table.ruleset.result(state.position.state).standings
    winner = min(found, key=lambda side: side.rank).side
    if winner.startswith("seat:"):
        best = state.returns()[int(winner.removeprefix("seat:"))]
        assert best == max(state.returns()) > 0
    if players > 1:
        assert abs(sum(state.returns())) < 1e-9
    sys.stdout.write(f"{actions}\n")


def compare(game: openspiel.LonjaGame, state: openspiel.LonjaState, rng: random.Random) -> None:
    """Compare a position with one that the deciding seat cannot tell from it."""
    table, position, player = game.table, state.position, state.current_player()
    seat = Seat(player)
    words = table.vocabulary.words
    assert position.choice is not None
    assert [state.action_to_string(player, action) for action in state.legal_actions()] == [
        words[action] for action in sorted(position.choice.words)
    ]
    row = table.row(table.ruleset.view(position.state, seat), position.choice)
    assert np.array_equal(state.observation_tensor(player), np.array(row, np.float32))
    told = everything(game, state, player)
    twin = state.clone()
    information = table.ruleset.information(position.state, seat)
    twin.position.state = table.ruleset.determinize(information, rng)
    assert everything(game, twin, player) == told
    twin.apply_action(rng.choice(twin.legal_actions()))
    assert everything(game, state, player) == told, "a copy shares nothing with its original"


def everything(game: openspiel.LonjaGame, state: openspiel.LonjaState, player: int) -> list[object]:
    """Return all that a player can be told of a state."""
    observer = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(state, player)
    return [
        state.legal_actions(player),
        state.observation_string(player),
        state.observation_tensor(player),
        state.information_state_string(player),
        state.information_state_tensor(player),
        {name: part.tolist() for name, part in observer.dict.items()},
    ]


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
