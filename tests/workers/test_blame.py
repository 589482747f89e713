"""A bot fails by its own answers and errors only; errors elsewhere raise an alarm."""

from typing import Any

import pytest
import structlog
from redis import Redis

from rules.kernel.contract.errors import BrokenRules, IllegalMove
from service.ids import shard_of
from service.redis.keys import shard_key
from service.redis.server import RedisServer
from service.runtime import Runtime
from tests.running import ME, bot, game, kinds, open_game
from tests.service.tournaments.conftest import Hall, hall_on
from workers.turns import Turns


@pytest.fixture(autouse=True)
def _heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loggers keep the configuration of their first use, perhaps in an earlier test."""
    for name in ("matches", "turns"):
        monkeypatch.setattr(f"workers.{name}.log", structlog.get_logger())


def broken_reduce(*_arguments: Any) -> None:
    raise KeyError("the rules' own mistake")


def contradiction(*_arguments: Any) -> None:
    raise IllegalMove("not_your_coins", "refused after it was allowed")


def broken_question(*_arguments: Any) -> None:
    raise KeyError("the rules' own mistake")


FAULTS = [
    ("reduce", broken_reduce, KeyError),
    ("reduce", contradiction, BrokenRules),
    ("legal_moves", broken_question, KeyError),
]


@pytest.fixture
def hall(redis_server: RedisServer, redis_client: Redis) -> Hall:
    return hall_on(redis_server.url)


def is_due(runtime: Runtime, stream_id: str) -> bool:
    return runtime.redis.zscore(shard_key(shard_of(stream_id), "due"), stream_id) is not None


@pytest.mark.parametrize(("name", "fault", "alarm"), FAULTS)
def test_a_live_bot_is_not_blamed_for_the_rules(
    web: Runtime,
    turns: Turns,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    fault: Any,
    alarm: type[Exception],
) -> None:
    game_id = open_game(web, "sealed", bot("random"), ME)
    before = game(web, game_id).version
    ruleset = turns._runtime.registry.find("sealed")
    turns._runtime.ledger.table(game_id)  # folded before the rules break
    with monkeypatch.context() as patched, structlog.testing.capture_logs() as logs:
        patched.setattr(type(ruleset), name, fault)
        with pytest.raises(alarm):
            turns.play(game_id)
    assert [log["event"] for log in logs if log["log_level"] == "error"] == ["game_not_played"]
    assert game(web, game_id).version == before
    assert is_due(web, game_id)
    turns.play(game_id)  # the rules work again
    assert game(web, game_id).version > before
    assert "bot_failed" not in kinds(web, game_id)


@pytest.mark.parametrize(("name", "fault", "alarm"), FAULTS)
def test_an_entry_is_not_blamed_for_the_rules(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, name: str, fault: Any, alarm: type[Exception]
) -> None:
    tournament = hall.open()
    ruleset = hall.runtime.registry.find("sealed")
    with monkeypatch.context() as patched, structlog.testing.capture_logs() as logs:
        whole = getattr(type(ruleset), name)
        calls = 0

        def later(*arguments: Any) -> Any:
            nonlocal calls
            calls += 1
            return fault() if calls > 20 else whole(*arguments)

        patched.setattr(type(ruleset), name, later)
        with pytest.raises(alarm):
            hall.matches.play(tournament.id)
    errors = [log["event"] for log in logs if log["log_level"] == "error"]
    assert errors == ["tournament_not_played"]
    assert is_due(hall.runtime, tournament.id)
    ended = hall.finish(tournament)
    assert not any(game.failures for games in ended.results.values() for game in games)
