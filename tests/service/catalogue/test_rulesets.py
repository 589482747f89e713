"""Editions that an installation adds: they are installed, or the error is a clear sentence."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from rules.macao import RULESET, tables
from service.catalogue.rulesets import open_registry
from service.settings import Settings, SettingsError, load

PUBLISHED = RULESET.data.tables


@pytest.fixture(autouse=True)
def _uninstalled() -> Iterator[None]:
    words = RULESET.labels.tables
    yield
    for id_ in tables.EDITIONS.keys() - {PUBLISHED["edition"]}:
        del tables.EDITIONS[id_], tables.TABLES[id_]
        tables.OFFERED.discard(id_)
    RULESET.labels.tables = words


def _settings(tmp_path: Path, content: Any) -> Settings:
    file = tmp_path / "edition.json"
    file.write_bytes(content if isinstance(content, bytes) else orjson.dumps(content))
    return load({"LONJA_EDITIONS": str(file)})


def test_an_edition_is_installed_from_its_file(tmp_path: Path) -> None:
    mine = {"ruleset": "macao", "edition": "mine", "quarters": PUBLISHED["quarters"]}
    registry = open_registry(_settings(tmp_path, mine))
    options = registry.find("macao").parse_options(2, {"data": "mine"})
    assert registry.find("macao").edition(options).id == "mine"
    open_registry(_settings(tmp_path, mine))  # every process of a machine installs them again


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{", "unexpected end of data"),
        ([], "does not say which ruleset"),
        ({"edition": "mine"}, "does not say which ruleset"),
        ({"ruleset": "chess", "edition": "mine"}, "there is no ruleset 'chess'"),
        ({"ruleset": "santiago_de_cuba", "edition": "mine"}, "its own tables only"),
        ({"ruleset": "macao"}, "its id is missing"),
        (
            {"ruleset": "macao", "edition": "mine", "cards": [{"id": "bank"}]},
            "cards row 1 (bank): tribute is missing",
        ),
    ],
)
def test_what_is_no_edition_is_told_with_its_file(tmp_path: Path, content: Any, why: str) -> None:
    with pytest.raises(SettingsError) as error:
        open_registry(_settings(tmp_path, content))
    message = str(error.value)
    assert message.startswith("LONJA_EDITIONS names what is no edition: ")
    assert "edition.json: " in message
    assert why in message
