"""People at one table see the same at the same time, and what the API says, whatever happens.

Robots play on their pages beside a bot, while one of them loses the network, loads the page again,
takes a move back, and lets the time run out. A page may be late by a second, and no more, after a
plain client of the same stream: not in the board, the mats, the numbers, the questions, the choices
or the latest line of the log.
"""

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import cycle

import pytest
from playwright.sync_api import Browser
from playwright.sync_api import TimeoutError as TooLong

from rules.registry import PACKAGES
from tests.campaigns import Figure
from tests.client.pictures import LATE, Listener, Watched
from tests.client.positions import NAMES
from tests.client.services import Service
from tests.client.visitors import CHOSEN, READY, SENT_OR_READY, Visitor
from tests.client.wire import Wire
from tests.faults.people import Client
from tests.running import wait_for

GAMES = [package.removeprefix("rules.") for package in PACKAGES]
SPECTATOR = "spectator=true"
CUT = 4.0
"""Seconds without a network."""
SECONDS = 20
"""The time for a decision in the campaign."""
BETWEEN = 5
"""The number of moves between two disturbances."""
BY_HAND = 150.0
"""After so many seconds, the moves come from other devices of the same players, without a pause."""

PICK = """chance => {
    const table = document.querySelector('.table');
    const seen = each => each.checkVisibility() && !each.ariaDisabled;
    const all = what => [...table.querySelectorAll(what)].filter(seen);
    const [confirm] = all('[data-confirm]');
    const options = all('.board [data-target], [data-option]');
    const picked = confirm ?? options[Math.floor(chance * options.length)];
    if (!picked) return null;
    picked.scrollIntoView({block: 'nearest', inline: 'nearest'});
    const {x, y, width, height} = picked.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
}"""
"""A script that returns the middle of something that can be chosen now, or of the confirmation."""


class Person:
    """A player or a spectator with a page, whose network can be cut."""

    def __init__(self, visitor: Visitor, wire: Wire, client: Client, watched: Watched) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.wire = wire
        self.client = client
        self.watched = watched

    def is_asked(self) -> bool:
        return not self.visitor.over and bool(self.page.evaluate(READY))

    def choose(self, chance: float) -> None:
        """Choose one option or confirm the move, if anything is still to be chosen."""
        before = self.visitor.shown
        at = self.page.evaluate(PICK, chance)
        if at is None:
            return
        self.page.mouse.click(*at)
        with suppress(TooLong):  # when its time is over, it is asked something else
            self.page.wait_for_function(CHOSEN, arg=before, timeout=3000)
            self.page.wait_for_function(SENT_OR_READY, timeout=3000)

    def loads_again(self) -> None:
        self.watched.take()
        begun = time.time()
        self.page.reload()
        self.sees_the_board(begun)

    def sees_the_board(self, since: float = 0.0) -> None:
        """Wait until the page shows the game, which it is asked for since then."""
        self.page.wait_for_selector(".table[data-shown] .board [data-place]")
        self.watched.excused.append((since, time.time()))

    @contextmanager
    def without_network(self) -> Iterator[None]:
        begun = time.time()
        self.wire.cut()
        self.page.context.set_offline(True)
        yield
        self.page.locator(".banner").first.wait_for()  # it tells that it cannot know
        self.wire.mend()
        self.page.context.set_offline(False)
        self.watched.excused.append((begun, time.time()))


class Room:
    """A game that some people play on their pages, and that others watch on theirs."""

    def __init__(
        self, browser: Browser, service: Service, ruleset: str, count: int, seconds: int
    ) -> None:
        self.random = random.Random(f"{ruleset} {count}")
        self.browser = browser
        self.service = service
        info = Client(service.port).get(f"/v1/rulesets/{ruleset}")
        self.board = Client(service.port).get(f"/v1/rulesets/{ruleset}/board")
        self.clients = [Client(service.port).player(name) for name in NAMES[:count]]
        self.seated = self.clients[: info["max_seats"]]
        bots = [{"holder": "bot", "bot": "random"}] * (
            max(info["min_seats"], min(count + 1, info["max_seats"])) - len(self.seated)
        )
        seats = [{"holder": "me"}, *({"holder": "open"} for _ in self.seated[1:]), *bots]
        form = {"ruleset": ruleset, "seats": seats, "clock": {"decision_seconds": seconds}}
        opened = self.seated[0].post("/v1/games", {**form, "take_back": True})
        self.path = f"/v1/games/{opened['id']}"
        for seat, client in enumerate(self.seated[1:], start=1):
            assert client.ask("PUT", f"{self.path}/seats/{seat}").status == 200
        self.people: list[Person] = []

    @contextmanager
    def entered(self) -> Iterator["Room"]:
        """Let everybody come in; afterwards no page has reported an error but of a cut network."""
        with ExitStack() as stack:
            for seat, client in enumerate(self.clients):
                viewer = f"seat={seat}" if client in self.seated else SPECTATOR
                listener = Listener(client, self.path, viewer)
                listener.start()
                wire = stack.enter_context(Wire(self.service.port))
                visitor = stack.enter_context(Visitor.at(self.browser, wire.port))
                watched = Watched(visitor.page, listener, self.board)
                visitor.sit(client)
                visitor.go(self.path.removeprefix("/v1"))
                self.people.append(Person(visitor, wire, client, watched))
                self.people[-1].sees_the_board()
            yield self
            for person in self.people:
                person.visitor.faults = [
                    fault for fault in person.visitor.faults if "net::ERR_" not in fault
                ]

    @property
    def over(self) -> bool:
        return all(person.watched.listener.ended is not None for person in self.people)

    def play(self, moves: int) -> None:
        """Let those who are asked play on their pages, until there were so many moves."""
        wanted = self.heard("moved") + moves
        while not self.over and self.heard("moved") < wanted:
            for person in self.people:
                if person.is_asked():
                    person.choose(self.random.random())
            self.people[0].page.wait_for_timeout(20)

    def play_elsewhere(self) -> None:
        """Let everybody play on another device until the game is over."""
        while not self.over:
            for seat, client in enumerate(self.seated):
                legal = client.ask("GET", f"{self.path}/legal_moves?seat={seat}").json
                if legal["moves"]:
                    move = self.random.choice(legal["moves"])
                    body = {"seat": seat, "move": move, "expected_version": legal["version"]}
                    client.ask("POST", f"{self.path}/moves", body)
            self.people[0].page.wait_for_timeout(20)  # leaves the service time for the bots

    def heard(self, kind: str) -> int:
        """Return how many events of this kind there were."""
        return sum(event["kind"] == kind for event in self.people[0].watched.listener.events)

    # What happens between the moves

    def cut(self) -> None:
        """One has no network, while the others play on."""
        person = self.random.choice(self.people)
        with person.without_network():
            ends = time.monotonic() + CUT
            while time.monotonic() < ends and not self.over:
                for other in self.people:
                    if other is not person and other.is_asked():
                        other.choose(self.random.random())
                person.page.wait_for_timeout(50)

    def reload(self) -> None:
        self.random.choice(self.people).loads_again()

    def take_back(self) -> None:
        """Whoever may take a move back does; in some games hardly anybody ever may."""
        before = self.heard("undone")
        for person in self.people:
            button = person.page.get_by_role("button", name="Take back the last move")
            if button.count():
                person.page.keyboard.press("u")
                person.page.wait_for_timeout(500)
                if self.heard("undone") > before:
                    return

    def time_out(self) -> None:
        """Nobody moves, until somebody's time is over."""
        before = self.heard("timed_out")
        wait_for(lambda: self.over or self.heard("timed_out") > before)

    def check(self) -> float:
        """Check all pictures of all pages; return for how many seconds one differed at most."""
        most = 0.0
        for person in self.people:
            watched = person.watched
            assert watched.listener.failure is None
            wait_for(partial(self._shows_the_end, person))
            watched.settle()
            watched.take()
            found = [*watched.differences()]
            late = [one for one in found if one[0] > LATE]
            assert not late, "\n".join(f"{seconds:.1f} s: {how}" for seconds, how in late)
            most = max([most, *(seconds for seconds, _ in found)])
        return most

    def _shows_the_end(self, person: Person) -> bool:
        person.page.wait_for_timeout(10)
        return person.visitor.shown == str(person.watched.listener.version)


@pytest.mark.campaign("live")
@pytest.mark.timeout(600)
def test_two_see_the_same(browser: Browser, service: Service) -> None:
    """A short game, which shows within minutes whether the comparison works."""
    with Room(browser, service, "santiago_de_cuba", 2, 3600).entered() as room:
        for happens in (room.cut, room.reload, room.take_back):
            room.play(2)
            happens()
        room.play(1)
        room.check()


@pytest.mark.campaign("live")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("count", [2, 5])
@pytest.mark.parametrize("ruleset", GAMES)
def test_all_see_the_same_in_a_whole_game(
    browser: Browser, service: Service, ruleset: str, count: int, record_property: Figure
) -> None:
    with Room(browser, service, ruleset, count, SECONDS).entered() as room:
        ends = time.monotonic() + BY_HAND
        happenings = cycle((room.cut, room.reload, room.take_back, room.time_out, room.take_back))
        while time.monotonic() < ends and not room.over:
            room.play(BETWEEN)
            next(happenings)()
        room.play_elsewhere()
        most = room.check()
        told = [len(person.watched.pictures) for person in room.people]
        record_property("pictures compared", sum(told))
        record_property("moves", room.heard("moved"))
        record_property("take-backs", room.heard("undone"))
        record_property("time-outs", room.heard("timed_out"))
        record_property("seconds that a picture differed at most", round(most, 2))
        assert room.heard("timed_out") > 0
