"""Leads that are shown in points agree with final leads."""

import subprocess

import orjson
import pytest

from rules.kernel.contract import published
from tests.campaigns import Figure
from tests.service.verifier.programs import CLIENT, NODE
from tools.points import (
    FATES,
    REGISTRY,
    TELLERS,
    THIRDS,
    LeadSample,
    band,
    factors_file,
    fitted,
    games,
    numbers_of_seats,
    spots,
    told,
)
from workers.analysis.points import Scale
from workers.bots.worlds import leads

NARROW = 0.05
"""Half of the width up to which a band must lie between 0.85 and 1.15.

In most first thirds, 400 games give wider bands, whose centres may be outside by chance. So a wide
band must only overlap that range.
"""
TABLES = [(ruleset.info.id, seats) for ruleset in REGISTRY for seats in numbers_of_seats(ruleset)]


@pytest.mark.campaign("points")
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_what_is_told_comes_true(ruleset: str, seats: int, record_property: Figure) -> None:
    """Over 400 games to which no factor was fitted, in each third of a game."""
    scales = {teller: Scale(REGISTRY.find(ruleset), seats, teller) for teller in TELLERS}
    found = [*games(ruleset, seats, "fresh")]
    bands = {
        f"{teller}, third {third + 1}": band(
            [
                [
                    (told(seen, scales[teller]), seen.came)
                    for seen in game[teller]
                    if seen.third == third
                ]
                for game in found
            ]
        )
        for teller in TELLERS
        for third in range(THIRDS)
    }
    record_property("bands between 0.85 and 1.15", sum(map(_is_inside, bands.values())))
    for where, (_slope, low, high) in bands.items():
        record_property(f"of a lead in {where} come true at least", round(low, 2))
        record_property(f"of a lead in {where} come true at most", round(high, 2))
    assert {where: each for where, each in bands.items() if not _comes_true(each)} == {}


def _is_inside(found: tuple[float, float, float]) -> bool:
    _slope, low, high = found
    return low >= 0.85 and high <= 1.15


def _comes_true(found: tuple[float, float, float]) -> bool:
    _slope, low, high = found
    if (high - low) / 2 <= NARROW:
        return _is_inside(found)
    return low <= 1.15 and high >= 0.85


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_every_number_of_seats_has_its_factors(ruleset: str, seats: int) -> None:
    found = published.leads(REGISTRY.find(ruleset))[str(seats)]
    assert {*found} == {*TELLERS}
    for factors in found.values():
        assert len(factors) == THIRDS
        assert all(type(factor) is int and 0 < factor < 2_000 for factor in factors)
    assert factors_file(REGISTRY.find(ruleset)).is_file()


def test_each_third_of_a_game_is_seen() -> None:
    found = [*spots(REGISTRY.find("plus_ultra"), 3, "thirds")]
    assert [len(spot.fates) for spot in found] == [*FATES]
    assert len({*map(tuple, found[0].fates)}) > 1, "its luck to come is not one"
    for third, spot in enumerate(found):
        for tell in TELLERS.values():
            seen = tell(spot)
            assert [each.third for each in seen] == [third] * 3
            for value in ("looks", "scores", "came"):
                total = sum(getattr(each, value) for each in seen)
                assert total == pytest.approx(0, abs=5), "somebody is ahead of somebody"


def test_the_page_scales_as_analyses_do() -> None:
    """The browser scales a bot's thoughts with the ruleset's factors."""
    scale = Scale(REGISTRY.find("santiago_de_cuba"), 2, "thoughts")
    script = f"""
        import {{ leads, scaleAt }} from {str(CLIENT / "analysis/scale.ts")!r};
        const scales = Array.from({{ length: 61 }}, (_, at) => scaleAt({scale.thirds}, at, 60));
        console.log(JSON.stringify([scales, leads([9000, 3000, 0]), leads([])]));
    """
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", script], capture_output=True, text=True, check=True
    )
    scales, *of_values = orjson.loads(done.stdout)
    assert [1000 * each for each in scales] == pytest.approx(
        [scale.at(at, 60) for at in range(61)], abs=1
    )
    assert of_values == [leads([9000, 3000, 0]), []]


def test_factors_are_found_again() -> None:
    """Final leads are 0.5, 0.75 and 0.9 of the leads in the middles of thirds, linear between."""
    seen = []
    for done in range(1, 91):
        place = min(max(3 * done / 90 - 0.5, 0), 2)
        factor = 0.5 + 0.25 * min(place, 1) + 0.15 * max(place - 1, 0)
        came = round(factor * 1000 * done)
        seen.append(LeadSample(done, 90, 1000 * done, 77, came + 77))
    assert fitted(seen) == [500, 750, 900]


def test_a_band_holds_the_slope_of_what_hangs_together() -> None:
    """The same game counted twice gives no more information."""
    once = [[(1.0, 2.0)], [(2.0, 3.0)], [(-1.0, -1.5)], [(-2.0, -4.0)]]
    found, low, high = band(once)
    assert low < found == 1.75 < high
    assert band([game * 2 for game in once]) == pytest.approx((found, low, high))
