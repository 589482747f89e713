"""The tables of an edition: cards, quarters and the sea, read and checked row by row.

Cards, quarters and sea spaces go by their ids everywhere. An installation may add editions: whoever
owns the printed game can play with its cards and maps.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NewType

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import BadEditionError, Edition, shown
from rules.kernel.contract.labels import LANGUAGES
from rules.macao import cards, cubes, data
from rules.macao.cards import Card, CardId, Convert, EndGame, Gain, Modify, Trigger

QuarterId = NewType("QuarterId", str)
SpaceId = NewType("SpaceId", str)

_OFFICES = data.ROUNDS * data.OFFICES_PER_ROUND
_OTHERS = data.ROUNDS * data.OTHERS_PER_ROUND + data.MAX_SEATS + data.INITIAL_EXTRA
"""How many buildings and persons a game can show."""
_MOST_TRIBUTE = data.TRIBUTE_MOST // (data.OFFICES_PER_ROUND + data.OTHERS_PER_ROUND)
_MOST = 20
"""No number on a card is greater."""
_MOST_CUBES = 4
"""No card or quarter costs more cubes, and no choice is of more."""


class Quarter(NamedTuple):
    """A quarter of the city; ``cost`` is a pile, ``bit`` stands for it, as in ``adjacent``."""

    cost: int
    dark: bool
    row: int
    column: int
    bit: int
    adjacent: int


class Space(NamedTuple):
    """A space of the sea; ``good`` is what the port there wants, NONE at sea."""

    adjacent: tuple[SpaceId, ...]
    good: int


class Tables(NamedTuple):
    """One edition, ready for play.

    ``ports`` and ``points``, the slots there, are by good; ``names`` has the words for ids, by
    language and key (``card.bank``), ``texts`` what a card says, by language and id.
    """

    id: str
    cards: Mapping[CardId, Card]
    offices: tuple[CardId, ...]
    others: tuple[CardId, ...]
    quarters: Mapping[QuarterId, Quarter]
    light: tuple[QuarterId, ...]
    spaces: Mapping[SpaceId, Space]
    dock: SpaceId
    ports: tuple[SpaceId, ...]
    points: tuple[tuple[int, ...], ...]
    names: Mapping[str, Mapping[str, str]]
    texts: Mapping[str, Mapping[str, str]]


class _Row:
    """One object of the tables, and where it stands."""

    def __init__(self, where: str, row: object, keys: Sequence[str] | None = None) -> None:
        self.where = where
        if not isinstance(row, dict):
            raise BadEditionError(f"{where}: {shown(row)} is not an object")
        self._data: JsonObject = row
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
        part = self.part(name, data.COLOURS)
        counts = {id_: part.integer(id_, 1, _MOST_CUBES) for id_ in self.value(name)}
        number = sum(counts.values())
        if number > _MOST_CUBES or (needed and not number):
            raise self.refuse(f"{name} has {number} cubes, not 1 to {_MOST_CUBES}")
        return cubes.from_counts(counts)

    def good(self) -> int:
        return data.GOODS.index(self.choice("good", data.GOODS))


def read(tables: object) -> Tables:
    """Read an edition.

    Raises:
        BadEditionError: it makes no game; the message names the first row that is wrong.

    """
    root = _Row("edition", tables)
    deck = _deck(root)
    quarters = _quarters(root)
    ports, points = _ports(root)
    spaces, dock = _spaces(root, ports)
    return Tables(
        id=root.text("edition"),
        cards=deck,
        offices=tuple(id_ for id_, card in deck.items() if card.kind == data.OFFICE),
        others=tuple(id_ for id_, card in deck.items() if card.kind != data.OFFICE),
        quarters=quarters,
        light=tuple(id_ for id_, quarter in quarters.items() if not quarter.dark),
        spaces=spaces,
        dock=dock,
        ports=ports,
        points=points,
        names={language: _names(root, language) for language in LANGUAGES},
        texts={language: _texts(root, language) for language in LANGUAGES},
    )


def _names(root: _Row, language: str) -> dict[str, str]:
    return {
        f"{kind}.{row.text('id')}": row.part("name").text(language)
        for kind, table in (("card", "cards"), ("quarter", "quarters"), ("space", "sea_spaces"))
        for row in _rows(root, table)
    }


def _texts(root: _Row, language: str) -> dict[str, str]:
    return {row.text("id"): row.part("text").text(language) for row in _rows(root, "cards")}


def _rows(root: _Row, name: str) -> Iterator[_Row]:
    """The rows of a table, which have different ids."""
    met: set[str] = set()
    for number, given in enumerate(root.array(name), start=1):
        id_ = _Row(f"{name} row {number}", given).text("id")
        row = _Row(f"{name} row {number} ({id_})", given)
        if id_ in met:
            raise row.refuse("a row before it has the same id")
        met.add(id_)
        yield row


def _deck(root: _Row) -> dict[CardId, Card]:
    deck: dict[CardId, Card] = {}
    for row in _rows(root, "cards"):
        card = _card(row)
        if _lifts(card) and any(map(_lifts, deck.values())):
            raise row.refuse("a card before it is on top of its stack too")
        deck[card.id] = card
    offices = sum(card.kind == data.OFFICE for card in deck.values())
    if offices != _OFFICES:
        raise root.refuse(f"cards has {offices} offices, not {_OFFICES}")
    if (others := len(deck) - offices) < _OTHERS:
        raise root.refuse(f"cards has {others} buildings and persons, at least {_OTHERS}")
    return deck


def _lifts(card: Card) -> bool:
    return any(modify.rule == "stack_top" for modify in card.modifies)


def _card(row: _Row) -> Card:
    tribute = row.part("tribute")
    effects: dict[str, list[Any]] = {type_: [] for type_ in _EFFECTS}
    for number, part in enumerate(row.array("effects"), start=1):
        effect = _Row(f"{row.where}, effect {number}", part)
        type_ = effect.choice("type", tuple(_EFFECTS))
        effects[type_].append(_EFFECTS[type_](effect))
    if len(effects["convert"]) > 1:
        raise row.refuse("there is more than one convert")
    return Card(
        id=CardId(row.text("id")),
        kind=data.KINDS.index(row.choice("kind", data.KINDS)),
        cost=row.pile("cost"),
        gold=tribute.integer("gold", 0, _MOST_TRIBUTE),
        prestige=tribute.integer("prestige", 0, _MOST_TRIBUTE),
        gains_now=tuple(effects["gain_now"]),
        convert=effects["convert"][0] if effects["convert"] else None,
        triggers=tuple(effects["trigger"]),
        modifies=tuple(effects["modify"]),
        end_games=tuple(effects["end_game"]),
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
    event = effect.choice("event", (cards.ACTIVATED, *cards.HAPPENINGS))
    gain = _gain(effect, chosen=False)
    if event == cards.ACTIVATED:
        kind = effect.part("filter", ("kind",)).choice("kind", (*data.KINDS, "any"))
        events = tuple(k for k, name in enumerate(data.KINDS) if kind in (name, "any"))
        return Trigger(events, gain)
    effect.part("filter", ())
    if event == "ship_step" and (gain.cubes or gain.ship_steps):  # R33
        raise effect.refuse("a ship step that gives cubes or ship steps would have no end")
    return Trigger((cards.EVENTS.index(event),), gain)


def _modify(effect: _Row) -> Modify:
    rule = effect.choice("rule", cards.RULES)
    value = effect.integer("value", 1, _MOST_CUBES)
    if rule == cards.DELIVERY:
        effect.only("type", "rule", "value", "good")
        return Modify(rule, value, effect.good())
    effect.only("type", "rule", "value")
    return Modify(rule, value, data.NONE)


def _end_game(effect: _Row) -> EndGame:
    effect.only("type", "metric", "divisor", "prestige", "max_prestige")
    limit = effect.value("max_prestige")
    return EndGame(
        metric=effect.choice("metric", cards.METRICS),
        divisor=effect.integer("divisor", 1, _MOST),
        prestige=effect.integer("prestige", 0, _MOST),
        max_prestige=None if limit is None else effect.integer("max_prestige", 0, 10 * _MOST),
    )


_EFFECTS: dict[str, Callable[[_Row], Any]] = {
    "gain_now": _gain_now,
    "convert": _convert,
    "trigger": _trigger,
    "modify": _modify,
    "end_game": _end_game,
}


def _quarters(root: _Row) -> dict[QuarterId, Quarter]:
    rows = list(_rows(root, "quarters"))
    bits = {row.text("id"): 1 << number for number, row in enumerate(rows)}
    quarters = {
        QuarterId(row.text("id")): Quarter(
            cost=row.pile("cost"),
            dark=row.choice("shade", ("light", "dark")) == "dark",
            row=row.integer("row", 1, _MOST),
            column=row.integer("col", 1, _MOST),
            bit=bits[row.text("id")],
            adjacent=sum([bits[id_] for id_ in near]),
        )
        for row, near in zip(rows, _adjacent(rows), strict=True)
    }
    light = sum(not quarter.dark for quarter in quarters.values())
    wanted = len(data.GOODS) * data.GOODS_COPIES
    if light != wanted or len(quarters) != light + data.JOKER_TILES:
        wants = f"{wanted} light and {data.JOKER_TILES} dark"
        raise root.refuse(f"quarters has {light} light of {len(quarters)}, not {wants}")
    return quarters


def _adjacent(rows: Sequence[_Row]) -> list[list[str]]:
    """The neighbours of every row, which are neighbours of each other."""
    near = {row.text("id"): row.array("adjacent") for row in rows}
    for row in rows:
        for id_ in near[row.text("id")]:
            if type(id_) is not str or id_ not in near:
                raise row.refuse(f"adjacent names {shown(id_)}, which does not exist")
            if row.text("id") not in near[id_]:
                raise row.refuse(f"{id_} is adjacent, but not the other way round")
    return list(near.values())


def _ports(root: _Row) -> tuple[tuple[SpaceId, ...], tuple[tuple[int, ...], ...]]:
    """The ports and their slots, by good: every good has one port."""
    ports: dict[int, SpaceId] = {}
    points: dict[int, tuple[int, ...]] = {}
    for row in _rows(root, "ports"):
        good = row.good()
        if good in ports:
            raise row.refuse(f"a port before it wants {data.GOODS[good]} too")
        slots = row.array("slot_points")
        if len(slots) != data.GOODS_COPIES or not all(type(p) is int and p >= 0 for p in slots):
            raise row.refuse(f"slot_points is {shown(slots)}, not {data.GOODS_COPIES} numbers")
        ports[good], points[good] = SpaceId(row.text("id")), tuple(slots)
    if len(ports) != len(data.GOODS):
        raise root.refuse(f"ports has {len(ports)} ports, not one for each good")
    goods = range(len(data.GOODS))
    return tuple(ports[good] for good in goods), tuple(points[good] for good in goods)


def _spaces(root: _Row, ports: Sequence[SpaceId]) -> tuple[dict[SpaceId, Space], SpaceId]:
    """The spaces of the sea and the dock among them; ports have the ids of the table of ports."""
    rows = list(_rows(root, "sea_spaces"))
    spaces, docks = {}, []
    for row, near in zip(rows, _adjacent(rows), strict=True):
        id_ = SpaceId(row.text("id"))
        kind = row.choice("type", ("dock", "sea", "port"))
        if (kind == "port") != (id_ in ports):
            raise row.refuse("ports, and only they, stand in the table of ports")
        if kind == "dock":
            docks.append(id_)
        good = ports.index(id_) if kind == "port" else data.NONE
        spaces[id_] = Space(tuple(map(SpaceId, near)), good)
    if len(docks) != 1:
        raise root.refuse(f"sea_spaces has {len(docks)} docks, not one")
    if missing := set(ports) - spaces.keys():
        raise root.refuse(f"sea_spaces lacks the port {min(missing)}")
    return spaces, docks[0]


EDITIONS: dict[str, Edition] = {data.EDITION.id: data.EDITION}
"""The editions that can be played, by id."""
TABLES: dict[str, Tables] = {data.EDITION.id: read(data.EDITION.tables)}
"""The same, read."""
OFFERED: set[str] = {data.EDITION.id}
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
    parts = {part: data.EDITION.tables[part] for part in _PARTS}
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
