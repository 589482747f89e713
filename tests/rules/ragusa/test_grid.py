"""The map is checked when it is loaded: a slip in the data does not become a strange board."""

import copy
import importlib.util
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rules.ragusa import data, grid


def load(tables: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Load the module of the grid with other tables."""
    monkeypatch.setattr(data, "EDITION", replace(data.EDITION, tables=tables))
    spec = importlib.util.spec_from_file_location("other_grid", grid.__file__)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def _turn_a_hex(tables: dict[str, Any]) -> None:
    corners = tables["hexes"][0]["corners_clockwise"]
    corners.insert(0, corners.pop())


def _swap_walls(tables: dict[str, Any]) -> None:
    one, two = tables["walls"][:2]
    one["to_space"], two["to_space"] = two["to_space"], one["to_space"]


def _wall_elsewhere(tables: dict[str, Any]) -> None:
    tables["walls"][3]["inner_hex"] = "cathedral"


def _poor_start(tables: dict[str, Any]) -> None:
    tables["solo"]["starting_resources"]["human"]["wood"] = 7


def test_the_map_as_it_is_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    load(copy.deepcopy(data.EDITION.tables), monkeypatch)


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (_turn_a_hex, "at the wrong corner"),
        (_swap_walls, "w01 does not join neighbours"),
        (_wall_elsewhere, "w04 does not run between"),
        (_poor_start, "the starting houses of human"),
    ],
)
def test_a_slip_in_the_data_is_named(
    spoil: Callable[[dict[str, Any]], None], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = copy.deepcopy(data.EDITION.tables)
    spoil(tables)
    with pytest.raises(ValueError, match=complaint):
        load(tables, monkeypatch)
