"""``lonja bot account``: owners make, change and delete bot accounts from the command line."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from lonja_client import Client

from service.redis.server import RedisServer
from tests.faults import processes
from tests.service.cli.conftest import Lonja
from tests.service.cli.terminal.places import service


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder, port = tmp_path_factory.mktemp("service"), processes.free_port()
    with RedisServer(folder / "redis") as redis, service(folder, redis, port):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def owner(url: str) -> Iterator[Client]:
    with Client(url) as visitor, visitor.sign_up("Ana") as found:
        yield found


def test_an_account_from_its_first_key_to_its_end(
    lonja: Lonja, url: str, owner: Client, tmp_path: Path
) -> None:
    def account(*arguments: str, code: int = 0) -> str:
        assert owner.key is not None
        found = lonja("bot", "account", *arguments, "--url", url, "--key", owner.key)
        assert found.exit_code == code, found.output
        assert owner.key not in found.output
        return found.output

    first, second = tmp_path / "first.key", tmp_path / "second.key"
    assert "You have no bots." in account("list")
    told = account(
        "create", "Robbie", "--version", "1.0", "--takes", "manila=3-5", "--takes", "ragusa=1,3",
        "--page", "https://example.org/robbie", "--new-key-file", str(first), "--json",
    )  # fmt: skip
    made = json.loads(told)
    assert made["takes"] == [
        {"ruleset": "manila", "seats": [3, 4, 5]}, {"ruleset": "ragusa", "seats": [1, 3]},
    ]  # fmt: skip
    assert "key" not in made
    assert first.stat().st_mode & 0o777 == 0o600
    bot_id = made["id"]
    with owner.with_key(first.read_text().strip()) as bot:
        assert (bot.player_id, bot.me()["key"]["scope"]) == (bot_id, "bot")
    assert f"{bot_id}: Robbie 1.1" in account("change", bot_id, "--version", "1.1")
    assert "manila=3,4,5" in account("list")
    assert "already" in account("key", bot_id, "--new-key-file", str(first), code=2)
    account("key", bot_id, "--new-key-file", str(second))
    assert second.read_text() != first.read_text()
    assert account("key", bot_id, "--new-key-file", "-").startswith("lk_")
    account("revoke", bot_id)
    (bot_account,) = json.loads(account("list", "--json"))["bots"]
    assert not bot_account["has_key"]
    assert "Nothing is to be changed" in account("change", bot_id, code=2)
    account("delete", bot_id)
    assert "no_such_bot" in account("delete", bot_id, code=2)


@pytest.mark.parametrize("takes", ["manila", "manila=", "=3", "manila=a", "manila=3-"])
def test_what_a_bot_takes_is_a_ruleset_and_numbers(
    lonja: Lonja, tmp_path: Path, takes: str
) -> None:
    key_file = tmp_path / "bot.key"
    found = lonja(
        "bot", "account", "create", "R", "--version", "1", "--takes", takes, "--key", "lk_x",
        "--url", "http://127.0.0.1:9", "--new-key-file", str(key_file),
    )  # fmt: skip
    assert found.exit_code == 2
    assert "RULESET=SEATS" in found.output
    assert not key_file.exists()


def test_a_refused_account_leaves_no_file(
    lonja: Lonja, url: str, owner: Client, tmp_path: Path
) -> None:
    key_file = tmp_path / "bot.key"
    assert owner.key is not None
    found = lonja(
        "bot", "account", "create", "R", "--version", "1", "--takes", "manila=2",
        "--key", owner.key, "--url", url, "--new-key-file", str(key_file),
    )  # fmt: skip
    assert found.exit_code == 2
    assert "takes.0.seats" in found.output
    assert not key_file.exists()
