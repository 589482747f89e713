"""The tables of an edition: cards, quarters and the sea, read and checked row by row.

Cards, quarters and sea spaces are identified by their ids everywhere. An installation may add
editions: owners of the printed game can play with its cards and maps.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple, NewType

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import BadEditionError, Edition, shown
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.toolbox.rows import Row
from rules.macao import cards, data
from rules.macao.cards import METRICS, Card, CardId, Convert, EndGame, Gain, Modify, Trigger
from rules.macao.data import cubes

QuarterId = NewType("QuarterId", str)
SpaceId = NewType("SpaceId", str)

_OFFICES = data.ROUNDS * data.OFFICES_PER_ROUND
_OTHERS = data.ROUNDS * data.OTHERS_PER_ROUND + data.MAX_SEATS + data.INITIAL_EXTRA
"""Maximum number of buildings and persons that can be shown in a game."""
_MOST_TRIBUTE = data.TRIBUTE_MOST // (data.OFFICES_PER_ROUND + data.OTHERS_PER_ROUND)
_MOST = 20
"""The greatest number that a card may contain."""


class Quarter(NamedTuple):
    """A quarter of the city.

    ``cost`` is a pile of cubes. ``bit`` stands for the quarter in sets of quarters.
    """

    cost: int
    dark: bool
    row: int
    column: int
    bit: int
    adjacent: int


class Space(NamedTuple):
    """A space of the sea; ``good`` is the good that its port wants, or NONE."""

    adjacent: tuple[SpaceId, ...]
    good: data.Good
    slots: tuple[int, ...]


class Tables(NamedTuple):
    """One edition, ready for play.

    ``ports`` has the port of each good, in the order of the goods. The outer keys of ``names`` are
    languages, the inner keys are the keys of labels (``card.bank``), and the values are the names.
    """

    cards: Mapping[CardId, Card]
    offices: tuple[CardId, ...]
    others: tuple[CardId, ...]
    quarters: Mapping[QuarterId, Quarter]
    borders: tuple[int, ...]
    light: tuple[QuarterId, ...]
    spaces: Mapping[SpaceId, Space]
    dock: SpaceId
    ports: tuple[SpaceId, ...]
    names: Mapping[str, Mapping[str, str]]


def read(tables: object) -> Tables:
    """Read an edition.

    Raises:
        BadEditionError: the edition is invalid; the message names the first bad row.
    """
    root = Row("edition", tables)
    deck, quarters, ports = _deck(root), _quarters(root), _ports(root)
    spaces, dock = _spaces(root, ports)
    return Tables(
        cards=deck,
        offices=tuple(id_ for id_, card in deck.items() if card.kind == data.OFFICE),
        others=tuple(id_ for id_, card in deck.items() if card.kind != data.OFFICE),
        quarters=quarters,
        borders=tuple(quarter.adjacent for quarter in quarters.values()),
        light=tuple(id_ for id_, quarter in quarters.items() if not quarter.dark),
        spaces=spaces,
        dock=dock,
        ports=tuple(sorted(ports, key=lambda id_: ports[id_][0])),
        names={language: _names(root, language) for language in LANGUAGES},
    )


_NAMED = {
    "cards": ("card",),
    "quarters": ("quarter", "the_quarter"),
    "sea_spaces": ("space", "the_space"),
}
"""For each table, two vocabularies with the names of its rows: for headings, and for use in
sentences.
"""


def _names(root: Row, language: str) -> dict[str, str]:
    return {
        f"{kind}.{id_}": row.part("name").text(language)
        for table, kinds in _NAMED.items()
        for id_, row in root.rows(table)
        for kind in kinds
    }


def _pile(row: Row, name: str) -> int:
    part = row.part(name, data.COLOURS)
    counts = {id_: part.integer(id_, 1, data.MOST_CUBES) for id_ in part.given}
    if not 1 <= (number := sum(counts.values())) <= data.MOST_CUBES:
        raise row.refuse(f"{name} has {number} cubes, not 1 to {data.MOST_CUBES}")
    return cubes.from_counts(counts)


def _optional_pile(row: Row, name: str) -> int:
    return 0 if row.given.get(name, {}) == {} else _pile(row, name)


def _good(row: Row) -> data.Good:
    return data.ALL_GOODS[data.GOODS.index(row.choice("good", data.GOODS))]


def _deck(root: Row) -> dict[CardId, Card]:
    deck: dict[CardId, Card] = {}
    lifting: list[str] = []
    for id_, row in root.rows("cards"):
        card = deck[CardId(id_)] = _card(CardId(id_), row)
        lifting += [id_ for modify in card.modifies if modify.rule == "stack_top"][:1]
        if len(lifting) > 1:
            raise row.refuse("a card before it is on top of its stack too")
    offices = sum(card.kind == data.OFFICE for card in deck.values())
    if offices != _OFFICES:
        raise root.refuse(f"cards has {offices} offices, not {_OFFICES}")
    if (others := len(deck) - offices) < _OTHERS:
        raise root.refuse(f"cards has {others} buildings and persons, at least {_OTHERS}")
    return deck


def _card(id_: CardId, row: Row) -> Card:
    tribute = row.part("tribute")
    effects: dict[str, list[Any]] = {type_: [] for type_ in _EFFECTS}
    for number, given in enumerate(row.array("effects"), start=1):
        where = f"{row.where}, effect {number}"
        type_ = Row(where, given).choice("type", tuple(_EFFECTS))
        read_effect, keys = _EFFECTS[type_]
        effects[type_].append(read_effect(Row(where, given, ("type", *keys))))
    if len(effects["convert"]) > 1:
        raise row.refuse("there is more than one convert")
    return Card(
        id=id_,
        kind=data.ALL_KINDS[data.KINDS.index(row.choice("kind", data.KINDS))],
        cost=_pile(row, "cost"),
        gold=tribute.integer("gold", 0, _MOST_TRIBUTE),
        prestige=tribute.integer("prestige", 0, _MOST_TRIBUTE),
        gains_now=tuple(effects["gain_now"]),
        convert=effects["convert"][0] if effects["convert"] else None,
        triggers=tuple(effects["trigger"]),
        modifies=tuple(effects["modify"]),
        end_games=tuple(effects["end_game"]),
        text=row.words("text"),
    )


def _gain(effect: Row, *, chosen: bool) -> Gain:
    gain = effect.part("gain", Gain._fields)
    some = gain.optional("cubes_any", data.MOST_CUBES)
    if some and not chosen:
        raise gain.refuse("nobody is asked for the colours of cubes_any here")
    rest = {
        name: gain.optional(name, _MOST) for name in ("coins", "prestige", "wall", "ship_steps")
    }
    return Gain(cubes=_optional_pile(gain, "cubes"), cubes_any=some, **rest)


def _gain_now(effect: Row) -> Gain:
    gain = _gain(effect, chosen=False)
    if gain.wall or gain.ship_steps:  # R32: no card reacts to its own activation
        raise effect.refuse("an activation gives coins, prestige and cubes only")
    return gain


def _convert(effect: Row) -> Convert:
    pay = effect.part("pay", ("coins", "cubes", "cubes_any"))
    gain = _gain(effect, chosen=True)
    if gain == Gain():
        raise effect.refuse("a convert that gains nothing has no use")
    convert = Convert(
        once_per_round=effect.choice("limit", ("once_per_round", "unlimited")) == "once_per_round",
        coins=pay.optional("coins", _MOST),
        cubes=_optional_pile(pay, "cubes"),
        pays=pay.optional("cubes_any", data.MOST_CUBES) or None,
        gain=gain,
        only_wall=gain == Gain(wall=gain.wall),
    )
    if not convert.once_per_round:  # R33
        if not convert.cubes and not convert.pays:
            raise effect.refuse("an unlimited convert that costs no cube would have no end")
        if gain != Gain(coins=gain.coins):
            raise effect.refuse("an unlimited convert gives coins only")
    return convert


def _trigger(effect: Row) -> Trigger:
    event = effect.choice("event", (cards.ACTIVATED, *cards.HAPPENINGS))
    gain = _gain(effect, chosen=False)
    if event == cards.ACTIVATED:
        kind = effect.part("filter", ("kind",)).choice("kind", (*data.KINDS, "any"))
        events = tuple(k for k in data.ALL_KINDS if kind in (data.KINDS[k], "any"))
        return Trigger(events, gain)
    effect.part("filter", ())
    if event == "ship_step" and (gain.cubes or gain.ship_steps):  # R33
        raise effect.refuse("a ship step that gives cubes or ship steps would have no end")
    return Trigger((data.Event(cards.EVENTS.index(event)),), gain)


def _modify(effect: Row) -> Modify:
    rule, value = effect.choice("rule", cards.RULES), effect.integer("value", 1, data.MOST_CUBES)
    if rule != cards.DELIVERY:
        effect.only("type", "rule", "value")
        return Modify(rule, value, data.NONE)
    return Modify(rule, value, _good(effect))


def _end_game(effect: Row) -> EndGame:
    limit = effect.value("max_prestige")
    return EndGame(
        metric=effect.choice("metric", METRICS),
        divisor=effect.integer("divisor", 1, _MOST),
        prestige=effect.integer("prestige", 0, _MOST),
        max_prestige=None if limit is None else effect.integer("max_prestige", 0, 10 * _MOST),
    )


_EFFECTS: Mapping[str, tuple[Callable[[Row], Any], Sequence[str]]] = {
    "gain_now": (_gain_now, ("gain",)),
    "convert": (_convert, ("limit", "pay", "gain")),
    "trigger": (_trigger, ("event", "filter", "gain")),
    "modify": (_modify, Modify._fields),
    "end_game": (_end_game, EndGame._fields),
}


def _quarters(root: Row) -> dict[QuarterId, Quarter]:
    rows = dict(root.rows("quarters"))
    bits = {id_: 1 << number for number, id_ in enumerate(rows)}
    quarters = {
        QuarterId(id_): Quarter(
            cost=_pile(row, "cost"),
            dark=row.choice("shade", ("light", "dark")) == "dark",
            row=row.integer("row", 1, _MOST),
            column=row.integer("col", 1, _MOST),
            bit=bits[id_],
            adjacent=sum([bits[near] for near in _adjacent(id_, rows)]),
        )
        for id_, row in rows.items()
    }
    light = sum(not quarter.dark for quarter in quarters.values())
    wanted = len(data.GOODS) * data.GOODS_COPIES
    if light != wanted or len(quarters) != light + data.JOKER_TILES:
        wants = f"{wanted} light and {data.JOKER_TILES} dark"
        raise root.refuse(f"quarters has {light} light of {len(quarters)}, not {wants}")
    return quarters


def _adjacent(id_: str, rows: Mapping[str, Row]) -> list[Any]:
    """Return the neighbours of a row; the row must also be a neighbour of each of them."""
    row = rows[id_]
    for near in row.array("adjacent"):
        if type(near) is not str or near not in rows:
            raise row.refuse(f"adjacent names {shown(near)}, which does not exist")
        if id_ not in rows[near].array("adjacent"):
            raise row.refuse(f"{near} is adjacent, but not the other way round")
    return row.array("adjacent")


def _ports(root: Row) -> dict[SpaceId, tuple[data.Good, tuple[int, ...]]]:
    """Return the ports: the good that each wants, and its slots. Every good must have one port."""
    ports: dict[SpaceId, tuple[data.Good, tuple[int, ...]]] = {}
    for id_, row in root.rows("ports"):
        good = _good(row)
        if good in [other for other, _ in ports.values()]:
            raise row.refuse(f"a port before it wants {data.GOODS[good]} too")
        slots = row.array("slot_points")
        if len(slots) != data.GOODS_COPIES or not all(type(p) is int and p >= 0 for p in slots):
            raise row.refuse(f"slot_points is {shown(slots)}, not {data.GOODS_COPIES} numbers")
        ports[SpaceId(id_)] = good, tuple(slots)
    if len(ports) != len(data.GOODS):
        raise root.refuse(f"ports has {len(ports)} ports, not one for each good")
    return ports


def _spaces(
    root: Row, ports: Mapping[SpaceId, tuple[data.Good, tuple[int, ...]]]
) -> tuple[dict[SpaceId, Space], SpaceId]:
    """Return the spaces of the sea, and the dock; a port's space has the port's id."""
    rows = dict(root.rows("sea_spaces"))
    kinds = {id_: row.choice("type", ("dock", "sea", "port")) for id_, row in rows.items()}
    spaces = {}
    for id_, row in rows.items():
        if (kinds[id_] == "port") != (id_ in ports):
            raise row.refuse("ports, and only they, stand in the table of ports")
        near = tuple(map(SpaceId, _adjacent(id_, rows)))
        spaces[SpaceId(id_)] = Space(near, *ports.get(SpaceId(id_), (data.NONE, ())))
    docks = [id_ for id_ in spaces if kinds[id_] == "dock"]
    if len(docks) != 1:
        raise root.refuse(f"sea_spaces has {len(docks)} docks, not one")
    if missing := ports.keys() - spaces.keys():
        raise root.refuse(f"sea_spaces lacks the port {min(missing)}")
    return spaces, docks[0]


EDITIONS: dict[str, Edition] = {data.EDITION.id: data.EDITION}
"""The playable editions, by id."""
TABLES: dict[str, Tables] = {data.EDITION.id: read(data.EDITION.tables)}
"""The tables of the playable editions, by id."""
OFFERED: set[str] = {data.EDITION.id}
"""The ids of the editions that new games may use; editions from records are not among them."""
_PARTS = ("cards", "ports", "quarters", "sea_spaces")


def install(tables: object, *, offer: bool) -> Tables:
    """Add an edition; tables that it lacks are taken from the published edition.

    To add the same edition again changes nothing. If ``offer``, new games may use the edition.

    Raises:
        BadEditionError: the edition is invalid, or it contradicts an edition that is there already.
            Different editions must not have the same id, and must not give the same row different
            names.
    """
    edition = Edition.of(tables)
    if edition.id not in EDITIONS:
        TABLES[edition.id] = _read_added(edition.tables)
        EDITIONS[edition.id] = edition
    elif EDITIONS[edition.id].digest != edition.digest:
        raise BadEditionError(f"edition: there is another one with the id {edition.id}")
    if offer:
        OFFERED.add(edition.id)
    return TABLES[edition.id]


def _read_added(given: JsonObject) -> Tables:
    if extra := sorted(given.keys() - {"edition", *_PARTS}):
        raise BadEditionError(f"edition: {extra[0]} is not one of {', '.join(_PARTS)}")
    new = read({**{part: data.EDITION.tables[part] for part in _PARTS}, **given})
    for language, id_ in product(LANGUAGES, TABLES):
        for key, known in TABLES[id_].names[language].items():
            if new.names[language].get(key, known) != known:
                raise BadEditionError(
                    f"{key.replace('.', ' ', 1)}: edition {id_} calls it {known};"
                    " give it an id of its own"
                )
    return new
