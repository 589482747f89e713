"""The tables of an edition: cards, quarters and the sea, read and checked row by row.

Cards, quarters and sea spaces are small ints in the state: indices into the tuples of ``Tables``.
An installation may add editions: whoever owns the printed game can play with its cards and maps.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.edition import BadEditionError, Edition
from rules.kernel.contract.errors import shown
from rules.kernel.contract.labels import LANGUAGES
from rules.macao import cards, cubes
from rules.macao.cards import Card, Convert, EndGame, Gain, Modify, Trigger
from rules.macao.data import (
    COLOURS,
    EDITION,
    GOOD,
    GOODS,
    GOODS_COPIES,
    INITIAL_EXTRA,
    JOKER_TILES,
    KINDS,
    MAX_SEATS,
    NONE,
    OFFICE,
    OFFICES_PER_ROUND,
    OTHERS_PER_ROUND,
    ROUNDS,
    TRIBUTE_MOST,
)

_OFFICES = ROUNDS * OFFICES_PER_ROUND
_OTHERS = ROUNDS * OTHERS_PER_ROUND + MAX_SEATS + INITIAL_EXTRA
"""How many buildings and persons a game can show."""
_MOST_TRIBUTE = TRIBUTE_MOST // (OFFICES_PER_ROUND + OTHERS_PER_ROUND)
_MOST = 20
"""No number on a card is greater."""
_MOST_CUBES = 4
"""No card or quarter costs more cubes, and no choice is of more."""


class Quarter(NamedTuple):
    """A quarter of the city; ``cost`` is a pile."""

    id: str
    cost: int
    dark: bool
    row: int
    column: int
    adjacent: tuple[int, ...]


class Space(NamedTuple):
    """A space of the sea; ``good`` is what the port there wants, NONE at sea."""

    id: str
    adjacent: tuple[int, ...]
    good: int


class Tables(NamedTuple):
    """One edition, ready for play.

    ``points`` has the slots of the port that wants each good; ``names`` has the words for ids, by
    language and key (``card.bank``), ``texts`` what a card says, by language and id.
    """

    id: str
    cards: tuple[Card, ...]
    card_ids: tuple[str, ...]
    card_index: Mapping[str, int]
    offices: tuple[int, ...]
    others: tuple[int, ...]
    quarters: tuple[Quarter, ...]
    quarter_index: Mapping[str, int]
    light: tuple[int, ...]
    spaces: tuple[Space, ...]
    space_index: Mapping[str, int]
    dock: int
    ports: tuple[int, ...]
    points: tuple[tuple[int, ...], ...]
    names: Mapping[str, Mapping[str, str]]
    texts: Mapping[str, Mapping[str, str]]


class _Row:
    """One object of the tables, and where it stands."""

    def __init__(self, where: str, data: object, keys: Sequence[str] | None = None) -> None:
        self.where = where
        if not isinstance(data, dict):
            raise BadEditionError(f"{where}: {shown(data)} is not an object")
        self._data: JsonObject = data
        if keys is not None:
            self.only(*keys)

    def refuse(self, message: str) -> BadEditionError:
        return BadEditionError(f"{self.where}: {message}")

    def only(self, *keys: str) -> None:
        if extra := sorted(self._data.keys() - set(keys)):
            raise self.refuse(f"there is no {extra[0]} here")

    def value(self, name: str) -> Any:
        if name not in self._data:
            raise self.refuse(f"{name} is missing")
        return self._data[name]

    def text(self, name: str) -> str:
        value = self.value(name)
        if type(value) is not str or not value:
            raise self.refuse(f"{name} is {shown(value)}, not a text")
        return value

    def integer(self, name: str, least: int, most: int) -> int:
        value = self.value(name)
        if type(value) is not int or not least <= value <= most:
            raise self.refuse(f"{name} is {shown(value)}, not {least} to {most}")
        return value

    def optional(self, name: str, most: int = _MOST) -> int:
        return self.integer(name, 0, most) if name in self._data else 0

    def choice(self, name: str, values: Sequence[str]) -> str:
        value = self.value(name)
        if type(value) is not str or value not in values:
            raise self.refuse(f"{name} is {shown(value)}, not one of {', '.join(values)}")
        return value

    def array(self, name: str) -> list[Any]:
        value = self.value(name)
        if not isinstance(value, list):
            raise self.refuse(f"{name} is {shown(value)}, not a list")
        return value

    def part(self, name: str, keys: Sequence[str] | None = None) -> "_Row":
        return _Row(f"{self.where}, {name}", self.value(name), keys)

    def pile(self, name: str, *, needed: bool = True) -> int:
        if name not in self._data and not needed:
            return 0
        part = self.part(name, COLOURS)
        counts = {id_: part.integer(id_, 1, _MOST_CUBES) for id_ in part.names()}
        number = sum(counts.values())
        if number > _MOST_CUBES or (needed and not number):
            raise self.refuse(f"{name} has {number} cubes, not 1 to {_MOST_CUBES}")
        return cubes.from_counts(counts)

    def names(self) -> list[str]:
        return list(self._data)


def read(tables: object) -> Tables:
    """Read an edition.

    Raises:
        BadEditionError: it makes no game; the message names the first row that is wrong.

    """
    root = _Row("edition", tables)
    deck = _deck(root)
    kinds = [card.kind for card in deck]
    offices = tuple(index for index, kind in enumerate(kinds) if kind == OFFICE)
    others = tuple(index for index, kind in enumerate(kinds) if kind != OFFICE)
    if len(offices) != _OFFICES:
        raise root.refuse(f"cards has {len(offices)} offices, not {_OFFICES}")
    if len(others) < _OTHERS:
        raise root.refuse(f"cards has {len(others)} buildings and persons, at least {_OTHERS}")
    quarters = _quarters(root)
    light = tuple(index for index, quarter in enumerate(quarters) if not quarter.dark)
    if len(light) != len(GOODS) * GOODS_COPIES or len(quarters) != len(light) + JOKER_TILES:
        wanted = f"{len(GOODS) * GOODS_COPIES} light and {JOKER_TILES} dark"
        raise root.refuse(f"quarters has {len(light)} light of {len(quarters)}, not {wanted}")
    points = _points(root)
    spaces, dock = _spaces(root)
    wants = [space.good for space in spaces]
    return Tables(
        id=root.text("edition"),
        cards=deck,
        card_ids=tuple(card.id for card in deck),
        card_index={card.id: index for index, card in enumerate(deck)},
        offices=offices,
        others=others,
        quarters=quarters,
        quarter_index={quarter.id: index for index, quarter in enumerate(quarters)},
        light=light,
        spaces=spaces,
        space_index={space.id: index for index, space in enumerate(spaces)},
        dock=dock,
        ports=tuple(wants.index(good) for good in range(len(GOODS))),
        points=points,
        names=_names(root),
        texts={
            language: {
                row.text("id"): row.part("text").text(language) for row in _rows(root, "cards")
            }
            for language in LANGUAGES
        },
    )


def _names(root: _Row) -> dict[str, dict[str, str]]:
    words: dict[str, dict[str, str]] = {}
    for kind, table in (("card", "cards"), ("quarter", "quarters"), ("space", "sea_spaces")):
        for row in _rows(root, table):
            for language in LANGUAGES:
                key = f"{kind}.{row.text('id')}"
                words.setdefault(language, {})[key] = row.part("name").text(language)
    return words


def _rows(root: _Row, name: str) -> Iterator[_Row]:
    """The rows of a table, which have different ids."""
    met: set[str] = set()
    for number, data in enumerate(root.array(name), start=1):
        id_ = _Row(f"{name} row {number}", data).text("id")
        row = _Row(f"{name} row {number} ({id_})", data)
        if id_ in met:
            raise row.refuse("a row before it has the same id")
        met.add(id_)
        yield row


def _deck(root: _Row) -> tuple[Card, ...]:
    deck = []
    lifted = False
    for row in _rows(root, "cards"):
        card = _card(row)
        lifts = any(modify.rule == "stack_top" for modify in card.modifies)
        if lifts and lifted:
            raise row.refuse("a card before it is on top of its stack too")
        lifted |= lifts
        deck.append(card)
    return tuple(deck)


def _card(row: _Row) -> Card:
    tribute = row.part("tribute")
    gains_now, converts, triggers, modifies, end_games = [], [], [], [], []
    for number, data in enumerate(row.array("effects"), start=1):
        effect = _Row(f"{row.where}, effect {number}", data)
        match effect.choice("type", ("gain_now", "convert", "trigger", "modify", "end_game")):
            case "gain_now":
                gains_now.append(_gain_now(effect))
            case "convert":
                converts.append(_convert(effect))
            case "trigger":
                triggers.append(_trigger(effect))
            case "modify":
                modifies.append(_modify(effect))
            case _:
                end_games.append(_end_game(effect))
    if len(converts) > 1:
        raise row.refuse("there is more than one convert")
    return Card(
        id=row.text("id"),
        kind=KINDS.index(row.choice("kind", KINDS)),
        cost=row.pile("cost"),
        gold=tribute.integer("gold", 0, _MOST_TRIBUTE),
        prestige=tribute.integer("prestige", 0, _MOST_TRIBUTE),
        gains_now=tuple(gains_now),
        convert=converts[0] if converts else None,
        triggers=tuple(triggers),
        modifies=tuple(modifies),
        end_games=tuple(end_games),
    )


def _gain(effect: _Row, *, chosen: bool) -> Gain:
    gain = effect.part("gain", Gain._fields)
    some = gain.optional("cubes_any", _MOST_CUBES)
    if some and not chosen:
        raise gain.refuse("nobody is asked for the colours of cubes_any here")
    return Gain(
        coins=gain.optional("coins"),
        prestige=gain.optional("prestige"),
        cubes=gain.pile("cubes", needed=False),
        cubes_any=some,
        wall=gain.optional("wall"),
        ship_steps=gain.optional("ship_steps"),
    )


def _gain_now(effect: _Row) -> Gain:
    effect.only("type", "gain")
    gain = _gain(effect, chosen=False)
    if gain.wall or gain.ship_steps:  # R32: no card reacts to its own activation
        raise effect.refuse("an activation gives coins, prestige and cubes only")
    return gain


def _convert(effect: _Row) -> Convert:
    effect.only("type", "limit", "pay", "gain")
    pay = effect.part("pay", ("coins", "cubes", "cubes_any"))
    gain = _gain(effect, chosen=True)
    if gain == Gain():
        raise effect.refuse("a convert that gains nothing has no use")
    convert = Convert(
        once_per_round=effect.choice("limit", ("once_per_round", "unlimited")) == "once_per_round",
        coins=pay.optional("coins"),
        cubes=pay.pile("cubes", needed=False),
        cubes_any=pay.optional("cubes_any", _MOST_CUBES),
        gain=gain,
        only_wall=gain == Gain(wall=gain.wall),
    )
    if not convert.once_per_round:  # R33
        if not convert.cubes and not convert.cubes_any:
            raise effect.refuse("an unlimited convert that costs no cube would have no end")
        if gain != Gain(coins=gain.coins):
            raise effect.refuse("an unlimited convert gives coins only")
    return convert


def _trigger(effect: _Row) -> Trigger:
    effect.only("type", "event", "filter", "gain")
    event = effect.choice("event", (cards.ACTIVATED, *cards.EVENTS))
    gain = _gain(effect, chosen=False)
    if event == cards.ACTIVATED:
        kind = effect.part("filter", ("kind",)).choice("kind", (*KINDS, "any"))
        events = tuple(k for k, name in enumerate(KINDS) if kind in (name, "any"))
        return Trigger(events, gain)
    effect.part("filter", ())
    if event == "ship_step" and (gain.cubes or gain.ship_steps):  # R33
        raise effect.refuse("a ship step that gives cubes or ship steps would have no end")
    return Trigger((cards.EVENTS[event],), gain)


def _modify(effect: _Row) -> Modify:
    rule = effect.choice("rule", cards.RULES)
    value = effect.integer("value", 1, _MOST_CUBES)
    if rule == cards.DELIVERY:
        effect.only("type", "rule", "value", "good")
        return Modify(rule, value, GOOD[effect.choice("good", GOODS)])
    effect.only("type", "rule", "value")
    return Modify(rule, value, NONE)


def _end_game(effect: _Row) -> EndGame:
    effect.only("type", "metric", "divisor", "prestige", "max_prestige")
    limit = effect.value("max_prestige")
    return EndGame(
        metric=effect.choice("metric", cards.METRICS),
        divisor=effect.integer("divisor", 1, _MOST),
        prestige=effect.integer("prestige", 0, _MOST),
        max_prestige=None if limit is None else effect.integer("max_prestige", 0, 10 * _MOST),
    )


def _quarters(root: _Row) -> tuple[Quarter, ...]:
    rows = list(_rows(root, "quarters"))
    adjacent = _adjacent(rows)
    return tuple(
        Quarter(
            id=row.text("id"),
            cost=row.pile("cost"),
            dark=row.choice("shade", ("light", "dark")) == "dark",
            row=row.integer("row", 1, _MOST),
            column=row.integer("col", 1, _MOST),
            adjacent=near,
        )
        for row, near in zip(rows, adjacent, strict=True)
    )


def _adjacent(rows: Sequence[_Row]) -> list[tuple[int, ...]]:
    """The neighbours of every row, which are neighbours of each other."""
    index = {row.text("id"): number for number, row in enumerate(rows)}
    near = [row.array("adjacent") for row in rows]
    for row, ids in zip(rows, near, strict=True):
        for id_ in ids:
            if type(id_) is not str or id_ not in index:
                raise row.refuse(f"adjacent names {shown(id_)}, which does not exist")
            if row.text("id") not in near[index[id_]]:
                raise row.refuse(f"{id_} is adjacent, but not the other way round")
    return [tuple(index[id_] for id_ in ids) for ids in near]


def _points(root: _Row) -> tuple[tuple[int, ...], ...]:
    """The slots of the ports, by good: every good has one port."""
    points: dict[int, tuple[int, ...]] = {}
    for row in _rows(root, "ports"):
        good = GOOD[row.choice("good", GOODS)]
        if good in points:
            raise row.refuse(f"a port before it wants {GOODS[good]} too")
        slots = row.array("slot_points")
        if len(slots) != GOODS_COPIES or not all(type(p) is int and p >= 0 for p in slots):
            raise row.refuse(f"slot_points is {shown(slots)}, not {GOODS_COPIES} numbers")
        points[good] = tuple(slots)
    if len(points) != len(GOODS):
        raise root.refuse(f"ports has {len(points)} ports, not one for each good")
    return tuple(points[good] for good in range(len(GOODS)))


def _spaces(root: _Row) -> tuple[tuple[Space, ...], int]:
    """The spaces of the sea and the dock among them; ports have the ids of the table of ports."""
    wants = {row.text("id"): GOOD[row.choice("good", GOODS)] for row in _rows(root, "ports")}
    rows = list(_rows(root, "sea_spaces"))
    spaces, docks = [], []
    for number, (row, near) in enumerate(zip(rows, _adjacent(rows), strict=True)):
        id_ = row.text("id")
        kind = row.choice("type", ("dock", "sea", "port"))
        if (kind == "port") != (id_ in wants):
            raise row.refuse("ports, and only they, stand in the table of ports")
        if kind == "dock":
            docks.append(number)
        spaces.append(Space(id_, near, wants.get(id_, NONE)))
    if len(docks) != 1:
        raise root.refuse(f"sea_spaces has {len(docks)} docks, not one")
    missing = wants.keys() - {space.id for space in spaces}
    if missing:
        raise root.refuse(f"sea_spaces lacks the port {min(missing)}")
    return tuple(spaces), docks[0]


EDITIONS: dict[str, Edition] = {EDITION.id: EDITION}
"""The editions that can be played, by id."""
TABLES: dict[str, Tables] = {EDITION.id: read(EDITION.tables)}
"""The same, read."""
OFFERED: set[str] = {EDITION.id}
"""Those that new games may ask for: not the ones that only a record brought."""
_PARTS = ("cards", "ports", "quarters", "sea_spaces")


def install(tables: object, *, offer: bool) -> Tables:
    """Add an edition; what it does not replace is as published. Again, it changes nothing.

    With ``offer``, new games may ask for it.

    Raises:
        BadEditionError: it makes no game, or another edition has its id or one of its words.

    """
    edition = Edition.of(tables)
    new = _add(edition)
    if offer:
        OFFERED.add(edition.id)
    return new


def _add(edition: Edition) -> Tables:
    if edition.id in EDITIONS:
        if EDITIONS[edition.id].digest != edition.digest:
            raise BadEditionError(f"edition: there is another one with the id {edition.id}")
        return TABLES[edition.id]
    given = edition.tables
    if extra := sorted(given.keys() - {"edition", *_PARTS}):
        raise BadEditionError(f"edition: {extra[0]} is not one of {', '.join(_PARTS)}")
    parts = {part: EDITION.tables[part] for part in _PARTS}
    new = read({**parts, **given})
    for language, words in new.names.items():
        for key, name in words.items():
            for other in TABLES.values():
                if other.names[language].get(key, name) != name:
                    kind, _, id_ = key.partition(".")
                    raise BadEditionError(
                        f"{kind} {id_}: edition {other.id} calls it"
                        f" {other.names[language][key]}; give it an id of its own"
                    )
    EDITIONS[edition.id] = edition
    TABLES[edition.id] = new
    return new
