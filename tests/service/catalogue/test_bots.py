"""Bots that an installation adds: they are found, or the error is a clear sentence."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from rules.kernel.contract import published
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS, HEAVY, LIVE, BotOffer, called, installed
from service.settings import SettingsError, load
from tests.sealed import RULESET as SEALED


def test_a_bot_is_added_by_its_module() -> None:
    found = installed(load({"LONJA_EXTRA_BOTS": "tests.bots.crashing, tests.bots.cheating"}))
    assert found.keys() == {*BOTS, "crashing", "cheating"}
    assert found["crashing"].holder(SEALED) == {"bot": "crashing", "version": "1", "settings": {}}


def test_a_bot_says_which_queue_lets_it_think(monkeypatch: pytest.MonkeyPatch) -> None:
    found = installed(load({"LONJA_EXTRA_BOTS": "tests.bots.thinking"}))
    assert found["thinking"].queue == HEAVY
    assert {offer.queue for offer in BOTS.values() if (offer.level or 0) <= 3} == {LIVE}
    assert {offer.queue for offer in BOTS.values() if (offer.level or 0) > 3} == {HEAVY}
    monkeypatch.setattr("tests.bots.thinking.BOT", BotOffer("thinking", "1", queue="fast"))
    with pytest.raises(SettingsError, match="cannot be added"):
        installed(load({"LONJA_EXTRA_BOTS": "tests.bots.thinking"}))


@pytest.mark.parametrize("ruleset", [*Registry(PACKAGES)], ids=lambda ruleset: ruleset.info.id)
def test_games_may_ask_for_other_settings(ruleset: Ruleset[Any]) -> None:
    for name, settings in published.bots(ruleset).items():
        offer = BOTS[name]
        assert settings.keys() <= offer.settings.keys()
        assert all(type(value) is int and value > 0 for value in settings.values())
        told = {**offer.settings, **settings}
        assert offer.holder(ruleset)["settings"] == offer.to_json(ruleset)["settings"] == told
        assert offer.holder(SEALED)["settings"] == offer.to_json()["settings"] == offer.settings


def test_a_bot_is_called_by_its_title(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [called(bot) for bot in ("greedy", "deep.thought")] == ["Lola", "deep.thought"]
    assert BotOffer("plain", "1").to_json(SEALED).items() >= {
        "name": "plain", "title": "plain", "strength": None
    }.items()  # fmt: skip
    monkeypatch.setattr("tests.bots.thinking.BOT", BotOffer("thinking", "1", title="x" * 41))
    with pytest.raises(SettingsError, match="its title is"):
        installed(load({"LONJA_EXTRA_BOTS": "tests.bots.thinking"}))


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


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["BOT = BotOffer('own', '1')"], "has no attribute 'choose' (own_bot)"),
        (["BOT = BotOffer('own', '1')", "choose = 1"], "and choose a function"),
        (["BOT = 'own'", "choose = print"], "BOT must be a BotOffer"),
        (["BOT = BotOffer('my own', '1')", "choose = print"], "'my own' is not 1 to 40 letters"),
        (["BOT = BotOffer('own', '')", "choose = print"], "'' is not 1 to 40 letters"),
        (["BOT = BotOffer('own', 1)", "choose = print"], "which cannot be added: "),
        (
            ["BOT = BotOffer('own', '1', {'c': 0.5})", "choose = print"],
            "added: c: 0.5 of type float",
        ),
        (["BOT = BotOffer('greedy', '1')", "choose = print"], "there is a bot 'greedy' already"),
        (["BOT = BotOffer('own', '1', level=6)", "choose = print"], "its level is 6, not 1 to 5"),
        (["BOT = BotOffer('own', '1', decision_ms=-1)", "choose = print"], "decision_ms is -1, no"),
        (["1 / 0"], "own_bot cannot be loaded: ZeroDivisionError: division by zero"),
        (["BOT ="], "own_bot cannot be loaded: SyntaxError: "),
    ],
)
def test_a_module_that_is_not_as_it_must_be_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: list[str], message: str
) -> None:
    (tmp_path / "own_bot.py").write_text(
        "\n".join(["from service.catalogue.bots import BotOffer", *lines])
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "own_bot", raising=False)
    with pytest.raises(SettingsError, match=re.escape(message)) as told:
        installed(load({"LONJA_EXTRA_BOTS": "own_bot"}))
    assert str(told.value).startswith("LONJA_EXTRA_BOTS")
    monkeypatch.delitem(sys.modules, "own_bot", raising=False)
