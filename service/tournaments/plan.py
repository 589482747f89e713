"""The plan of a tournament: entries, games, format, and scoring."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import BadOptions, shown
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from rules.kernel.contract.ruleset import Option, Ruleset
from service.catalogue.bots import BotOffer
from service.catalogue.engines import MAX_SETTING

MAX_ENTRIES = 64
MAX_SEATS = 12
MAX_ROTATED = 7
"""Maximum seats for blocks with every order of the line-up: 7 seats give 5,040 games."""
MAX_GAMES = 1_000_000
MAX_NAME = 60
CYCLIC, ALL = "cyclic", "all"
ROTATIONS = (CYCLIC, ALL)
OPPONENTS, WINS = "opponents", "wins"
POINTS = (OPPONENTS, WINS)
TIE_BREAKS = ("points", "wins", "mean_score")
OF_BLOCK, OF_GAME = "block", "game"
LUCKS = (OF_BLOCK, OF_GAME)
"""What has chance of its own: a block, whose games then share their luck, or each game."""
RESIGN, DEFAULT_MOVE = "resign", "default_move"
AFTER_FAILURE = (RESIGN, DEFAULT_MOVE)
_NUMBER = re.compile(r"[-@ ]?[0-9.]+\Z")
"""The pattern of the number or version at the end of a name."""
MOVE_SECONDS = 10
"""The time limit of a move, unless the host sets one."""
MOST_MOVE_SECONDS = 600
"""The greatest time limit of a move."""
ENDLESS = "endless"
"""The type of the format whose tournaments go on in parts, which take entries at any time."""
BOT, PLAYER = "bot", "player"
"""Kinds of entries: a bot that workers play, or the bot account of an owner, which plays from
elsewhere."""
CLOCK_SECONDS, GRACE_MS = 30, 2_000
"""The clock of players, unless the host sets one: seconds for a move, and the grace after them."""


class BadPlanError(ValueError):
    """A tournament cannot be held; ``field`` and ``value`` are the cause in the request."""

    def __init__(self, field: str, message: str, value: object = None) -> None:
        super().__init__(message)
        self.field = field
        self.value = value


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRequest:
    """A requested entry: a bot, or a ``player``; without a name, it gets the name of that."""

    bot: str | None = None
    player: str | None = None
    name: str | None = None
    settings: JsonObject = field(default_factory=dict)
    entropy_commitment: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FailuresRequest:
    """The requested treatment of a bot's failures; at most one of the two limits is given."""

    then: str = RESIGN
    disqualify_after: int = 3
    seconds: int | None = None
    processor_seconds: int | None = None
    budget_seconds: int | None = None
    increment_seconds: int | None = None


class PlayerOffer(NamedTuple):
    """A bot account that may be entered.

    ``owner`` enters it. ``version`` is what the owner declares. ``takes`` has the numbers of seats
    by the ruleset that it plays.
    """

    player: str
    owner: str
    name: str
    version: str
    takes: Mapping[str, Sequence[int]]


NOBODY: Mapping[str, PlayerOffer] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentRequest:
    """A host's request, in one form for the API and the command line.

    ``make`` replaces None by a default that depends on the rest.
    """

    name: str | None = None
    ruleset: str
    seats: int | None = None
    options: JsonObject = field(default_factory=dict)
    entries: Sequence[EntryRequest]
    format: JsonObject = field(default_factory=lambda: {"type": "round_robin"})
    rotations: str = CYCLIC
    points: str = OPPONENTS
    tie_breaks: Sequence[str] = TIE_BREAKS
    failures: FailuresRequest = FailuresRequest()
    clock: JsonObject | None = None
    places: int | None = None
    luck: str | None = None
    rated: bool | None = None
    seed: str | None = None

    @classmethod
    def of(cls, asked: JsonObject) -> Self:
        """Return the request from a validated object."""
        failures = FailuresRequest(**asked.get("failures", {}))
        entries = [EntryRequest(**entry) for entry in asked["entries"]]
        return cls(**{**asked, "entries": entries, "failures": failures})


class BotEntry(NamedTuple):
    """An entry: a bot with its version and settings, frozen when the tournament is created."""

    name: str
    kind: str
    bot: str
    version: str
    settings: JsonObject
    entropy_commitment: str | None

    @property
    def code(self) -> tuple[str, str]:
        """The name and the version of the code that plays."""
        return self.bot, self.version

    def holder(self) -> JsonObject:
        """Return ``{"bot", "version", "settings"}``: the holder of a seat in a game's events."""
        return {"bot": self.bot, "version": self.version, "settings": self.settings}


class PlayerEntry(NamedTuple):
    """An entry: the bot account ``player`` of an ``owner``, which plays from elsewhere.

    ``version`` is what the owner declares. Nobody can check it.
    """

    name: str
    kind: str
    player: str
    owner: str
    version: str
    entropy_commitment: str | None

    def holder(self) -> JsonObject:
        """Return ``{"player"}``: the holder of a seat in a game's events."""
        return {"player": self.player}


Entry = BotEntry | PlayerEntry


def entry_of(data: JsonObject) -> Entry:
    """Read an entry of a plan as JSON."""
    return PlayerEntry(**data) if data["kind"] == PLAYER else BotEntry(**data)


class FailurePolicy(NamedTuple):
    """The treatment of a bot that crashes, moves illegally or exceeds its time.

    ``then`` says whether the bot resigns the game, or the rules' default move is played for it.
    After ``disqualify_after`` failures in the tournament (0: never), the entry is disqualified. A
    move may take ``processor_seconds`` of processor time. Plans of earlier releases have
    ``seconds`` of wall time instead, which depends on the machine's load. One of the two limits is
    None. With ``processor_seconds`` there may be a budget, too: in each game, all decisions of a
    bot together may take ``budget_seconds`` of processor time, to which each of its answers adds
    ``increment_seconds``. Both are None if there is none.
    """

    then: str
    disqualify_after: int
    seconds: int | None = None
    processor_seconds: int | None = None
    budget_seconds: int | None = None
    increment_seconds: int | None = None

    def to_json(self) -> JsonObject:
        """Return the fields of the policy in a plan."""
        return {name: value for name, value in self._asdict().items() if value is not None}


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that is fixed before the first draw. ``format`` is ``{"type", …options}``.

    The games use the versions of rules and bots that the plan names; ``rules_digest`` identifies
    the code that made the plan. ``tables`` is ``{"edition", "digest"}``, or None for the tables of
    the rules. ``luck`` is one of ``LUCKS``; a plan as JSON has it only if it is ``OF_GAME``.
    ``clock`` is that of games in which players sit (``clocks``); it is None, and not in the plan as
    JSON, if all entries are bots. ``places`` is the number of entries that there are at most, if
    owners may enter their bots before the start; else None, and not in the plan as JSON.
    """

    name: str
    ruleset: str
    rules_version: str
    rules_digest: str
    tables: JsonObject | None
    options: JsonObject
    seats: int
    entries: tuple[Entry, ...]
    format: JsonObject
    rotations: str
    points: str
    tie_breaks: tuple[str, ...]
    failures: FailurePolicy
    rated: bool
    luck: str = OF_BLOCK
    clock: JsonObject | None = None
    places: int | None = None

    def with_entry(self, entry: Entry) -> Self:
        """Return the plan with one more entry."""
        return replace(self, entries=(*self.entries, entry))

    def replaced(self, entries: Iterable[Entry]) -> Self:
        """Return the plan with other entries."""
        return replace(self, entries=tuple(entries))

    def filled(self) -> Self:
        """Return the plan with a player at each place that is free."""
        free = range(len(self.entries), self.places or 0)
        more = (PlayerEntry(f"{number}", PLAYER, f"{number}", "", "", None) for number in free)
        return replace(self, entries=(*self.entries, *more))

    @property
    def is_endless(self) -> bool:
        """Whether another part follows this one, and owners enter their bots while it runs."""
        return bool(self.format["type"] == ENDLESS)

    def bots(self) -> list[BotEntry]:
        """Return the entries that workers play."""
        return [entry for entry in self.entries if isinstance(entry, BotEntry)]

    def players(self) -> list[PlayerEntry]:
        """Return the entries that play from elsewhere."""
        return [entry for entry in self.entries if isinstance(entry, PlayerEntry)]

    def owner_of(self, entry: int) -> str | None:
        """Return the owner of an entry that is a player; None for all other numbers."""
        found = self.entries[entry] if 0 <= entry < len(self.entries) else None
        return found.owner if isinstance(found, PlayerEntry) else None

    def players_in(self, entries: Iterable[int]) -> set[str]:
        """Return the players among these entries."""
        found = (self.entries[entry] for entry in entries)
        return {entry.player for entry in found if isinstance(entry, PlayerEntry)}

    def has_players(self, entries: Iterable[int]) -> bool:
        """Whether one of these entries plays from elsewhere."""
        return bool(self.players_in(entries))

    def to_json(self) -> JsonObject:
        """Return the plan as JSON."""
        made = {
            **{part.name: getattr(self, part.name) for part in fields(self)},
            "entries": [entry._asdict() for entry in self.entries],
            "tie_breaks": list(self.tie_breaks),
            "failures": self.failures.to_json(),
        }
        if self.luck == OF_BLOCK:
            del made["luck"]
        for name in ("clock", "places"):
            if made[name] is None:
                del made[name]
        return made

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Read the result of ``to_json``."""
        return cls(
            **{
                **data,
                "entries": tuple(map(entry_of, data["entries"])),
                "tie_breaks": tuple(data["tie_breaks"]),
                "failures": FailurePolicy(**data["failures"]),
            }
        )


def check_block(plan: Plan) -> None:
    """Raise BadPlanError if a block would have too many games."""
    if plan.rotations == ALL and plan.seats > MAX_ROTATED:
        raise BadPlanError(
            "rotations",
            f"with {plan.seats} seats a block has too many orders: {CYCLIC!r} has {plan.seats}",
            plan.rotations,
        )


def make(
    asked: TournamentRequest,
    registry: Registry,
    bots: Mapping[str, BotOffer],
    formats: Mapping[str, Sequence[Option]],
    *,
    by_wall: bool = False,
    players: Mapping[str, PlayerOffer] = NOBODY,
    host: str | None = None,
) -> Plan:
    """Return the plan for a request, with its defaults filled in.

    ``formats`` are the options of each format. ``players`` are the bot accounts that the request
    names, by id; those of the ``host`` may be entered. The ``seed`` is not part of the plan, but a
    plan with a chosen seed is not rated. The default time limit is for processor time, or with
    ``by_wall`` for wall time.

    Raises:
        BadPlanError: the tournament cannot be held.
    """
    try:
        ruleset = registry.find(asked.ruleset)
    except UnknownRulesetError as error:
        raise BadPlanError("ruleset", str(error), asked.ruleset) from None
    seats = max(2, ruleset.info.min_seats) if asked.seats is None else asked.seats
    if seats < 2:
        raise BadPlanError("seats", "a tournament needs games of two seats or more", seats)
    try:
        options = ruleset.parse_options(seats, asked.options)
    except BadOptions as error:
        field = "seats" if error.option == "seats" else f"options.{error.option}"
        value = seats if error.option == "seats" else asked.options.get(error.option)
        raise BadPlanError(field, str(error), value) from None
    entries = _entries(asked.entries, bots, players, ruleset, seats, host)
    _check_places(asked, entries)
    remote = asked.places is not None or any(isinstance(entry, PlayerEntry) for entry in entries)
    return Plan(
        name=f"{ruleset.info.title['en']} tournament" if asked.name is None else asked.name,
        ruleset=ruleset.info.id,
        rules_version=ruleset.info.version,
        rules_digest=registry.digest(ruleset.info.id),
        tables=tables_of(ruleset, options),
        options=options,
        seats=seats,
        entries=entries,
        format=_format(asked.format, formats),
        rotations=asked.rotations,
        points=asked.points,
        tie_breaks=tuple(asked.tie_breaks),
        failures=_failures(asked.failures, by_wall=by_wall),
        luck=_luck(asked, entries, bots),
        rated=_rated(asked, entries, bots, ruleset, has_usual_options(ruleset, seats, options)),
        clock=_clock(asked.clock, remote=remote),
        places=asked.places,
    )


def check_players(plan: Plan) -> None:
    """Raise BadPlanError if a plan's players are not entered as they have to be."""
    named = [entry.player for entry in plan.players()]
    twice = next((player for player in named if named.count(player) > 1), None)
    if twice is not None:
        raise BadPlanError("entries", f"{twice} is entered twice", twice)
    if not named and plan.places is None:
        if plan.clock is not None:
            raise BadPlanError("clock", "no entry is a player who needs a clock", plan.clock)
        return
    if plan.clock is None:
        raise BadPlanError("clock", "an entry that is a player needs a clock")
    if plan.luck != OF_GAME:
        raise BadPlanError("luck", "with a player, each game has luck of its own", plan.luck)
    if plan.failures.processor_seconds is None:
        message = "where players sit, bots have processor_seconds"
        raise BadPlanError("failures.seconds", message, plan.failures.seconds)
    if plan.rated:
        raise BadPlanError("rated", "no games of players from elsewhere are rated", plan.rated)


def _check_places(asked: TournamentRequest, entries: Sequence[Entry]) -> None:
    """Raise BadPlanError if a plan is open for no entry, or its format cannot be."""
    if asked.places is None:
        return
    if asked.places <= len(entries):
        message = f"{len(entries)} entries leave no place free"
        raise BadPlanError("places", message, asked.places)
    if asked.format.get("type") == "compare":
        raise BadPlanError("places", "two entries are compared, and no more", asked.places)


def player_entry(plan: Plan, offer: PlayerOffer, name: str | None) -> PlayerEntry:
    """Return the entry of a bot account that its owner enters, with a name of its own.

    Raises BadPlanError: it does not take such games.
    """
    if plan.seats not in offer.takes.get(plan.ruleset, ()):
        message = f"{offer.name} does not take {plan.ruleset} with {plan.seats} seats"
        raise BadPlanError("player", message, offer.player)
    taken = [entry.name for entry in plan.entries]
    wanted = unique = offer.name if name is None else name
    number = 1
    while unique in taken:
        number += 1
        unique = f"{wanted}-{number}"
    return PlayerEntry(unique, PLAYER, offer.player, offer.owner, offer.version, None)


def _clock(asked: JsonObject | None, *, remote: bool) -> JsonObject | None:
    """Return the clock of games in which players sit; None if all entries are bots."""
    if not remote and asked is not None:
        message = "bots have processor_seconds; a clock is for entries that are players"
        raise BadPlanError("clock", message, asked)
    if not remote:
        return None
    return {"grace_ms": GRACE_MS, **(asked or {"decision_seconds": CLOCK_SECONDS})}


def _failures(asked: FailuresRequest, *, by_wall: bool) -> FailurePolicy:
    seconds, processor = asked.seconds, asked.processor_seconds
    if seconds is not None and processor is not None:
        message = "a move has processor_seconds, or seconds by the clock on the wall, not both"
        raise BadPlanError("failures.seconds", message, seconds)
    budget, increment = asked.budget_seconds, asked.increment_seconds
    if budget is None and increment is not None:
        message = "only a budget has an increment"
        raise BadPlanError("failures.increment_seconds", message, increment)
    if budget is not None and seconds is not None:
        message = "a budget is one of processor time, and so is the limit of a move beside it"
        raise BadPlanError("failures.seconds", message, seconds)
    if budget is not None:
        processor, increment = processor or min(budget, MOST_MOVE_SECONDS), increment or 0
    elif seconds is None and processor is None:
        seconds, processor = (MOVE_SECONDS, None) if by_wall else (None, MOVE_SECONDS)
    return FailurePolicy(asked.then, asked.disqualify_after, seconds, processor, budget, increment)


def _luck(asked: TournamentRequest, entries: Sequence[Entry], bots: Mapping[str, BotOffer]) -> str:
    """Return what has luck of its own: a block, unless an entry could learn its luck in a game.

    A bot that remembers a game of a block would know the luck of the block's other games.
    """
    remembers = next((entry.name for entry in entries if _may_remember(entry, bots)), None)
    if asked.places is not None:
        remembers = remembers or "a bot of an owner"
    if remembers is None:
        return asked.luck or OF_BLOCK
    if asked.luck == OF_BLOCK:
        message = (
            f"the games of a block cannot share their luck, because {remembers} runs outside"
            " the sandbox and may remember in one game what it saw in another: leave luck out, or"
            f" say {OF_GAME!r}"
        )
        raise BadPlanError("luck", message, asked.luck)
    return OF_GAME


def _may_remember(entry: Entry, bots: Mapping[str, BotOffer]) -> bool:
    return isinstance(entry, PlayerEntry) or bots[entry.bot].may_remember


def tables_of(ruleset: Ruleset[Any], options: JsonObject) -> JsonObject | None:
    """Return ``{"edition", "digest"}`` of the edition that games with these options use.

    Return None if it is the edition that is published with the rules.
    """
    data = ruleset.edition(options).pinned(ruleset.data)
    return {"edition": data["edition"], "digest": data["digest"]} if "tables" in data else None


def has_usual_options(ruleset: Ruleset[Any], seats: int, options: JsonObject) -> bool:
    """Whether a game has the default options; its edition does not matter."""
    chosen = {name: options[name] for name in ("edition",) if name in options}
    return ruleset.parse_options(seats, chosen) == options


def _entries(
    asked: Sequence[EntryRequest],
    bots: Mapping[str, BotOffer],
    players: Mapping[str, PlayerOffer],
    ruleset: Ruleset[Any],
    seats: int,
    host: str | None,
) -> tuple[Entry, ...]:
    entries: list[Entry] = []
    names = _names([_name_of(entry, players) for entry in asked])
    for number, (entry, name) in enumerate(zip(asked, names, strict=True)):
        field = f"entries.{number}"
        if (entry.bot is None) == (entry.player is None):
            raise BadPlanError(field, "an entry names a bot, or a player, and not both")
        if entry.player is None:
            entries.append(_bot_entry(entry, name, field, bots, ruleset))
        else:
            entries.append(_player_entry(entry, name, field, players, ruleset, seats, host))
    return tuple(entries)


def _name_of(entry: EntryRequest, players: Mapping[str, PlayerOffer]) -> str:
    """Return the wanted name of an entry: that of its bot, unless the host gives it another."""
    if entry.name is not None:
        return entry.name
    offer = None if entry.player is None else players.get(entry.player)
    return offer.name if offer is not None else entry.bot or ""


def _bot_entry(
    entry: EntryRequest,
    name: str,
    field: str,
    bots: Mapping[str, BotOffer],
    ruleset: Ruleset[Any],
) -> BotEntry:
    offer = bots.get(entry.bot or "")
    if offer is None:
        message = f"there is no bot {entry.bot!r}; there are {', '.join(sorted(bots))}"
        raise BadPlanError(f"{field}.bot", message, entry.bot)
    if not offer.plays(ruleset.info.id):
        message = f"{offer.name} does not play {ruleset.info.id}"
        raise BadPlanError(f"{field}.bot", message, entry.bot)
    settings = offer.settings_in(ruleset)
    for setting, value in entry.settings.items():
        if setting not in settings:
            message = f"{offer.name} has no setting {setting!r}"
            raise BadPlanError(f"{field}.settings.{setting}", message, value)
        if type(value) is not int or not 1 <= value <= MAX_SETTING:
            message = f"setting {setting} does not take {shown(value)}"
            raise BadPlanError(f"{field}.settings.{setting}", message, value)
        settings[setting] = value
    return BotEntry(name, BOT, offer.name, offer.version, settings, entry.entropy_commitment)


def _player_entry(
    entry: EntryRequest,
    name: str,
    field: str,
    players: Mapping[str, PlayerOffer],
    ruleset: Ruleset[Any],
    seats: int,
    host: str | None,
) -> PlayerEntry:
    offer = players.get(entry.player or "")
    if offer is None:
        message = f"there is no bot account {entry.player!r}"
        raise BadPlanError(f"{field}.player", message, entry.player)
    if offer.owner != host:
        raise BadPlanError(f"{field}.player", f"{offer.name} is not yours", entry.player)
    if seats not in offer.takes.get(ruleset.info.id, ()):
        message = f"{offer.name} does not take {ruleset.info.id} with {seats} seats"
        raise BadPlanError(f"{field}.player", message, entry.player)
    if entry.settings:
        message = "a player's settings are its owner's affair"
        raise BadPlanError(f"{field}.settings", message, entry.settings)
    return PlayerEntry(
        name, PLAYER, offer.player, offer.owner, offer.version, entry.entropy_commitment
    )


def _rated(
    asked: TournamentRequest,
    entries: Sequence[Entry],
    bots: Mapping[str, BotOffer],
    ruleset: Ruleset[Any],
    usual: bool,  # noqa: FBT001 - named by the only caller
) -> bool:
    """Whether the tournament is rated: as requested, or by default whenever it can be."""
    against = _against_rating(asked, entries, bots, ruleset)
    if against is None and not usual:
        message = "only games with the usual options are rated: leave out these, or the rating"
        against = BadPlanError("options", message, asked.options)
    if against is not None and asked.rated:
        raise against
    return against is None if asked.rated is None else asked.rated


def _against_rating(
    asked: TournamentRequest,
    entries: Sequence[Entry],
    bots: Mapping[str, BotOffer],
    ruleset: Ruleset[Any],
) -> BadPlanError | None:
    """Return the reason why a tournament cannot be rated; None if it can."""
    if asked.places is not None:
        message = "bots that owners enter play from elsewhere, and such games are not rated"
        return BadPlanError("places", message, asked.places)
    if asked.format.get("type") == ENDLESS:
        message = f"an {ENDLESS} tournament has ratings of its own, and its games are not rated"
        return BadPlanError("format.type", message, ENDLESS)
    if asked.seed is not None:
        message = (
            "who chooses the seed knows the luck, so it cannot be rated: leave one of them out"
        )
        return BadPlanError("seed", message, asked.seed)
    plain = {name.casefold() for name in bots}
    for number, entry in enumerate(entries):
        if isinstance(entry, PlayerEntry):
            message = f"{entry.name} plays from elsewhere, and such games are not rated"
            return BadPlanError(f"entries.{number}.player", message, entry.player)
        name = entry.name.casefold()
        usual = bots[entry.bot].settings_in(ruleset)
        if entry.settings != usual and plain & {name, _NUMBER.sub("", name)}:
            message = (
                f"with settings of its own, {entry.bot} cannot be rated as {entry.name}:"
                " give it a name of its own, or leave out the settings or the rating"
            )
            return BadPlanError(f"entries.{number}.name", message, entry.name)
    return None


def _names(wanted: Sequence[str]) -> list[str]:
    """Return distinct names; repeated ones get numbers."""
    names: list[str] = []
    for name in wanted:
        number = 1
        unique = name if wanted.count(name) == 1 else f"{name}-{number}"
        while unique in names or (unique != name and unique in wanted):
            number += 1
            unique = f"{name}-{number}"
        names.append(unique)
    return names


def _format(asked: Mapping[str, Any], formats: Mapping[str, Sequence[Option]]) -> JsonObject:
    kind: Any = asked.get("type")
    if type(kind) is not str or kind not in formats:
        message = f"there is no format {shown(kind)}; there are {', '.join(formats)}"
        raise BadPlanError("format.type", message, kind)
    options = {option.name: option for option in formats[kind]}
    chosen: JsonObject = {name: option.default for name, option in options.items()}
    for name, value in asked.items():
        if name == "type":
            continue
        if name not in options:
            raise BadPlanError(f"format.{name}", f"{kind} has no option {name!r}", value)
        if not options[name].kind.accepts(value):
            raise BadPlanError(f"format.{name}", f"{name} does not take {shown(value)}", value)
        chosen[name] = value
    return {"type": kind, **chosen}
