"""Tuning is repeatable, goes on where it was stopped, and the weights in use are what it found."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import orjson
import pytest

from service.tournaments.sequential import BETTER
from tests import tuning
from tests.tuning import REGISTRY, Search

PLUS_ULTRA = REGISTRY.find("plus_ultra")
NAMES = ["ducat", "cards", "bull"]
TUNED = [search for search in map(Search, REGISTRY) if search.head]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tuning, "FOLDER", tmp_path)
    monkeypatch.setattr(tuning, "seats_of", lambda _: (2,))
    monkeypatch.setattr(tuning, "BLOCKS", 1)
    return tmp_path


def test_it_goes_on_where_it_was_stopped_and_comes_to_the_same(folder: Path) -> None:
    stopped = Search(PLUS_ULTRA)
    stopped.begin({"ducat": 600}, NAMES)
    stopped.play_step()
    again = Search(PLUS_ULTRA)
    assert again.steps == stopped.steps
    again.play_on(2, float("inf"))
    assert (len(again.steps), len(again.blocks), again.is_over) == (2, 1, True)
    broken_off = stopped.file.read_bytes()

    stopped.file.unlink()
    at_once = Search(PLUS_ULTRA)
    at_once.begin({"ducat": 600}, NAMES)
    at_once.play_on(2, float("inf"))
    assert at_once.file.read_bytes() == broken_off
    assert [file.name for file in folder.iterdir()] == ["plus_ultra.ndjson"]


def test_a_step_raises_what_did_well_and_leaves_the_others(folder: Path) -> None:
    search = Search(PLUS_ULTRA)
    search.begin({}, NAMES)
    begin: dict[str, Any] = search.head["begin"]
    search.steps = [tuning.Step(100, 0)]
    *_, raised = search.path()
    search.steps = [tuning.Step(0, 100)]
    *_, lowered = search.path()
    assert [a - tuning.MICRO for a in raised] == [tuning.MICRO - a for a in lowered]
    assert {abs(a - tuning.MICRO) for a in raised} == {10_000}
    others = {name: weight for name, weight in begin.items() if name not in NAMES}
    assert others.items() <= search.mean().items()
    assert isinstance(search.mean()["cards"], list)


def test_what_cannot_be_tuned_is_refused_by_its_name(folder: Path) -> None:
    search = Search(PLUS_ULTRA)
    with pytest.raises(click.ClickException, match="plus_ultra has no weight 'gold'"):
        search.begin({"gold": 1}, NAMES)
    with pytest.raises(click.ClickException, match="plus_ultra has no weight 'silver'"):
        search.begin({}, ["silver"])
    assert not search.file.exists()


@pytest.mark.parametrize("search", TUNED, ids=[s.ruleset.info.id for s in TUNED])
def test_the_weights_in_use_are_what_was_found_better(search: Search) -> None:
    assert search.mean() == search.found
    used = orjson.loads(orjson.dumps(asdict(tuning.present(search.ruleset))))
    better = search.test.verdict == BETTER
    assert used == (search.found if better else search.head["untuned"])


def test_a_seat_judges_by_the_weights_that_it_is_given() -> None:
    ruleset = REGISTRY.find("macao")
    weights = asdict(tuning.present(ruleset))
    state = ruleset.initial(3, ruleset.parse_options(3, {}))
    richer = tuning.judging(ruleset, {**weights, "coin": weights["coin"] + 100})
    assert tuning.judging(ruleset, weights).heuristic(state) == ruleset.heuristic(state)
    more = [a - b for a, b in zip(richer.heuristic(state), ruleset.heuristic(state), strict=True)]
    assert more == [100 * coins for coins in state.coins]
