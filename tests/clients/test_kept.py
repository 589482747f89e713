"""Clients from earlier descriptions still work, because existing members have not changed.

`kept/` has earlier descriptions, by commit, each with the program for the client that
openapi-python-client made from it.
"""

import sys
import zipfile
from pathlib import Path

import pytest

from tests.clients import generators
from tests.clients.conftest import Service
from tests.clients.test_programs import RULESETS, games

KEPT = sorted((generators.CLIENTS / "kept").glob("*.zip"))


@pytest.mark.campaign("clients")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.stem)
def test_a_client_of_before_plays_whole_games(kept: Path, service: Service, tmp_path: Path) -> None:
    with zipfile.ZipFile(kept) as files:
        files.extractall(tmp_path)
    generators.python_client(tmp_path / "lonja_client", tmp_path / "openapi.yaml")
    program = [sys.executable, str(tmp_path / "play.py")]
    told = games(program, service, RULESETS, PYTHONPATH=str(tmp_path))
    assert {game["ruleset"] for game in told} == RULESETS
    for game in told:
        assert game["status"] == "ended", game
        assert game["moves"] > 0, game
        assert game["effects"] > game["moves"], game


def test_descriptions_are_kept() -> None:
    assert KEPT
