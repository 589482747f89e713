"""Endless tournaments as hosts and owners use them: bots come and go, parts follow each other."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.verify import Report
from service.cli.tournament import words
from service.cli.verifying import VerifyOptions, verify_file
from service.ids import shard_of
from service.ledger.origin import IMPORTED, Origin
from service.ledger.repository import ConflictError
from service.records import tournament_file
from service.redis.keys import game_key, shard_key
from service.runtime import Runtime
from service.tournaments.estimate import EVENT_BYTES
from service.tournaments.record import export
from service.tournaments.record.verify import verify_tournament
from service.tournaments.tournament import Block, Tournament
from service.upkeep import maintenance
from tests.running import game
from tests.service.api.people import House, Person, data, problem
from tests.service.api.resources.test_bots import made
from tests.service.api.test_tournament_players import Change, Cup, enter, found_in, validated
from tests.service.tournaments.conftest import Hall, failures
from tests.service.tournaments.forging import File, forger_of
from tests.service.tournaments.test_other_verifier import Judge, judge, text_of
from tests.service.tournaments.test_sentences import again, nth, put, value
from tests.service.verifier.programs import codes, reports, standing

__all__ = ["judge"]
pytestmark = pytest.mark.usefixtures("following")

LADDER: JsonObject = {
    "format": {"type": "endless", "games": 8, "house_games": 2},
    "entries": [{"bot": "random"}, {"bot": "greedy"}],
    "places": 6,
}
Check = Callable[..., Report]


@pytest.fixture
def check(runtime: Runtime, tmp_path: Path) -> Check:
    def check(lines: list[JsonObject], before: list[JsonObject] | None = None) -> Report:
        path, earlier = tmp_path / "t.ndjson", tmp_path / "before.ndjson"
        tournament_file.write(path, lines)
        if before is None:
            with tournament_file.reading(path) as found:
                return verify_tournament(found, runtime.registry)
        tournament_file.write(earlier, before)
        with tournament_file.reading(path) as found, tournament_file.reading(earlier) as first:
            return verify_tournament(found, runtime.registry, before=first)

    return check


def ladder(runtime: Runtime, ana: Person, bea: Person, **more: Any) -> tuple[Cup, Person]:
    """Open a ladder with a bot of Bea's that is validated and entered."""
    robbie = made(bea)
    cup = Cup(runtime, ana, **{**LADDER, **more})
    assert data(ana.get(cup.url))["status"] == "running"
    validated(runtime, bea, cup.url, robbie)
    assert enter(bea, cup.url, robbie).status_code == 201
    return cup, robbie


def play(cup: Cup, *bots: Person) -> None:
    """Play until the part is full; the bots are present all the time."""
    for _ in range(500):
        cup.matches._look_again.clear()
        cup.work()
        if cup.found().over:
            return
        for bot in bots:
            cup.answer(bot)
    raise AssertionError("it does not end")


def test_a_ladder_takes_bots_while_it_runs_and_goes_on_in_parts_that_are_proved(
    house: House, runtime: Runtime, check: Check, judge: Judge
) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    cup, robbie = ladder(runtime, ana, bea)
    problem(enter(bea, cup.url, robbie), 409, "entered_already")
    problem(ana.post(f"{cup.url}/start"), 409, "no_place_free")
    play(cup, robbie)
    report = data(ana.get(f"{cup.url}/report"))
    assert (report["status"], report["reason"]) == ("ended", "full")
    assert report["part"]["number"] == 1
    told = {one["entry"]: one for one in report["ladder"]["entries"]}
    assert told["Robbie"]["provisional"]
    assert sum(one["games"] for one in told.values()) == 16
    assert {row["entry"]: row["elo"] for row in report["table"]}["random"] == 1500.0

    told_so = problem(enter(bea, cup.url, made(bea, name="Late")), 409, "no_place_free")
    assert report["part"]["next"] in told_so["detail"]
    said = [*words.ladder(report)]
    assert said[0] == f"This is part 1; the next one is {report['part']['next']}."
    assert said[-1].startswith(
        "These have fewer than 30 games, so their ratings are provisional: random"
    )
    assert not [*words.ladder({"table": []})]

    first = cup.record()
    cup.id = report["part"]["next"]
    cup.url = f"/v1/tournaments/{cup.id}"
    now = data(ana.get(cup.url))
    assert now["part"] == {"number": 2, "before": report["id"], "next": None}
    found = maintenance.check(runtime.ledger.store, runtime.registry)
    assert [finding for finding in found if finding] == []
    assert (now["status"], now["created_by"]) == ("running", ana.id)
    assert now["games"] == {"played": 0, "planned": 8}
    assert [entry["name"] for entry in now["plan"]["entries"]] == ["random", "greedy", "Robbie"]
    runtime.director.open_next_part(report["id"])
    assert cup.found().version == 3 - 1, "a part is opened once"
    play(cup, robbie)
    second = cup.record()
    for lines, before in ((first, None), (second, first)):
        proved = check(lines, before)
        assert proved.ok, failures(proved)
        told = judge(lines)
        assert standing(told) == "sound"
        assert taken_as_told(told, check(lines)) == (before is not None)
    assert not check(first, second).ok
    assert not check(second, second).ok
    running = list(export.lines(runtime, runtime.director.find(now["id"])))
    assert running[0]["report"]["part"]["number"] == 2


def taken_as_told(theirs: Any, ours: Report) -> bool:
    """Whether both verifiers say, without the part before, that they take its results as told."""
    told = {"--before" in " ".join(ours.notes), "part_before" in codes(theirs)}
    assert len(told) == 1, "the verifiers differ"
    return told.pop()


def test_a_bot_plays_while_it_is_present_with_the_version_that_is_entered(
    house: House, runtime: Runtime
) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    cup, robbie = ladder(runtime, ana, bea)
    assert bea.patch(f"/v1/players/me/bots/{robbie.id}", {"version": "2.0"}).status_code == 200
    cup.work()
    assert not cup.games(), "it is another bot now"
    validated(runtime, bea, cup.url, robbie)
    assert data(enter(bea, cup.url, robbie))["entry"] == 3
    found = data(ana.get(cup.url))
    assert [out["entry"] for out in found["disqualified"]] == ["Robbie"]
    cup.matches._look_again.clear()
    cup.work()
    assert len(cup.games()) == 1, "it takes one game at once"
    version = cup.found().version
    cup.matches._look_again.clear()
    cup.work()
    assert cup.found().version == version, "nothing new is recorded while it plays"
    runtime.redis.delete("lonja:{meta}:bots_present")
    cup.answer(robbie)


def test_an_owners_bots_play_while_what_it_costs_is_within_the_owners_budget(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A block costs once, even if a worker dies before it records it, and another one after it."""
    ana, bea = house.player("Ana"), house.player("Bea")
    cup, robbie = ladder(runtime, ana, bea)
    day = int(time.time() // 86_400)
    budgets = {
        f"lonja:{{{bea.id}}}:ladder_cpu_us:{day}": 1e6 * runtime.settings.ladder_budget.seconds,
        f"lonja:{{{bea.id}}}:ladder_bytes:{day}": 1e6 * runtime.settings.ladder_mb_per_day,
    }
    for key, most in budgets.items():
        runtime.redis.set(key, int(most))
        cup.matches._look_again.clear()
        cup.work()
        assert not cup.games()
        runtime.redis.delete(key)
    cup.matches._look_again.clear()
    cup.work()
    assert len(cup.games()) == 1
    first = next(number for number, block in cup.found().blocks.items() if 2 in block.lineup)
    deaths = dying(runtime, first, monkeypatch)
    while first not in cup.found().results:
        for name in cup.games():
            seats = game(runtime, name).seats
            seat = next(n for n, one in enumerate(seats) if "player" in (one.holder or {}))
            data(robbie.post(f"/v1/games/{name}/resignations", {"seat": seat}))
        with suppress(_DiedError):
            cup.work()
    assert not deaths
    cup.work()
    played = cup.found()
    results = [
        game
        for number, games in played.results.items()
        if 2 in played.blocks[number].lineup
        for game in games
    ]
    spent, stored = (int(runtime.redis.get(key) or 0) for key in budgets)
    assert spent == sum(sum(game.cpu_us) for game in results)
    assert stored == EVENT_BYTES * sum(game.version for game in results)


class _DiedError(BaseException):
    """A worker dies."""


def dying(runtime: Runtime, block: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let workers die before and after they record a block; return the deaths to come."""
    record, deaths = runtime.director.record_block, ["before", "after"]

    def record_or_die(tournament_id: str, played: Block, *told: Any) -> Tournament:
        death = deaths.pop(0) if deaths and played.number == block else None
        if death == "before":
            raise _DiedError
        done = record(tournament_id, played, *told)
        if death == "after":
            raise _DiedError
        return done

    monkeypatch.setattr(runtime.director, "record_block", record_or_die)
    return deaths


def test_a_block_whose_game_was_ended_as_damaged_is_played_again_and_the_ladder_settles(
    house: House, runtime: Runtime, check: Check, judge: Judge
) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    cup, robbie = ladder(runtime, ana, bea)
    cup.work()
    (name,) = cup.games()
    store = runtime.ledger.store
    runtime.redis.xdel(game_key(name, "events"), "2-0")
    maintenance.end_damaged(store, runtime.registry, name, {"admin": "Eva"})
    (block,) = (one for one in cup.found().open_blocks() if 2 in one.lineup)
    play(cup, robbie)
    ended = cup.found()
    assert (ended.reason, ended.settled()) == ("full", len(ended.blocks))
    assert ended.blocks[block.number].try_ == 2
    assert [*ended.results[block.number]], "its games count"
    record = cup.record()
    assert check(record).ok, failures(check(record))
    assert standing(judge(record)) == "sound"
    file = File.of(record)
    nth(file, "block_abandoned")["body"]["block_abandoned"].update(seat=0, decision=1)
    forged = forger_of(Hall(runtime, cup.matches), ended).forge(file).lines()
    found_in(forged, check, judge, "a seat was stopped, or a game was lost", "block_abandoned")


def test_a_player_is_paired_once_if_two_workers_see_it(house: House, runtime: Runtime) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    cup, _robbie = ladder(runtime, ana, bea)
    seen = cup.found()
    assert [*runtime.director.offer(seen, [2])] == [2]
    version = cup.found().version
    assert not runtime.director.offer(seen, [2])
    assert cup.found().version == version


def test_players_who_find_no_table_leave_no_trace(house: House, runtime: Runtime) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    cup, _robbie = ladder(runtime, ana, bea)
    for entry in (0, 1):
        data(ana.post(f"{cup.url}/withdraw", {"entry": entry}))
    version = cup.found().version
    cup.matches._look_again.clear()
    cup.work()
    assert cup.found().version == version
    assert not [*runtime.redis.scan_iter(f"lonja:{{{bea.id}}}:ladder_*")], "no game has begun"


def test_a_version_that_was_withdrawn_is_not_entered_again(house: House, runtime: Runtime) -> None:
    """Otherwise an owner could use up all places of a ladder."""
    ana, bea = house.player("Ana"), house.player("Bea")
    cup, robbie = ladder(runtime, ana, bea)
    cup.work()
    data(bea.post(f"{cup.url}/withdraw", {"entry": 2}))
    problem(enter(bea, cup.url, robbie), 409, "entered_already")


def test_places_are_of_bots_that_play_and_no_block_of_who_is_out_ends(
    house: House, runtime: Runtime, check: Check, judge: Judge
) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    cup, robbie = ladder(runtime, ana, bea, places=3)
    other = made(bea, name="Other")
    problem(enter(bea, cup.url, other), 409, "no_place_free")
    cup.work()
    (block,) = (one for one in cup.found().open_blocks() if 2 in one.lineup)
    assert bea.patch(f"/v1/players/me/bots/{robbie.id}", {"version": "2.0"}).status_code == 200
    validated(runtime, bea, cup.url, robbie)
    assert enter(bea, cup.url, robbie).status_code == 201
    data(bea.post(f"{cup.url}/withdraw", {"entry": 3}))
    validated(runtime, bea, cup.url, other)
    assert data(enter(bea, cup.url, other))["entry"] == 4
    results = cup.found().results[1]
    runtime.director.record_block(cup.id, block, results, cup.found().at)
    assert block.number not in cup.found().results
    play(cup, other)
    record = cup.record()
    assert check(record).ok, failures(check(record))
    assert standing(judge(record)) == "sound"

    file = File.of(record)
    last = [event for event in file.stream if event["kind"] == "block_ended"][-1]
    last["body"]["block_ended"]["block"] = block.number
    forged = forger_of(Hall(runtime, cup.matches), cup.found()).forge(file).lines()
    found_in(forged, check, judge, "is not one to be played", "block_ended")


def test_no_part_follows_a_ladder_that_was_cancelled(house: House, runtime: Runtime) -> None:
    """Its host may give any reason, also the one with which a part ends."""
    ana, bea = house.player("Ana"), house.player("Bea")
    cup, _robbie = ladder(runtime, ana, bea)
    cup.work()
    data(ana.post(f"{cup.url}/cancel", {"reason": "full"}))
    cup.work()
    assert [one["id"] for one in data(ana.get("/v1/tournaments"))["tournaments"]] == [cup.id]
    assert data(ana.get(f"{cup.url}/report"))["part"]["next"] is None


def test_forged_ladders_fail(house: House, runtime: Runtime, check: Check, tmp_path: Path) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    cup, _robbie = ladder(runtime, ana, bea)
    cup.work()
    data(ana.post(f"{cup.url}/cancel", {}))
    cup.work()
    record = cup.record()
    host = {"player": ana.id}
    part = record[1]["body"]["created"]["part"]
    before = {"tournament_id": cup.id, "version": 3, "head": "0" * 64}

    def begins(**more: Any) -> Change:
        return value("created", "part", {**part, **more})

    def without(file: File) -> None:
        del file.stream[0]["body"]["created"]["part"]

    def entries_are(*kinds: str) -> Change:
        def change(file: File) -> None:
            created = file.stream[0]["body"]["created"]
            bots = [{**created["plan"]["entries"][0], "name": name} for name in kinds]
            robbie = nth(file, "entered")["body"]["entered"]["entry"]
            entries = [
                {**robbie, "name": "player"} if one["name"] == "player" else one for one in bots
            ]
            created["plan"]["entries"] = entries
            created["part"]["standing"]["games"] = [0] * len(entries)

        return change

    def games_are(file: File) -> None:
        file.stream[0]["body"]["created"]["plan"]["format"]["games"] = 10_001

    closed = {"kind": "entries_closed", "by": host}
    extended = {"kind": "extended", "by": host, "body": {"extended": {"games": 2}}}
    part_of = "it is not the part that it says it is"
    forger = forger_of(Hall(runtime, cup.matches), cup.found())
    forgeries: tuple[tuple[Change, str, str], ...] = (
        (begins(number=2), part_of, "part"),
        (begins(number=2, before=before), part_of, "part"),
        (begins(standing={"games": [1, 1], "pairs": []}), part_of, "part"),
        (without, part_of, "part"),
        (value("available", "entries", [1]), "bots of the service are always", "available"),
        (value("available", "entries", [9]), "do not wait for a game", "available"),
        (value("available", "entries", [2, 2]), "do not wait for a game", "available"),
        (put(closed, before="available"), "takes no entries", "phase"),
        (put(extended, before="available"), "takes no 2 games more", "extended"),
        (entries_are("player", "a", "b"), "the first entry is the anchor", "ladder"),
        (entries_are("a"), "2 seats need 2 bots", "ladder"),
        (games_are, "games is what the option takes, not 10001", "shape"),
        (again("entered", "available"), "is entered already", "entered"),
    )
    forged = []
    for change, _why, _code in forgeries:
        file = File.of(record)
        change(file)
        forged.append(forger.forge(file).lines())
    theirs = reports(tmp_path, map(text_of, forged))
    for lines, told, (_change, why, code) in zip(forged, theirs, forgeries, strict=True):
        said = [text for texts in failures(check(lines)).values() for text in texts]
        assert any(why in text for text in said), (why, said)
        assert code in codes(told, "failure"), why


def test_a_part_is_opened_by_the_next_worker_if_one_is_killed_before(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = house.player("Ana")
    more = {"games": 2, "house_games": 2}
    cup = Cup(runtime, ana, **{**LADDER, "format": {"type": "endless", **more}})
    due = shard_key(shard_of(cup.id), "due")

    def die(_tournament_id: str, _admit: object) -> None:
        raise RedisError

    with monkeypatch.context() as patch:
        patch.setattr(runtime.director, "open_next_part", die)
        with pytest.raises(RedisError):
            play(cup)
    following = data(ana.get(cup.url))["part"]["next"]
    problem(ana.get(f"/v1/tournaments/{following}"), 404, "unknown_tournament")
    assert runtime.redis.zscore(due, cup.id) is not None, "a sweep asks the next worker"
    imported = game_key(cup.id, IMPORTED)
    runtime.redis.set(imported, Origin("Ana", "", "", {}, is_own=False).dump())
    runtime.director.open_next_part(cup.id)
    problem(ana.get(f"/v1/tournaments/{following}"), 404, "unknown_tournament")
    runtime.redis.delete(imported)
    cup.work()
    assert data(ana.get(f"/v1/tournaments/{following}"))["part"]["number"] == 2
    assert runtime.redis.zscore(due, cup.id) is None


def test_a_part_counts_for_its_host_and_waits_for_room(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = house.player("Ana")
    more = {"games": 2, "house_games": 2}
    cup = Cup(runtime, ana, **{**LADDER, "format": {"type": "endless", **more}})
    due = shard_key(shard_of(cup.id), "due")
    with monkeypatch.context() as patch:
        patch.setattr(runtime.health, "nearly_full", lambda: "full")
        play(cup)
        following = data(ana.get(cup.url))["part"]["next"]
        problem(ana.get(f"/v1/tournaments/{following}"), 404, "unknown_tournament")
        assert runtime.redis.zscore(due, cup.id) is not None
    with monkeypatch.context() as patch:

        def conflict(*_args: Any, **_named: Any) -> None:
            raise ConflictError

        patch.setattr(runtime.director, "_ask", conflict)
        cup.work()
        assert runtime.redis.zscore(due, cup.id) is not None, "other writers came first"
    cup.work()
    assert data(ana.get(f"/v1/tournaments/{following}"))["part"]["number"] == 2
    counted = f"lonja:{{quota}}:tournaments:{ana.id}"
    assert runtime.redis.zscore(counted, f"{following} {ana.id}") is not None
    assert runtime.redis.zscore(due, cup.id) is None


def test_a_file_is_verified_with_that_of_the_part_before(
    house: House, runtime: Runtime, tmp_path: Path
) -> None:
    ana = house.player("Ana")
    more = {"games": 2, "house_games": 6}
    cup = Cup(runtime, ana, **{**LADDER, "format": {"type": "endless", **more}})
    play(cup)
    files = []
    for name in ("one.ndjson", "two.ndjson"):
        files.append(tmp_path / name)
        tournament_file.write(files[-1], cup.record())
        cup.id = data(ana.get(f"/v1/tournaments/{cup.id}"))["part"]["next"]
        play(cup)
    one, two = files
    good = verify_file(str(two), VerifyOptions(before=one), runtime.registry).report
    assert good is not None
    assert good.ok, failures(good)
    assert "before" in {check.name for check in good.checks}
    wrong = verify_file(str(two), VerifyOptions(before=two), runtime.registry).report
    assert wrong is not None
    assert wrong.verdict == "failed"
