"""A stranger's bot, which knows only HTTP, enters a tournament, and plays it through a kill."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from tests.faults import processes
from tests.faults.people import Client
from tests.running import environment, wait_for

STRANGER = """
import json, sys, time, urllib.request

url, key = sys.argv[1:]

def request(path, body=None):
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request(url + path, data, headers), timeout=60)

while True:
    try:
        for line in request("/v1/players/me/stream?questions=true"):
            told = json.loads(line[6:]) if line.startswith(b"data: ") else {}
            if question := told.get("question"):
                move = {
                    "seat": question["seat"],
                    "expected_version": question["version"],
                    "index": len(question["legal"]) // 2,
                }
                request(f"/v1/games/{question['game']}/moves", move)
    except OSError:
        time.sleep(0.2)
"""
"""A bot of some 20 lines without the project's code."""


@contextmanager
def stranger(program: Path, port: int, key: str) -> Iterator[None]:
    """Run the bot; end it by SIGKILL."""
    arguments = [sys.executable, str(program), f"http://127.0.0.1:{port}", key]
    with subprocess.Popen(arguments) as process:
        try:
            yield
        finally:
            process.kill()


def test_a_bot_of_a_stranger_enters_a_tournament_and_plays_it_to_the_end(tmp_path: Path) -> None:
    program, record, port = tmp_path / "stranger.py", tmp_path / "cup.ndjson", processes.free_port()
    program.write_text(STRANGER)
    with processes.serve(tmp_path / "var", port):
        ana, bea = Client(port).player("Ana"), Client(port).player("Bea")
        takes = [{"ruleset": "sealed", "seats": [2]}]
        form = {"name": "Strange", "version": "1", "takes": takes, "concurrency": 2}
        bot = bea.post("/v1/players/me/bots", form)
        cup = ana.post("/v1/tournaments", {
            "ruleset": "sealed",
            "seats": 2,
            "entries": [{"bot": "greedy"}, {"bot": "random"}],
            "places": 3,
            "format": {"type": "round_robin", "games": 12},
            "failures": {"then": "default_move"},
        })  # fmt: skip
        path, url = f"/v1/tournaments/{cup['id']}", f"http://127.0.0.1:{port}"
        with stranger(program, port, bot["key"]):
            wait_for(lambda: bea.get(f"/v1/bots/{bot['id']}")["present"])
            enter = "tournament", "enter", cup["id"], bot["id"], "--url", url, "--key", bea.key
            said = processes.lonja(*enter, env=environment(""))
            assert said == f"{bot['id']} is entry 2 of {cup['id']}.\n"
            wait_for(lambda: ana.get(path)["blocks"]["played"] > 0)
        with stranger(program, port, bot["key"]):
            wait_for(lambda: ana.get(path)["status"] == "ended")
        wait_for(lambda: ana.get(f"{path}/report")["samples"])
        report = ana.get(f"{path}/report")
        assert report["games"] == {"played": 12, "planned": 12}
        assert [row["failures"] for row in report["table"]] == [0, 0, 0]
        with urlopen(f"{url}{path}/record", timeout=60) as answer:
            record.write_bytes(answer.read())
    processes.lonja("verify", str(record), "--bots", env=environment(""))
