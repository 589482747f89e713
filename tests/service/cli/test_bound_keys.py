"""`lonja play` binds another key to a seat whose player signs its moves."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from lonja_client import Client, SigningKey, Table

from service.redis.server import RedisServer
from tests.faults import processes
from tests.service.cli.conftest import Lonja
from tests.service.cli.terminal.places import APPLICATION

ME = {"holder": "me"}


@pytest.fixture
def ana(tmp_path: Path, redis_server: RedisServer) -> Iterator[Client]:
    """A player whose key is in the folder ``first``."""
    port = processes.free_port()
    with (
        processes.web_on(port, redis_server.url, tmp_path / "web.log", APPLICATION),
        Client(f"http://127.0.0.1:{port}") as visitor,
        visitor.sign_up("Ana") as found,
    ):
        found.signing_key = SigningKey.kept(tmp_path / "first/signing_key")
        yield found


def bound(table: Table) -> list[str | None]:
    return [seat["signing_key"] for seat in table.game()["seats"]]


def test_a_seat_goes_on_with_the_key_of_another_folder(
    ana: Client, lonja: Lonja, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The former key hands over; without it, the record says that the service alone vouches."""
    table = ana.open("sealed", [ME, ME], signatures=True)
    assert ana.key is not None
    monkeypatch.setenv("LONJA_KEY", ana.key)
    play = "play", "--url", ana.url, "--game", table.id, "--plain"
    former = "--former-key", tmp_path / "first/signing_key"
    bindings: list[tuple[str, tuple[object, ...], str]] = [
        ("second", former, "its former key says so"),
        ("third", ("--lost-key",), "the service alone says who"),
    ]
    for folder, words, told in bindings:
        monkeypatch.setenv("LONJA_GAMES_DIR", str(tmp_path / folder))
        done = lonja(*play, *words)
        assert told in " ".join(done.stdout.split()), done.output
        own = SigningKey.kept(tmp_path / folder / "signing_key").public
        assert bound(table) == [own, own]
    changed = [e["body"]["key"] for e in table.events() if e["kind"] == "key_changed"]
    assert [one["sig"] is None for one in changed] == [False, False, True, True]
    (tmp_path / "none").write_text("no key")
    wrong: list[tuple[tuple[object, ...], str]] = [
        (("--lost-key",), "to which another key is bound"),
        (("--former-key", tmp_path / "none", "--lost-key"), "Either --former-key or --lost-key"),
    ]
    for words, why in wrong:
        assert why in " ".join(lonja(*play, *words).stderr.split())
    monkeypatch.setenv("LONJA_GAMES_DIR", str(tmp_path / "second"))
    wrong = [
        (former, "The service refuses"),  # it is the seats' no more
        (("--former-key", tmp_path / "none"), "has no key of a player"),
        (("--former-key", tmp_path), "is a directory"),
    ]
    for words, why in wrong:
        done = lonja(*play, *words)
        assert (done.exit_code, why in " ".join(done.stderr.split())) == (2, True), done.output
    alone = lonja("play", "pig", "--lost-key")
    assert (alone.exit_code, "name it with --url" in " ".join(alone.stderr.split())) == (2, True)
