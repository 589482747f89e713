"""A table with a beacon, opened from a terminal."""

from pathlib import Path
from typing import Any

from lonja_client import ME, Client, bot

from rules.kernel.contract.registry import Registry
from rules.kernel.record.batch import LENIENT
from service.cli.terminal.service import open_table
from service.redis.server import RedisServer
from tests.beacons import CHAIN
from tests.faults import processes
from tests.faults.people import Client as People
from tests.relay import offered
from tests.service.cli.conftest import Lonja
from tests.service.cli.terminal.places import APPLICATION, PIG

REGISTRY = Registry(("tests.pig",))
SEATS = [ME, bot("greedy")]


def test_the_terminal_says_which_round_decides_and_what_it_leaves_open(
    lonja: Lonja, tmp_path: Path
) -> None:
    port = processes.free_port()
    env: Any = {**PIG, "LONJA_BEACONS": str(offered(tmp_path, "http://127.0.0.1:9"))}
    with (
        RedisServer(tmp_path / "redis") as redis,
        processes.web_on(port, redis.url, tmp_path / "log", APPLICATION, **env),
    ):
        ana, url = People(port).player("Ana"), f"http://127.0.0.1:{port}"
        for language, late, words in (
            ("en", "abort", ("is aborted", "The luck waits for round", "still foresees the luck")),
            ("es", "start", ("empieza sin ella", "espera a la ronda", "sigue previendo la suerte")),
        ):
            client = Client(url, ana.key, language=language, folder=tmp_path / "kept")
            opened = client.open("pig", SEATS, beacon=late)
            game = opened.game()
            assert game["beacon"] is not None
            assert game["beacon"]["late"] == late
            assert game["seats"][0]["entropy"]["commitment"]  # a player's own, besides
            table = open_table(opened, REGISTRY, None)
            told = " ".join(line for lines in table.log for line in lines.lines)
            assert all(word in told for word in words), told
            assert f" {game['beacon']['round']} " in told
            assert CHAIN.chain.hash[:16] in told
            assert f"{url}/docs/proving" in told
            table.close()
        without = Client(url, ana.key, folder=tmp_path / "kept").open("pig", SEATS)
        assert without.game()["entropy_mode"] == LENIENT
        without.client.close()

        def refused(*words: str) -> str:
            return lonja("play", "pig", "--url", url, "--key", ana.key, *words).stderr

        assert "--beacon is for a table that you open" in refused("--seek", "--beacon", "abort")
        assert "no --beacon" in refused("--game", without.id, "--beacon", "start")
    alone = lonja("play", "pig", "--beacon", "abort").stderr
    assert "--beacon, " in alone
    assert "are for a table of a service: name it with --url" in alone
