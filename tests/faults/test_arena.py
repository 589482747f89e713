"""A thousand games of strangers' bots, one in ten of them faulty, while everything is killed.

Each part holds the same cup twice: in peace, and then beside a ladder while bots, bridges, workers,
web processes and the store are killed at random. Then no game and no acknowledged answer is lost or
doubled; every answer in the records is the one that the bot would give; all tables are recomputed
by ``lonja verify``; and blocks of sound bots that answered in time are those played in peace.
"""

import random
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.record.game import Game
from service.games.present import legal_moves
from service.records import tournament_file
from service.records.game_file import Record
from service.runtime import Runtime
from tests.campaigns import Figure
from tests.faults import processes
from tests.faults.arena.bots import FAULTS, FAULTY, HARMLESS, Bot, Bots, accounts, choice, playing
from tests.faults.people import LOST, Client, wait_for
from tests.faults.test_tournament import Service, redis_of
from tests.running import environment, process, runtime_on
from tests.service.api.fairness.costs import measure
from tests.service.api.test_fairness import judge
from tests.service.api.test_gunicorn import Service as Gunicorn

PART_SECONDS = 3600
"""Maximum time of a part, which takes three minutes of a machine that has nothing else to do."""
GAMES = 10
"""Number of games of each cup, and of a part of the ladder: in a cup each bot plays two."""
ROUNDS = 5
"""Number of parts of each fault: with all of them, 1,100 games are played under fire."""
IDLE_SECONDS = 60
"""Time after which there is another kill though few bots answered: they may all be hanging."""
STALLED_SECONDS = 300
"""Time without an acknowledged answer after which a part has failed: nothing goes on by itself."""
KILLS = 8
GAME = {"ruleset": "ragusa", "seats": 2}
CLOCK = {"decision_seconds": 45, "grace_ms": 2000}
BUDGET = {"budget_seconds": 600, "increment_seconds": 5, "grace_ms": 2000}
"""The clock in peace, and with bots that lose no time by their fault."""
ROUND = {"type": "swiss", "rounds": 1}
"""The format in which each bot plays a block, also the faulty one."""
LONG = {"type": "round_robin", "games": 10_000}
FAILURES = {"then": "resign", "disqualify_after": 0}
MADE = ("moved", "defaulted", "chanced", "timed_out", "resigned")
"""The kinds of events that tell how a game was played."""


class Played(NamedTuple):
    """A tournament that is over: its report, and its games by block."""

    id: str
    report: JsonObject
    blocks: dict[int, list[Record]]
    lineups: dict[int, tuple[int, ...]]
    again: set[int]
    """The blocks that were played again, with other luck, because the service was away too long."""
    file: Path

    def games(self) -> list[str]:
        return [game.game_id for games in self.blocks.values() for game in games]

    def failed(self, block: int) -> bool:
        """Whether a bot did not answer in time in a block."""
        return any(
            copy["kind"] == "timed_out" for game in self.blocks[block] for copy in game.copies
        )

    def story(self, block: int) -> bytes:
        """Return how a block was played: all moves, draws and results, without names and times.

        The moves are by seat: which of two seats that are asked at once answers first, is the
        bots' affair, and decides nothing.
        """
        told = [_story(game.copies) for game in self.blocks[block]]
        return encode(told)


def _story(copies: Sequence[JsonObject]) -> list[list[JsonObject]]:
    """Return what each seat did, and then what the rules and the service did."""
    made = [copy for copy in copies if copy["kind"] in (*MADE, "ended")]
    doers = sorted({copy["by"].get("seat", -1) for copy in made}, reverse=True)
    return [
        [{copy["kind"]: _bare(copy)} for copy in made if copy["by"].get("seat", -1) == doer]
        for doer in doers
    ]


def _bare(copy: JsonObject) -> JsonObject:
    """Return the body of an event without the salt, which is another one in each game."""
    return {name: part for name, part in copy["body"].items() if name not in ("salt", "opens")}


def clock_of(fault: str) -> JsonObject:
    return BUDGET if fault in HARMLESS else CLOCK


def cup_of(bots: list[Bot], format_: JsonObject, clock: JsonObject, seed: str) -> JsonObject:
    """Return the request for a cup of all bots, which is the same each time."""
    return {
        **GAME,
        "entries": [{"player": bot.id} for bot in bots],
        "format": format_,
        "clock": clock,
        "failures": FAILURES,
        "seed": seed,
        "rated": False,
    }


class Arena:
    """A service on a folder, its owner of bots, and its operator, who holds the ladder."""

    def __init__(
        self, folder: Path, service: Service, port: int, clock: JsonObject, seed: str
    ) -> None:
        self.folder, self.port, self.clock, self.seed = folder, port, clock, seed
        self.service = service
        self.owner, self.operator = Client(port).player("Bea"), Client(port).player("Ana")
        self.env = environment("", LONJA_DATA_DIR=str(folder / "data"))
        del self.env["REDIS_URL"]

    def cup(self, bots: list[Bot], clock: JsonObject) -> str:
        request = cup_of(bots, ROUND, clock, self.seed)
        found: str = self.owner.post("/v1/tournaments", request)["id"]
        return found

    def ladder(self, bots: list[Bot], playing: Bots) -> str:
        """Open a ladder, and enter all bots after their validation games."""
        body = {
            **GAME,
            "entries": [{"bot": "random"}, {"bot": "greedy"}],
            "format": {"type": "endless", "games": GAMES, "house_games": 1},
            "clock": self.clock, "failures": FAILURES, "places": 12,
        }  # fmt: skip
        found: str = self.operator.post("/v1/tournaments", body)["id"]
        waiting = {bot.id for bot in bots}

        def entered() -> bool:
            for bot in list(waiting):
                path = f"/v1/tournaments/{found}/entries"
                answer = self.owner.ask("POST", path, {"player": bot})
                assert answer.status in (201, 202, 409), answer
                if answer.status == 201:
                    waiting.remove(bot)
            return not waiting

        wait_while_played(entered, playing)
        return found

    def standing(self, tournament: str) -> JsonObject:
        """Return a tournament; nothing while the service is away."""
        with suppress(*LOST, AssertionError):
            return self.operator.get(f"/v1/tournaments/{tournament}")
        return {}

    def is_over(self, tournament: str) -> bool:
        """Whether a tournament is over; one that was paused goes on, as a host would let it."""
        found = self.standing(tournament)
        if found.get("status") == "paused":
            host = self.owner if found["created_by"] == self.owner.id else self.operator
            with suppress(*LOST):
                host.ask("POST", f"/v1/tournaments/{tournament}/resume", {})
        return found.get("status") in ("ended", "cancelled")

    def played(self, tournament: str, before: Path | None = None) -> Played:
        """Return a tournament that is over; its record proves every figure."""
        path = self.folder / f"{tournament}.ndjson.gz"
        wait_for(
            lambda: self.operator.get(f"/v1/tournaments/{tournament}/report")["samples"],
            STALLED_SECONDS,
        )
        url = f"http://127.0.0.1:{self.port}"
        export = "tournament", "export", tournament, "--url", url, "--output", str(path)
        processes.lonja(*export, env=self.env)
        follows = () if before is None else ("--before", str(before))
        assert "Every check passed" in processes.lonja("verify", str(path), *follows, env=self.env)
        with tournament_file.reading(path) as record:
            lineups: dict[int, tuple[int, ...]] = {}
            results: dict[int, JsonObject] = {}
            again: set[int] = set()
            for copy in record.copies:
                if copy["kind"] == "paired":
                    paired = copy["body"]["paired"]
                    numbers = range(paired["first_block"], 1 << 30)
                    lineups |= dict(zip(numbers, map(tuple, paired["lineups"]), strict=False))
                if copy["kind"] == "block_abandoned":
                    again.add(copy["body"]["block_abandoned"]["block"])
                if copy["kind"] == "block_ended":
                    ended = copy["body"]["block_ended"]
                    assert ended["block"] not in results, "a block was played twice"
                    results[ended["block"]] = ended
            place = {game["head"]: n for n, one in results.items() for game in one["games"]}
            blocks: dict[int, list[Record]] = {number: [] for number in results}
            for game in record.games:
                copies = list(game.copies)
                heads = [copy["hash"] for copy in copies if copy["hash"] in place]
                blocks[place[heads[-1]]].append(game._replace(copies=copies))
        report = self.operator.get(f"/v1/tournaments/{tournament}/report")
        return Played(tournament, report, blocks, lineups, again, path)


def wait_while_played(what: Callable[[], bool], playing: Bots) -> None:
    """Call ``what`` until it is true; fail if the bots answer nothing for a long time.

    So it matters how much is left to play, and not how fast the machine is.
    """
    stall = Stall(playing)
    while not what():
        stall.check()
        time.sleep(0.2)


class Stall:
    """Notices that bots have acknowledged no answer for STALLED_SECONDS."""

    def __init__(self, playing: Bots) -> None:
        self._playing = playing
        self._answers, self._since = playing.answers(), time.monotonic()

    def check(self) -> None:
        if (answers := self._playing.answers()) != self._answers:
            self._answers, self._since = answers, time.monotonic()
        assert time.monotonic() < self._since + STALLED_SECONDS, "nothing goes on"


def strike(arena: Arena, bots: Bots, tournaments: list[str], rng: random.Random) -> int:
    """Kill things until the tournaments are over; return how often.

    Between two kills some answers are acknowledged, however slow the machine is.
    """
    struck, wanted, until, stall = 0, 0, 0.0, Stall(bots)
    while not all(arena.is_over(one) for one in tournaments):
        arena.service.keep_up()
        bots.keep_up()
        stall.check()
        time.sleep(rng.uniform(0.1, 0.5))
        if struck == KILLS or (bots.answers() < wanted and time.monotonic() < until):
            continue
        struck += 1
        if rng.randrange(2):
            bots.kill_one(rng)
        else:
            arena.service.kill_something(rng)
        wanted = bots.answers() + rng.randrange(5, 60)
        until = time.monotonic() + IDLE_SECONDS
    return struck


def decisions(runtime: Runtime, game_id: str) -> Iterator[tuple[int, int, bool]]:
    """Yield seat and decision of each move, and whether it is the one that sound bots choose."""
    game = Game(game_id, runtime.registry)
    for event, _prev in runtime.ledger.events(game_id, 0, 100_000):
        if event.kind == "moved":
            seat = event.by["seat"]
            legal, decision = legal_moves(game, seat), game.asked[seat]
            wanted = legal[choice(seat, len(legal))].to_json()
            yield seat, decision, event.body["move"].value == wanted
        game.apply(event)


def check_answers(runtime: Runtime, bots: list[Bot], played: list[Played]) -> int:
    """Check the answers of all bots in the records; return how many were acknowledged."""
    names = {bot.id: bot.name for bot in bots}
    recorded: Counter[tuple[str, int, int]] = Counter()
    for game_id in (game for one in played for game in one.games()):
        seats = runtime.ledger.table(game_id).game.seats
        for seat, decision, is_wanted in decisions(runtime, game_id):
            if (seats[seat].holder or {}).get("player") in names:
                recorded[game_id, seat, decision] += 1
                assert is_wanted, f"{game_id}: another answer at decision {decision}"
    assert max(recorded.values()) == 1
    games = _ids(played)
    told = [
        (one["game"], one["seat"], one["decision"])
        for bot in bots
        for one in bot.acknowledged()
        if one["game"] in games
    ]
    assert not [place for place in told if place not in recorded], "an answer was lost"
    return len(told)


def _ids(played: list[Played]) -> set[str]:
    return {game for one in played for game in one.games()}


def check_streams(runtime: Runtime, played: list[Played]) -> None:
    """Fail if the store has a game of the tournaments that the records lack.

    None of them was cancelled: then a game may be over whose block never ends.
    """
    ids = {one.id for one in played}
    found = set()
    for key in runtime.redis.scan_iter("lonja:{s*}:game:g*:events", count=1000):
        game = runtime.ledger.table(key.decode().split(":")[3]).game
        if game.created_by.get("tournament") in ids and game.status != "aborted":
            found.add(game.id)
    assert found == _ids(played)


def torture(folder: Path, fault: str, seed: int) -> JsonObject:
    """Hold a cup in peace, and then a cup and a ladder under fire; return the figures."""
    rng = random.Random(seed)
    port, signal, log = processes.free_port(), folder / "signal", folder / "bots.log"
    with Service(folder / "data", port) as service:
        arena = Arena(folder, service, port, clock_of(fault), f"arena {seed}")
        bots = accounts(arena.owner, folder, fault, signal, {**GAME, "seats": [GAME["seats"]]})
        with playing(bots, log) as running:
            wait_for(lambda: _present(arena, bots), processes.START_SECONDS)
            first = arena.cup(bots, BUDGET)
            wait_while_played(lambda: arena.is_over(first), running)
            ladder = arena.ladder(bots, running)
            signal.touch()
            second = arena.cup(bots, arena.clock)
            struck = strike(arena, running, [second, ladder], rng)
            assert struck == KILLS, f"it was over after {struck} kills: play more games"
            parts = [ladder]
            wait_for(lambda: _cancelled(arena, parts), STALLED_SECONDS)
        wait_for(lambda: arena.is_over(parts[-1]), STALLED_SECONDS)
        peace, war = arena.played(first), arena.played(second)
        climbed = [arena.played(ladder)]
        for part in parts[1:]:
            climbed.append(arena.played(part, climbed[-1].file))
        assert "0 findings" in processes.lonja("ledger", "check", env=arena.env)
        *whole, cancelled = played = [peace, war, *climbed]
        assert [len(one.games()) for one in whole] == [GAMES] * len(whole)
        reasons = [one.report["reason"] for one in played]
        full = ["full"] * (len(parts) - 1)
        assert reasons == ["completed", "completed", *full, "cancelled"], cancelled
        runtime = runtime_on(redis_of(folder / "data"))
        check_streams(runtime, whole)
        told = check_answers(runtime, bots, played)
        same = check_blocks(peace, war, fault)
        return {
            "games of remote bots under fire": len(war.games()) + len(climbed[0].games()),
            "kills": struck,
            "acknowledged answers": told,
            "blocks as in peace": same,
            "decisions of sound bots that were late": sum(
                row["failures"]
                for one in (war, climbed[0])
                for row in one.report["table"]
                if row["entry"] != FAULTY or fault in HARMLESS
            ),
        }


def _present(arena: Arena, bots: list[Bot]) -> bool:
    return all(arena.owner.get(f"/v1/bots/{bot.id}")["present"] for bot in bots)


def _cancelled(arena: Arena, parts: list[str]) -> bool:
    """Cancel the newest part of a ladder, which is that after ``parts``; whether it succeeded.

    The service opens the next part as soon as it can, and bots may have played all its games.
    """
    newest = arena.standing(parts[-1]).get("part", {}).get("next")
    if newest is None:
        return False
    parts.append(newest)
    with suppress(*LOST):
        return arena.operator.ask("POST", f"/v1/tournaments/{newest}/cancel", {}).status == 200
    return False


def check_blocks(peace: Played, war: Played, fault: str) -> int:
    """Compare the blocks of sound bots without late answers; return how many there are."""
    assert peace.lineups == war.lineups
    assert sorted(sum(war.lineups.values(), ())) == [*range(10)], "each bot plays"
    assert not peace.again
    assert not any(map(peace.failed, peace.blocks)), "in peace everybody answers"
    is_sound = fault in HARMLESS
    compared = [
        number
        for number, lineup in war.lineups.items()
        if number not in war.again and not war.failed(number) and (is_sound or 9 not in lineup)
    ]
    assert [n for n in compared if war.story(n) != peace.story(n)] == []
    assert compared
    return len(compared)


@pytest.mark.campaign("bots")
@pytest.mark.timeout(PART_SECONDS)
@pytest.mark.parametrize("round_", range(ROUNDS))
@pytest.mark.parametrize("fault", FAULTS)
def test_bots_play_on_while_everything_is_killed(
    fault: str, round_: int, tmp_path: Path, record_property: Figure
) -> None:
    seed = ROUNDS * FAULTS.index(fault) + round_
    for name, figure in torture(tmp_path, fault, seed).items():
        record_property(name, figure)


@pytest.mark.campaign("bots")
@pytest.mark.timeout(900)
def test_bots_that_play_and_flood_cost_others_little(
    tmp_path: Path, redis_binary: Path | None, record_property: Figure
) -> None:
    """Another address's small request, alone and beside ten bots, one of which floods."""
    folder, signal = tmp_path / "redis", tmp_path / "signal"
    folder.mkdir()
    signal.touch()
    with (
        Gunicorn(folder, redis_binary, LONJA_WEB_WORKERS="1") as service,
        process(
            "-m", "workers.worker", "--queue", "tournaments", env=environment(service.redis.url)
        ) as worker,
    ):
        owner, other = Client(service.port).player("Bea"), Client(service.port).player("Cai")
        bots = accounts(owner, tmp_path, "floods", signal, {**GAME, "seats": [GAME["seats"]]})
        small = other.post("/v1/games", {"ruleset": "sealed", "seats": [{"holder": "me"}] * 2})
        victim = f"GET /v1/games/{small['id']} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        (children,) = Path(f"/proc/{service.process.pid}/task").glob("*/children")
        (pid,) = map(int, children.read_text().split())
        with playing(bots, tmp_path / "bots.log") as running:
            cup = owner.post("/v1/tournaments", cup_of(bots, LONG, CLOCK, "arena"))
            wait_for(lambda: owner.get(f"/v1/tournaments/{cup['id']}")["games"]["played"], 240)
            others: list[subprocess.Popen[Any]] = [worker, *running.processes.values()]
            told = measure(pid, service.redis.pid, service.port, victim, others)
            played = owner.get(f"/v1/tournaments/{cup['id']}")["games"]["played"]
    record_property("games of bots beside a small request", played)
    judge(told, "bots", record_property)
