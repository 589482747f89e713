"""The client signs moves with a key that only its caller holds."""

import sys
from pathlib import Path

import pytest
from lonja_client import ME, OPEN, Client, LonjaError, Refused, SigningKey, Table, bot

from tests.lonja_client.conftest import Place


def test_a_key_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "keys" / "ana"
    made = SigningKey.kept(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert SigningKey.kept(file).public == made.public
    secret = file.read_text().strip()
    assert secret not in repr(made)
    file.write_text("no key")
    with pytest.raises(ValueError, match="ana has no key"):
        SigningKey.kept(file)


def test_signed_moves(place: Place, players: tuple[Client, Client]) -> None:
    keys = [SigningKey.generate(), SigningKey.generate()]
    with (
        Client(place.url, players[0].key, signing_key=keys[0]) as ana,
        Client(place.url, players[1].key, signing_key=keys[1]) as bob,
    ):
        table = ana.open("pig", [ME, OPEN], signatures=True)
        theirs = bob.table(table.id)
        theirs.sit(1)
        known = [seat["signing_key"] for seat in table.game()["seats"]]
        assert known == [key.public for key in keys]
        new = SigningKey.generate()
        theirs.change_signing_key(1, new)
        assert bob.signing_key is new
        while not plays(theirs, 1):
            plays(table, 0)
        signed = [event for event in table.events() if "signature" in event["body"]]
        assert {event["by"]["seat"] for event in signed} == {0, 1}


def test_what_is_signed_is_newer_than_what_another_program_took_back(
    place: Place, players: tuple[Client, Client]
) -> None:
    key = SigningKey.generate()
    with Client(place.url, players[0].key, signing_key=key) as ana:
        table = ana.open("ragusa", [ME, ME], signatures=True, take_back=True)
        version = table.legal_moves(0)["version"]
        table.move(0, seat=0, expected_version=version)
        with Client(place.url, players[0].key) as elsewhere:
            back = elsewhere.table(table.id).take_back(version, seat=0)["events"][0]
        assert plays(table, 0)
        (moved,) = table.events(after=back["seq"])
        assert moved["body"]["client"]["expected_head"] == back["hash"]


def test_who_has_no_key_signs_nothing(place: Place, players: tuple[Client, Client]) -> None:
    with Client(place.url, players[0].key, signing_key=SigningKey.generate()) as ana:
        game = ana.open("pig", [ME, bot("random")], signatures=True).id
    with Client(place.url, players[0].key) as ana:
        table = ana.table(game)
        with pytest.raises(ValueError, match="signing_key"):
            ana.open("pig", [ME, bot("random")], signatures=True)
        legal = table.legal_moves(0)
        with pytest.raises(Refused, match="signature_missing"):
            table.move(0, seat=0, expected_version=legal["version"])
        table.change_signing_key(0, SigningKey.generate())
        (changed,) = [each for each in table.events() if each["kind"] == "key_changed"]
        assert changed["body"]["key"]["sig"] is None
        assert plays(table, 0)


def plays(table: Table, seat: int) -> bool:
    """Play a seat's first legal move by its index, if it has one; return whether it had."""
    legal = table.legal_moves(seat)
    if not legal["moves"]:
        return False
    table.move(0, seat=seat, expected_version=legal["version"])
    return True


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric", None)
    with pytest.raises(LonjaError, match=r"lonja-client\[signatures\]"):
        SigningKey.generate()
