"""The web application: the API's resources, and the steps around every request."""

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any, Self

import orjson
from flask import Flask, Response, g, request
from flask.globals import request_ctx
from flask.json.provider import JSONProvider
from flask_cors import CORS
from werkzeug.exceptions import MethodNotAllowed
from werkzeug.routing import Rule

from service.addresses import Addresses
from service.administration.acts import Administration
from service.administration.keys import AdminKeys
from service.api import guides, openapi, pages, web
from service.api.activity import ActivityWindow
from service.api.http import at_work, errors, observe, operations
from service.api.http.access import UNDECLARED
from service.api.http.context import Caller, Services
from service.api.http.cursors import Cursors
from service.api.http.headers import pass_over_long_lists
from service.api.http.limits import RateLimits
from service.catalogue.documents import published
from service.games.admission import Admission
from service.games.downloads import Downloads
from service.games.listing import GameList
from service.games.seeks import Seeks
from service.live.hub import Hub
from service.live.places import Shares
from service.live.streams import Streams
from service.people.export import PersonalData
from service.people.leaving import Departures
from service.people.profile import Profiles
from service.people.seat_keys import SeatKeys
from service.players.bans import Bans
from service.players.bot_accounts import BotAccounts
from service.players.invalidation import Invalidations
from service.players.keys import PlayerKeys
from service.players.players import Players, Tickets
from service.players.refusals import Refusals
from service.problems import Problem
from service.process.fair_queue import FairQueue
from service.runtime import Runtime
from service.upkeep.gauges import Gauges
from service.upkeep.survey import Surveyor

EXPOSED = [
    "Accept-Ranges", "Content-Disposition", "Content-Range", "Deprecation", "ETag",
    "Idempotent-Replayed", "Link", "Location", "RateLimit", "RateLimit-Limit", "RateLimit-Policy",
    "RateLimit-Remaining", "RateLimit-Reset", "Retry-After", "Server-Timing", "Sunset",
    "X-Request-Id",
]  # fmt: skip
ALLOWED = [
    "Accept", "Accept-Language", "Authorization", "Content-Type", "Idempotency-Key",
    "If-None-Match", "If-Range", "Invitation", "Last-Event-ID", "Range", "X-Request-Id",
]  # fmt: skip


def create_app(runtime: Runtime) -> Flask:
    """Return the application that serves ``runtime``.

    Raises:
        redis.exceptions.RedisError: the runtime's Redis does not answer.
        TypeError: a path names a game or a tournament, but declares no guard.
    """
    found = runtime.settings
    app = _Application("service", static_folder=None)
    app.json = _Orjson(app)
    app.config["MAX_CONTENT_LENGTH"] = found.max_body_bytes
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False  # ``//`` in a path gets no redirect to the path without it
    games = GameList(runtime.redis, runtime.ledger)
    queue = FairQueue()
    players = Players(runtime.redis)
    keys = PlayerKeys(runtime.redis, runtime.ledger.store.clock.now_ms)
    refusals = Refusals(runtime.redis, runtime.ledger.store.clock.now_ms)
    bans = Bans(runtime.redis)
    bots = BotAccounts(runtime.redis, players, keys, runtime.ledger.store.clock.now_ms)
    hub = Hub(
        runtime.redis,
        runtime.ledger,
        queue=queue,
        shares=Shares(found.max_streams, found.streams_per_key, found.streams_per_address),
    )
    admission = Admission(
        runtime.redis,
        runtime.ledger.store,
        games,
        runtime.director,
        runtime.health,
        found,
        runtime.jobs,
    )

    seeks = Seeks(
        runtime.redis,
        runtime.tables,
        runtime.player_ratings,
        games,
        bots,
        admission,
        found.decision_seconds,
    )

    def forget(ids: set[str] | None) -> None:
        if ids is None:
            players.forget_all()
            keys.forget_all()
        else:
            players.forget(ids)
            keys.forget(ids)
        hub.cut(ids)

    services = app.extensions["lonja"] = Services(
        runtime=runtime,
        players=players,
        keys=keys,
        refusals=refusals,
        seat_keys=SeatKeys(runtime, keys, games),
        bots=bots,
        seeks=seeks,
        tickets=Tickets(runtime.redis),
        invalidations=Invalidations(runtime.redis, forget),
        profiles=Profiles(runtime, players, keys, games),
        departures=Departures(runtime, players, keys, bots, games, admission, seeks),
        personal_data=PersonalData(runtime, keys, refusals, bots, games, admission, bans, seeks),
        bans=bans,
        admin_keys=AdminKeys(runtime.redis, runtime.ledger.store.clock.now_ms),
        administration=Administration(runtime, players),
        games=games,
        cursors=Cursors.of(runtime.redis),
        hub=hub,
        streams=Streams(hub, runtime.ledger, runtime.director),
        downloads=Downloads(runtime.redis, found.send_seconds),
        addresses=Addresses(found.trusted_proxies),
        admission=admission,
        queue=queue,
        gauges=Gauges(Surveyor(found)),
        window=ActivityWindow(runtime, games),
        published=published(runtime.registry),
        documents={},
    )
    observe.watch(app)
    at_work.guard(app, queue)
    rate_limits = RateLimits(runtime.redis, found)
    rate_limits.guard(app)
    app.before_request(lambda: app.admit(services, rate_limits))
    CORS(
        app,
        resources={r"/(v1|log)/.*": {"origins": "*"}},
        expose_headers=EXPOSED,
        allow_headers=ALLOWED,
        methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
        send_wildcard=True,
        max_age=600,
    )
    openapi.register(app, runtime.registry)
    app.register_blueprint(web.blueprint)
    app.register_blueprint(pages.blueprint)
    guides.register(app)
    errors.register(app)
    operations.refuse_unguarded_rules(app)
    return app


class _Rule(Rule):
    """A rule that compiles the functions which build its path only when they are called.

    To compile them takes most of the time in which an application is made, and nothing calls them.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:  # noqa: FBT001, FBT002 - as werkzeug calls it
        compiled = partial(super()._compile_builder, append_unknown)

        def build(rule: Self, /, **values: Any) -> tuple[str, str]:
            return compiled()(rule, **values)

        return build


class _Application(Flask):
    """Flask without its checks for coroutines.

    Flask makes fourteen of these checks in each request.
    """

    url_rule_class = _Rule

    @cached_property
    def _literal(self) -> dict[str, set[str]]:
        """The methods of each registered path that has no parameters."""
        found: dict[str, set[str]] = {}
        for rule in self.url_map.iter_rules():
            if not rule.arguments:
                found.setdefault(rule.rule, set()).update(rule.methods or ())
        return found

    def admit(self, services: Services, rate_limits: RateLimits) -> None:
        """Wait for the request's turn, identify its caller, and refuse what is not allowed.

        Raises:
            Problem: ``bad_request``, ``rate_limited``, ``store_unavailable``, and the problems of
                ``Caller.refuse_keys``.
            MethodNotAllowed: the path takes only other methods.

        """
        request = request_ctx.request
        observe.begin(request)
        pass_over_long_lists(request)
        view = self.view_functions.get(request.endpoint or "")
        caller = g.caller = Caller(services, request, getattr(view, "access", UNDECLARED))
        at_work.begin(caller)
        caller.identify()
        rate_limits.check(caller)
        environ = request.environ
        if "HTTP_HOST" not in environ and environ["SERVER_PROTOCOL"] == "HTTP/1.1":
            raise Problem("bad_request", "HTTP/1.1 names a Host (RFC 9112, 3.2)")
        reason = services.runtime.health.another_format
        if reason is not None and caller.access.keys is not None:
            raise Problem("store_unavailable", reason)
        caller.refuse_keys()
        allowed = self.methods_at(request.path)
        if allowed and request.method not in allowed:
            raise MethodNotAllowed(sorted(allowed))

    def methods_at(self, path: str) -> set[str]:
        """Return the methods of a registered path without parameters; an empty set for other paths.

        The methods of a rule with a parameter are not returned, even if the rule matches the path.
        For example, a rule with a tournament's id also matches ``/tournaments/preview``.
        """
        return self._literal.get(path.rstrip("/") or "/", set())

    def make_default_options_response(self) -> Response:
        """Answer OPTIONS with the methods of exactly this path, not of other matching rules."""
        response = super().make_default_options_response()
        if own := self.methods_at(request.path):
            response.allow.clear()
            response.allow.update(sorted(own))
        return response

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the view itself, because no view is a coroutine."""
        return func


class _Orjson(JSONProvider):
    """Flask's JSON provider, by means of orjson."""

    def dumps(self, obj: Any, **_kwargs: Any) -> str:
        return orjson.dumps(obj).decode()

    def loads(self, s: str | bytes, **_kwargs: Any) -> Any:
        return orjson.loads(s)
