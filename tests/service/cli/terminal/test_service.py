"""A table of a running service in a terminal: playing over its public API, and following."""

from pathlib import Path

import pytest
from lonja_client import SigningKey

from tests.client.services import serving
from tests.faults.people import Client
from tests.running import wait_for
from tests.service.cli.terminal.screens import CTRL_Q, ENTER, lonja


def test_a_table_of_a_service_is_played_and_followed(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        ana = Client(service.port).player("Ana")
        url = f"http://127.0.0.1:{service.port}"
        key = {"LONJA_KEY": ana.key}
        asked = ("play", "manila", "--url", url, "--bot", "greedy")
        with lonja(*asked, folder=tmp_path, env=key) as terminal:
            terminal.shows("Red: bid for the office of harbour master")
            (game,) = ana.get("/v1/games?player=me")["games"]
            legal = ana.get(f"/v1/games/{game['id']}/legal_moves?seat=0")["moves"]
            amount = max(move["amount"] for move in legal if move["type"] == "bid")
            terminal.press(str(amount))
            terminal.shows(f"Bid {amount} pesos")
            terminal.press(ENTER)
            wait_for(lambda: bids(ana, game["id"]) == [amount])
            entropy = ana.get(f"/v1/games/{game['id']}")["seats"][0]["entropy"]
            assert entropy["revealed"], "the luck of a new table depends on the player too"
            assert [*(tmp_path / "entropy").iterdir()] == []
            assert not (tmp_path / "signing_key").exists(), "nobody signs at this table"
            terminal.press(CTRL_Q)
            assert terminal.end() == 0
            back = f"lonja play --url {url} --game {game['id']}"
            assert back.replace(" ", "") in "".join(terminal.text.split())
        with lonja("replay", game["id"], "--url", url, folder=tmp_path, size="200x60") as terminal:
            terminal.shows(f"Red bids {amount} pesos")
            terminal.shows("A Red")
        changed = ana.ask("PATCH", "/v1/players/me", {"name": "Robbie\u202e", "kind": "bot"})
        assert changed.status == 422, "what is invisible is in no name"
        assert ana.ask("PATCH", "/v1/players/me", {"name": "Robbie", "kind": "bot"}).status == 200
        for language, who in (("en", "the program Robbie"), ("es", "el programa Robbie")):
            again = ("play", "--url", url, "--game", game["id"], "--plain", "--lang", language)
            with lonja(*again, folder=tmp_path, env=key, size="200x60") as terminal:
                terminal.tells(who)
        with lonja("play", "--url", url, "--game", "g00-nowhere", folder=tmp_path) as terminal:
            assert terminal.end() == 2
            assert "The service refuses: " in terminal.text


@pytest.mark.timeout(300)
def test_a_player_signs_at_a_table_where_players_do(tmp_path: Path) -> None:
    """Whoever opens it, sits down, or comes back signs with the key of the folder."""
    with serving(tmp_path) as service:
        ana, bob = (Client(service.port).player(name) for name in ("Ana", "Bob"))
        url = f"http://127.0.0.1:{service.port}"
        folders = [tmp_path / "ana", tmp_path / "bob", tmp_path / "eve"]
        opened = ("play", "pig", "--url", url, "--people", "2", "--signatures")
        with lonja(*opened, folder=folders[0], env={"LONJA_KEY": ana.key}) as first:
            first.tells("is still free.")
            (game,) = ana.get("/v1/games?player=me")["games"]
            named = ("play", "--url", url, "--game", game["id"])
            sits = (*named, "--sit", "--seat", "1")
            with lonja(*sits, folder=folders[1], env={"LONJA_KEY": bob.key}) as second:
                second.shows("? Help")
                first.shows("roll again, or hold")
                first.press("roll" + ENTER)
                wait_for(lambda: signers(ana, game["id"]) == [0])
                for terminal in (first, second):
                    terminal.press(CTRL_Q)
                    assert terminal.end() == 0
        (asked,) = [each["seat"] for each in ana.get(f"/v1/games/{game['id']}")["decisions"]]
        again = (*named, "--seat", str(asked))
        who = {"LONJA_KEY": (ana, bob)[asked].key}
        with lonja(*again, folder=folders[asked], env=who) as terminal:
            terminal.shows(f"{('Red', 'Blue')[asked]}: roll again, or hold")
            terminal.press("roll" + ENTER)
            wait_for(lambda: signers(ana, game["id"]) == [0, asked])
            terminal.press(CTRL_Q)
            assert terminal.end() == 0
        with lonja(*named, folder=folders[2], env={"LONJA_KEY": ""}) as terminal:
            terminal.shows("? Help")
            terminal.press(CTRL_Q)
            assert terminal.end() == 0
        files = [folder / "signing_key" for folder in folders]
        assert [file.exists() for file in files] == [True, True, False], (
            "who looks on signs nothing"
        )
        seats = ana.get(f"/v1/games/{game['id']}")["seats"]
        assert [seat["signing_key"] for seat in seats] == [
            SigningKey.kept(file).public for file in files[:2]
        ]
        assert files[0].stat().st_mode & 0o777 == 0o600


def signers(person: Client, game: str) -> list[int]:
    """The seats of the signed moves."""
    events = person.get(f"/v1/games/{game}/events")["events"]
    return [event["by"]["seat"] for event in events if "signature" in event["body"]]


def bids(person: Client, game: str) -> list[int]:
    """The bids of seat 0."""
    events = person.get(f"/v1/games/{game}/events")["events"]
    moves = [e["body"]["move"] for e in events if e["kind"] == "moved" and e["by"].get("seat") == 0]
    return [move["amount"] for move in moves if move["type"] == "bid"]
