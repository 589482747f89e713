"""Records of every game, in which moves were taken back at random, as both verifiers see them."""

import random
from pathlib import Path

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.proof.verdicts import FAILED, PROVED
from rules.kernel.record.batch import Batch
from rules.kernel.record.game import ENDED_BY_OPERATOR
from service.cli.local import LocalGame
from service.cli.verifying import VerifyOptions, verify_game
from service.records.game_file import Record
from tests.service.cli import records
from tests.service.verifier.programs import codes, reports, standing, text_of

GAMES = ("santiago_de_cuba", "macao", "manila", "plus_ultra", "ragusa")
BATCHES, OFTEN = 70, 0.35
HOST: JsonObject = {"player": "p-host"}


def played(ruleset: str) -> LocalGame:
    """Play some random moves; now and then, a seat takes back some of its own."""
    table, rng = LocalGame(records.REGISTRY, ruleset), random.Random(ruleset)
    seats = max(2, records.REGISTRY.find(ruleset).info.min_seats)
    holders = [{"player": f"p-{seat}"} for seat in range(seats)]

    def opens(batch: Batch) -> None:
        batch.create(ruleset, seats, {}, HOST, take_back=True)
        for seat, holder in by_seat(holders):
            batch.sit(seat, holder, HOST)

    def goes_on(batch: Batch) -> None:
        game = batch.game
        back = [(p.seat, p.to) for p in game.points if p.to in game.ways_back(p.seat)]
        if back and rng.random() < OFTEN:
            batch.take_back(*rng.choice(back), {})
            return
        seat = rng.choice(sorted(game.asked))
        move = rng.choice(game.ruleset.legal_moves(game.state, seat))
        batch.move(seat, move.to_json(), {})

    table.change(opens)
    for _ in range(BATCHES):
        if not table.game.over:
            table.change(goes_on)
    assert sum(event.kind == "undone" for event in table.events) > 5
    return table


@pytest.fixture(scope="module")
def seen() -> dict[str, Record]:
    """The records while the games go on, as a spectator and a seat have them; and at the end."""
    made = {}
    for name in GAMES:
        table = played(name)
        made[f"{name} goes on"] = records.record_of(table)
        made[f"{name} goes on, seen by 0"] = records.record_of(table, Seat(0))
        table.change(lambda batch: batch.abort(ENDED_BY_OPERATOR, {"admin": "ana"}))
        made[f"{name} is over"] = records.record_of(table)
    return made


def test_both_verifiers_follow_what_was_taken_back(seen: dict[str, Record], tmp_path: Path) -> None:
    told = reports(tmp_path, map(text_of, seen.values()))
    for (name, record), theirs in zip(seen.items(), told, strict=True):
        ours = verify_game(record, VerifyOptions(), records.REGISTRY)
        assert codes(theirs, "failure") == set(), (name, theirs["findings"])
        assert ours.verdict != FAILED, (name, [check.failures for check in ours.checks])
        if name.endswith("is over"):
            assert (ours.verdict, standing(theirs)) == (PROVED, "sound"), name


def test_an_undone_that_names_another_event_is_found(seen: dict[str, Record]) -> None:
    """The state, or the course, contradicts an event to which the seat did not go back."""
    for name in GAMES:
        record = records.alone(seen[f"{name} is over"])
        undone = [number for number, e in enumerate(record.copies) if e["kind"] == "undone"]
        event = record.copies[undone[-1]]
        event["body"]["undo"]["to"] -= 1
        forged = records.forge(record)
        assert verify_game(forged, VerifyOptions(), records.REGISTRY).verdict == FAILED, name
