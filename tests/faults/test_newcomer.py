"""A new user's first steps, from ``lonja serve`` to the proof of a played game."""

import random
import re
from pathlib import Path
from typing import Any

import orjson

import rules.registry
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from rules.kernel.record.events import from_copy
from rules.kernel.record.game import Game
from service.records.game_file import read
from tests.faults import processes
from tests.faults.people import Client, Follower, Json, wait_for
from tests.running import environment

EXHIBITION = re.compile(r"/games/g[0-9]{2}-[a-z2-7]{20}")
NOTHING_ELSE = {"LONJA_EXTRA_RULESETS": ""}
HIDDEN_UNTIL_THE_END = ("body", "nonces")


def told(data: Path) -> str:
    """Return the newest game that ``lonja serve`` offers for watching."""
    found: list[str] = wait_for(lambda: EXHIBITION.findall((data / "serve.log").read_text()))
    return f"/v1{found[-1]}"


def grows(client: Client, game: str) -> None:
    before = len(client.events(game))
    wait_for(lambda: len(client.events(game)) > before)


def lasting(event: Json) -> Json:
    return {name: value for name, value in event.items() if name not in HIDDEN_UNTIL_THE_END}


def test_a_newcomers_evening(tmp_path: Path) -> None:
    data, port, rng = tmp_path / "var", processes.free_port(), random.Random(1)
    anybody = Client(port)
    seen: dict[int, Json] = {}
    acknowledged: list[Json] = []

    def play(client: Client, game: str, moves: int) -> bool:
        for _ in range(moves):
            move = client.next_move(game, rng)
            if move is None:
                return False
            now = client.get(f"{game}/state")
            seen[now["version"]] = now
            acknowledged.append(client.post(f"{game}/moves", move))
        return True

    with processes.serve(data, port, **NOTHING_ELSE) as launcher:
        exhibition = told(data)
        grows(anybody, exhibition)
        newcomer = anybody.player("Newcomer")
        game = newcomer.open(newcomer.get("/v1/rulesets")["rulesets"][0]["id"], "greedy", "random")
        follower = Follower(newcomer, game)
        follower.start()
        assert play(newcomer, game, 6)
        follower.break_off()
        assert play(newcomer, game, 6)
        wait_for(lambda: follower.connections >= 2)
        processes.kill_tree(launcher)

    with processes.serve(data, port, **NOTHING_ELSE):
        log = newcomer.events(game)
        for answer in acknowledged:
            for event in answer["events"]:
                assert lasting(log[event["seq"] - 1]) == lasting(event)
        grows(anybody, exhibition)
        assert not play(newcomer, game, 1_000)
        follower.join(30)
        assert follower.failure is None
        assert follower.connections >= 3
        log = newcomer.events(game)
        assert [lasting(e) for e in follower.events] == [lasting(e) for e in log]
        assert follower.ended == {"version": len(log)}

        record, receipt = tmp_path / "game.ndjson", tmp_path / "receipt.json"
        receipt.write_bytes(orjson.dumps(acknowledged[-1]["receipt"]))
        env = environment("", LONJA_DATA_DIR=str(data), **NOTHING_ELSE)
        game_id = game.rpartition("/")[2]
        processes.lonja("export", game_id, "--output", str(record), env=env)
        verified = processes.lonja(
            "verify", str(record), "--receipt", str(receipt), "--bots", env=env
        )
        assert "Every check passed." in verified

        for version, then in seen.items():
            assert newcomer.get(f"{game}/state?at={version}&seat=0") == then
        for answer in acknowledged:
            now = newcomer.get(f"{game}/state?at={answer['version']}&seat=0")
            assert now["state"] == answer["state"]
        for version, view in views(record):
            assert newcomer.get(f"{game}/state?at={version}&seat=0")["state"] == view


def shown(game: Game) -> Any:
    return {"ruleset": game.ruleset.info.id, **game.ruleset.view(game.state, Seat(0))}


def views(record: Path) -> list[tuple[int, Any]]:
    """Fold a record without a service; return seat 0's view at each version."""
    found = read(record)
    game = Game(found.game_id, Registry(rules.registry.PACKAGES))
    folded = []
    for copy in found.copies:
        game.apply(from_copy(copy))
        state = game.state
        folded.append((game.version, None if state is None else shown(game)))
    assert game.over
    return orjson.loads(orjson.dumps(folded))  # type: ignore[no-any-return]  # as HTTP tells it
