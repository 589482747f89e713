"""Each operation that changes something, sent twice under one key: done once, and it says so."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson
import pytest
from werkzeug.test import TestResponse

from rules.kernel.record.secrets import entropy_commitment
from service.administration.keys import AdminKeys
from service.ledger.notices import notices_key
from service.runtime import Runtime
from service.webhooks.receivers import state_key
from tests.pushed import PushedBrowser
from tests.service.api.document import MADE
from tests.service.api.people import House, Json, Person, data, play_on, problem
from tests.service.api.resources import test_bots
from tests.service.api.resources.test_bots import BOTS, ROBBIE
from tests.service.api.test_notices import opened
from tests.service.api.test_questions import ASKED
from tests.service.api.test_stream import streaming
from tests.service.api.test_tournament_players import validated

HOOKS = "/v1/players/me/webhooks"
KEYS = "/v1/players/me/keys"
CUP: Json = {
    "ruleset": "sealed",
    "seats": 2,
    "entries": [{"bot": "random"}, {"bot": "random"}],
    "format": {"type": "round_robin", "games": 2},
}
ENTROPY = bytes(32)
COMMITMENT = entropy_commitment(None, 0, ENTROPY).hex()
TOLD_ONCE = frozenset(
    ("createPlayer", "createKey", "createSeatKey", "rotateKey", "createStreamTicket", "invite",
     "createWebhook", "rotateWebhookSecret", "createBot", "replaceBotKey")
)  # fmt: skip
"""Operations whose repetition gets 409, because the answer contains a secret."""


class Ask(NamedTuple):
    """A request that changes something, and another body that it may be confused with."""

    name: str
    of: Person
    method: str
    path: str
    body: Any = None
    other: Any = None


def asks(house: House, runtime: Runtime) -> Iterator[Ask]:
    """Yield a request of each operation, in an order in which all of them succeed."""
    ana, bob = house.player("Ana"), house.player("Bob")
    now_ms = runtime.ledger.store.clock.now_ms
    admin = Person(
        house, {"Authorization": f"Bearer {AdminKeys(runtime.redis, now_ms).make('ada', 1)[1]}"}
    )
    yield Ask("createPlayer", house.visitor, "POST", "/v1/players", {"name": "Eve"}, {"name": "E"})
    yield Ask("changeMe", bob, "PATCH", "/v1/players/me", {"name": "Ben"}, {"name": "B"})
    body: Json = {"name": "phone", "scope": "play"}
    yield Ask("createKey", ana, "POST", KEYS, body, {**body, "name": "x"})
    (made,) = [key for key in data(ana.get(KEYS))["keys"] if key["name"] == "phone"]
    yield Ask("rotateKey", ana, "POST", f"{KEYS}/{made['id']}/rotate")
    yield Ask("revokeKey", ana, "DELETE", f"{KEYS}/{made['id']}")
    yield Ask("createStreamTicket", ana, "POST", "/v1/stream_tickets")

    body = {"ruleset": "sealed", "seats": 3}
    yield Ask("createSeek", ana, "POST", "/v1/seeks", body, {**body, "seats": 2})
    (seek,) = data(ana.get("/v1/seeks?player=me"))["seeks"]
    yield Ask("cancelSeek", ana, "DELETE", f"/v1/seeks/{seek['id']}")

    me, still_open = {"holder": "me"}, {"holder": "open"}
    body = {"ruleset": "sealed", "seats": [me, still_open, still_open]}
    yield Ask("createGame", ana, "POST", "/v1/games", body, {**body, "seats": [me, still_open]})
    url = f"/v1/games/{data(ana.get('/v1/games?player=me'))['games'][0]['id']}"
    yield Ask("takeSeat", bob, "PUT", f"{url}/seats/1", {}, {"entropy_commitment": COMMITMENT})
    yield Ask("leaveSeat", bob, "DELETE", f"{url}/seats/1")
    yield Ask("invite", ana, "POST", f"{url}/invitations", {"uses": 2}, {"uses": 3})
    (shown,) = data(ana.get(url))["table"]["invitations"]
    yield Ask("revokeInvitation", ana, "DELETE", f"{url}/invitations/{shown['id']}")
    data(bob.put(f"{url}/seats/2"))
    yield Ask("handOver", ana, "PUT", f"{url}/host", {"seat": 2}, {"seat": 1})
    yield Ask("cancelGame", bob, "DELETE", url)

    seats = [{**me, "entropy_commitment": entropy_commitment(None, 0, ENTROPY).hex()}, still_open]
    sealed = data(ana.post("/v1/games", {"ruleset": "sealed", "seats": seats}))
    url = f"/v1/games/{sealed['id']}"
    assert data(bob.put(f"{url}/seats/1"))["status"] == "closed"
    yield Ask(
        "revealEntropy", ana, "POST", f"{url}/seats/0/entropy", {"entropy": ENTROPY.hex()},
        {"entropy": "11" * 32},
    )  # fmt: skip
    signs = {**me, "signing_key": "ab" * 32}
    form = {"ruleset": "sealed", "seats": [signs, still_open], "signatures": "required"}
    key = {"signing_key": "cd" * 32}
    url = f"{ana.post('/v1/games', form).headers['Location']}/seats/0/signing_key"
    yield Ask("changeSigningKey", ana, "POST", url, key, {"signing_key": "ef" * 32})
    url = house.table(ana, bob, take_back=True, hints=True)
    listed = ana.legal(url, 0)
    move = {"seat": 0, "move": listed["moves"][0], "expected_version": listed["version"]}
    body = {"name": "page"}
    yield Ask("createSeatKey", ana, "POST", f"{url}/seats/0/keys", body, {"name": "x"})
    yield Ask("requestHint", ana, "POST", f"{url}/hint", {"seat": 0}, {"seat": 1})
    yield Ask("playMove", ana, "POST", f"{url}/moves", move, {**move, "seat": 1})
    back = {"seat": 0, "to": listed["version"]}
    yield Ask("takeBack", ana, "POST", f"{url}/take_backs", back, {**back, "to": 1})
    yield Ask("resign", bob, "POST", f"{url}/resignations", {"seat": 1}, {"seat": 0})
    alone = [{"holder": "me"}, {"holder": "me"}, {"holder": "bot", "bot": "greedy"}]
    alone_at = ana.post("/v1/games", {"ruleset": "sealed", "seats": alone}).headers["Location"]
    yield Ask("requestHint", ana, "POST", f"{alone_at}/hint", {"seat": 0}, {"seat": 1})
    url = house.table(ana, bob)
    play_on(url, [ana, bob])
    yield Ask(
        "requestAnalysis", ana, "POST", f"{url}/analysis", {"bot": "greedy"}, {"bot": "lookahead"}
    )
    yield Ask("rematch", ana, "POST", f"{url}/rematch")

    yield Ask("createBot", ana, "POST", BOTS, ROBBIE, {**ROBBIE, "name": "x"})
    robbie = test_bots.made(ana)
    bot = f"{BOTS}/{robbie.id}"
    with streaming(robbie, ASKED) as stream:
        opened(stream)
        kept = {"holder": "challenged", "player": robbie.id}
        asking = ana.post("/v1/games", {"ruleset": "sealed", "seats": [me, kept]})
    url = asking.headers["Location"]
    decline = f"{url}/seats/1/decline"
    yield Ask("declineChallenge", robbie, "POST", decline, {"reason": "clock"}, {"reason": "seats"})
    yield Ask("changeBot", ana, "PATCH", bot, {"version": "2"}, {"version": "3"})
    yield Ask("replaceBotKey", ana, "POST", f"{bot}/key")
    yield Ask("revokeBotKey", ana, "DELETE", f"{bot}/key")
    yield Ask("deleteBot", ana, "DELETE", bot, {"id": robbie.id})

    body = {"url": "https://example.org/lonja"}
    yield Ask("createWebhook", ana, "POST", HOOKS, body, {"url": "https://example.org"})
    hook = f"{HOOKS}/{data(ana.get(HOOKS))['webhooks'][0]['id']}"
    yield Ask("changeWebhook", ana, "PATCH", hook, {"events": ["ended"]}, {"events": ["asked"]})
    yield Ask("rotateWebhookSecret", ana, "POST", f"{hook}/rotate")
    yield Ask("pingWebhook", ana, "POST", f"{hook}/ping")
    yield Ask("redeliverMessages", ana, "POST", f"{hook}/redeliveries", *_sent(runtime, ana, hook))
    yield Ask("deleteWebhook", ana, "DELETE", hook)

    pushes = "/v1/players/me/push_subscriptions"
    one, other = (
        PushedBrowser().subscription("https://push.example.net/one", language)
        for language in ("en", "es")
    )
    yield Ask("createPushSubscription", ana, "POST", pushes, one, other)
    made = data(ana.get(pushes))["subscriptions"][0]["id"]
    yield Ask("deletePushSubscription", ana, "DELETE", f"{pushes}/{made}")

    yield Ask("createTournament", ana, "POST", "/v1/tournaments", CUP, {**CUP, "seed": "x"})
    cup = ana.post("/v1/tournaments", CUP).headers["Location"]
    for verb in ("pause", "resume"):
        yield Ask(f"{verb}Tournament", ana, "POST", f"{cup}/{verb}")
    yield Ask("extendTournament", ana, "POST", f"{cup}/extend", {"games": 2}, {"games": 4})
    yield Ask("cancelTournament", ana, "POST", f"{cup}/cancel", {}, {"reason": "x"})
    fuller = ana.post("/v1/tournaments", CUP).headers["Location"]
    yield Ask("withdrawEntry", ana, "POST", f"{fuller}/withdraw", {"entry": 0}, {"entry": 1})
    hal = test_bots.made(ana)
    open_ = ana.post("/v1/tournaments", {**CUP, "places": 9}).headers["Location"]
    validated(runtime, ana, open_, hal)
    enter = {"player": hal.id}
    yield Ask("enterTournament", ana, "POST", f"{open_}/entries", enter, {**enter, "name": "x"})
    yield Ask("startTournament", ana, "POST", f"{open_}/start")
    owing = [{"bot": "random", "entropy_commitment": COMMITMENT}, {"bot": "random"}]
    late = ana.post("/v1/tournaments", {**CUP, "entries": owing}).headers["Location"]
    told = {"entry": 0, "entropy": ENTROPY.hex()}
    yield Ask("revealTournamentEntropy", ana, "POST", f"{late}/entropy", told)

    url, why = house.table(ana, bob), {"reason": "so"}
    game = f"/v1/admin/games/{url.rpartition('/')[2]}"
    for verb in ("suspend", "resume", "requeue", "end"):
        yield Ask(f"{verb}Game", admin, "POST", f"{game}/{verb}", why, {"reason": "else"})
    requeue = f"/v1/admin{cup.removeprefix('/v1')}/requeue"
    yield Ask("requeueTournament", admin, "POST", requeue, why, {"reason": "else"})
    acts = {"banPlayer": "ban", "unbanPlayer": "unban", "erasePlayersName": "erase_name"}
    for name, verb in acts.items():
        path = f"/v1/admin/players/{bob.id}/{verb}"
        yield Ask(name, admin, "POST", path, why, {"reason": "else"})


def _sent(runtime: Runtime, ana: Person, hook: str) -> list[Json]:
    """Return the requests for a sent message of a webhook."""
    id_ = hook.rpartition("/")[2]
    body = orjson.dumps({"seat": 0, "at": "2026-11-20T21:29:00.123Z"})
    told: Any = runtime.redis.xadd(notices_key(ana.id), {"k": "ended", "b": body})
    runtime.redis.hset(state_key(id_), "cursor", told)
    return [{"first": f"{id_}_{told.decode()}"}, {"first": f"{id_}_1-0"}]


@pytest.mark.usefixtures("following")
def test_every_change_is_made_once_under_a_key_and_its_repetition_says_so(
    house: House, runtime: Runtime
) -> None:
    named = {
        operation["operationId"]
        for item in MADE["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict) and "Idempotency-Key" in str(operation.get("parameters"))
    }
    asked = set()
    for number, ask in enumerate(asks(house, runtime)):

        def send(body: Any, ask: Ask = ask, number: int = number) -> TestResponse:
            headers = {**ask.of.headers, "Idempotency-Key": f"k{number}"}
            return house.client.open(ask.path, method=ask.method, json=body, headers=headers)

        first = send(ask.body)
        assert first.status_code < 300, (ask.name, first.text)
        assert "Idempotent-Replayed" not in first.headers, ask.name
        again = send(ask.body)
        if ask.name in TOLD_ONCE:
            problem(again, 409, "already_answered")
        else:
            assert again.status_code == first.status_code, (ask.name, again.text)
            assert again.headers.get("Idempotent-Replayed") == "true", ask.name
        if ask.other is not None:
            problem(send(ask.other), 422, "idempotency_key_reused")
        asked.add(ask.name)
    assert asked | {"leave"} == named  # a player who has left has no key any more
