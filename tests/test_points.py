"""What people are told as points comes true as points."""

import pytest

from rules.kernel.contract import published
from tests.campaigns import Figure
from tests.points import (
    REGISTRY,
    TELLERS,
    Seen,
    band,
    factors_file,
    fitted,
    games,
    numbers_of_seats,
    told,
)
from workers.analysis.points import Scale

TABLES = [(ruleset.info.id, seats) for ruleset in REGISTRY for seats in numbers_of_seats(ruleset)]


@pytest.mark.campaign("points")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("teller", TELLERS)
@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_what_is_told_comes_true(
    teller: str, ruleset: str, seats: int, record_property: Figure
) -> None:
    """Over 400 games that nothing was fitted to."""
    scale = Scale(REGISTRY.find(ruleset), seats)
    found, low, high = band(
        [
            [(told(seen, scale), float(seen.came)) for seen in game]
            for game in games(teller, ruleset, seats, "fresh")
        ]
    )
    record_property("slope", f"{found:.2f} ({low:.2f} to {high:.2f})")
    assert 0.85 < low < high < 1.15


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_every_number_of_seats_has_its_factors(ruleset: str, seats: int) -> None:
    factors = published.leads(REGISTRY.find(ruleset))[str(seats)]
    assert len(factors) == 3
    assert all(type(factor) is int and 0 < factor < 2_000 for factor in factors)
    assert factors_file(REGISTRY.find(ruleset)).is_file()


def test_factors_are_found_again() -> None:
    """Leads that come true by 0.5, 0.75 and 0.9 in the middles of thirds, and evenly between."""
    seen = []
    for done in range(1, 91):
        place = min(max(3 * done / 90 - 0.5, 0), 2)
        factor = 0.5 + 0.25 * min(place, 1) + 0.15 * max(place - 1, 0)
        came = round(factor * 1000 * done)
        seen.append(Seen(done, 90, 1000 * done, 77, came + 77))
    assert fitted(seen) == [500, 750, 900]


def test_a_band_holds_the_slope_of_what_hangs_together() -> None:
    """The same game told twice says no more than once."""
    once = [[(1.0, 2.0)], [(2.0, 3.0)], [(-1.0, -1.5)], [(-2.0, -4.0)]]
    found, low, high = band(once)
    assert low < found == 1.75 < high
    assert band([game * 2 for game in once]) == pytest.approx((found, low, high))
