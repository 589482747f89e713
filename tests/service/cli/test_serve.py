"""The whole service as real processes on a free port of this machine."""

import http.client
import os
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import orjson
import pytest

from service.cli.serve import SHARED_MEMORY, heavy_workers, metrics_folder
from service.redis.lock import Owner
from service.settings import load
from tests.faults.processes import free_port
from tests.full_disk import PLENTY, SmallDisk
from tests.running import environment, forget_metrics, process, wait_for
from tests.service.api.people import METRICS_TOKEN, SCRAPER
from tests.service.cli.conftest import Lonja


def command(first: str = "") -> tuple[str, str, str]:
    """Return Python's arguments for ``lonja serve``, after a statement that shortens a wait."""
    return "-c", f"{first}\nfrom service.cli import main; main(prog_name='lonja')", "serve"


COMMAND = command()
IMPATIENT = command("from service.cli import serve; serve.PORT_WAIT_S = 0.5")
"""`lonja` with a short wait for a port that stays taken."""
KEEN = command("from service.redis import keeper; keeper.PAUSES_S = (0.0, 0.5)")
"""`lonja` with short pauses before it restarts a store that has ended."""
FEW = {"LONJA_WEB_WORKERS": "1", "LONJA_TOURNAMENT_WORKERS": "0", "LONJA_HEAVY_WORKERS": "0"}
"""Settings with only the processes that the test needs."""
READY = re.compile(r" http://127\.0\.0\.1:\d+/games/(g\d\d-[a-z2-7]{20})")


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    wanted = environment("", LONJA_DATA_DIR=str(tmp_path / "var"))
    binary = os.environ.get("LONJA_REDIS_SERVER")
    return {**wanted, "LONJA_REDIS_SERVER": binary} if binary else wanted


def test_bots_that_think_have_processes_of_their_own() -> None:
    found = heavy_workers(load({"LONJA_HEAVY_WORKERS": "2"}))
    assert [child.name for child in found] == ["heavy 1", "heavy 2"]
    assert list(found[0].command[-2:]) == ["--queue", "heavy"]


@contextmanager
def serving(
    port: int, env: dict[str, str], *more: str, command: tuple[str, ...] = COMMAND
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run ``lonja serve``, wait until it is ready, and yield the process and its output."""
    log = Path(env["LONJA_DATA_DIR"]).with_name("serve.log")
    with process(*command, "--port", str(port), *more, env=env, log=log) as launcher:
        try:

            def ready() -> bool:
                assert launcher.poll() is None, log.read_text()
                return "Ctrl-C ends everything" in log.read_text()

            wait_for(ready)
            yield launcher, log.read_text()
        finally:
            for pid in family(launcher.pid):  # end all processes in any case
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            forget_metrics(port)


def family(pid: int) -> list[int]:
    """Return a process and its descendants, the youngest last."""
    found = [pid]
    for parent in found:
        with suppress(OSError):
            for children in Path(f"/proc/{parent}/task").glob("*/children"):
                found += [int(child) for child in children.read_text().split()]
    return found


def alive(pid: int) -> bool:
    """Whether a process runs, and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def ask(
    port: int, method: str, path: str, body: Any = None, key: str | None = None
) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    try:
        connection.request(method, path, None if body is None else orjson.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, orjson.loads(answer.read())
    finally:
        connection.close()


def version(port: int, game_id: str) -> int:
    status, game = ask(port, "GET", f"/v1/games/{game_id}")
    assert status == 200
    return int(game["version"])


def sit_down(port: int) -> tuple[str, str]:
    """Open a game against a bot; return the player's key and the game's id."""
    status, player = ask(port, "POST", "/v1/players", {"name": "Ana"})
    assert status == 201
    seats = [{"holder": "me"}, {"holder": "bot", "bot": "greedy"}]
    table = {"ruleset": "santiago_de_cuba", "options": {}, "seats": seats}
    status, game = ask(port, "POST", "/v1/games", table, player["key"])
    assert status == 201
    return player["key"], game["id"]


def play_one(port: int, key: str, game_id: str) -> Any:
    """Play a legal move with a client that knows no rules; return the answer, None at the end."""
    path = f"/v1/games/{game_id}"

    def my_turn() -> Any:
        _, asked = ask(port, "GET", f"{path}/legal_moves?seat=0", key=key)
        if asked["moves"]:
            return asked
        _, game = ask(port, "GET", path)
        return {"moves": []} if game["status"] == "ended" else None

    asked = wait_for(my_turn)
    if not asked["moves"]:
        return None
    move = {k: v for k, v in asked["moves"][0].items() if k != "label"}
    form = {"seat": 0, "move": move, "expected_version": asked["version"]}
    status, answer = ask(port, "POST", f"{path}/moves", form, key)
    assert status == 201, answer
    return answer


def test_the_metrics_are_those_of_all_processes(port: int, env: dict[str, str]) -> None:
    counted = re.compile(r'requests_total{.*"rulesets.listRulesets".*} ([0-9.]+)')
    env["LONJA_METRICS_TOKEN"] = METRICS_TOKEN
    with serving(port, {**env, "LONJA_HEAVY_WORKERS": "0"}, "--no-exhibition") as (launcher, _said):
        for _ in range(20):  # new connections, so that both processes get some
            assert ask(port, "GET", "/v1/rulesets")[0] == 200
        found = counted.findall(scraped(port))
        beat = 'lonja_worker_beat_timestamp_seconds{loop="sweeper",queue="tournaments"}'
        wait_for(lambda: beat in scraped(port))
        wait_for(lambda: 'lonja_workers{queue="tournaments"} 1.0' in scraped(port))
        assert list(SHARED_MEMORY.glob(f"lonja-*-{port}")), "no full disk kills what counts"
        launcher.terminate()
        assert launcher.wait(60) == 0
        assert not list(SHARED_MEMORY.glob(f"lonja-*-{port}"))
    assert [float(number) for number in found] == [20.0]


def test_counts_are_removed_though_a_process_still_writes(port: int, tmp_path: Path) -> None:
    with metrics_folder(tmp_path, port) as folder:
        for number in range(500):  # the files take a while to remove
            (folder / f"counter_{number}.db").touch()

        def count_on() -> None:
            for number in range(200):
                with suppress(FileNotFoundError):
                    (folder / f"gauge_{number}.db").touch()
                time.sleep(0.001)

        late = threading.Thread(target=count_on)
        late.start()
    late.join()
    assert not folder.exists()


def scraped(port: int) -> str:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/metrics", headers=SCRAPER)
    with urllib.request.urlopen(request) as answer:
        told: str = answer.read().decode()
    return told


@pytest.mark.timeout(300)
def test_everything_runs_ends_and_goes_on(
    port: int, env: dict[str, str], lonja: Lonja, tmp_path: Path
) -> None:
    with serving(port, env) as (launcher, said):
        found = READY.search(said)
        assert found, said
        exhibition = found[1]
        first = version(port, exhibition)
        wait_for(lambda: version(port, exhibition) > first + 1)

        key, game_id = sit_down(port)
        answers = [play_one(port, key, game_id) for _ in range(5)]
        acknowledged = answers[-1]["version"]

        killed = family(launcher.pid)
        assert len(killed) >= 6  # launcher, Redis, worker, gunicorn and its two processes
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not any(map(alive, killed)))

    with serving(port, env) as (launcher, said):
        found = READY.search(said)
        assert found
        assert found[1] == exhibition
        _, page = ask(port, "GET", f"/v1/games/{game_id}/events?limit=1000", key=key)
        events = {event["seq"]: event["hash"] for event in page["events"]}
        assert acknowledged in events
        for answer in answers:
            assert events[answer["receipt"]["seq"]] == answer["receipt"]["hash"]
        before = version(port, exhibition)
        wait_for(lambda: version(port, exhibition) > before)
        while play_one(port, key, game_id) is not None:
            pass

        path = tmp_path / "game.ndjson"
        url = f"http://127.0.0.1:{port}"
        exported = lonja("export", game_id, "--url", url, "--output", path)
        assert exported.exit_code == 0, exported.output
        receipt = tmp_path / "receipt.json"
        receipt.write_bytes(orjson.dumps(answers[2]["receipt"]))
        _, keys = ask(port, "GET", "/v1/signing_keys")
        trusted = ("--receipt", receipt, "--public-key", keys["keys"][0]["public_key"])
        verified = lonja("verify", path, "--bots", *trusted)
        assert verified.exit_code == 0, verified.output
        again = lonja("replay", game_id, "--url", url)
        assert "The game ends" in again.output
        watched = lonja("export", exhibition, "--url", url, "--output", path)
        assert watched.exit_code == 0, watched.output
        assert lonja("verify", path).exit_code == 3  # the game goes on
        same = lonja("export", "g00-aaaaaaaaaaaaaaaaaaaa", "--url", url, "--output", path)
        assert "unknown_game" in same.stderr

        processes = family(launcher.pid)
        began = time.monotonic()
        launcher.send_signal(signal.SIGINT)
        assert launcher.wait(60) == 0
        assert time.monotonic() - began < 10
        assert not any(map(alive, processes))


def test_children_that_die_are_started_again(port: int, env: dict[str, str]) -> None:
    with serving(port, {**env, **FEW}) as (launcher, said):
        found = READY.search(said)
        assert found
        for name in ("-server", "workers.worker", "gunicorn"):
            children = [pid for pid in family(launcher.pid)[1:] if name in command_of(pid)]
            assert children, name
            doomed = family(children[0])
            os.kill(doomed[0], signal.SIGKILL)
            wait_for(lambda doomed=doomed: not any(map(alive, doomed)))  # type: ignore[misc]
        assert ask(port, "GET", "/healthz")[0] == 200, "who comes meanwhile waits"
        (counts,) = SHARED_MEMORY.glob(f"lonja-*-{port}")
        live = {int(file.stem.rpartition("_")[2]) for file in counts.glob("gauge_live*")}
        assert live <= {*family(launcher.pid)}
        wait_for(lambda: answers(port))
        before = version(port, found[1])
        wait_for(lambda: version(port, found[1]) > before)
        launcher.terminate()
        assert launcher.wait(60) == 0


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def answers(port: int) -> bool:
    try:
        return ask(port, "GET", "/readyz")[0] == 200
    except (OSError, http.client.HTTPException):
        return False


def test_a_port_in_use_is_told_in_a_sentence(env: dict[str, str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        port = taken.getsockname()[1]
        with process(*IMPATIENT, "--port", str(port), env=env) as launcher:
            said, _ = launcher.communicate(timeout=60)
            assert launcher.returncode == 2
    assert f"127.0.0.1:{port} is in use; waiting up to 0.5 s for it." in said
    assert f"cannot listen on 127.0.0.1:{port} (Address already in use)" in said
    assert "choose another port" in said
    assert "Traceback" not in said


def test_a_restart_waits_for_the_port_of_the_service_before(
    port: int, env: dict[str, str], tmp_path: Path
) -> None:
    log = tmp_path / "serve.log"
    with socket.socket() as before:
        before.bind(("127.0.0.1", port))
        before.listen(1)

        def end() -> None:
            wait_for(lambda: "is in use; waiting" in (log.read_text() if log.exists() else ""))
            before.close()

        ending = threading.Thread(target=end)
        ending.start()
        with serving(port, {**env, **FEW, "LONJA_BOT_WORKERS": "0"}):
            assert answers(port)
        ending.join()


def test_a_disk_that_is_full_at_the_start_is_told_in_a_sentence(
    port: int, env: dict[str, str]
) -> None:
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); {COMMAND[1]}"
    with process("-c", limited, "serve", "--port", str(port), env=env) as launcher:
        said, _ = launcher.communicate(timeout=60)
        assert launcher.returncode == 2, said
    assert "There is no room for" in said
    assert "set LONJA_DATA_DIR to a folder on another disk" in said
    assert "Traceback" not in said


def test_a_disk_that_fills_up_is_told_and_waited_for(
    port: int, env: dict[str, str], tmp_path: Path, redis_binary: Path | None
) -> None:
    disk = SmallDisk(tmp_path, redis_binary)
    disk.allow(100)
    small = {**env, **FEW, "LONJA_REDIS_SERVER": str(disk.program)}
    log = tmp_path / "serve.log"
    with serving(port, small, "--no-exhibition", command=KEEN) as (launcher, _said):
        keys = []

        def ended() -> int:
            """Fill the disk; return how often the store has ended because of it."""
            while (made := ask(port, "POST", "/v1/players", {"name": "x" * 50}))[0] == 201:
                keys.append(made[1]["key"])
            assert (made[0], made[1]["code"]) == (503, "store_unavailable")
            return log.read_text().count("store_ended")

        wait_for(lambda: ended() > 1)  # the fault lasts
        assert "the AOF fsync policy is 'always'" in log.read_text()
        disk.allow(PLENTY)
        wait_for(lambda: answers(port))
        assert all(ask(port, "GET", "/v1/players/me", key=key)[0] == 200 for key in keys)
        sit_down(port)
        launcher.terminate()
        assert launcher.wait(60) == 0
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"LONJA_WEB_WORKERS": "none"}, "LONJA_WEB_WORKERS is 'none'"),
        ({"LONJA_DATA_DIR": "/proc/nothing"}, "set LONJA_DATA_DIR"),
        ({"LONJA_REDIS_SERVER": "/bin/true"}, "set LONJA_REDIS_SERVER"),
        ({"REDIS_URL": "redis://127.0.0.1:1"}, "The Redis at REDIS_URL does not answer"),
        ({"LONJA_EXTRA_RULESETS": "no.such"}, "LONJA_EXTRA_RULESETS"),
        ({"LONJA_EXTRA_BOTS": "no.such"}, "LONJA_EXTRA_BOTS"),
        ({"PORT": "http"}, "'http' is not a valid"),
    ],
)
def test_bad_settings_are_told_in_a_sentence(
    port: int, env: dict[str, str], changes: dict[str, str], told: str
) -> None:
    arguments = () if "PORT" in changes else ("--port", str(port))
    with process(*COMMAND, *arguments, env={**env, **changes}) as launcher:
        said, _ = launcher.communicate(timeout=60)
        assert launcher.returncode == 2, said
    assert told in said
    assert "Traceback" not in said


def test_a_second_service_takes_no_data_and_children_end_with_a_killed_launcher(
    port: int, env: dict[str, str], tmp_path: Path
) -> None:
    with serving(port, {**env, **FEW}, "--no-exhibition") as (launcher, _said):
        with process(*IMPATIENT, "--port", str(port), env=env) as second:
            said, _ = second.communicate(timeout=60)
            assert second.returncode == 2
        assert "choose another port" in said
        with (tmp_path / "var" / "redis.lock").open() as lock:
            owner = Owner.read(lock)
        assert owner is not None
        assert alive(owner.pid)
        children = family(launcher.pid)[1:]
        assert len(children) >= 4  # Redis, a worker, gunicorn and its process
        launcher.kill()
        wait_for(lambda: not any(map(alive, children)))
