"""``lonja tournament``: a host's commands and their output, on a store of its own.

Tournaments run in new processes, as for a host; commands that only read run in this process.
"""

import csv
import gzip
import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from tests.faults import processes
from tests.faults.processes import LONJA
from tests.running import ROOT, environment
from tests.service.cli.conftest import Lonja

TABLE = (
    "tournament", "run", "--ruleset", "sealed", "--seats", "2", "--entrants",
    "greedy,hasty=greedy:nodes=3,random", "--games", "12", "--seed", "7", "--workers", "1",
)  # fmt: skip


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """Return an environment without a service: the commands start and end their own processes."""
    found = environment("", LONJA_DATA_DIR=str(tmp_path / "var"))
    del found["REDIS_URL"]
    (tmp_path / "var").mkdir()
    return found


@pytest.fixture
def reading(lonja: Lonja) -> Callable[..., str]:
    """Run a command that must succeed; return its output."""

    def read(*arguments: str) -> str:
        done = lonja(*arguments)
        assert done.exit_code == 0, done.output
        return done.stdout

    return read


def test_a_tournament_with_one_command(
    env: dict[str, str], reading: Callable[..., str], tmp_path: Path
) -> None:
    suffixes = ("json", "csv", "html", "ratings.svg", "ranks.svg", "ndjson.gz", "games.csv")
    outputs = [tmp_path / f"cup.{suffix}" for suffix in suffixes]
    said = processes.lonja(
        *TABLE, *(a for path in outputs for a in ("--output", str(path))), env=env
    )
    assert "12 games, ended." in said
    report = orjson.loads(outputs[0].read_bytes())
    assert [row["entry"] for row in report["table"]][-1] == "random"
    assert report["plan"]["entries"][1]["settings"] == {"nodes": 3}
    rows = list(csv.DictReader(io.StringIO(outputs[1].read_text())))
    assert [row["entry"] for row in rows] == [row["entry"] for row in report["table"]]
    page = outputs[2].read_text()
    assert "hasty" in page
    assert 'src="http' not in page
    assert all(path.read_text().startswith("<svg") for path in outputs[3:5])
    with gzip.open(outputs[5]) as record:
        assert orjson.loads(record.readline())["games"] == 12
    games = list(csv.DictReader(io.StringIO(outputs[6].read_text())))
    assert len({row["game"] for row in games}) == 12
    for row in report["table"]:
        won = [float(game["points"]) for game in games if game["entry"] == row["entry"]]
        assert (len(won), sum(won)) == (row["games"], row["points"])

    verified = orjson.loads(reading("verify", str(outputs[5]), "--bots", "--json"))
    assert (verified["verdict"], verified["kind"]) == ("proved", "tournament")
    verified = reading("verify", str(outputs[5]))
    assert "Every check passed." in verified
    assert "Nobody but the operator of the service saw this" in verified

    # the same command finds the same tournament, and plays no game twice
    again = orjson.loads(processes.lonja(*TABLE, "--json", env=env))
    assert again == report
    listed = orjson.loads(reading("tournament", "list", "--json"))["tournaments"]
    assert [t["id"] for t in listed] == [report["id"]]
    assert report["id"] in reading("tournament", "list")
    same = report["plan"]["format"]["type"]
    assert report["id"] in reading("tournament", "list", "--format", same)
    assert reading("tournament", "list", "--running") == "There are no such tournaments.\n"
    assert "12 of 12 games, ended." in reading("tournament", "show", report["id"])
    exported = tmp_path / "again.ndjson"
    reading("tournament", "export", report["id"], "--output", str(exported))
    assert exported.read_bytes() == gzip.decompress(outputs[5].read_bytes())


def test_a_tournament_from_a_file(env: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        'name = "Cup"\nruleset = "sealed"\nseats = 2\nseed = "x"\nrotations = "all"\n'
        '[format]\ntype = "swiss"\nrounds = 2\n'
        '[[entries]]\nbot = "greedy"\n[[entries]]\nbot = "random"\nname = "ann"\n'
        '[[entries]]\nbot = "random"\nname = "bob"\n'
        '[failures]\nthen = "default_move"\n'
    )
    report = orjson.loads(
        processes.lonja("tournament", "run", str(file), "--workers", "1", "--json", env=env)
    )
    assert (report["name"], report["plan"]["format"]) == ("Cup", {"type": "swiss", "rounds": 2})
    assert report["plan"]["failures"]["then"] == "default_move"
    assert {row["entry"] for row in report["table"]} == {"greedy", "ann", "bob"}


def test_bots_of_ones_own_play_and_are_recomputed(env: dict[str, str], tmp_path: Path) -> None:
    env["LONJA_EXTRA_BOTS"] = "tests.bots.crashing"
    record = tmp_path / "own.ndjson"
    said = processes.lonja(
        "tournament", "run", "--ruleset", "sealed", "--entrants", "crashing,random", "--games", "4",
        "--seed", "1", "--workers", "1", "--output", str(record), env=env,
    )  # fmt: skip
    assert "crashing" in said
    told = orjson.loads(processes.lonja("verify", str(record), "--bots", "--json", env=env))
    assert told["verdict"] == "proved"
    del env["LONJA_EXTRA_BOTS"]
    elsewhere = subprocess.run(
        [sys.executable, *LONJA, "verify", str(record), "--bots"],
        env=env, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert elsewhere.returncode == 3
    assert "there is no bot crashing@1" in elsewhere.stdout


def test_a_record_is_held_against_a_receipt_and_a_key(
    env: dict[str, str], lonja: Lonja, reading: Callable[..., str], tmp_path: Path
) -> None:
    record, receipt = tmp_path / "cup.ndjson", tmp_path / "receipt.json"
    processes.lonja(*TABLE, "--output", str(record), env=env)
    header = orjson.loads(record.read_bytes().splitlines()[0])
    receipt.write_bytes(orjson.dumps(header["receipt"]))
    key = header["public_key"]
    assert "nobody here vouches for that key" in reading("verify", str(record))
    reading("verify", str(record), "--receipt", str(receipt), "--public-key", key)
    foreign = lonja("verify", str(record), "--public-key", "00" * 32)
    assert foreign.exit_code == 1, foreign.output


def test_tries_that_were_abandoned_are_told_and_a_pause_ends_the_command(
    env: dict[str, str], tmp_path: Path
) -> None:
    env["LONJA_EXTRA_BOTS"] = "tests.bots.killed"
    asked = ("--ruleset", "sealed", "--entrants", "killed,random", "--games", "2")
    command = [sys.executable, *LONJA, "tournament", "run", *asked, "--workers", "1"]
    done = subprocess.run(
        command, env=env, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "Warning: 3 tries were abandoned" in done.stdout
    assert "for killed was stopped through no fault of its own: 100.0%" in done.stdout
    assert "It is paused" in done.stdout
    assert "lonja tournament resume t" in done.stdout
