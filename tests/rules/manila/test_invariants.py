"""Impossible states, and the invariants that they violate."""

from collections.abc import Callable

import pytest

from rules.manila import RULESET
from tests.rules.manila.table import MOVE_3, PLACE_2, B, Table, at_sea, before_roll
from tests.rules.playing import Json


def _placing() -> Table:
    return at_sea(
        "placement",
        PLACE_2,
        positions={"silk": 14, "ginseng": 7, "jade": 7},
        docked=["silk"],
        crews={"punt_jade": [B]},
    )


def _plundering() -> Table:
    """Silk was sent to port A, and jade is to be sent next."""
    positions = {"silk": 12, "ginseng": 3, "jade": 12}
    table = before_roll(MOVE_3, positions=positions, crews={"pirate": [B]})
    table.roll(silk=1, ginseng=1, jade=1)
    return table.play(B, "send_plundered", ware="silk", destination="port")


def _silk_on(space: int) -> Json:
    return {"positions": {"silk": space, "ginseng": 7, "jade": 7}}


@pytest.mark.parametrize(
    ("position", "changes", "sentence"),
    [
        (_placing, _silk_on(12), "silk is in port on 12"),
        (_placing, _silk_on(13), "silk is in port on 13"),
        (_placing, _silk_on(15), "silk is in port on 15"),
        (_plundering, {"plundered": ["jade"]}, "silk is in port on 13"),
        (_placing, {"plundered": ["silk"]}, "wares [1] are plundered in phase placement"),
        (
            _placing,
            {"boarded": [["jade", 0]]},
            "pirates have just boarded [(3, 0)] in phase placement",
        ),
        (
            _placing,
            {"crews": {"punt_nutmeg": [B]}},
            "accomplices are aboard nutmeg, which is not loaded",
        ),
    ],
)
def test_what_no_play_leads_to_is_noticed(
    position: Callable[[], Table], changes: Json, sentence: str
) -> None:
    state = RULESET.from_json({**position().json, **changes})
    assert sentence in RULESET.violations(state)
