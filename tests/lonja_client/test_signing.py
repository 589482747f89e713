"""The client signs moves with a key that only its caller holds."""

from pathlib import Path

import pytest
from lonja_client import OPEN, Client, LonjaError, Refused, SigningKey, Table

from tests.lonja_client.conftest import Place

ME = {"holder": "me"}


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
    ana, bob = (
        Client(place.url, one.key, signing_key=key) for one, key in zip(players, keys, strict=True)
    )
    table = ana.open("pig", [ME, OPEN], signatures=True)
    theirs = bob.table(table.id)
    theirs.sit(1)
    assert [seat["signing_key"] for seat in table.game()["seats"]] == [key.public for key in keys]
    plays(table, 0)
    new = SigningKey.generate()
    theirs.change_signing_key(1, new)
    assert bob.signing_key is new
    while not plays(theirs, 1):
        plays(table, 0)
    signed = [event for event in table.events() if "signature" in event["body"]]
    assert {event["by"]["seat"] for event in signed} == {0, 1}
    without = Client(place.url, players[0].key)
    with pytest.raises(Refused, match="signature_missing"):
        while True:
            plays(without.table(table.id), 0)
            plays(theirs, 1)
    with pytest.raises(ValueError, match="signing_key"):
        without.open("pig", [ME, OPEN], signatures=True)
    lost = Client(place.url, players[0].key).table(table.id)
    lost.change_signing_key(0, SigningKey.generate())
    changed = [each for each in table.events() if each["kind"] == "key_changed"][-1]
    assert changed["body"]["key"]["sig"] is None


def plays(table: Table, seat: int) -> bool:
    """Play a seat's first legal move by its index, if it has one; return whether it had."""
    legal = table.legal_moves(seat)
    if not legal["moves"]:
        return False
    table.move(0, seat=seat, expected_version=legal["version"])
    return True


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        __import__("sys").modules, "cryptography.hazmat.primitives.asymmetric", None
    )
    with pytest.raises(LonjaError, match=r"lonja-client\[signatures\]"):
        SigningKey.generate()
