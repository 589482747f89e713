"""What games tell of the strength of bots was measured."""

from rules.kernel.contract import published
from service.catalogue.bots import BOTS
from tools import levels
from tools.levels import REGISTRY


def test_what_games_tell_of_bots_strength_was_measured() -> None:
    """``python -m tools.docs`` writes these files again."""
    found = levels.measured()
    assert len(found) == len(list(REGISTRY))
    for path, text in found.items():
        assert path.read_text(encoding="utf-8") == text, path
    for ruleset in REGISTRY:
        for bot, told in published.strength(ruleset).items():
            assert told == BOTS[bot].to_json(ruleset)["strength"]
            assert (BOTS[told["against"]].level or 0) < (BOTS[bot].level or 0)
            assert 0.5 < told["points"] <= 1
