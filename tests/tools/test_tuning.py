"""Tuning is repeatable, continues where it was stopped, and has found the weights in use."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import orjson
import pytest

from rules.kernel.contract.seats import all_seats
from tools.tuning import blocks, not_worse
from tools.tuning.__main__ import play_on
from tools.tuning.blocks import REGISTRY
from tools.tuning.search import MICRO, Search, Step, judging, present

PLUS_ULTRA = REGISTRY.find("plus_ultra")
NAMES = ["ducat", "cards", "bull"]
TUNED = [search for search in map(Search, REGISTRY) if search.head]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(blocks, "FOLDER", tmp_path)
    monkeypatch.setattr(blocks, "BLOCKS", 1)
    return tmp_path


def test_it_goes_on_where_it_was_stopped_and_comes_to_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "seats_of", lambda _: (2,))
    stopped = Search(PLUS_ULTRA)
    stopped.begin({"ducat": 600}, NAMES)
    stopped.play_step()
    again = Search(PLUS_ULTRA)
    assert again.steps == stopped.steps
    play_on(again, 2, float("inf"))
    assert (len(again.steps), len(again.blocks), again.is_over) == (2, 1, True)
    broken_off = stopped.file.read_bytes()

    stopped.file.unlink()
    at_once = Search(PLUS_ULTRA)
    at_once.begin({"ducat": 600}, NAMES)
    play_on(at_once, 2, float("inf"))
    assert at_once.file.read_bytes() == broken_off
    assert [file.name for file in folder.iterdir()] == ["plus_ultra.ndjson"]


def test_a_step_raises_what_did_well_and_leaves_the_others(folder: Path) -> None:
    search = Search(PLUS_ULTRA)
    search.begin({}, NAMES)
    begin: dict[str, Any] = search.head["begin"]
    search.steps = [Step(100, 0)]
    *_, raised = search.path()
    search.steps = [Step(0, 100)]
    *_, lowered = search.path()
    assert [a - MICRO for a in raised] == [MICRO - a for a in lowered]
    assert {abs(a - MICRO) for a in raised} == {10_000}
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


GAMES = pytest.mark.parametrize("search", TUNED, ids=[s.ruleset.info.id for s in TUNED])


@GAMES
def test_the_weights_in_use_are_what_was_found_better(search: Search) -> None:
    assert search.found in (None, search.mean())
    used = orjson.loads(orjson.dumps(asdict(present(search.ruleset))))
    assert used == (search.found if search.is_better else search.head["untuned"])


@GAMES
def test_what_was_kept_is_what_is_played(search: Search, folder: Path) -> None:
    """If this fails, other code has played the file: delete it, or search again."""
    if search.blocks:
        again = Search(search.ruleset)
        again.head, again.found = search.head, search.found
        again.play_block()
        assert again.blocks == search.blocks[:1]


def test_a_seat_judges_by_the_weights_that_it_is_given() -> None:
    ruleset = REGISTRY.find("macao")
    weights = asdict(present(ruleset))
    state = ruleset.initial(3, ruleset.parse_options(3, {}))
    richer = judging(ruleset, {**weights, "coin": weights["coin"] + 100})
    assert judging(ruleset, weights).heuristic(state) == ruleset.heuristic(state)
    more = [a - b for a, b in zip(richer.heuristic(state), ruleset.heuristic(state), strict=True)]
    assert more == [100 * coins for coins in state.coins]
    assert [richer.look(state, seat) for seat in all_seats(3)] == richer.heuristic(state)


def test_a_match_goes_on_where_it_was_stopped_and_only_by_the_code_that_played_it(
    folder: Path,
) -> None:
    match = not_worse.Match(PLUS_ULTRA)
    match.play_on(0)
    assert match.blocks == []
    begun = match.file.read_bytes()
    match.file.write_bytes(begun.replace(b'"versions":["2"', b'"versions":["3"'))
    with pytest.raises(click.ClickException, match="other code played it; delete it"):
        not_worse.Match(PLUS_ULTRA).play_on(0)
    match.file.write_bytes(begun)
    match = not_worse.Match(PLUS_ULTRA)
    match.play_on(float("inf"))
    (played,) = not_worse.Match(PLUS_ULTRA).blocks
    assert played == match.blocks[0]
    assert not_worse.cells(match)[1:3] == ("1", f"{sum(played) / len(played):.3f}")
