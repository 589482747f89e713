"""Decisions of earlier code's bots, made again by the present code: a version never changes.

``records`` has games of releases. The campaign plays new games with the code of every release, and
of the commits in COMMITS.
"""

import io
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import orjson
import pytest

from rules.registry import PACKAGES
from service.cli.verifying import VerifyOptions, load, verify_file
from service.records import tournament_file
from tests.campaigns import Figure
from tests.faults.processes import LONJA
from tests.running import ROOT, environment
from tests.service.cli import records
from tests.upgrades.conftest import WHEELS
from workers.recompute import check_bots

RECORDS = sorted((Path(__file__).parent / "records").glob("*.ndjson.gz"))
COMMITS = ("79008f59",)
"""Commits between two releases whose code is known to have written records."""

BOTS_ON_OFFER = """
import orjson
from service.catalogue.bots import BOTS
told = {name: [bot.version, "nodes" in bot.settings] for name, bot in BOTS.items()}
print(orjson.dumps(told).decode())
"""

NODES = 200
"""The ``nodes`` of bots that think: enough to run all of their code, and quick."""


def asked_again(record: Path) -> dict[str, Any]:
    """Return the report of `lonja verify --bots --json` on a record."""
    told: dict[str, Any] = verify_file(
        str(record), VerifyOptions(bots=True), load(bots=True)
    ).to_json()
    return told


def decisions(told: dict[str, Any]) -> dict[str, Any]:
    (found,) = [check for check in told["checks"] if check["name"] == "bots"]
    return {each["bot"]: each for each in found["other_code"]}


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.name.removesuffix(".ndjson.gz"))
def test_what_a_release_played_comes_to_the_same_by_todays_code(record: Path) -> None:
    told = asked_again(record)
    assert told["verdict"] == "not_wholly_proved", "other code proves nothing"
    for bot in decisions(told).values():
        assert (bot["differing"], bot["differs"]) == (0, [])
        assert (
            f"{bot['bot']}: {bot['same']} decisions the same, by other code" in told["missing"][0]
        )
        assert bot["recorded"] != bot["here"]
    assert decisions(told).keys() == {"greedy@1", "random@1"}


def test_a_decision_that_differs_is_told_with_its_event_and_fails_nothing() -> None:
    with tournament_file.reading(RECORDS[0]) as found:
        game = records.alone(next(iter(found.games)))
    moved = next(e for e in game.copies if e["by"].get("bot") == "greedy@1")
    moved["body"]["bot"]["thoughts"] = {"tried": 0, "told": "something else"}
    check = check_bots(game.game_id, records.forge(game).copies, records.REGISTRY)
    assert (check.ok, check.not_here, check.checked) == (True, True, 0)
    assert "; 1 decision differs, by other code" in check.skipped
    (note,) = [note for note in check.notes if note.startswith("Differs, by other code: ")]
    assert f"event {moved['seq']}: greedy@1 plays the same, and thinks something else" in note


def test_records_of_every_release_are_kept() -> None:
    releases = {wheel.name.split("-")[1] for wheel in WHEELS}
    assert releases == {record.name.split("-")[0] for record in RECORDS}


@pytest.fixture(params=[*WHEELS, *COMMITS], ids=lambda code: str(code).rpartition("/")[2])
def code(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return the folder with the code of a release or a commit."""
    folder = tmp_path / "code"
    if isinstance(request.param, Path):
        subprocess.run([sys.executable, "-m", "zipfile", "-e", request.param, folder], check=True)
        return folder
    packages = ("rules", "service", "workers")
    archive = subprocess.run(
        ["git", "archive", request.param, *packages], cwd=ROOT, capture_output=True, check=True
    )
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
        tar.extractall(folder, filter="data")
    return folder


@pytest.mark.campaign("releases")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("ruleset", PACKAGES)
def test_every_bot_of_earlier_code_decides_the_same_again(
    code: Path, ruleset: str, tmp_path: Path, record_property: Figure
) -> None:
    env = environment("", LONJA_DATA_DIR=str(tmp_path / "var"), PYTHONPATH=str(code))
    del env["REDIS_URL"], env["LONJA_EXTRA_RULESETS"]
    (tmp_path / "var").mkdir()
    game = ruleset.rpartition(".")[2]
    told = subprocess.run(
        [sys.executable, "-c", BOTS_ON_OFFER], env=env, cwd=code, capture_output=True, check=True
    )
    bots: dict[str, tuple[str, bool]] = orjson.loads(told.stdout)
    entrants = [f"{name}:nodes={NODES}" if thinks else name for name, (_, thinks) in bots.items()]
    entrants += ["random"] * (3 - len(entrants))
    record = tmp_path / "cup.ndjson.gz"
    cup = ["tournament", "run", "--ruleset", game, "--entrants", ",".join(entrants)]
    cup += ["--games", "30", "--workers", "1", "--seed", "releases", "--output", str(record)]
    subprocess.run([sys.executable, *LONJA, *cup], env=env, cwd=code, check=True)
    found = asked_again(record)
    assert found["verdict"] != "failed", found
    for name, bot in decisions(found).items():
        assert bot["differs"] == [], name
        record_property(f"decisions of {name}", bot["same"])
    (check,) = [check for check in found["checks"] if check["name"] == "bots"]
    if check["checked"]:
        record_property("decisions by the same code", check["checked"])
    else:
        wanted = {f"{name}@{version}" for name, (version, _) in bots.items()}
        assert decisions(found).keys() == wanted
