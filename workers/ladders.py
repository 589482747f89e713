"""The ladders of the service: those that ``LONJA_LADDERS`` names, each opened once.

A ladder is an endless tournament with the default options of its game. Bots of the service are its
fixed points. The service is its host, so it goes on in parts by itself (``service.tournaments``).
"""

import time
from collections.abc import Iterator
from typing import Any

import structlog
from redis import Redis

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.record.batch import RefusedError
from service.ledger.kinds import BOT
from service.players.players import Player, Players
from service.redis.format import is_indexed
from service.runtime import Runtime
from service.settings import Ladders
from service.tournaments import listing, requests
from service.tournaments.listing import TournamentFilter
from service.tournaments.plan import ENDLESS, MAX_ENTRIES, EntryRequest, Plan, TournamentRequest
from service.tournaments.standing import TournamentStanding
from service.tournaments.tournament import PAUSED, RUNNING

log = structlog.get_logger(__name__)

HOST = "p-lonjahostladders"
"""The player that hosts the ladders of the service. Nobody has its key."""
NAME = "Lonja"

ANCHORS = ("greedy", "random", "lookahead")
"""The bots that are entered in turn until there are enough; the first one is the anchor."""
HOUSE_GAMES = 10
"""How many games each of them plays for a start; visitors play the rest, or nobody does."""
AGAIN_SECONDS = 60.0
"""The pause before the next attempt if the store refuses a ladder."""
_AT_ONCE = 50


class HouseLadders:
    """Opens the ladders that the settings name, once in the life of a process.

    Ladders that the settings name no more are paused, and resumed when they are named again.
    Without the setting, all stay as they are. Several processes may do this at once.
    """

    def __init__(self) -> None:
        self._next_at = 0.0

    def __call__(self, runtime: Runtime) -> None:
        """Open, pause and resume ladders, unless that is done."""
        if runtime.settings.ladders is None or time.monotonic() < self._next_at:
            return
        self._next_at = time.monotonic() + AGAIN_SECONDS
        if runtime.health.nearly_full() is not None:
            return
        try:
            keep_open(runtime)
        except RefusedError as reason:  # an older release may use the store
            log.warning("ladders_wait", reason=str(reason))
        else:
            self._next_at = float("inf")


def keep_open(runtime: Runtime) -> None:
    """Open the ladders that the settings name and that do not exist, and pause all others.

    Raises RefusedError: ``upgrade_unfinished``.
    """
    wanted = [_plan(runtime, *game) for game in _games(runtime.registry, runtime.settings.ladders)]
    there = list(_unended(runtime))
    for standing in there:
        is_wanted = any(_is_of(standing.plan, plan) for plan in wanted)
        status = standing.now["status"]
        if status == (PAUSED if is_wanted else RUNNING):
            do = runtime.director.resume if is_wanted else runtime.director.pause
            try:
                do(standing.id, {"player": HOST})
            except RefusedError as reason:  # another process was quicker
                log.info("ladder_left", tournament=standing.id, reason=str(reason))
    for plan in wanted:
        if not any(_is_of(standing.plan, plan) for standing in there):
            _open(runtime, plan)


def _games(registry: Registry, named: Ladders | None) -> Iterator[tuple[Ruleset[Any], int]]:
    """Yield the rulesets and numbers of seats whose ladders are named."""
    if named is None:
        return
    if named.games is None:
        for ruleset in registry:
            for seats in range(max(2, ruleset.info.min_seats), ruleset.info.max_seats + 1):
                yield ruleset, seats
        return
    for name, seats in named.games:
        try:
            ruleset = registry.find(name)
        except UnknownRulesetError as error:
            log.error("no_such_ladder", setting="LONJA_LADDERS", reason=str(error))  # noqa: TRY400 - known
            continue
        if ruleset.info.min_seats <= seats <= ruleset.info.max_seats:
            yield ruleset, seats
        else:
            reason = f"{name} has no games of {seats} seats"
            log.error("no_such_ladder", setting="LONJA_LADDERS", reason=reason)


def _plan(runtime: Runtime, ruleset: Ruleset[Any], seats: int) -> Plan:
    bots = [ANCHORS[n % len(ANCHORS)] for n in range(max(seats, len(ANCHORS)))]
    asked = TournamentRequest(
        name=f"Ladder: {ruleset.info.title['en']}, {seats} seats",
        ruleset=ruleset.info.id,
        seats=seats,
        entries=[EntryRequest(bot=bot) for bot in bots],
        format={"type": ENDLESS, "house_games": HOUSE_GAMES},
        places=MAX_ENTRIES,
    )
    return requests.plan_of(asked, runtime.registry, runtime.bots)


def _unended(runtime: Runtime) -> Iterator[TournamentStanding]:
    """Yield the newest parts of the ladders that the service has opened."""
    wanted = TournamentFilter(over=False, host=HOST, format=ENDLESS)
    place: str | None = None
    while True:
        page = listing.page(
            runtime.director, runtime.standings, wanted, _AT_ONCE, place,
            indexed=is_indexed(runtime.redis),
        )  # fmt: skip
        yield from page.standings
        if page.place is None:
            return
        place = page.place


def _is_of(part: Plan, plan: Plan) -> bool:
    """Whether a part belongs to the ladder of ``plan``, with the same rules and bots."""
    return _essence(part) == _essence(plan)


def _essence(plan: Plan) -> JsonObject:
    """Return what stays the same in all parts, whatever code of a version plays."""
    made = plan.replaced(plan.bots()).to_json()
    return {name: value for name, value in made.items() if name not in ("name", "rules_digest")}


def _open(runtime: Runtime, plan: Plan) -> None:
    _introduce(runtime.redis, runtime.ledger.store.clock.now())
    essence = digest(encode(_essence(plan)))
    made = runtime.director.create(
        plan, {"player": HOST}, key=f"ladder {essence.hex()}", fingerprint=essence
    )
    if not made.replayed:
        log.info("ladder_opened", tournament=made.tournament.id, name=plan.name)


def _introduce(redis: Redis, now: str) -> None:
    """Store the host's name, so that pages can show it."""
    players = Players(redis)
    if players.by_id(HOST) is None:
        for command in players.new_bot(Player(HOST, NAME, now, BOT)):
            redis.execute_command(*command)
