"""An entry that its host withdraws plays no more, and the others play on."""

import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.record.batch import RefusedError
from rules.kernel.record.secrets import entropy_commitment
from service.ids import shard_of
from service.redis.keys import shard_key
from service.tournaments import unended, waiting
from service.tournaments.record import export
from service.tournaments.report import report
from service.tournaments.tournament import WITHDRAWN
from service.upkeep.maintenance import check as check_store
from tests.service.tournaments.conftest import HOST, Check, Hall, failures
from tests.service.tournaments.test_other_verifier import Judge, judge
from tests.service.verifier.programs import standing
from workers import bots

__all__ = ["judge"]

THREE: JsonObject = {"seats": 2, "format": {"type": "round_robin", "games": 12}}


def test_the_others_play_on_and_its_open_games_are_ended(
    hall: Hall, check: Check, judge: Judge
) -> None:
    tournament, director = hall.open(**THREE), hall.runtime.director
    hall.matches.seconds = 0
    hall.matches.play(tournament.id)  # one move of the first block
    begun = hall.find(tournament)
    entry = begun.blocks[1].lineup[0]
    director.withdraw(tournament.id, entry, HOST)
    hall.matches.seconds = 60
    held = hall.finish(tournament)
    hall.matches.play(tournament.id)
    assert held.reason == "completed"
    assert held.disqualified[entry] == (entry, 0, WITHDRAWN)
    assert held.results
    assert not any(entry in held.blocks[number].lineup for number in held.results)
    game = hall.runtime.ledger.game_at(held.game_ids(held.blocks[1])[0], None)
    assert (game.status, game.chance_open) == ("aborted", True)
    assert not list(unended.games(hall.runtime.ledger.store, held))
    lines = list(export.lines(hall.runtime, held))
    proved = check(lines)
    assert proved.ok, failures(proved)
    assert standing(judge(lines)) == "sound"
    (row,) = [row for row in report(held)["table"] if row["disqualified"]]
    assert row["entry"] == held.plan.entries[entry].name


def test_it_is_over_if_too_few_are_left(hall: Hall) -> None:
    tournament = hall.open(**THREE)
    director = hall.runtime.director
    director.withdraw(tournament.id, 0, HOST)
    for entry in (0, 9):
        with pytest.raises(RefusedError, match="does not play"):
            director.withdraw(tournament.id, entry, HOST)
    held = director.withdraw(tournament.id, 2, HOST).tournament
    assert (held.status, held.reason) == ("ended", "too_few_entries")
    with pytest.raises(RefusedError, match="is ended"):
        director.withdraw(tournament.id, 1, HOST)


def test_a_tournament_that_waits_for_a_bot_goes_on_without_it(
    hall: Hall, redis_client: Redis, check: Check, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [{"bot": "greedy"}, {"bot": "crashing"}, {"bot": "random"}]
    tournament = hall.open(**THREE, entries=entries)
    monkeypatch.delitem(bots.FUNCTIONS, ("crashing", "1"))
    hall.matches.play(tournament.id)
    assert waiting.reason(redis_client, tournament) == "there is no bot crashing@1"
    hall.runtime.director.withdraw(tournament.id, 1, HOST)
    held = hall.finish(tournament)
    assert held.reason == "completed"
    lines = list(export.lines(hall.runtime, held))
    (declared,) = [each["body"] for each in lines if each.get("kind") == "code_declared"]
    assert [bot["bot"] for bot in declared["code_declared"]["bots"]] == ["greedy", "random"]
    proved = check(lines)
    assert proved.ok, failures(proved)
    assert standing(judge(lines)) == "sound"


@pytest.mark.parametrize(
    "format_",
    [
        {"type": "round_robin", "games": 12},
        {"type": "gauntlet", "games": 4},
        {"type": "swiss", "rounds": 2},
        {"type": "knockout", "blocks": 1},
        {"type": "ladder", "rounds": 2},
    ],
    ids=lambda format_: str(format_["type"]),
)
def test_who_is_withdrawn_before_the_start_is_paired_with_nobody(
    hall: Hall, check: Check, judge: Judge, format_: JsonObject
) -> None:
    entropy = bytes(32)
    committed = entropy_commitment(None, 0, entropy).hex()
    first = {"bot": "random", "name": "first", "entropy_commitment": committed}
    others = [{"bot": "random", "name": name} for name in ("gone", "two", "three")]
    tournament = hall.open(seats=2, entries=[first, *others], format=format_)
    director = hall.runtime.director
    director.withdraw(tournament.id, 1, HOST)
    with pytest.raises(RefusedError, match="does not play"):
        director.withdraw(tournament.id, 1, HOST)
    assert hall.find(tournament).status == "open", "it still waits for the entropy"
    director.reveal_entropy(tournament.id, 0, entropy, HOST)
    held = hall.finish(tournament)
    assert held.reason == "completed"
    assert held.disqualified[1] == (1, 0, WITHDRAWN)
    assert len(held.results) == len(held.blocks), "no block is void"
    rows = {row["entry"]: row for row in report(held)["table"]}
    assert (rows["gone"]["games"], rows["gone"]["disqualified"]) == (0, True)
    assert all(row["games"] for name, row in rows.items() if name != "gone")
    lines = list(export.lines(hall.runtime, held))
    proved = check(lines)
    assert proved.ok, failures(proved)
    assert standing(judge(lines)) == "sound"


def test_if_too_few_start_it_is_over_at_once(hall: Hall, check: Check) -> None:
    committed = entropy_commitment(None, 0, bytes(32)).hex()
    entries = [{"bot": "random", "entropy_commitment": committed}, {"bot": "greedy"}]
    tournament = hall.open(seats=2, entries=entries)
    director = hall.runtime.director
    director.withdraw(tournament.id, 1, HOST)
    held = director.reveal_entropy(tournament.id, 0, bytes(32), HOST).tournament
    assert (held.status, held.reason) == ("ended", "too_few_entries")
    proved = check(export.lines(hall.runtime, held))
    assert proved.ok, failures(proved)


def test_the_games_of_one_that_is_over_are_ended_even_if_nobody_was_asked_to(
    hall: Hall, redis_client: Redis
) -> None:
    """The job that its end asks for may be lost: then a sweep finds it."""
    tournament, director = hall.open(**THREE), hall.runtime.director
    hall.matches.seconds = 0
    hall.matches.play(tournament.id)  # one move of the first block
    hall.matches.seconds = 60
    director.withdraw(tournament.id, 0, HOST)
    held = director.withdraw(tournament.id, 2, HOST).tournament
    assert [*unended.games(hall.runtime.ledger.store, held)]
    due = shard_key(shard_of(held.id), "due")
    assert redis_client.zscore(due, held.id) is not None
    assert not [*filter(None, check_store(hall.runtime.ledger.store, hall.runtime.registry))]
    hall.matches.play(held.id)  # as the sweep asks for
    assert not [*unended.games(hall.runtime.ledger.store, held)]
    assert redis_client.zscore(due, held.id) is None
    assert not [*filter(None, check_store(hall.runtime.ledger.store, hall.runtime.registry))]
