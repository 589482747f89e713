"""The effect of one address's most expensive requests, of each operation, on another address.

No path is given. The tests measure the processor time of another address's small request, alone and
beside the crowd alternately, so that the machine's load does not matter.
"""

import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service.ledger.store import Store
from tests.campaigns import Figure
from tests.running import environment, process, runtime_on, wait_for
from tests.scripted import Script, stalling
from tests.service.api.fairness.costs import CROWD, Found, ask, cost_ns, crowd, measure
from tests.service.api.fairness.requests import Asked, Operation, operations
from tests.service.api.test_gunicorn import Service

LONG = 1_000
"""Number of events of the longest game."""
CUP = 200
MUTATIONS = 200
KEPT = 3
MOST_MEDIAN, MOST_P99 = 5.0, 10.0


class World(NamedTuple):
    """A service, its crowd, existing objects, and the small request of a victim."""

    service: Service
    pid: int
    key: str
    known: dict[str, list[str]]
    victim: bytes

    def measured(self, others: Sequence[subprocess.Popen[Any]]) -> Found:
        """Return the costs of the victim's request, alone and beside others."""
        service = self.service
        return measure(self.pid, service.redis.pid, service.port, self.victim, others)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("service")
    with Service(folder, redis_binary, LONJA_WEB_WORKERS="1") as service:
        made = [service.call("POST", "/v1/players", body={"name": "x"}).json for _ in range(2)]
        key, me = made[0]["key"], made[0]["id"]
        store, registry = Store(runtime_on(service.redis.url).redis), Registry(PACKAGES)
        holder = {"player": me}
        long = Script(registry, "santiago_de_cuba", 4, 1, choose=stalling, holder=holder)
        long.store(store, LONG)
        short = Script(registry, "ragusa", 4, 2, holder=holder)
        short.store(store)
        seats = [{"holder": "me"}, {"holder": "open"}]
        lobby = service.call("POST", "/v1/games", key, {"ruleset": "ragusa", "seats": seats}).json
        entries = [{"bot": "random"}] * 8
        cup = {"ruleset": "sealed", "seats": 2, "entries": entries, "format": {
            "type": "round_robin", "games": CUP}}  # fmt: skip
        held = service.call("POST", "/v1/tournaments", key, cup).json["id"]
        working = ("-m", "workers.worker", "--queue", "tournaments")
        with process(*working, env=environment(service.redis.url)):
            url = f"/v1/tournaments/{held}"
            wait_for(lambda: service.call("GET", url).json["status"] == "ended", 800)
        seats = [{"holder": "me"}] * 2
        small = service.call(
            "POST", "/v1/games", made[1]["key"], {"ruleset": "sealed", "seats": seats}
        ).json["id"]
        takes = [{"ruleset": "ragusa", "seats": [2]}]
        robbie = {"name": "Robbie", "version": "1", "takes": takes}
        bot = service.call("POST", "/v1/players/me/bots", key, robbie).json["id"]
        known = {
            "bot_id": [bot],
            "game_id": [long.id, short.id, lobby["id"]],
            "seat": ["0", "1"],
            "player_id": [me],
            "document": ["board", "labels", "rules", "renderer"],
            "invitation_id": ["i-mfrggzdfmztwq2lk"],
            "key_id": ["y-mfrggzdfmztwq2lk"],
            "webhook_id": ["w-mfrggzdfmztwq2lk"],
            "subscription_id": ["d-mfrggzdfmztwq2lk"],
            "seek_id": ["s-mfrggzdfmztwq2lk"],
            "ruleset_id": ["santiago_de_cuba", "ragusa"],
            "tournament_id": [held],
        }
        victim = f"GET /v1/games/{small} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        (children,) = Path(f"/proc/{service.process.pid}/task").glob("*/children")
        (pid,) = map(int, children.read_text().split())
        for _ in range(20):
            assert ask(service.port, victim).startswith(b"HTTP/1.1 200")
        yield World(service, pid, key, known, victim)


def dearest(world: World, operation: Operation) -> list[tuple[int, bool, Asked]]:
    """Return the most expensive requests with their ns, accepted and refused ones separately."""
    rng = random.Random(operation.name)
    kept: dict[bool, list[tuple[int, bool, Asked]]] = {True: [], False: []}

    def tried(asked: Asked) -> None:
        raw = asked.raw(world.key)
        if not raw:
            return
        first = ask(world.service.port, raw, CROWD)
        cost = cost_ns(world.pid, world.service.port, raw, CROWD)
        taken = first.startswith(b"HTTP/1.1 2")
        kept[taken].append((cost, taken, asked))
        kept[taken].sort(key=lambda one: -one[0])
        del kept[taken][KEPT:]

    for asked in operation.seeds(world.known):
        tried(asked)
    for _ in range(MUTATIONS):
        pool = [one for some in kept.values() for one in some]
        tried(operation.changed(rng.choice(pool)[2], rng, world.known))
    return [*kept[True], *kept[False]]


@pytest.mark.campaign("fairness")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.name)
def test_what_an_address_asks_for_costs_others_little(
    world: World, operation: Operation, record_property: Figure
) -> None:
    found = dearest(world, operation)
    requests = [asked.raw(world.key) for _cost, _taken, asked in found]
    with crowd(world.pid, world.service.port, requests) as asking:
        told = world.measured([asking])
    most = max(cost for cost, _taken, _asked in found) / 1e6
    judge(told, f"{operation.name}, {most:.1f} ms at most", record_property)


@pytest.mark.campaign("fairness")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("what", ["bots", "tournaments"])
def test_what_bots_of_an_address_do_costs_others_little(
    world: World, what: str, record_property: Figure
) -> None:
    """Beside streams of all its games, each with every ``include``."""
    service, urls = world.service, []
    for _ in range(30):
        seats = [{"holder": "bot", "bot": "greedy"}] * 3
        made = service.call("POST", "/v1/games", world.key, {"ruleset": "ragusa", "seats": seats})
        urls.append(f"/v1/games/{made.json['id']}/stream?include=words,state,patch,effects")
    if what == "tournaments":
        body = {"ruleset": "ragusa", "entries": [{"bot": "greedy"}] * 8}
        cup = {**body, "format": {"type": "round_robin", "games": 10_000}}
        # The crowd has as many unfinished tournaments as it may by now.
        host = service.call("POST", "/v1/players", body={"name": "y"}).json["key"]
        held = [service.call("POST", "/v1/tournaments", host, cup).json for _ in range(2)]
        urls = [f"/v1/tournaments/{one['id']}/stream" for one in held]
    requests = [f"GET {url} HTTP/1.1\r\nHost: x\r\n\r\n".encode() for url in urls]
    arguments = ("-m", "workers.worker", *(("--queue", what) if what == "tournaments" else ()))
    with (
        process(*arguments, env=environment(service.redis.url)) as worker,
        crowd(world.pid, service.port, requests) as asking,
    ):
        told = world.measured([asking, worker])
    judge(told, what, record_property)


def judge(told: Found, what: str, record_property: Figure) -> None:
    """Compare a victim's costs with the bounds."""
    middle, worst = told.ratios
    said = f"{what}: {middle:.1f} times, p99 {worst:.1f} times"
    sys.stderr.write(f"{said}\n")
    record_property("requests of others", len(told.alone) + len(told.beside))
    assert middle <= MOST_MEDIAN, said
    assert worst <= MOST_P99, said
