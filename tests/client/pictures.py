"""What pages show of a live game at each moment, and what the API says that they should show.

A page writes down its picture whenever that changes. Beside it, a plain client follows the same
stream; so a slow machine is slow for both.
"""

import json
import re
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import compress
from typing import Any, NamedTuple

from playwright.sync_api import Page

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.bindings import Node, mats, nodes, pointed_to
from tests.client.visitors import SHOWN, pieces, places
from tests.faults.people import Client, Follower, Json

INCLUDE = "effects,words,state,legal_moves,groups"
"""What a page asks for with each event."""
BEAT = 0.2
"""Seconds between two looks of a page at itself."""
LATE = 1.0
"""Maximum seconds for which a picture may differ."""
SAYS = {"timed_out", "bot_failed", "resigned", "suspended", "resumed", "aborted", "undone"}
"""The kinds of events of which the log has a line, even if they have no effects."""

WATCH = f"""(() => {{
    const shown = {SHOWN};
    const text = each => each.textContent.trim();
    const asked = each => {{
        const copy = each.cloneNode(true);
        copy.querySelector('.clock')?.remove();
        return text(copy);
    }};
    const look = () => {{
        const table = document.querySelector('.table[data-shown]');
        if (!table?.querySelector('.board [data-place]')) return null;
        const all = (what, name) => [...table.querySelectorAll(what)].map(name);
        const here = table.querySelector('.log .here');
        return {{
            ...shown(),
            numbers: all('.glance tbody tr', row => [...row.querySelectorAll('td')].map(text)),
            asked: all('.questions .asked', asked),
            said: here
                && [Number(here.dataset.seq), [...here.querySelectorAll('.effect')].map(text)],
            over: table.dataset.status === 'ended' && table.dataset.shown === table.dataset.newest,
            chooses: table.querySelector('.picks') !== null,
        }};
    }};
    let last = '';
    globalThis.seen = {{beats: [], pictures: []}};
    setInterval(() => {{
        const now = Date.now() / 1000;
        const found = JSON.stringify(look());
        seen.beats.push(now);
        if (found !== last) seen.pictures.push([now, found]);
        last = found;
    }}, {1000 * BEAT:.0f});
}})()"""
"""A script that writes down each picture of a page with its time, and each time that it looked."""
TAKE = """() => {
    const {beats, pictures} = seen;
    [seen.beats, seen.pictures] = [[], []];
    return [beats, pictures];
}"""


class Told(NamedTuple):
    """An event, when a plain client had all of it, and the state of the game after it."""

    at: float
    event: Json
    state: Json


class Listener(Follower):
    """A plain client of the same stream, with all that a page asks for.

    A service prepares what two streams ask for once, so both have each event at once.
    """

    def __init__(self, client: Client, game: str, viewer: str) -> None:
        super().__init__(client, game, f"?include={INCLUDE}&{viewer}")
        self.told: dict[int, Told] = {}
        self.points: dict[str, int] = {}
        """The final points by owner, once the game is over."""

    def heard(self, event: Json) -> None:
        at, state = time.time(), event["state"]
        if state["status"] == "ended":
            result = self._client.get(self._game)["result"]  # no event has it in words
            at = time.time()
            self.points = {
                each["side"].rpartition(":")[2]: each["score"] for each in result["standings"]
            }
        self.told[event["seq"]] = Told(at, event, state)


class Picture(NamedTuple):
    """What a page shows of a position, as far as it does not stand still."""

    places: Counter[str]
    pieces: Counter[str]
    numbers: list[list[str]]
    choices: int
    asked: list[tuple[str, int]]
    """The label of each open decision, and the number of other seats that have it (0: one's own).

    Decisions with the same label and deadline are one line of the page.
    """
    said: list[Any]
    """The latest event that says something, and the sentences of its effects."""
    over: bool


class Watched:
    """A page's pictures, and the plain client that hears beside it what they should be."""

    def __init__(self, page: Page, listener: Listener, board: JsonObject) -> None:
        self.page = page
        self.listener = listener
        self.board = board
        self.beats: list[float] = []
        self.pictures: list[tuple[float, Json | None]] = []
        self.excused: list[tuple[float, float]] = []
        """Times without a network, and others in which a page cannot know the present."""
        page.add_init_script(WATCH)

    def settle(self) -> None:
        """Let the page look at itself for longer than it may be late."""
        looked = self.page.evaluate("seen.beats.length")
        more = "least => seen.beats.length > least"
        self.page.wait_for_function(more, arg=looked + LATE / BEAT + 1)

    def take(self) -> None:
        """Take what the page has written down, before it is loaded again and for the end."""
        beats, pictures = self.page.evaluate(TAKE)
        self.beats += beats
        self.pictures += [(at, json.loads(found)) for at, found in pictures]

    def differences(self) -> Iterator[tuple[float, str]]:
        """Yield for how many seconds the page was behind each event, or wrong, and how.

        Seconds count only if the page could look at itself in them: on a busy machine nobody can.
        """
        right: list[tuple[float, int]] = []
        wrong: tuple[float, str] | None = None
        for at, found in self.pictures:
            fault = self._fault(found)
            if fault is None and wrong is not None:
                yield self._seconds(wrong[0], at), wrong[1]
            since = self._since(at, found) if wrong is None else wrong[0]
            wrong = (since, fault) if fault is not None else None  # how it is wrong at last
            if found is not None and fault is None:
                right.append((at, found["version"]))
        if wrong is not None:
            yield self._seconds(wrong[0], self.beats[-1]), wrong[1]
        elif right[-1][1] != self.listener.version:
            yield float("inf"), f"the last picture is of event {right[-1][1]}"
        for seq, told in self.listener.told.items():
            shown = min((at for at, version in right if version >= seq), default=self.beats[-1])
            yield self._seconds(told.at, shown), f"event {seq} came late"

    def _since(self, at: float, found: Json | None) -> float:
        """Return since when a picture could be right: not before a plain client knows how."""
        told = found and self.listener.told.get(found["version"])
        return max(at, told.at) if told else at

    def _seconds(self, since: float, until: float) -> float:
        """Return for how long the page could have shown something else."""
        spans = [(since, until)]
        for begin, end in self.excused:
            spans = [
                span
                for one, other in spans
                for span in ((one, min(other, begin)), (max(one, end), other))
                if span[0] < span[1]
            ]
        return sum(
            min(other - one, (bisect_left(self.beats, other) - bisect_left(self.beats, one)) * BEAT)
            for one, other in spans
        )

    def _fault(self, found: Json | None) -> str | None:
        """Return how a picture differs from the position that it is of; None if it does not."""
        if found is None or found["chooses"]:
            return None  # nothing is shown yet; or a move that is not sent is tried
        told = self.listener.told.get(found["version"])
        if told is None:
            return f"nobody heard of event {found['version']}"
        said = self._said(told.event["seq"])
        shown = Picture(
            Counter(found["places"]),
            Counter(found["pieces"]),
            found["numbers"],
            found["choices"],
            [_question(text) for text in found["asked"]],
            found["said"] or [],
            found["over"],
        )
        expected = self._picture(told, said)
        if stray := {*found["targets"]} - self._targets(told):
            return f"event {told.event['seq']}: {stray} can be chosen"
        return (
            "; ".join(
                f"event {told.event['seq']}, {name}: the page has {one}, the API {other}"
                for name, one, other in zip(Picture._fields, shown, expected, strict=True)
                if one != other
            )
            or None
        )

    def _picture(self, told: Told, said: list[Any]) -> Picture:
        state, view = told.state, told.state["state"]
        over = state["status"] == "ended"
        decisions = [] if over else state["decisions"]
        own = state["seat"]
        mine = _grouped(each for each in decisions if each["seat"] == own)
        others = _grouped(each for each in decisions if each["seat"] != own)
        return Picture(
            Counter(places(self.board, view)),
            Counter(pieces(self.board, view)),
            numbers(self.board, view, self.listener.points if over else {}),
            len(_moves(told)),
            [*((question, 0) for question, _count in mine), *others],
            said,
            over,
        )

    def _targets(self, told: Told) -> set[str]:
        view, seat = told.state["state"], told.state["seat"]
        return {ref for move in _moves(told) for ref in pointed_to(self.board, view, seat, move)}

    def _said(self, until: int) -> list[Any]:
        """Return the latest event up to this one that says something, and what its effects say."""
        for seq in range(until, 0, -1):
            if seq not in self.listener.told:
                continue
            event = self.listener.told[seq].event
            texts = [effect["text"] for effect in event["effects"] if effect["text"]]
            if texts or event["kind"] in SAYS:
                return [seq, texts]
        return []


def numbers(board: JsonObject, view: JsonObject, points: dict[str, int]) -> list[list[str]]:
    """Return what everybody has, as the table of numbers shows it: a row for each mat.

    After the end, each row begins with the final points.
    """
    if "mat" not in board:
        return []
    shown = [
        place["shows"]
        for place in board["mat"]["places"].values()
        if "icon" in place and "shows" in place
    ]
    owners = [*mats(board, view)]
    rows = [[_number(mat.value, path) for path in shown] for mat in owners]
    used = [any(row[column] is not None for row in rows) for column in range(len(shown))]
    final = [[points.get(_owner(mat))] if points else [] for mat in owners]
    return [
        ["–" if number is None else str(number) for number in [*first, *compress(row, used)]]
        for first, row in zip(final, rows, strict=True)
    ]


def _owner(mat: Node) -> str:
    return str(mat.value.get("seat", mat.value.get("side", mat.key)))


def _number(mat: Any, path: str) -> int | None:
    found = next(nodes(Node(mat), path), None)
    return found.value if found and isinstance(found.value, int) else None


def _grouped(decisions: Iterator[Json]) -> list[tuple[str, int]]:
    """Group open decisions by label and deadline; return the label and size of each group."""
    asked = Counter((each["label"], each["deadline"]) for each in decisions)
    return [(question, count) for (question, _deadline), count in asked.items()]


def _question(text: str) -> tuple[str, int]:
    """Return the label of the decisions in a line, and the number of other seats that it names.

    A line is "Your turn: take a card" (0 others), or "Ana, Bea and Carla to take a card" (3).
    """
    own = text.removeprefix("Your turn: ")
    if own != text:
        return own, 0
    names, _to, question = text.partition(" to ")
    return question, len(re.split(", | and ", names))


def _moves(told: Told) -> list[Json]:
    legal = told.event.get("legal_moves")
    found: list[Json] = legal["moves"] if legal else []
    return found
