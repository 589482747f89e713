"""What a decision needs at a table, and what of it the screen does not show."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from playwright.sync_api import Error

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.bindings import pointed_to
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from rules.kernel.record.game import Game
from rules.registry import PACKAGES
from service.ledger.store import Store
from service.redis.client import make_client
from tests.client.services import Service
from tests.client.visitors import Visitor
from tests.faults.people import Client
from tests.scripted import Script

REGISTRY = Registry(PACKAGES)
GAMES = [name.removeprefix("rules.") for name in PACKAGES]
SCREENS = [(1280, 800), (1024, 700), (768, 1024)]
"""Sizes of windows at which all is to be seen."""

LOOK = """async argument => {
    const drawn = async () => {
        for (let time = 0; time < 3; time++)
            await new Promise((tell, refuse) => {
                requestAnimationFrame(() => setTimeout(tell));
                setTimeout(() => refuse(new Error('no frame in ten seconds')), 10_000);
            });
    };
    await drawn();
    return (%s)(argument);
}"""
"""Look at a page that has drawn what it knows: a script for this takes its place in the middle."""

MISSING = """async () => {
    const table = document.querySelector('.table');
    const at = ([x, y]) => document.elementFromPoint(x, y);
    const points = ({left, right, top, bottom}) => {
        const [across, down] = [Math.min(4, (right - left) / 4), Math.min(4, (bottom - top) / 4)];
        const middle = [(left + right) / 2, (top + bottom) / 2];
        // Of a bracket alone on a line, the browser rounds the corners into what is beside it.
        if (right - left < 8) return [middle];
        return [
            middle,
            [left + across, top + down], [right - across, top + down],
            [left + across, bottom - down], [right - across, bottom - down],
        ];
    };
    const whole = each => getComputedStyle(each).overflow === 'visible'
        || (each.scrollWidth <= each.clientWidth + 1 && each.scrollHeight <= each.clientHeight + 1);
    /** Whether what is on top at its middle and near its corners is the element itself. */
    const shows = each => each.checkVisibility() && whole(each)
        && [...each.getClientRects()].filter(({width}) => width > 1).flatMap(points)
            .every(point => each.contains(at(point)));
    /** A drawing's corners may be bare: there its sheet answers for it. */
    const isDrawn = (each, sheet) =>
        points(each.getBoundingClientRect()).every(point => at(point)?.closest('svg') === sheet);
    const needs = {
        question: [...table.querySelectorAll('.questions .mine, #chooser')],
        option: [...table.querySelectorAll('[data-option], [data-number]')]
            .filter(each => each.checkVisibility()),
        list: [...table.querySelectorAll('.all-moves > summary')],
        numbers: [...table.querySelectorAll('.glance tbody tr')],
        log: [...table.querySelectorAll('.log .here')],
    };
    const missing = Object.entries(needs).flatMap(([name, found]) => [
        ...(found.length === 0 && name !== 'option' ? [name] : []),
        ...found.filter(each => !shows(each)).map(() => name),
    ]);
    const log = table.querySelector('.log');
    if (log.querySelector('.here .effect[hidden]')) {
        const taller = table.querySelector('.log-panel .taller');
        taller.click();
        await drawn();
        if (![...log.querySelectorAll('.here .effect')].every(shows)) missing.push('log');
        taller.click();
        await drawn();
    }
    const mat = table.querySelector('.mats .mat-sheet');
    if (mat && !isDrawn(mat, mat)) missing.push('mat');
    const targets = [...table.querySelectorAll('.board [data-target]')];
    for (const each of targets) {
        const halo = each.querySelector(':scope > .halo, :scope > .moving > .halo') ?? each;
        const box = halo.getBoundingClientRect();
        const middle = at([(box.left + box.right) / 2, (box.top + box.bottom) / 2]);
        const isMet = targets.includes(middle?.closest('[data-target]'));
        if (!isMet || !isDrawn(halo, each.ownerSVGElement)) missing.push('target');
    }
    return {
        missing,
        targets: targets.map(({dataset}) => dataset.target),
        options: needs.option.map(({dataset}) => dataset.option ?? ''),
        numbers: table.querySelector('[data-number]') !== null,
    };
}"""
"""Name what is needed and not seen, once for each part of it."""

TEXT_SIZES = [*SCREENS, (1920, 1080)]
"""Sizes of windows at which all letters are measured."""
LEAST, LEAST_ASKED = 12, 15
"""The least sizes of letters in pixels: everywhere at a table, and of what is asked."""

UPRIGHT, ACROSS = [(360, 640), (390, 844)], [(740, 360), (640, 400)]
"""Sizes of phones; the last one is a desk's window at 200 % zoom, too."""
LEAST_SHARES = dict.fromkeys(UPRIGHT, 0.55) | dict.fromkeys(ACROSS, 0.6)
"""The least parts of a phone's height that the board and the mats have."""
LEAST_ACROSS = 0.5
"""The least part of a phone's width that the board has."""

PARTS = """() => {
    const sheet = document.querySelector('.board-sheet');
    const board = sheet.getBoundingClientRect();
    const pane = sheet.closest('.sheet').getBoundingClientRect();
    const {width, height} = sheet.viewBox.baseVal;
    const asked = document.querySelector('#chooser').getBoundingClientRect();
    const chooser = document.querySelector('.side.first');
    const middle = (pane.left + pane.right) / 2;
    const targets = [...document.querySelectorAll('.board [data-target]')].map(
        each => (each.querySelector(':scope > .halo, :scope > .moving > .halo') ?? each)
            .getBoundingClientRect());
    const floor = asked.left < middle ? chooser.getBoundingClientRect().top : innerHeight;
    const seen = targets.filter(({top, bottom, left, right}) => top >= 0 && bottom <= floor
        && left >= pane.left - 1 && right <= pane.right + 1);
    const reach = Math.max(...targets.map(({bottom}) => bottom))
        - Math.min(...targets.map(({top}) => top));
    const breadth = Math.max(...targets.map(({right}) => right))
        - Math.min(...targets.map(({left}) => left));
    const drawings = [...Array(innerHeight).keys()].filter(
        height => document.elementFromPoint(middle, height)?.closest('.sheet'));
    return {
        share: drawings.length / innerHeight,
        across: Math.min(pane.width, board.width, board.height * width / height) / innerWidth,
        asked: asked.top >= 0 && asked.bottom <= innerHeight,
        beside: asked.left >= pane.right,
        wide: [document.documentElement, document.body]
            .every(({scrollWidth}) => scrollWidth <= innerWidth),
        targets: targets.length,
        seen: seen.length,
        room: reach + 16 <= floor && breadth + 16 <= pane.width,
    };
}"""
"""Tell which part of the height drawings have, and which of the width the board, where the question
stands, and how many targets there are, how many of them are seen whole, and whether all have room
at once, where the board is moved under the finger, too."""

OUTSIDE = """() => {
    const sheet = document.querySelector('.board-sheet');
    const {left, right} = sheet.getBoundingClientRect();
    return [...sheet.querySelectorAll('[data-piece]')].filter(piece => {
        const box = piece.getBoundingClientRect();
        return box.left < left - 1 || box.right > right + 1;
    }).map(({dataset}) => dataset.piece);
}"""
"""Name the pieces that stick out of the board at a side."""

COVERED = """() => {
    const pages = [document.documentElement, document.body];
    const boxOf = each => each.getBoundingClientRect();
    function* around(each) {
        for (let at = each.parentElement; at; at = at.parentElement) yield at;
    }
    const meet = (one, other) => ({
        left: Math.max(one.left, other.left), right: Math.min(one.right, other.right),
        top: Math.max(one.top, other.top), bottom: Math.min(one.bottom, other.bottom),
    });
    const screen = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
    /** The part of a target that is not scrolled away. */
    const inSight = target => [...around(target)]
        .filter(each => each !== document.documentElement)
        .filter(each => getComputedStyle(each).overflowY !== 'visible' && !each.ownerSVGElement)
        .map(boxOf)
        .reduce(meet, meet(screen, boxOf(target.querySelector(':scope > .halo') ?? target)));
    const isHeld = each => ['sticky', 'fixed'].includes(getComputedStyle(each).position);
    const isCovered = target => {
        const {left, right, top, bottom} = inSight(target);
        if (right - left < 4 || bottom - top < 4) return false;
        return [left + 1, (left + right) / 2, right - 1].some(x => [top + 1, bottom - 1].some(y => {
            const found = document.elementFromPoint(x, y);
            return found && [found, ...around(found)].some(isHeld);
        }));
    };
    const covered = new Set();
    const before = pages.map(each => each.scrollTop);
    for (let step = 0, at = -1; at !== pages.map(each => each.scrollTop).join(); step++) {
        at = pages.map(each => each.scrollTop).join();
        for (const target of document.querySelectorAll('.board [data-target]'))
            if (isCovered(target)) covered.add(`${target.dataset.target} at ${at}`);
        for (const each of pages) each.scrollTop = (step + 1) * innerHeight / 3;
    }
    pages.forEach((each, nth) => { each.scrollTop = before[nth]; });
    return [...covered];
}"""
"""Name the targets on which something lies that stays where it is while the page is scrolled, at
any height of the page."""

LEFT_CUT = """() => {
    const targets = [...document.querySelectorAll('.board [data-target]')];
    const boxOf = each => (each.querySelector(':scope > .halo') ?? each).getBoundingClientRect();
    const isWhole = target => {
        const pane = target.closest('.sheet').getBoundingClientRect();
        const floor = Math.min(innerHeight, document.body.getBoundingClientRect().bottom);
        const {left, right, top, bottom} = boxOf(target);
        return left >= pane.left - 1 && right <= pane.right + 1 && top >= -1 && bottom <= floor + 1;
    };
    const cut = new Set();
    for (const from of targets)
        for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']) {
            from.focus();
            from.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
            const to = targets.find(each => each === document.activeElement);
            if (to && to !== from && !isWhole(to)) cut.add(to.dataset.target);
        }
    document.activeElement.blur();
    return [...cut];
}"""
"""Name the targets that are not seen whole although a key led to them."""

SMALL = """([least, leastAsked]) => {
    const table = document.querySelector('.table');
    // A mat far below the window is drawn once it comes near.
    const seen = {opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true};
    const says = each => [...each.childNodes]
        .filter(node => node.nodeType === Node.TEXT_NODE).map(node => node.data.trim()).join('');
    /** An SVG scales its letters. */
    const scale = each => {
        const {a = 1, b = 0, c = 0, d = 1} = each.ownerSVGElement && each.getScreenCTM() || {};
        return Math.sqrt(Math.abs(a * d - b * c));
    };
    const size = each => parseFloat(getComputedStyle(each).fontSize) * scale(each);
    const small = [];
    for (const each of table.querySelectorAll('*:not(title, style, option, .sr, .sr *)')) {
        if (!says(each) || !each.checkVisibility(seen)) continue;
        const asked = each.closest('.questions .mine, #chooser');
        if (size(each) < (asked ? leastAsked : least) - 0.05)
            small.push(`${says(each)} (${size(each).toFixed(1)})`);
    }
    return small;
}"""
"""Name the visible texts whose letters are smaller than they should be, each with its size."""

WORDLESS = """() => {
    const seen = each => each.checkVisibility({visibilityProperty: true});
    const isWord = each => /\\p{L}{2}/u.test(each.textContent);
    const boxOf = each => each.getBoundingClientRect();
    const near = (one, other) => one.left - 8 < other.right && other.left - 8 < one.right
        && one.top - 8 < other.bottom && other.top - 8 < one.bottom;
    /** Whether pieces stand on its words, as houses and walls do at the edges of a hex. */
    const isCovered = (words, own) => words.some(text =>
        [...own.ownerSVGElement.querySelectorAll('.piece')].some(piece =>
            piece !== own && text.compareDocumentPosition(piece) & 4
            && near(boxOf(text), boxOf(piece.querySelector('.halo') ?? piece))));
    const wordless = [];
    for (const each of document.querySelectorAll('.table .board :is(.place, .piece)')) {
        const texts = [...each.querySelectorAll('text')];
        const words = texts.filter(isWord);
        const isCard = each.dataset.looks !== undefined
            && (each.dataset.piece !== undefined || !isCovered(words, each));
        const drawn = [...each.querySelectorAll('.icon, .cut')];
        if (words.length + drawn.length === 0) continue; // what it shows is drawn beside it
        const signs = drawn.filter(seen);
        const shown = words.some(seen) || (!isCard || words.length === 0) && signs.length > 0;
        const gone = words.filter(text => !seen(text) && !text.closest('.large'));
        if (isCard ? !shown : gone.length === words.length && gone.length > 0 && !signs.length)
            wordless.push(`${each.dataset.piece ?? each.dataset.place}: ${gone[0]?.textContent}`);
    }
    return wordless;
}"""
"""Name the cards that show no name, or no sign where they have none, and what else is left bare.

A place that is explained as cards are shows its name, too, or its sign if pieces stand on the name.
"""

SHORTENED = """within => [...document.querySelectorAll(`.table .board ${within} text.fitted`)]
    .filter(each => each.closest('.large') === null && each.checkVisibility())
    .filter(each => each.matches('.cut, .unfit, [data-folded]') || each.textContent.includes('…'))
    .map(each => each.textContent)"""
"""Name the texts within some places or pieces of which only the beginning is shown, or nothing."""

LEAST_MARGIN = 1
"""The least pixels between the letters on a card and its edge."""

BESIDE = """([kind, least]) => {
    const found = [];
    for (const place of document.querySelectorAll(`.table .board [data-kind='${kind}']`)) {
        const card = place.querySelector(':scope > .halo').getBoundingClientRect();
        for (const text of place.querySelectorAll('text')) {
            if (!text.checkVisibility({visibilityProperty: true})) continue;
            const {left, right} = text.getBoundingClientRect();
            if (left < card.left + least || right > card.right - least)
                found.push(`${text.textContent} (${left - card.left}, ${card.right - right})`);
        }
    }
    return found;
}"""
"""Name the texts that reach over the left or right edge of their place, of one kind of places, or
nearly so, each with its margins."""

LEAST_SIDE = {"fine": 24, "coarse": 44}
"""The least sides in pixels of targets, for a mouse and for a finger."""
LEAST_APART = 32
"""The least distance of the middles of two targets in a window that is not a phone's."""

TARGETS = """sides => {
    const least = matchMedia('(pointer: coarse)').matches ? sides.coarse : sides.fine;
    const NINE = [-1, 0, 1].flatMap(across => [-1, 0, 1].map(down => [across, down]));
    const gridOf = steps => steps.flatMap(across => steps.map(down => [across, down]));
    const GRID = gridOf([0.5, 0.3, 0.7, 0.1, 0.9]);
    /** Squares that hardly fit may have their middles between those. */
    const FINE_GRID = gridOf([...Array(41).keys()].map(step => step / 40));

    /** What a click there is about: what is on top, or else what stands below it. */
    const targetOf = found => found?.closest('.board [data-target]');
    const clicked = (x, y) => targetOf(document.elementFromPoint(x, y))
        ?? document.elementsFromPoint(x, y).map(targetOf).find(Boolean);
    const boxOf = target =>
        (target.querySelector(':scope > .halo, :scope > .moving > .halo') ?? target)
            .getBoundingClientRect();
    const isSeen = target => {
        const pane = target.closest('.sheet').getBoundingClientRect();
        const {x, y, width, height} = boxOf(target);
        const [across, down] = [Math.max(least, width) / 2, Math.max(least, height) / 2];
        const [middle, level] = [x + width / 2, y + height / 2];
        const floor = Math.min(innerHeight, document.body.getBoundingClientRect().bottom);
        return level >= down && level + down <= floor
            && middle - across >= Math.max(0, pane.left)
            && middle + across <= Math.min(innerWidth, pane.right);
    };
    /** The side of the largest square in which each click means the target, as far as is asked. */
    const sideOf = (target, enough) => {
        if (!isSeen(target))
            target.scrollIntoView({block: 'center', inline: 'center'});
        const {x, y, width, height} = boxOf(target);
        const means = (side, [across, down]) => NINE.every(([right, lower]) => clicked(
            x + across * width + right * (side / 2 - 1),
            y + down * height + lower * (side / 2 - 1)) === target);
        let side = least;
        while (side > 0 && !GRID.some(middle => means(side, middle))) side--;
        if (side < enough && FINE_GRID.some(middle => means(enough, middle))) return enough;
        return side;
    };
    const all = [...document.querySelectorAll('.board [data-target]')].map(target => {
        const {left, right, top, bottom} = boxOf(target);
        const {ownerSVGElement: sheet, dataset: {target: ref}} = target;
        return {target, ref, sheet, x: (left + right) / 2, y: (top + bottom) / 2};
    });
    return all.map(({target, ref, sheet, x, y}) => {
        const away = all.filter(other => other.sheet === sheet && other.ref !== ref)
            .map(other => [Math.abs(other.x - x), Math.abs(other.y - y)]);
        const room = Math.min(...away.map(([across, down]) => Math.max(across, down)), 999);
        // Two squares fit side by side where their middles are as far apart.
        // A board that is moved under the finger is as large as they need.
        const shared = Math.min(least, Math.max(room >= sides.fine ? sides.fine : 0, 0.8 * room));
        const enough = target.closest('.larger') ? least : shared;
        return {
            ref,
            side: sideOf(target, enough),
            enough,
            apart: Math.min(...away.map(([across, down]) => Math.hypot(across, down)), 999),
        };
    });
}"""
"""Tell of each target how large the square is in which each click means it, what is enough, and how
far its middle is from the next one's. Less is enough beside near neighbours."""


CONTROLS = """least => [...document.querySelectorAll('.table :is(button, summary, select)')]
    .filter(each => each.checkVisibility() && !each.closest('.log, .arranged .glance'))
    .filter(each => {
        const {width, height} = each.getBoundingClientRect();
        return width < least || height < least;
    })
    .map(each => each.textContent)"""
"""Name the controls beside the board that are smaller than they should be.

The lines of the log, and the names in the table of numbers at a desk, are as high as lines.
"""


class Decision(NamedTuple):
    """A decision of a game that a page follows."""

    game: Game
    seat: Seat
    """The asked seat whose view the page shows."""


def decisions(
    visitor: Visitor,
    service: Service,
    ruleset: str,
    luck: str | None = None,
    move: str | None = None,
) -> Iterator[Decision]:
    """Play a game at random, at the most seats, and yield each decision as the page shows it.

    With ``move``, yield only the decisions whose first move is of this type. One player holds all
    seats, so that the page shows each decision to a seat that is asked. Games with the same
    ``luck`` have the same draws and moves; a store has one of them.
    """
    ana = Client(service.port).player()
    visitor.come_as(ana)
    holder: JsonObject = {"player": ana.id}
    seats = REGISTRY.find(ruleset).info.max_seats
    name = f"{ruleset} on one screen, {luck or ana.id}"
    script = Script(REGISTRY, ruleset, seats, 1, holder=holder, name=name)
    entered = False
    for game in script.steps(Store(make_client(service.redis_url))):
        if game.over:
            return
        first, *_ = game.ruleset.legal_moves(game.state, min(game.asked))
        if move not in {None, first.to_json()["type"]}:
            continue
        if not entered:
            visitor.turn_to(f"/games/{game.id}")
            entered = True
        shown = [f"[data-shown='{game.version}'][data-seat='{seat}']" for seat in game.asked]
        # The seats come with what brings targets into sight.
        there = ":has(#chooser):has(.here):has(.seats)"
        visitor.page.wait_for_selector(f".table:is({', '.join(shown)}){there}")
        visitor.wait()
        seat = visitor.page.locator(".table").get_attribute("data-seat")
        yield Decision(game, Seat(int(seat or 0)))


LISTED = 40
"""Number of moves up to which each has a target or an option, which the list only repeats."""


def missing(visitor: Visitor, decision: Decision, board: JsonObject) -> list[str]:
    """Name what the decision needs and the screen does not show, once for each part of it.

    A *move* is missing if neither a place or piece that it points to nor an option leads to it.
    """
    found: Any = _look(visitor, MISSING)
    ruleset, state, seat = decision.game.ruleset, decision.game.state, decision.seat
    view = ruleset.view(state, seat)
    targets, options = {*found["targets"]}, {*found["options"]}
    moves = [move.to_json() for move in ruleset.legal_moves(state, seat)]
    unled = [
        move
        for index, move in enumerate(moves)
        if not found["numbers"]
        and targets.isdisjoint(pointed_to(board, view, seat, move))
        and options.isdisjoint(_keys(index, move))
    ]
    lacking = [part for part in found["missing"] if part != "list" or len(moves) > LISTED]
    return [*lacking, *("move" for _ in unled)]


def parts(visitor: Visitor) -> JsonObject:
    """Return what ``PARTS`` tells."""
    found: JsonObject = _look(visitor, PARTS)
    return found


def outside(visitor: Visitor) -> list[str]:
    """Name the pieces that stick out of the board at a side."""
    named: list[str] = _look(visitor, OUTSIDE)
    return named


def to_top(visitor: Visitor) -> None:
    """Scroll the page to its top, and let it bring targets into sight from there.

    The window scrolls or, on upright phones and tablets, what is in it; each keeps where it was
    while the other scrolls.
    """
    visitor.page.evaluate("""() => {
        document.documentElement.scrollTop = document.body.scrollTop = 0;
        dispatchEvent(new Event('resize'));
    }""")


def covered(visitor: Visitor) -> list[str]:
    """Name the targets that lie under what does not scroll with them, wherever one scrolls to."""
    named: list[str] = _look(visitor, COVERED)
    return named


def left_cut(visitor: Visitor) -> list[str]:
    """Name the targets that are cut although a key has just led to them."""
    named: list[str] = _look(visitor, LEFT_CUT)
    return named


def small(visitor: Visitor) -> list[str]:
    """Name the visible texts at the table whose letters are too small, each with its size."""
    named: list[str] = _look(visitor, SMALL, [LEAST, LEAST_ASKED])
    return named


def wordless(visitor: Visitor) -> list[str]:
    """Name what shows neither its name nor a sign: words do not vanish for lack of room."""
    named: list[str] = _look(visitor, WORDLESS)
    return named


def shortened(visitor: Visitor, within: str) -> list[str]:
    """Name the texts that are not shown whole, within what a selector finds."""
    named: list[str] = _look(visitor, SHORTENED, within)
    return named


def beside(visitor: Visitor, kind: str) -> list[str]:
    """Name the texts on places of this kind that are not within them, or only just."""
    named: list[str] = _look(visitor, BESIDE, [kind, LEAST_MARGIN])
    return named


def crowded(visitor: Visitor, apart: float | None = None) -> list[str]:
    """Name the targets that are too small, or too near to another one, with their figures.

    On a phone, where the board may be moved under the finger, they may be nearer, unless told.
    """
    size = visitor.page.viewport_size
    assert size is not None
    is_phone = (size["width"], size["height"]) in LEAST_SHARES
    least = apart or (0 if is_phone else LEAST_APART)
    found: list[JsonObject] = _look(visitor, TARGETS, LEAST_SIDE)
    return [
        f"{each['ref']}: {each['side']} of {each['enough']:.0f}, {each['apart']:.1f} apart"
        for each in found
        if each["side"] < each["enough"] or each["apart"] < least
    ]


def cramped(visitor: Visitor) -> list[str]:
    """Name the controls beside the board that are too small for what points to them."""
    is_coarse = visitor.page.evaluate("matchMedia('(pointer: coarse)').matches")
    named: list[str] = _look(visitor, CONTROLS, LEAST_SIDE["coarse" if is_coarse else "fine"])
    return named


def _look(visitor: Visitor, script: str, argument: object = None) -> Any:
    """Return what a script finds on the page, once this is drawn.

    Chromium without windows sometimes draws nothing more after its window has got another size,
    not even a picture that somebody wants; mostly it goes on when the window gets one more size.
    """
    page = visitor.page
    for wake in (_resize, _resize, _reload, _reload):
        try:
            return page.evaluate(LOOK % script, argument)
        except Error as error:
            if "no frame" not in error.message:
                raise
        wake(visitor)
    return page.evaluate(LOOK % script, argument)


def _resize(visitor: Visitor) -> None:
    size = visitor.page.viewport_size
    assert size is not None
    visitor.page.set_viewport_size({**size, "height": size["height"] + 1})
    visitor.page.set_viewport_size(size)


def _reload(visitor: Visitor) -> None:
    """Load the table again, as it is shown."""
    table = visitor.page.locator(".table")
    version, seat = (table.get_attribute(name) for name in ("data-shown", "data-seat"))
    visitor.page.reload()
    visitor.page.wait_for_selector(
        f".table[data-shown='{version}'][data-seat='{seat}']:has(.seats)"
    )
    visitor.wait()


def _keys(index: int, move: JsonObject) -> Iterator[str]:
    """Yield what the page may call an option that leads to a move."""
    yield from (str(index), str(move["type"]), "omitted")
    for value in move.values():
        yield encode(value).decode()
