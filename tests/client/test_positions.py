"""Positions of every game, on the page: every input method can reach all that moves refer to."""

from collections.abc import Iterator
from typing import Any

import pytest

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service.ledger.store import Store
from service.redis.client import make_client
from tests.campaigns import left_to
from tests.client.conftest import Service
from tests.client.robots import Keys, Pointer, Reader
from tests.client.visitors import Visitor
from tests.faults.people import Client
from tests.scripted import Script

GAMES = [name.removeprefix("rules.") for name in PACKAGES]
REGISTRY = Registry(PACKAGES)
POSITIONS = 20
PARTS = 4
"""Number of parts of the positions; ``make test`` looks at one part, and the campaign at all."""
ROBOTS = (Pointer, Keys, Reader)
"""Robots, one of which makes a move in the middle of each part."""

OUT_OF_REACH = """() => {
    const board = document.querySelector('.board');
    const targets = [...board.querySelectorAll('[data-target]')];
    const GRID = [5, 3, 7, 1, 9].map(part => part / 10);
    const KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'];

    /** What a click there is about: what is on top, or else what stands below it. */
    const clicked = (x, y) => {
        const found = document.elementsFromPoint(x, y);
        if (!found[0]?.closest('.board svg')) return undefined;
        return found.map(one => one.closest('.board [data-target]')).find(Boolean)?.dataset.target;
    };
    const isPointed = target => {
        target.scrollIntoView({block: 'center', inline: 'center'});
        const {x, y, width, height} = target.getBoundingClientRect();
        return GRID.some(across => GRID.some(down =>
            clicked(x + across * width, y + down * height) === target.dataset.target));
    };

    const focused = new Set(targets.filter(({tabIndex}) => tabIndex === 0));
    for (const from of focused)
        for (const key of KEYS) {
            from.focus();
            from.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
            if (targets.includes(document.activeElement)) focused.add(document.activeElement);
        }
    document.querySelector('a').focus();
    return [
        ...targets.filter(one => !isPointed(one)).map(one => `${one.dataset.target} by pointer`),
        ...targets.filter(one => !focused.has(one)).map(one => `${one.dataset.target} by keys`),
    ];
}"""


def stored(store: Store, ruleset: str, player: str, first: int) -> Iterator[str]:
    """Store random games, each up to another event; yield the ids of the part from ``first`` on.

    One player holds all seats, so that the test can always show the deciding seat.
    """
    info = REGISTRY.find(ruleset).info
    counts = range(info.min_seats, info.max_seats + 1)
    holder = {"player": player}
    for number in range(first, POSITIONS, PARTS):
        seats = counts[number % len(counts)]
        whole, part = (
            Script(REGISTRY, ruleset, seats, number, holder=holder, name=f"{ruleset} {number}")
            for _ in range(2)
        )
        for batch in whole.play():
            batch.seal()
        length = batch.game.version
        yield part.store(store, length * number // (POSITIONS - 1)).id


@pytest.mark.parametrize("part", left_to("client", range(PARTS), 0))
@pytest.mark.parametrize("ruleset", left_to("client", GAMES, "macao"))
def test_every_target_is_within_reach(
    visitor: Visitor, service: Service, ruleset: str, part: int
) -> None:
    ana = Client(service.port).player()
    visitor.come_as(ana)
    store = Store(make_client(service.redis_url))
    for number, game in enumerate(stored(store, ruleset, ana.id, part)):
        visitor.turn_to(f"/games/{game}")
        visitor.check_board()
        visitor.wait()
        out: Any = visitor.page.evaluate(OUT_OF_REACH)
        assert out == [], f"{ruleset} {number}"
        if number == POSITIONS // PARTS // 2:
            ROBOTS[(GAMES.index(ruleset) + part) % len(ROBOTS)](visitor, number).move()
            visitor.check_board()
