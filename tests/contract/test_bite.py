"""The laws have something to compare: in games with secrets, the compared values can differ."""

from typing import Any

import pytest

from laws.book import guesses, records, secrecy, taking_back
from laws.games import SEEDS, sample_game, spots
from laws.law import Breach
from laws.streams import SECRETS
from rules.kernel.canonical import encode
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.effects import PUBLIC
from rules.kernel.contract.preview import DRAW, REVEAL, guess, preview
from rules.kernel.contract.ruleset import Decision
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.record.secrets import state_key
from tests.contract.tables import DEFAULT_TABLES
from workers.bots.bot import BotRandom

HIDING = ["manila", "plus_ultra", "ragusa", "sealed"]


def tables_with(ruleset_id: str) -> list[Any]:
    return [table for table in DEFAULT_TABLES if table.ruleset.info.id == ruleset_id]


@pytest.mark.parametrize("hiding", HIDING)
def test_there_are_games_that_differ_in_what_is_hidden(hiding: str) -> None:
    assert any(
        records.hidden_twin(sample_game(table, seed), seat)[2]
        for table in tables_with(hiding)
        for seed in SEEDS
        for seat in all_seats(table.seats)
    )


def test_the_twins_really_differ() -> None:
    found = [
        records.hidden_twin(sample_game(table, seed), seat)[2]
        for table in tables_with("sealed")
        for seed in (1, 2)
        for seat in all_seats(2)
    ]
    assert sum(found) > len(found)


def test_a_leaked_salt_would_be_found() -> None:
    """The law's attack on keys succeeds if the salt is known."""
    stream = records.stream_of(sample_game(DEFAULT_TABLES[0], 3))
    event = records.targets(stream)[5]
    prev_hash = stream.prev_hash(event.seq)
    sent = stream.copies(Seat(0), event.seq)
    known = records.key_guesses(sent, event.seq, prev_hash, {SECRETS.salt})
    assert state_key(SECRETS.salt, event.seq, prev_hash) in known


@pytest.mark.parametrize("hiding", HIDING)
def test_guesses_differ_from_the_truth(hiding: str) -> None:
    for table in [table for table in tables_with(hiding) if table.seats > 1]:
        assert any(
            table.ruleset.to_json(state) != table.ruleset.to_json(guessed)
            for seed in SEEDS
            for state, guessed, _event in guesses.side_by_side(sample_game(table, seed), None)
        ), table


def test_guesses_differ_from_each_other() -> None:
    differing = 0
    for table in tables_with("sealed"):
        for spot in spots(sample_game(table, 1))[:-1]:
            for seat in all_seats(table.seats):
                twins = secrecy.twins(spot, seat)
                states = [encode(table.ruleset.to_json(twin)) for twin in twins]
                differing += len({spot.bytes(), *states}) > 1
    assert differing > 20


def test_previews_stop_everywhere() -> None:
    """Previews stop at every kind of event: hidden and public draws, revelations, decisions."""
    met = set()
    for table in DEFAULT_TABLES:
        for spot in spots(sample_game(table, 1)):
            turn = table.ruleset.turn(spot.state)
            for seat in turn.seats if isinstance(turn, Decision) else ():
                legal = table.ruleset.legal_moves(spot.state, seat)
                for move in {type(move): move for move in legal}.values():
                    position = guess(table.ruleset, spot.state, seat, BotRandom(0))
                    found = preview(table.ruleset, position, seat, move.to_json())
                    public = isinstance(found.turn, Chance) and found.turn.audience == PUBLIC
                    met.add((found.stops_at, public))
    assert {(None, False), (DRAW, True), (DRAW, False), (REVEAL, False)} <= met


def test_a_move_that_shows_something_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Plus Ultra whoever drafts hands on the rest of the pack: it cannot be taken back."""
    (table,) = [table for table in tables_with("plus_ultra") if table.seats == 2]
    draft = next(move for move in table.ruleset.move_types if move.type == "draft_character")
    spot = next(
        spot
        for spot in spots(sample_game(table, 1))
        if draft in table.ruleset.moves_now(spot.state)
    )
    taking_back.what_can_be_taken_back_showed_nothing.check(spot)
    monkeypatch.setattr(draft, "reveals", False)
    with pytest.raises(Breach, match="draft_character"):
        taking_back.what_can_be_taken_back_showed_nothing.check(spot)
