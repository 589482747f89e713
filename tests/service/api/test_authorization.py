"""Authorization: every operation of the description for every kind of caller.

A row has the answer to each caller: ``ok``, or the code of a problem. If an allowed request would
change something, it is one that fails for another reason, so that all callers find the same data.
"""

from typing import Any, NamedTuple

from service.administration.keys import AdminKeys
from service.players.keys import DAY_MS, KeyDraft, PlayerKeys
from service.runtime import Runtime
from tests.service.api.document import MADE
from tests.service.api.people import House, Person, data, seat_key

CALLERS = (
    "nobody", "unknown", "expired", "revoked", "banned", "admin", "ticket",
    "reader", "player", "stranger", "own", "host", "seat", "other_seat", "other_game", "bot",
)  # fmt: skip
"""``reader`` and ``player`` are keys of ``own``, who holds seat 0; ``host`` has opened the game and
the tournament, and holds no seat. ``seat`` is a key for that seat 0, ``other_seat`` one for the
stranger's, and ``other_game`` one for a seat of ``own`` in another game. ``bot`` is the key of
a bot that the stranger owns, which holds no seat.
"""
OF_A_SEAT = {
    "getGame", "getState", "listEvents", "listEventHeaders", "readLog", "getHead", "getRecord",
    "streamEvents", "createStreamTicket", "listLegalMoves", "explainRefusal", "previewMove",
    "playMove", "takeBack",
    "getMe", "getRuleset", "getDocument", "listSigningKeys",
}  # fmt: skip
"""The only operations that a key for one seat may call."""
OF_A_BOT = OF_A_SEAT | {
    "streamNotices", "takeSeat", "leaveSeat", "declineChallenge", "revealEntropy", "resign",
    "changeSigningKey",
    "listGames", "listRulesets", "getPlayer", "listBots", "getBot", "listBeacons",
    "listSeeks", "createSeek", "getSeek", "cancelSeek",
}  # fmt: skip
"""The only operations that the key of a bot account may call."""


class Row(NamedTuple):
    """A request, and the answer to each kind of caller; ``own`` and ``host`` are kinds.

    ``reader`` and ``player`` get the answer of ``own``, unless the operation needs a larger scope.
    """

    request: str
    scope: str
    stranger: str = "ok"
    own: str = "ok"
    host: str = "ok"
    body: Any = None
    nobody: str = "ok"
    ticket: str = "invalid_query"


WHY = {"reason": "because"}
MOVE = {"seat": 0, "move": {"type": "none"}, "expected_version": 1}
ENTROPY = {"entropy": "0" * 64}
NOT_SEAT = ("not_your_seat",)
MAKING = "report_unfinished"
THEIRS = "not_your_tournament"
NONE_YET = "no_analysis"
NO_HINT = "no_hint"
LATER = ("not_ended",) * 3
ROWS = {
    # Anybody
    "createPlayer": Row("POST /v1/players", "any", body={"name": "Ana"}),
    "getPlayer": Row("GET /v1/players/{own}", "any"),
    "listSeeks": Row("GET /v1/seeks", "any"),
    "listBots": Row("GET /v1/bots", "any"),
    "getBot": Row("GET /v1/bots/{bot}", "any"),
    "listRulesets": Row("GET /v1/rulesets", "any"),
    "getRuleset": Row("GET /v1/rulesets/sealed", "any"),
    "listRatings": Row("GET /v1/rulesets/sealed/ratings", "any"),
    "listPlayerRatings": Row("GET /v1/rulesets/sealed/player_ratings", "any"),
    "listRatedGames": Row("GET /v1/rulesets/sealed/rated_games", "any"),
    "getRatingHistory": Row("GET /v1/players/{own}/ratings/sealed", "any"),
    "getDocument": Row("GET /v1/rulesets/sealed/labels", "any"),
    "listGames": Row("GET /v1/games", "any"),
    "getGame": Row("GET {game}", "any"),
    "getHead": Row("GET {game}/head", "any"),
    "listEventHeaders": Row("GET {game}/headers", "any"),
    "getAnalysis": Row("GET {game}/analysis", "any", NONE_YET, NONE_YET, NONE_YET, None, NONE_YET),
    "readScores": Row("GET {game}/scores", "any", *LATER, None, LATER[0]),
    "listTournaments": Row("GET /v1/tournaments", "any"),
    "previewTournament": Row(
        "POST /v1/tournaments/preview", "any", "bad_tournament", "bad_tournament", "bad_tournament",
        {"ruleset": "nothing", "entries": [{"bot": "greedy"}]}, "bad_tournament", "invalid_query",
    ),
    "listTournamentFormats": Row("GET /v1/tournament_formats", "any"),
    "getTournament": Row("GET {cup}", "any"),
    "readTournamentReport": Row("GET {cup}/report", "any"),
    "plotTournamentRatings": Row("GET {cup}/ratings.svg", "any"),
    "plotTournamentRanks": Row("GET {cup}/ranks.svg", "any"),
    "listTournamentGames": Row("GET {cup}/games", "any"),
    "listTournamentRounds": Row("GET {cup}/rounds", "any"),
    "listTournamentEvents": Row("GET {cup}/events", "any"),
    "getTournamentHead": Row("GET {cup}/head", "any"),
    "getTournamentRecord": Row(
        "HEAD {cup}/record", "any", MAKING, MAKING, MAKING, nobody=MAKING
    ),
    "streamTournament": Row("HEAD {cup}/stream", "any"),
    "listSigningKeys": Row("GET /v1/signing_keys", "any"),
    "listBeacons": Row("GET /v1/beacons", "any"),
    # The view of a seat
    "getState": Row("GET {game}/state?seat=0", "any", *NOT_SEAT, "ok", *NOT_SEAT, None, *NOT_SEAT),
    "listEvents": Row(
        "GET {game}/events?seat=0", "any", *NOT_SEAT, "ok", *NOT_SEAT, None, *NOT_SEAT
    ),
    "getRecord": Row(
        "HEAD {game}/record?seat=0", "any", *NOT_SEAT, "ok", *NOT_SEAT, None, *NOT_SEAT
    ),
    "readLog": Row("GET {game}/log?seat=0", "any", *NOT_SEAT, "ok", *NOT_SEAT, None, *NOT_SEAT),
    "streamEvents": Row(
        "HEAD {game}/stream?seat=0", "any", *NOT_SEAT, "ok", *NOT_SEAT, None, *NOT_SEAT, "ok"
    ),
    "explainRefusal": Row(
        "GET {game}/refusal?seat=0&element=place:a", "read", *NOT_SEAT, "ok", *NOT_SEAT
    ),
    "getHint": Row("GET {game}/hint?seat=0", "read", *NOT_SEAT, NO_HINT, *NOT_SEAT),
    "listLegalMoves": Row("GET {game}/legal_moves?seat=0", "read", *NOT_SEAT, "ok", *NOT_SEAT),
    "streamNotices": Row(
        "HEAD /v1/players/me/stream", "any", nobody="key_required", ticket="ok"
    ),
    # The scope ``read``
    "listPushSubscriptions": Row("GET /v1/players/me/push_subscriptions", "read"),
    "listWebhooks": Row("GET /v1/players/me/webhooks", "read"),
    "getWebhook": Row("GET {hook}", "read", "unknown_webhook", "ok", "unknown_webhook"),
    "listDeliveries": Row(
        "GET {hook}/deliveries", "read", "unknown_webhook", "ok", "unknown_webhook"
    ),
    "getMe": Row("GET /v1/players/me", "read"),
    "getSeek": Row("GET /v1/seeks/{seek}", "read", "unknown_seek", "ok", "unknown_seek"),
    "createStreamTicket": Row("POST /v1/stream_tickets", "read"),
    # The scope ``play``
    "takeSeat": Row("PUT {table}/seats/0", "play", "seat_taken", "ok", "seat_taken"),
    "leaveSeat": Row("DELETE {game}/seats/0", "play", *NOT_SEAT, "not_in_lobby", "not_in_lobby"),
    "revealEntropy": Row(
        "POST {game}/seats/0/entropy", "play", *NOT_SEAT, "not_closed", *NOT_SEAT, ENTROPY
    ),
    "changeSigningKey": Row(
        "POST {game}/seats/0/signing_key", "play", *NOT_SEAT, "no_signatures", *NOT_SEAT,
        {"signing_key": "ab" * 32},
    ),
    "declineChallenge": Row(
        "POST {game}/seats/0/decline", "play", "not_challenged", "not_challenged", "not_challenged"
    ),
    "playMove": Row("POST {game}/moves", "play", *NOT_SEAT, "stale_version", *NOT_SEAT, MOVE),
    "takeBack": Row(
        "POST {game}/take_backs", "play", *NOT_SEAT, "no_take_back", *NOT_SEAT, {"seat": 0, "to": 1}
    ),
    "previewMove": Row("POST {game}/preview", "play", *NOT_SEAT, "stale_version", *NOT_SEAT, MOVE),
    "requestAnalysis": Row(
        "POST {game}/analysis", "play", "not_ended", "not_ended", "not_ended"
    ),
    "requestHint": Row(
        "POST {game}/hint", "play", *NOT_SEAT, "no_hints", *NOT_SEAT, {"seat": 0}
    ),
    "resign": Row(
        "POST {table}/resignations", "play", *NOT_SEAT, "not_running", *NOT_SEAT, {"seat": 0}
    ),
    "createSeek": Row(
        "POST /v1/seeks", "play", "unknown_ruleset", "unknown_ruleset", "unknown_ruleset",
        {"ruleset": "none", "seats": 2},
    ),
    "cancelSeek": Row(
        "DELETE /v1/seeks/s-none", "play", "unknown_seek", "unknown_seek", "unknown_seek"
    ),
    # The scope ``host``
    "createGame": Row(
        "POST /v1/games", "host", "unknown_ruleset", "unknown_ruleset", "unknown_ruleset",
        {"ruleset": "none", "seats": [{"holder": "me"}]},
    ),
    "cancelGame": Row(
        "DELETE {game}", "host", "not_your_table", "not_your_table", "not_in_lobby"
    ),
    "invite": Row(
        "POST {table}/invitations", "host", "not_your_table", "not_your_table", "unknown_seat",
        {"seat": 9},
    ),
    "revokeInvitation": Row(
        "DELETE {table}/invitations/i-none", "host", "not_your_table", "not_your_table"
    ),
    "handOver": Row(
        "PUT {table}/host", "host", "not_your_table", "not_your_table", "no_player_there",
        {"seat": 1},
    ),
    "rematch": Row("POST {game}/rematch", "host", "not_ended", "not_ended", "not_ended"),
    "createTournament": Row(
        "POST /v1/tournaments", "host", "bad_tournament", "bad_tournament", "bad_tournament",
        {"ruleset": "none", "seats": 2, "entries": [{"bot": "random"}, {"bot": "random"}],
         "format": {"type": "round_robin", "games": 2}},
    ),
    "pauseTournament": Row(
        "POST {cup}/pause", "host", THEIRS, THEIRS, "tournament_not_running"
    ),
    "resumeTournament": Row(
        "POST {cup}/resume", "host", THEIRS, THEIRS, "tournament_not_paused"
    ),
    "cancelTournament": Row(
        "POST {cup}/cancel", "host", THEIRS, THEIRS, "tournament_over", {}
    ),
    "extendTournament": Row(
        "POST {cup}/extend", "host", THEIRS, THEIRS, "tournament_over", {"games": 2}
    ),
    "startTournament": Row("POST {cup}/start", "host", THEIRS, THEIRS, "no_place_free"),
    "withdrawEntry": Row(
        "POST {cup}/withdraw", "host", THEIRS, THEIRS, "tournament_over", {"entry": 0}
    ),
    "revealTournamentEntropy": Row(
        "POST {cup}/entropy", "host", THEIRS, THEIRS, "no_entropy_expected",
        {"entry": 0, **ENTROPY},
    ),
    "createSeatKey": Row(
        "POST {table}/seats/0/keys", "full", *NOT_SEAT, "not_running", *NOT_SEAT, {"name": "page"}
    ),
    # The scope ``full``
    "changeMe": Row("PATCH /v1/players/me", "full", body={"name": "Ana"}),
    "leave": Row(
        "DELETE /v1/players/me", "full", "invalid_body", "invalid_body", "invalid_body",
        {"id": "p-another"},
    ),
    "exportMe": Row("GET /v1/players/me/export", "full"),
    "listKeys": Row("GET /v1/players/me/keys", "full"),
    "createKey": Row("POST /v1/players/me/keys", "full", body={"name": "bot", "scope": "read"}),
    "rotateKey": Row(
        "POST /v1/players/me/keys/{key}/rotate", "full",
        "no_such_key", "last_full_key", "no_such_key",
    ),
    "revokeKey": Row(
        "DELETE /v1/players/me/keys/{key}", "full", "no_such_key", "last_full_key", "no_such_key"
    ),
    "enterTournament": Row(
        "POST {cup}/entries", "full", "no_such_bot", "no_such_bot", "no_such_bot",
        {"player": "p-another"},
    ),
    "listOwnBots": Row("GET /v1/players/me/bots", "full"),
    "createBot": Row(
        "POST /v1/players/me/bots", "full", "unknown_ruleset", "unknown_ruleset", "unknown_ruleset",
        {"name": "R", "version": "1", "takes": [{"ruleset": "none", "seats": [2]}]},
    ),
    "changeBot": Row(
        "PATCH /v1/players/me/bots/{bot}", "full", "ok", "no_such_bot", "no_such_bot",
        {"name": "Robbie"},
    ),
    "deleteBot": Row(
        "DELETE /v1/players/me/bots/p-none", "full", "no_such_bot", "no_such_bot", "no_such_bot",
        {"id": "p-none"},
    ),
    "replaceBotKey": Row(
        "POST /v1/players/me/bots/p-none/key", "full", "no_such_bot", "no_such_bot", "no_such_bot"
    ),
    "revokeBotKey": Row(
        "DELETE /v1/players/me/bots/p-none/key", "full", "no_such_bot", "no_such_bot", "no_such_bot"
    ),
    "listRefusedRequests": Row(
        "GET /v1/players/me/keys/{key}/refused_requests", "full",
        "no_such_key", "ok", "no_such_key",
    ),
    "createPushSubscription": Row(
        "POST /v1/players/me/push_subscriptions", "full",
        "invalid_body", "invalid_body", "invalid_body", {"endpoint": "none"},
    ),
    "deletePushSubscription": Row(
        "DELETE /v1/players/me/push_subscriptions/d-none", "full",
        "unknown_subscription", "unknown_subscription", "unknown_subscription",
    ),
    "createWebhook": Row(
        "POST /v1/players/me/webhooks", "full", "invalid_body", "invalid_body", "invalid_body",
        {"url": "none"},
    ),
    "changeWebhook": Row(
        "PATCH {hook}", "full", "unknown_webhook", "ok", "unknown_webhook", {"events": ["asked"]}
    ),
    "rotateWebhookSecret": Row(
        "POST {hook}/rotate", "full", "unknown_webhook", "ok", "unknown_webhook"
    ),
    "redeliverMessages": Row(
        "POST {hook}/redeliveries",
        "full",
        "unknown_webhook",
        "invalid_body",
        "unknown_webhook",
        {"first": "w-none_1-0"},
    ),
    "pingWebhook": Row("POST {hook}/ping", "full", "unknown_webhook", "ok", "unknown_webhook"),
    "deleteWebhook": Row(
        "DELETE /v1/players/me/webhooks/w-none", "full",
        "unknown_webhook", "unknown_webhook", "unknown_webhook",
    ),
    # Administration: the answer in ``host`` is the one to an admin
    "getAdmin": Row("GET /v1/admin/me", "admin"),
    "listActs": Row("GET /v1/admin/acts", "admin"),
    "endGame": Row("POST /v1/admin/games/{none}/end", "admin", host="unknown_game", body=WHY),
    "suspendGame": Row(
        "POST /v1/admin/games/{none}/suspend", "admin", host="unknown_game", body=WHY
    ),
    "resumeGame": Row("POST /v1/admin/games/{none}/resume", "admin", host="unknown_game", body=WHY),
    "requeueGame": Row("POST /v1/admin{game_path}/requeue", "admin", body=WHY),
    "requeueTournament": Row("POST /v1/admin{cup_path}/requeue", "admin", body=WHY),
    "banPlayer": Row(
        "POST /v1/admin/players/p-none/ban", "admin", host="unknown_player", body=WHY
    ),
    "unbanPlayer": Row(
        "POST /v1/admin/players/p-none/unban", "admin", host="unknown_player", body=WHY
    ),
    "erasePlayersName": Row(
        "POST /v1/admin/players/p-none/erase_name", "admin", host="unknown_player", body=WHY
    ),
    # Operations of the process, which read no key
    "checkHealth": Row("GET /healthz", "none"),
    "checkReadiness": Row("GET /readyz", "none"),
}  # fmt: skip
SCOPES = ("any", "read", "play", "host", "full")


def expected(name: str, row: Row) -> dict[str, str]:
    """Return the expected answer of an operation to each caller."""
    if row.scope == "none":
        return dict.fromkeys(CALLERS, "ok")
    if row.scope == "admin":
        return {
            **dict.fromkeys(CALLERS, "not_admin"),
            **dict.fromkeys(("nobody", "ticket"), "admin_key_required"),
            **dict.fromkeys(("unknown", "revoked"), "unknown_key"),
            "expired": "key_expired", "admin": row.host,
        }  # fmt: skip
    may, of_a_game = name in OF_A_SEAT, "{game}" in row.request
    found = {
        "nobody": row.nobody, "ticket": row.ticket,
        "unknown": "unknown_key", "expired": "key_expired", "revoked": "unknown_key",
        "banned": "banned", "admin": "unknown_key",
        "stranger": row.stranger, "own": row.own, "host": row.host,
        "seat": row.own if may else "insufficient_scope",
        "other_seat": row.stranger if may else "insufficient_scope",
        "other_game": row.own if may and not of_a_game else "insufficient_scope",
        "bot": row.stranger if name in OF_A_BOT else "insufficient_scope",
    }  # fmt: skip
    if row.scope != "any":
        found["nobody"] = found["ticket"] = "key_required"
    for caller, scope in (("reader", "read"), ("player", "play")):
        may = SCOPES.index(scope) >= SCOPES.index(row.scope)
        found[caller] = row.own if may else "insufficient_scope"
    return found


class World:
    """A game, a table and a finished tournament, and all kinds of callers."""

    def __init__(self, house: House, runtime: Runtime) -> None:
        self.house = house
        own, host = house.player("Own"), house.player("Host")
        banned, stranger = house.player("Banned"), house.player("Stranger")
        opening = {"ruleset": "sealed", "seats": [{"holder": "open"}, {"holder": "open"}]}
        game = host.post("/v1/games", opening).headers["Location"]
        table = host.post("/v1/games", opening).headers["Location"]
        for url, seat, person in ((game, 0, own), (game, 1, stranger), (table, 0, own)):
            data(person.put(f"{url}/seats/{seat}"))
        cup = host.post(
            "/v1/tournaments",
            {
                "ruleset": "sealed",
                "seats": 2,
                "entries": [{"bot": "random"}, {"bot": "random"}],
                "format": {"type": "round_robin", "games": 2},
            },
        ).headers["Location"]
        data(host.post(f"{cup}/cancel", {}))
        # ``stranger`` sits at seat 1, as an opponent of the caller
        now = runtime.ledger.store.clock.now_ms
        self._own = own
        _made, admin = AdminKeys(runtime.redis, now).make("ana", 1)
        seek = own.post("/v1/seeks", {"ruleset": "sealed", "seats": 3})
        hook = own.post("/v1/players/me/webhooks", {"url": "https://example.org"})
        revoked = self._key("read")
        past = PlayerKeys(runtime.redis, lambda: now() - 2 * DAY_MS)
        asking = past.find(own.key)
        assert asking is not None
        _old, expired = past.make(asking, KeyDraft("old", "full", 1), None)
        other = house.table(own, stranger)
        data(self._with(admin).post(f"/v1/admin/players/{banned.id}/ban", WHY))
        assert own.delete(f"/v1/players/me/keys/{revoked['id']}").status_code == 204
        bot = data(
            stranger.post(
                "/v1/players/me/bots",
                {
                    "name": "Robbie",
                    "version": "1",
                    "takes": [{"ruleset": "sealed", "seats": [2]}],
                },
            )
        )
        reader = self._with(self._key("read")["key"])
        self.people = {
            "nobody": house.visitor, "unknown": self._with("lk_nobody"),
            "expired": self._with(expired), "revoked": self._with(revoked["key"]),
            "banned": banned, "admin": self._with(admin), "reader": reader,
            "player": self._with(self._key("play")["key"]),
            "stranger": stranger, "own": own, "host": host,
            "seat": self._with(seat_key(own, game, 0)),
            "other_seat": self._with(seat_key(stranger, game, 1)),
            "other_game": self._with(seat_key(own, other, 0)),
            "bot": self._with(bot["key"]),
        }  # fmt: skip
        self.names = {
            "own": own.id, "game": game, "table": table, "cup": cup, "key": asking.id,
            "none": "g00-aaaaaaaaaaaaaaaaaaaa", "hook": hook.headers["Location"],
            "seek": data(seek)["id"],
            "bot": bot["id"],
            "game_path": game.removeprefix("/v1"), "cup_path": cup.removeprefix("/v1"),
        }  # fmt: skip

    def _with(self, key: str) -> Person:
        return Person(self.house, {"Authorization": f"Bearer {key}"})

    def _key(self, scope: str) -> Any:
        return data(self._own.post("/v1/players/me/keys", {"name": scope, "scope": scope}))

    def outcome(self, row: Row, caller: str) -> str:
        method, _, path = row.request.format(**self.names).partition(" ")
        person = self.people.get(caller, self.house.visitor)
        if caller == "ticket":
            ticket = data(self.people["reader"].post("/v1/stream_tickets"))["ticket"]
            path += f"{'&' if '?' in path else '?'}ticket={ticket}"
        answer = self.house.client.open(path, method=method, json=row.body, headers=person.headers)
        if answer.status_code < 400:
            return "ok"
        if method == "HEAD":  # the answer of GET without the body, which may be a stream
            answer = self.house.client.get(path, headers=person.headers)
        return str(answer.get_json()["code"])


def test_every_operation_has_a_row() -> None:
    paths = MADE["paths"]
    known = {
        operation["operationId"]: (path, operation["security"])
        for path, item in paths.items()
        for method, operation in item.items()
        if method != "parameters"
    }
    assert ROWS.keys() == known.keys()
    for name, (path, security) in known.items():
        scopes = [scope for way in security for scope in way.get("key", ())]
        wide = [scope for scope in scopes if scope not in {"seat", "bot"}]
        assert ("seat" in scopes) == (name in OF_A_SEAT), name
        assert ("bot" in scopes) == (name in OF_A_BOT), name
        declared = wide[0] if wide else "any" if path.startswith("/v1") else "none"
        if {"admin_key": []} in security:
            declared = "admin"
        assert ROWS[name].scope == declared, name


def test_every_caller_is_answered_what_the_table_says(house: House, runtime: Runtime) -> None:
    world = World(house, runtime)
    found = {name: {c: world.outcome(row, c) for c in CALLERS} for name, row in ROWS.items()}
    wrong = {
        (name, caller): (outcome, expected(name, ROWS[name])[caller])
        for name, outcomes in found.items()
        for caller, outcome in outcomes.items()
        if outcome != expected(name, ROWS[name])[caller]
    }
    assert wrong == {}, "what was answered, and what the table says"
