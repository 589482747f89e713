"""Environments for learners: stable word numbers, rows without secrets, fair rewards."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lonja_learning import Game, game
from lonja_learning.play import Play

from rules.kernel.canonical import digest, encode
from rules.kernel.contract.seats import Seat
from tests.learning import documented

GAMES = [
    ("santiago_de_cuba", 4),
    ("macao", 4),
    ("manila", 5),
    ("plus_ultra", 4),
    ("ragusa", 5),
]
NAMES = Path(__file__).parents[1] / "golden" / "learning.json"


@pytest.fixture(params=GAMES, ids=[ruleset for ruleset, _ in GAMES])
def played(request: pytest.FixtureRequest) -> Game:
    return game(*request.param)


def going(played: Game, seed: int, rng: random.Random) -> Any:
    """Play at random; yield the game before each word, and the seat that says it."""
    play = played.play(seed)
    while play.choices:
        seat = rng.choice([*play.choices])
        yield play, seat
        play.say(seat, rng.choice([*play.choices[seat].words]))
    assert play.shares() is not None


def test_each_legal_move_can_be_said(played: Game) -> None:
    rng = random.Random(1)
    for play, seat in going(played, 1, rng):
        legal = played.ruleset.legal_moves(play._state, seat)
        spelt = {played.vocabulary.spell(move): move for move in legal}
        assert len(spelt) == len(legal), "two moves are said in the same words"
        begins = play.choices[seat].said
        words = {said[len(begins)] for said in spelt if [*said[: len(begins)]] == begins}
        assert {*play.choices[seat].words} == words


def test_words_and_numbers_keep_their_names(played: Game) -> None:
    """They follow from the rules and tables; a change of them needs a new version.

    Delete the file to write it again.
    """
    named = {
        played.name: {
            "words": len(played.vocabulary.words),
            "words_sha256": digest(encode([*played.vocabulary.words])).hex(),
            "numbers": len(played.observation_names),
            "numbers_sha256": digest(encode([*played.observation_names])).hex(),
        }
    }
    known = json.loads(NAMES.read_text()) if NAMES.exists() else {}
    if played.name not in known:
        NAMES.write_text(json.dumps({**known, **named}, indent=1) + "\n")
        pytest.fail(f"{NAMES.name} had no {played.name}; it was written")
    assert known[played.name] == named[played.name]


def test_a_row_is_what_the_seat_knows(played: Game) -> None:
    """Positions that a seat cannot distinguish have the same row, which is in the space."""
    rng = random.Random(2)
    space = played.observation_space()
    for number, (play, seat) in enumerate(going(played, 2, rng)):
        if number % 5 == 0:
            row = played.observe(play, seat)
            assert space.contains(row)
            twin = Play.__new__(Play)
            twin.__dict__ = {**play.__dict__, "_seen": {}}
            information = played.ruleset.information(play._state, seat)
            twin._state = played.ruleset.determinize(information, rng)
            same = played.observe(twin, seat)
            assert np.array_equal(row["observation"], same["observation"])


def test_different_views_are_different_rows(played: Game) -> None:
    """The row contains everything that a view shows, except an edition's name and constants.

    The row that is changed from view to view is the same as one that is written anew.
    """
    rng = random.Random(3)
    rows: dict[bytes, bytes] = {}
    for play, _ in going(played, 3, rng):
        for seat in played.seats:
            seen = play.view(seat)
            row, view = played._numbers.row(seen), encode(seen)
            assert play.row(seat) == row
            assert rows.setdefault(row.tobytes(), view) == view


def test_rewards_are_what_was_beaten(played: Game) -> None:
    env = played.env()
    env.reset(seed=4)
    rng = random.Random(4)
    rewards = {}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        assert observation is not None
        rewards[agent] = reward
        over = termination or truncation
        env.step(None if over else rng.choice(observation["action_mask"].nonzero()[0]))
    assert sum(rewards.values()) == pytest.approx(0)
    standings = played.ruleset.result(env._play._state).standings
    by_rank = sorted(standings, key=lambda standing: standing.rank)
    best = rewards[played.agents[int(by_rank[0].side.removeprefix("seat:"))]]
    assert best == max(rewards.values()) > 0


def test_what_the_mask_forbids_is_answered_by_the_rules() -> None:
    played = game("ragusa", 2)
    env = played.env()
    env.reset(seed=5)
    agent = env.agent_selection
    env.step(0)
    assert env.infos[agent] == {"illegal": True}
    other = played.parallel_env()
    other.reset(seed=5)
    asked = [played.agents[seat] for seat in other._play.choices]
    _, _, _, _, infos = other.step(dict.fromkeys(played.agents, 0))
    assert infos == {name: {"illegal": True} if name in asked else {} for name in played.agents}


def test_whoever_waits_says_so() -> None:
    played = game("manila", 3)
    play = played.play(6)
    for seat in played.seats:
        mask = played.observe(play, Seat(seat))["action_mask"]
        assert bool(mask[0]) == (seat not in play.choices)


def test_the_documentation_is_true() -> None:
    exec(compile(documented.environments(), "docs/learning.md", "exec"), {})
    for ruleset, seats in GAMES:
        played = game(ruleset, seats)
        words, numbers = len(played.vocabulary.words), len(played.observation_names)
        assert f"| {played.ruleset.info.title['en']} | {words} | {numbers:,} |" in documented.TEXT
