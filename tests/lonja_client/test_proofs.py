"""Receipts and entropy: stored before anything depends on them, and compared with answers."""

import json
import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from lonja_client import (
    ME,
    OPEN,
    BadSignature,
    BrokenChain,
    Client,
    Contradiction,
    Forbidden,
    IllegalMove,
    LonjaError,
    NotFound,
    Receipt,
    StaleVersion,
    Unauthorized,
)
from lonja_client.entropy import commitment_of
from lonja_client.receipts import Receipts

from tests.lonja_client.conftest import Pair, Place
from tests.running import ROOT

Kept = Callable[[Client], Client]


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    """Return another client of a player, which uses a folder with the player's name."""
    with ExitStack() as made:

        def make(player: Client) -> Client:
            folder = tmp_path / player.me()["name"]
            return made.enter_context(Client(player.url, player.key, folder=folder))

        yield make


def test_a_key_for_one_seat_plays_that_seat_and_nothing_else(place: Place, pair: Pair) -> None:
    """The player of the key holds another seat at the same table."""
    ana = pair.ana.client
    table = ana.open("pig", [ME, ME, OPEN])
    pair.bob.client.table(table.id).sit(2)
    made = table.seat_key(0, "my page", days=1)
    assert (made["scope"], made["game_id"], made["seat"]) == ("seat", table.id, 0)
    with Client(place.url, made["key"]) as page:
        seen = page.table(table.id)
        assert seen.own_seats() == [0]
        turn = next(iter(seen.turns()))
        assert turn.seat == 0
        assert turn.play(turn.moves[0])
        for refused in (lambda: seen.resign(0), lambda: next(page.games())):
            with pytest.raises(Forbidden):
                refused()
        ana.delete(f"/players/me/keys/{made['id']}")
        with pytest.raises(Unauthorized):
            seen.state()


def test_receipts_of_a_private_game_open_its_pseudonym_and_fit(pair: Pair) -> None:
    ana = pair.ana.client
    table = ana.open("pig", [ME, ME], table={"visibility": "private"})
    turn = next(iter(table.turns(0)))
    turn.play(turn.moves[0])
    keys = ana.get("/signing_keys")["keys"]
    trusted = {key["key_id"]: key["public_key"] for key in keys}
    assert {len(receipt["pseudonym_key"]) for receipt in table.receipts} == {64}
    assert table.check(trusted).signatures == len([*table.receipts]) + 1


def test_receipts_are_kept_and_every_one_fits(pair: Pair, kept: Kept) -> None:
    ana = kept(pair.ana.client).table(pair.ana.id)
    legal = ana.legal_moves()
    ana.move(legal["moves"][0], seat=0, expected_version=legal["version"])
    ana.resign(0)
    keys = ana.client.get("/signing_keys")["keys"]
    trusted = {key["key_id"]: key["public_key"] for key in keys}
    again = kept(pair.ana.client).table(ana.id)
    assert [*again.receipts] == [*ana.receipts]
    checked = again.check(trusted)
    assert (checked.receipts, checked.signatures) == (2, 3), "the head is signed too"
    assert checked.events == ana.game()["version"]
    with pytest.raises(BadSignature, match="which is not trusted"):
        again.check({"0" * 16: "00" * 32})
    with pytest.raises(BadSignature, match="does not hold"):
        again.check(dict.fromkeys(trusted, "02" * 32))
    with pytest.raises(BadSignature, match="for which anybody can sign"):
        again.check(dict.fromkeys(trusted, "00" * 32))


def test_two_histories_are_told_with_both_heads(pair: Pair, tmp_path: Path) -> None:
    pair.act()
    pair.ana.resign(0)
    first, *_, last = pair.ana.receipts
    events = [*pair.ana.events()]
    other: Receipt = {**first, "hash": "5" * 64}

    file = tmp_path / "receipts"
    file.write_text(json.dumps(other) + "\n" + json.dumps(last)[:40])  # a crash cut the last line
    kept = Receipts(pair.ana.id, file)
    for holds in (kept.compare, kept.keep):  # the last client stores both
        with pytest.raises(Contradiction) as found:
            holds(first)
        assert (found.value.receipt, found.value.found) == (other, first)
        assert {"5" * 64, first["hash"]} < set(str(found.value).split())
    pair.bob.receipts.keep(other)
    for reads in (pair.bob.check, lambda: list(pair.bob.follow())):
        with pytest.raises(Contradiction, match="two histories"):
            reads()

    again = Receipts(pair.ana.id, file)
    assert [*again] == [first]
    with pytest.raises(Contradiction, match="two histories"):
        again.check(events, last, None)

    with pytest.raises(Contradiction, match="the head is of another history"):
        Receipts(pair.ana.id, None).check(events, {**last, "hash": "5" * 64}, None)
    with pytest.raises(Contradiction, match="lost what was acknowledged"):
        pair.ana.receipts.check(events[: first["seq"] - 1], last, None)
    events[1] = {**events[1], "at": "2026-01-01T00:00:00.000Z"}
    with pytest.raises(BrokenChain, match=f"event 2 of {pair.ana.id}"):
        pair.ana.receipts.check(events, last, None)


def test_a_receipt_that_cannot_be_written_costs_no_move(pair: Pair, tmp_path: Path) -> None:
    pair.act()
    receipt, *_ = pair.ana.receipts
    (tmp_path / "receipts").write_text("in the way")
    told: list[str] = []
    kept = Receipts(pair.ana.id, tmp_path / "receipts/of-a-game", told.append)
    kept.keep(receipt)
    assert [*kept] == [receipt]
    assert "receipts/of-a-game: " in told[0]


def test_entropy_is_on_the_disk_until_it_is_revealed(
    players: tuple[Client, Client], kept: Kept, tmp_path: Path
) -> None:
    ana, bob = map(kept, players)
    opened = ana.open("pig", [ME, OPEN])
    (file,) = (tmp_path / "Ana/entropy").iterdir()
    assert opened.game()["seats"][0]["entropy"]["commitment"] == file.name
    table = bob.table(opened.id)
    assert table.sit(1)["status"] == "closed"
    assert table.sit(1)["status"] == "closed", "who sits there already stays"
    table.reveal()
    again = kept(players[0]).table(opened.id)  # another program of the same player
    again.reveal()
    assert again.game()["status"] == "running"
    assert all(seat["entropy"]["revealed"] for seat in again.game()["seats"])
    assert [*tmp_path.glob("*/entropy/*")] == []


def test_a_commitment_is_that_of_the_format() -> None:
    vectors = json.loads((ROOT / "docs/format_vectors.json").read_text())
    for one in vectors["entropy_commitments"]:
        entropy = bytes.fromhex(one["entropy"])
        assert commitment_of(one["game_id"], one["seat"], entropy) == one["commitment"]


def test_errors_have_the_type_of_their_code(place: Place, pair: Pair) -> None:
    legal = pair.ana.legal_moves()
    with pytest.raises(IllegalMove):
        pair.ana.move({"type": "hold"}, seat=0, expected_version=legal["version"])
    pair.act()
    with pytest.raises(StaleVersion) as stale:
        pair.ana.move(legal["moves"][0], seat=0, expected_version=legal["version"])
    assert "moved" in {event["kind"] for event in stale.value.events}
    with pytest.raises(NotFound, match="unknown_game"):
        pair.ana.client.table("g00-nowhere").game()
    with Client(place.url, "no-such-key") as stranger, pytest.raises(Unauthorized):
        stranger.me()


def test_a_key_stands_in_no_log_address_repr_or_error(
    place: Place, pair: Pair, caplog: pytest.LogCaptureFixture
) -> None:
    key = pair.ana.client.key
    assert key is not None
    caplog.set_level(logging.DEBUG)
    with Client(place.url, key, patience=0) as client:
        table = client.table(pair.ana.id)
        told = [repr(client), repr(table), str(vars(client)["_settings"])]
        told += [frames(error) for error in errors_of(table)]
    told += [frames(error) for error in errors_of(table)]  # the port is closed
    assert len(told) == 9
    assert all(key not in text for text in [*told, caplog.text, repr([*table.receipts])])
    with pytest.raises(ValueError, match="no key has") as bad:
        Client(place.url, f"{key}\n")
    assert key not in str(bad.value)
    with pytest.raises(ValueError, match="no password"):
        Client("http://ana:secret@127.0.0.1")


def errors_of(table: Any) -> Iterator[LonjaError]:
    """Yield the errors of requests that had a key."""
    for ask in (
        lambda: table.move({"type": "fly"}, seat=0, expected_version=1),
        lambda: list(table.client.table("g00-nowhere").follow()),
        lambda: list(table.client.table("g00-nowhere").record()),
    ):
        with pytest.raises(LonjaError) as error:
            ask()
        yield error.value


def frames(error: BaseException) -> str:
    """Return a traceback with the local variables of every frame, as some tools print it."""
    own = traceback.TracebackException.from_exception(error, capture_locals=True)
    raised = [
        f"{frame.name} {frame.locals}"
        for frame in own.stack
        if "lonja_client/" in frame.filename and "tests/" not in frame.filename
    ]
    assert raised
    return "\n".join([str(error), repr(error), *raised, str(error.__context__)])
