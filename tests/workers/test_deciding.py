"""Time limits of bots: in live games that of the queue, otherwise the given limit."""

import time
from typing import Any

import pytest

from rules.kernel.record.batch import TOO_SLOW
from service.catalogue.bots import HEAVY, LIVE
from service.cli import local
from service.process.limits import Limit
from tests.service.cli import records
from workers import bots
from workers.bots import UnknownBotError
from workers.bots.bot import Choice
from workers.deciding import DECISION_SECONDS, BotFailure, answer, decide


def stall(_ruleset: Any, _information: Any, _seat: int, legal: Any, *_rest: Any) -> Choice:
    while True:
        legal = [*legal]


@pytest.fixture(autouse=True)
def _they_stall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "FUNCTIONS", dict.fromkeys(bots.FUNCTIONS, stall))
    monkeypatch.setitem(DECISION_SECONDS, LIVE, 0.02)
    monkeypatch.setitem(DECISION_SECONDS, HEAVY, 0.04)


def table(bot: str, version: str = "1") -> local.LocalGame:
    holder = {"bot": bot, "version": version, "settings": {}}
    return local.start(records.REGISTRY, "sealed", [holder, holder], {}, "slow")


@pytest.mark.parametrize(
    ("bot", "said", "most"),
    [("random", None, 0.02), ("search", None, 0.04), ("random", 0.03, 0.03)],
    ids=["as its queue may", "as another queue may", "as a plan says"],
)
def test_a_decision_has_one_limit(bot: str, said: float | None, most: float) -> None:
    asked = table(bot)
    seat = min(asked.game.asked)
    limit = None if said is None else Limit(said)
    for _ in range(2):
        with pytest.raises(BotFailure) as failed:
            answer(asked.game, seat, asked.secrets.salt, limit)
        assert failed.value.cause == TOO_SLOW
        told = f"TookTooLongError: no answer within {most:g} s of processor time"
        assert str(failed.value) == told


def test_what_the_wall_adds_costs_nothing_unless_a_plan_counts_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def wait(_ruleset: Any, _information: Any, _seat: int, legal: Any, *_rest: Any) -> Choice:
        time.sleep(0.1)  # as if the bot got no processor
        return Choice(legal[0], 0, {})

    monkeypatch.setattr(bots, "FUNCTIONS", dict.fromkeys(bots.FUNCTIONS, wait))
    asked = table("random")
    seat, salt = min(asked.game.asked), asked.secrets.salt
    with pytest.raises(BotFailure, match=r"no answer within 0.05 s\Z"):
        answer(asked.game, seat, salt, Limit(0.05, by_wall=True))
    asked.change(answer(asked.game, seat, salt, Limit(0.05)))


def test_no_except_hears_that_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def catch(_ruleset: Any, _information: Any, _seat: int, legal: Any, *_rest: Any) -> Choice:
        while True:
            try:
                legal = [*legal]
            except Exception:  # noqa: BLE001 - see above
                legal = []

    monkeypatch.setattr(bots, "FUNCTIONS", dict.fromkeys(bots.FUNCTIONS, catch))
    asked = table("random")
    with pytest.raises(BotFailure, match="TookTooLongError"):
        answer(asked.game, min(asked.game.asked), asked.secrets.salt, Limit(0.05))


def test_who_only_looks_waits_as_long_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    def think(_ruleset: Any, _information: Any, _seat: int, legal: Any, *_rest: Any) -> Choice:
        time.sleep(0.05)
        return Choice(legal[0], 0, {})

    monkeypatch.setattr(bots, "FUNCTIONS", dict.fromkeys(bots.FUNCTIONS, think))
    asked = table("random")
    asked.change(decide(asked.game, min(asked.game.asked), asked.secrets.salt).record)


def test_nobody_knows_how_long_a_bot_may_take_that_is_not_here() -> None:
    asked = table("greedy", "99")
    with pytest.raises(UnknownBotError, match="greedy@99"):
        answer(asked.game, min(asked.game.asked), asked.secrets.salt)
