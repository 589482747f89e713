"""Bots that an installation adds: found, or told in a sentence."""

import pytest

from service.bots import BOTS, installed
from service.settings import SettingsError, load


def test_a_bot_is_added_by_its_module() -> None:
    found = installed(load({"LONJA_EXTRA_BOTS": "tests.bots.crashing, tests.bots.cheating"}))
    assert found.keys() == {*BOTS, "crashing", "cheating"}
    assert found["crashing"].holder() == {"bot": "crashing", "version": "1", "settings": {}}


def test_without_any_there_are_ours() -> None:
    assert installed(load({})) == BOTS


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("tests.bots.nobody", "names what is no bot: No module named 'tests.bots.nobody'"),
        ("tests.bots", "names what is no bot: module 'tests.bots' has no attribute 'BOT'"),
        ("tests.bots.crashing,tests.bots.crashing", "cannot be added"),
        ("my bot", "LONJA_EXTRA_BOTS is 'my bot'"),
    ],
)
def test_what_is_no_bot_is_told(module: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message.replace(".", r"\.")):
        installed(load({"LONJA_EXTRA_BOTS": module}))
