"""No answer over HTTP reveals what another seat hides."""

import orjson
import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.game import Game
from rules.kernel.record.secrets import entropy_commitment
from service.runtime import Runtime
from tests.service.api.people import House, Person, asked, data, play_on
from tests.service.api.test_stream import streaming


def everything(url: str, person: Person, seat: str) -> list[str]:
    """Return the texts of all answers to this viewer."""
    paths = [
        "",
        f"/state?seat={seat}",
        f"/events?seat={seat}",
        f"/events?seat={seat}&format=ndjson",
        f"/record?seat={seat}",
        f"/log?seat={seat}",
        "/head",
    ]
    if seat != "spectator":
        paths.append(f"/legal_moves?seat={seat}")
    return [person.get(url + path).text for path in paths]


def shown(game: Game, viewer: Seat | None) -> JsonObject:
    return {"ruleset": game.ruleset.info.id, **game.ruleset.view(game.state, viewer)}


def test_the_state_is_exactly_the_view(house: House, runtime: Runtime) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    game_id = url.rpartition("/")[2]
    for _ in range(6):
        game = runtime.ledger.table(game_id).game
        for seat, person in by_seat(people):
            seen = data(person.get(f"{url}/state"))
            assert seen["state"] == shown(game, seat)
            assert seen.keys() == {
                "game_id", "version", "status", "seat", "decisions", "bots_wait_until",
                "suspended_since", "state", "damaged", "ways_back", "budgets",
            }  # fmt: skip
        assert data(house.visitor.get(f"{url}/state"))["state"] == shown(game, None)
        first = asked(url, house.visitor)[0]
        assert people[first].move(url, first).status_code == 201


def test_events_show_each_viewer_its_own_parts_only(house: House, runtime: Runtime) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    people[0].move(url, 0)
    assert people[0].move(url, 0, {"type": "bid", "amount": 3}).status_code == 201
    copies = {
        None: data(house.visitor.get(f"{url}/events"))["events"],
        0: data(people[0].get(f"{url}/events"))["events"],
        1: data(people[1].get(f"{url}/events"))["events"],
    }
    hidden = 0
    for viewer, events in copies.items():
        for event in events:
            for part, audience in event["audiences"].items():
                may = audience in {"public", f"seat:{viewer}"}
                assert (part in event["body"]) == (part in event["nonces"]) == may
                hidden += not may
    assert hidden > 8
    bid = copies[0][-1]
    assert bid["body"]["move"] == {"type": "bid", "amount": 3}
    for viewer in (None, 1):
        assert "move" not in copies[viewer][-1]["body"]


def test_no_answer_tells_a_sealed_bid(house: House) -> None:
    """Two games that differ only in a sealed bid look the same to everybody else."""
    people = [house.player(), house.player()]
    url = house.table(*people)
    people[0].move(url, 0)
    before = [everything(url, people[1], "1"), everything(url, house.visitor, "spectator")]
    answer = people[0].move(url, 0, {"type": "bid", "amount": 3})
    assert answer.status_code == 201
    after = [everything(url, people[1], "1"), everything(url, house.visitor, "spectator")]
    for texts_before, texts_after in zip(before, after, strict=True):
        for one, other in zip(texts_before, texts_after, strict=True):
            assert one.count('"amount":3') == other.count('"amount":3')
    stale = {"seat": 1, "move": {"type": "bid", "amount": 0}, "expected_version": 0}
    told = people[1].post(f"{url}/moves", stale)
    assert told.status_code == 409
    assert '"amount":3' not in told.text
    seen = data(people[1].get(f"{url}/state"))["state"]
    assert 3 not in seen["bids"]


def test_errors_tell_the_same_whatever_is_hidden(house: House) -> None:
    """A refusal depends only on what the caller knows, so it is the same before and after a bid."""
    people = [house.player(), house.player()]
    url = house.table(*people)
    people[0].move(url, 0)

    def refusals() -> list[JsonObject]:
        version = data(people[1].get(url))["version"]
        told = []
        for move in ({"type": "bid", "amount": 39}, {"type": "store", "under": True}, {}):
            body = {"seat": 1, "move": move, "expected_version": version}
            document = people[1].post(f"{url}/moves", body).json
            assert document is not None
            document.pop("request_id")
            told.append(document)
        return told

    before = refusals()
    assert people[0].move(url, 0, {"type": "bid", "amount": 3}).status_code == 201
    assert refusals() == before


@pytest.mark.parametrize("seed", [1, 2])
def test_no_secret_of_the_game_leaves_before_the_end(
    house: House, runtime: Runtime, seed: int
) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    secrets = runtime.ledger.table(url.rpartition("/")[2]).secrets
    told: list[str] = []
    while asked(url, house.visitor):
        told += everything(url, people[0], "0") + everything(url, house.visitor, "spectator")
        played = play_on(url, people, seed=seed, at_most=1)
        assert played == 1
    for text in told:
        assert secrets.salt.hex() not in text
        assert secrets.chance_seed.hex() not in text
    end = data(house.visitor.get(f"{url}/events"))["events"]
    assert end[-1]["body"]["chance"]["chance_seed"] == secrets.chance_seed.hex()


def test_nothing_that_another_player_chose_is_sent_beside_a_secret(house: House) -> None:
    """Otherwise that player could have guesses compressed with it, and see the right one by the
    length (CRIME, BREACH; docs/api/follow.md). The only such text, the player's entropy, is fixed
    before anything is dealt.
    """
    ana, mallory = house.player("Ana"), house.player(MARK)
    own = MARK.encode().ljust(32, b"!")
    commitment = entropy_commitment(None, 0, own).hex()
    seats = [{"holder": "me", "entropy_commitment": commitment}, {"holder": "open"}]
    tag = MARK.lower().replace(" ", "-")
    table = {"title": MARK, "tags": [tag]}
    asked_for = {"ruleset": "sealed", "seats": seats, "table": table}
    url = mallory.post("/v1/games", asked_for).headers["Location"]
    data(mallory.post(f"{url}/invitations", {}))
    data(mallory.post("/v1/players/me/keys", {"name": MARK, "scope": "read"}))
    data(ana.put(f"{url}/seats/1"))
    data(mallory.post(f"{url}/seats/0/entropy", {"entropy": own.hex()}))
    people = [mallory, ana]
    while seats_asked := asked(url, house.visitor):
        seat = seats_asked[0]
        version = data(house.visitor.get(url))["version"]
        data(people[seat].move(url, seat, Idempotency_Key=f"{tag}-{version}"))
    events: list[JsonObject] = []
    last = data(house.visitor.get(url))["version"]
    with streaming(ana, f"{url}/stream?include=effects,words,state,groups&seat=1") as stream:
        while len(events) < last:
            events.append(stream.event())
    (started,) = (event["seq"] for event in events if event["kind"] == "started")
    texts = {event["seq"]: orjson.dumps(event).decode().lower() for event in events}
    assert not [seq for seq, text in texts.items() if tag in text or MARK.lower() in text]
    chosen = (own.hex(), commitment)
    assert [seq for seq, text in texts.items() if any(one in text for one in chosen)]
    dealt = range(started, last)  # the last event reveals everything
    assert not [seq for seq in dealt if any(one in texts[seq] for one in chosen)]


MARK = "Quixotic Zyx"


def test_the_stream_shows_what_events_show(house: House) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people)
    people[0].move(url, 0)
    assert people[0].move(url, 0, {"type": "bid", "amount": 3}).status_code == 201
    events = data(people[1].get(f"{url}/events"))["events"]
    frames = []
    answer = people[1].get(f"{url}/stream")
    for chunk in answer.iter_encoded():
        frames += [
            house.app.json.loads(line.removeprefix(b"data: "))
            for line in chunk.split(b"\n")
            if line.startswith(b"data: ")
        ]
        if len(frames) >= len(events):
            break
    answer.close()
    assert frames == events
