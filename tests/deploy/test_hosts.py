"""Several hosts under load: web nodes are drained one by one, and hosts of each kind are killed.

No acknowledged event may be lost. The tests report the number of repeated requests.
"""

import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests import running
from tests.campaigns import Figure
from tests.deploy import proxies
from tests.deploy.hosts import HOSTS, Host, Visitor
from tests.deploy.proxies import Proxy
from tests.faults.movers import Mover
from tests.faults.people import Follower
from tests.faults.sentinels import Installation, installation

pytestmark = [pytest.mark.campaign("hosts"), pytest.mark.timeout(900)]

KINDS = {"caddy": proxies.caddy, "nginx": proxies.nginx}
PEOPLE = 4
GENEROUS_S = 120.0
OF_THE_STORE = {"503 unconfirmed", "503 store_unavailable"}
"""Answers that are allowed on an overloaded machine, because they do not come from the proxy."""
NOTICED_S = 4.0
"""Seconds after which a proxy sends requests again to a node that was restarted."""


class Load:
    """Clients that play, and one that follows a game, all through a proxy."""

    def __init__(self, proxy: Proxy) -> None:
        self.movers = [Mover([Visitor(proxy)], seed) for seed in range(PEOPLE)]
        self.began = time.monotonic()
        for mover in self.movers:
            mover.start()
        self.play(20)

    @property
    def moves(self) -> int:
        return sum(len(mover.promises) for mover in self.movers)

    @property
    def asked(self) -> int:
        return sum(mover.asked for mover in self.movers)

    @property
    def unanswered(self) -> Counter[str]:
        return sum((mover.unanswered for mover in self.movers), Counter())

    def play(self, moves: int) -> None:
        """Wait until so many more moves are acknowledged."""
        wanted = self.moves + moves
        running.wait_for(lambda: self.moves >= wanted, GENEROUS_S)

    def end(self, record: Figure) -> None:
        for mover in self.movers:
            mover.stop()
        rate = self.moves / (time.monotonic() - self.began)
        print(f"{self.moves} moves, {rate:.0f} a second; {dict(self.unanswered)} of {self.asked}")  # noqa: T201
        record("acknowledged moves", self.moves)
        record("requests", self.asked)
        record("requests to repeat", self.unanswered.total())
        assert sum(mover.lost() for mover in self.movers) == 0


class Site:
    """All hosts: servers, sentinels, two web nodes, two workers, a proxy."""

    def __init__(
        self, servers: Installation, proxy: Proxy, web: list[Host], workers: list[Host]
    ) -> None:
        self.servers, self.proxy, self.web, self.workers = servers, proxy, web, workers


@pytest.fixture(scope="module", params=KINDS)
def site(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    redis_binary: Path | None,
) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp(request.param)
    with installation(folder / "servers", redis_binary) as servers, ExitStack() as ending:
        units = ["lonja-web.service"] * 2 + ["lonja-live@1.service"] * 2
        hosts = [
            Host(unit, address, servers.url, folder)
            for unit, address in zip(units, HOSTS, strict=False)
        ]
        for host in hosts:
            ending.callback(host.kill)
            host.start()
        web, workers = hosts[:2], hosts[2:]
        for host in web:
            host.wait_until_ready()
        places = [host.place for host in web]
        (folder / "proxy").mkdir()
        proxy = ending.enter_context(KINDS[request.param](folder / "proxy", *places))
        yield Site(servers, proxy, web, workers)


@contextmanager
def load(site: Site, record: Figure) -> Iterator[Load]:
    found = Load(site.proxy)
    yield found
    found.end(record)


def test_web_nodes_are_drained_one_after_the_other(site: Site, record_property: Figure) -> None:
    rng = random.Random(1)
    with load(site, record_property) as found:
        ana = Visitor(site.proxy).player()
        game = ana.open("ragusa")
        follower = Follower(ana, game)
        follower.start()
        for host in site.web * 3:
            host.drain()
            host.wait_until_ready()
            until = time.monotonic() + NOTICED_S
            while time.monotonic() < until and (move := ana.next_move(game, rng)) is not None:
                told: int = ana.post(f"{game}/moves", move)["version"]
                running.wait_for(partial(has_come_to, follower, told), GENEROUS_S)
        assert follower.failure is None
        assert found.unanswered.keys() <= OF_THE_STORE
        record_property("resumptions of a stream", follower.connections - 1)


def has_come_to(follower: Follower, version: int) -> bool:
    return follower.version >= version


def test_anything_dies(site: Site, record_property: Figure) -> None:
    with load(site, record_property) as found:
        for host in (*site.web, *site.workers):
            host.kill()
            found.play(20)
            host.start()
            found.play(20)
        for _ in range(2):
            victim = site.servers.primary()
            victim.kill()
            site.servers.wait_for_another_than(victim)
            victim.start()
            site.servers.wait_for_replicas()
            found.play(20)
        site.servers.sentinels[0].kill()
        found.play(20)
        site.servers.sentinels[0].start()
