"""A stop without a bot's fault costs nobody a point: the block is played again with new luck."""

import copy
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis

from rules.kernel.canonical import FORMAT, JsonObject
from rules.kernel.record.batch import RefusedError
from service.clock import TOLERANCE_MS
from service.redis.format import FORMAT_KEY
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.tournaments import games, requests
from service.tournaments import standing as standings
from service.tournaments.plan import BadPlanError, TournamentRequest
from service.tournaments.record import export
from service.tournaments.report import report
from service.tournaments.tournament import Block, Tournament, game_id
from tests.service.tournaments.conftest import HOST, SMALL, Check, Hall, failures, hall_on
from tests.service.verifier import cups
from tests.service.verifier.programs import codes, reports, standing
from workers.engines import pool

ENTRIES = [{"bot": "killed"}, {"bot": "random"}]
LIMIT = {"processor_seconds": 60}
CUP: JsonObject = {
    "entries": ENTRIES, "failures": LIMIT, "format": {"type": "round_robin", "games": 6},
}  # fmt: skip


@pytest.fixture
def once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the file with which the bot ``killed`` is killed once."""
    path = tmp_path / "killed-once"
    monkeypatch.setenv("KILLED_ONCE", str(path))
    pool.close_all()
    yield path
    pool.close_all()


@pytest.fixture
def hall(redis_server: RedisServer, redis_client: Redis) -> Hall:
    return hall_on(redis_server.url, "tests.bots.killed")


def text_of(lines: Iterable[JsonObject]) -> bytes:
    options = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    return b"".join(orjson.dumps(line, option=options) for line in lines)


def kinds(hall: Hall, tournament: Tournament) -> list[str]:
    return [event["kind"] for event in copies(hall, tournament)]


def until_paused(hall: Hall, tournament: Tournament) -> Tournament:
    """Play until the tournament pauses, even if a worker on a busy machine leaves blocks often."""
    for _ in range(20):
        if hall.find(tournament).status == "paused":
            return hall.find(tournament)
        hall.matches.play(tournament.id)
    raise AssertionError("it does not pause")


def hold_disturbed(hall: Hall, once: Path, **more: Any) -> Tournament:
    """Hold a tournament in which one try is abandoned; a busy worker may leave the block before."""
    tournament = hall.open(**{**CUP, **more})
    play_disturbed(hall, once, tournament)
    return hall.finish(tournament)


def play_disturbed(hall: Hall, once: Path, tournament: Tournament) -> None:
    for _ in range(20):
        once.touch()
        hall.matches.play(tournament.id)
        if "block_abandoned" in kinds(hall, tournament):
            break
    once.unlink(missing_ok=True)


def copies(hall: Hall, tournament: Tournament) -> list[JsonObject]:
    return list(hall.runtime.director.copies(tournament.id, 0, hall.find(tournament).version))


def outcomes(tournament: Tournament) -> dict[int, Any]:
    return {
        number: [(game.ranks, game.scores) for game in games]
        for number, games in tournament.results.items()
    }


def test_a_block_is_played_again_with_fresh_luck_and_no_other_moves(
    hall: Hall, once: Path, check: Check, tmp_path: Path
) -> None:
    undisturbed = hall.hold(key="undisturbed", **CUP)
    tournament = hold_disturbed(hall, once, key="disturbed")
    (given_up,) = [c for c in copies(hall, tournament) if c["kind"] == "block_abandoned"]
    told = given_up["body"]["block_abandoned"]
    assert (told["block"], told["try"], told["reason"]) == (1, 1, "killed")
    seating = tournament.blocks[1].seatings("cyclic")[told["rotation"]]
    assert seating[told["seat"]] == 0, "the bot that was killed"
    before, after = outcomes(undisturbed), outcomes(tournament)
    assert before.pop(1) != after.pop(1) or len(before) == len(after)
    assert before == after
    assert tournament.blocks[1].try_ == 2
    assert all(not game.failures for games in tournament.results.values() for game in games)
    lines = list(export.lines(hall.runtime, tournament))
    proved = check(lines)
    assert proved.ok, failures(proved)
    (found,) = reports(tmp_path, [text_of(lines)])
    assert standing(found) == "sound", found["findings"]


def test_a_block_is_given_up_however_long_its_bot_took_to_be_stopped(
    hall: Hall, once: Path, check: Check
) -> None:
    once.write_text(str(1.5 * TOLERANCE_MS / 1000))
    tournament = hall.hold(**CUP)
    assert kinds(hall, tournament).count("block_abandoned") == 1
    proved = check([*export.lines(hall.runtime, tournament)])
    assert proved.ok, failures(proved)


def test_what_was_given_up_is_ended_open_and_counts_nowhere(hall: Hall, once: Path) -> None:
    tournament = hold_disturbed(hall, once)
    (told,) = [
        event["body"]["block_abandoned"]
        for event in copies(hall, tournament)
        if event["kind"] == "block_abandoned"
    ]
    first = tournament.blocks[1]._replace(try_=1)
    for rotation, reached in enumerate(told["games"]):
        stored = hall.runtime.ledger.store.read_all(game_id(tournament.id, first, rotation))
        assert bool(stored) == (reached is not None)
        if reached is None:
            continue
        events = [event for event, _retry in stored]
        assert events[reached["version"] - 1].hash.hex() == reached["head"]
        assert [event.kind for event in events[reached["version"] :]] == [
            "aborted", "chance_revealed",
        ]  # fmt: skip
        assert events[reached["version"]].body["aborted"].value["reason"] == "block_abandoned"
    again = tournament.game_ids(tournament.blocks[1])
    assert not {*again} & {*tournament.game_ids(first)}
    kept = hall.runtime.standings
    listed = list(games.listed(kept, kept.of(tournament.id), 0, 2))
    assert [game["id"] for game in listed] == again
    found = report(tournament)
    assert found["abandoned"] == [{"entry": "killed", "tries": 1, "blocks": 4, "share": 0.25}]
    rows = {row["entry"]: row for row in found["table"]}
    assert rows["killed"]["games"] == rows["random"]["games"] == 6


def test_after_three_tries_the_service_pauses_and_a_host_may_go_on(
    hall: Hall, check: Check, tmp_path: Path
) -> None:
    tournament = hall.open(**CUP)
    paused = until_paused(hall, tournament)
    assert paused.reason == "block_abandoned"
    assert kinds(hall, tournament)[-4:] == ["block_abandoned"] * 3 + ["paused"]
    last = copies(hall, tournament)[-1]
    assert last["by"] == {"service": "tournaments"}
    assert last["body"]["paused"] == {"reason": "block_abandoned", "block": 1}
    summary = hall.runtime.standings.of(tournament.id).summary()
    assert (summary["status"], summary["reason"]) == ("paused", "block_abandoned")
    assert summary["abandoned"][0]["tries"] == 3
    hall.runtime.director.resume(tournament.id, HOST)
    until_paused(hall, tournament)
    assert kinds(hall, tournament).count("block_abandoned") == 6
    hall.runtime.director.cancel(tournament.id, "enough", HOST)
    hall.matches.play(tournament.id)
    cancelled = hall.find(tournament)
    lines = [*export.lines(hall.runtime, cancelled)]
    proved = check(lines)
    assert proved.ok, failures(proved)
    (found,) = reports(tmp_path, [text_of(lines)])
    assert standing(found) == "sound", found["findings"]
    next(line for line in lines if line.get("kind") == "paused")["body"]["paused"]["block"] = 2
    assert any("paused follows" in told for told in failures(check(lines))["course"])
    (found,) = reports(tmp_path, [text_of(lines)])
    assert "by" in codes(found, "failure")


def test_whoever_was_killed_while_he_gave_up_leaves_no_game_open(
    hall: Hall, once: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = hall.open(**CUP)
    with monkeypatch.context() as patched:
        patched.setattr(type(hall.matches), "_end_abandoned", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            play_disturbed(hall, once, tournament)
    assert kinds(hall, tournament)[-1] == "block_abandoned"
    ended = hall.finish(tournament)
    first = ended.blocks[1]._replace(try_=1)
    newest = hall.runtime.ledger.store.newest_events(ended.game_ids(first))
    assert {event.kind for event in newest if event is not None} == {"chance_revealed"}


def test_how_it_stands_is_made_again(hall: Hall, once: Path) -> None:
    tournament = hold_disturbed(hall, once)
    kept = hall.runtime.standings
    ids = [g["id"] for g in games.listed(kept, kept.of(tournament.id), 0, 12)]
    hall.runtime.redis.delete(standings._key(tournament.id))
    kept.make_again(tournament)
    assert [g["id"] for g in games.listed(kept, kept.of(tournament.id), 0, 12)] == ids


FORGERIES: list[tuple[str, Callable[[JsonObject], object]]] = [
    ("try 2 of block 1 is not the one", lambda told: told.update({"try": 2})),
    ("block 1 has 2 games of 2 seats", lambda told: told["games"].pop()),
    ("block 1 has 2 games of 2 seats", lambda told: told.update(seat=2)),
    ("block 99 is not one to be played", lambda told: told.update(block=99)),
    ("reason", lambda told: told.update(reason=7)),
    ("a seat was stopped, or a game was lost", lambda told: told.update(reason="damaged")),
    ("a seat was stopped, or a game was lost", lambda told: told.pop("seat")),
    ("a seat was stopped, or a game was lost", lambda told: told.pop("decision")),
]


def test_a_forged_abandonment_is_found(check: Check, tmp_path: Path) -> None:
    whole = cups.held(cups.Course(incidents=("a block again",))).record()
    forged = []
    for _told, tamper in FORGERIES:
        lines = copy.deepcopy(whole)
        (given_up,) = [line for line in lines if line.get("kind") == "block_abandoned"]
        tamper(given_up["body"]["block_abandoned"])
        forged.append(lines)
    for (told, _tamper), lines, found in zip(
        FORGERIES, forged, reports(tmp_path, map(text_of, forged)), strict=True
    ):
        course = failures(check(lines)).get("course", [])
        assert any(told in failure for failure in course), course
        assert {"block_abandoned", "shape"} & codes(found, "failure"), found["findings"]


def test_a_plan_has_one_clock_and_older_stores_have_the_one_that_they_know(
    web_runtime: Runtime,
) -> None:
    def plan(by_wall: bool = False, **failures: int) -> JsonObject:  # noqa: FBT001, FBT002 - a table
        asked = {**SMALL, "failures": failures}
        made = requests.plan_of(
            TournamentRequest.of(asked), web_runtime.registry, web_runtime.bots, by_wall=by_wall
        )
        return made.failures.to_json()

    assert plan() == {"then": "resign", "disqualify_after": 3, "processor_seconds": 10}
    assert plan(by_wall=True) == {"then": "resign", "disqualify_after": 3, "seconds": 10}
    assert plan(seconds=20)["seconds"] == 20
    with pytest.raises(BadPlanError, match="not both"):
        plan(seconds=20, processor_seconds=20)


def test_an_older_release_beside_us_is_not_given_what_it_does_not_know(hall: Hall) -> None:
    hall.runtime.redis.set(FORMAT_KEY, FORMAT)
    with pytest.raises(RefusedError, match="finish-upgrade"):
        hall.open(failures=LIMIT)
    by_wall = hall.open(failures={"seconds": 10})
    assert hall.finish(by_wall).reason == "completed"


def test_by_the_wall_nothing_is_abandoned_and_a_bot_is_asked_again(
    hall: Hall, once: Path, check: Check
) -> None:
    once.touch()
    tournament = hall.hold(**{**CUP, "failures": {"seconds": 60}})
    assert "block_abandoned" not in kinds(hall, tournament)
    assert all(not game.failures for games in tournament.results.values() for game in games)
    assert check(export.lines(hall.runtime, tournament)).ok


@pytest.fixture
def web_runtime(hall: Hall) -> Runtime:
    return hall.runtime


def test_a_block_names_its_tries() -> None:
    block = Block(3, 1, (0, 1), 3)
    assert [each.try_ for each in block.tries()] == [1, 2, 3]
