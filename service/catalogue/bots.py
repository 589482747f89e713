"""The bots on offer, by name and settings; ``workers.bots`` plays them."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from typing import Any

from rules.kernel.canonical import JsonObject, check
from rules.kernel.contract import published
from rules.kernel.contract.ruleset import Ruleset
from service.catalogue import engines
from service.catalogue.engines import ForeignEngine
from service.settings import Settings, SettingsError

LIVE = "live"
"""The queue of bots that answer at once."""

HEAVY = "heavy"
"""The queue of bots that think for seconds.

It has its own workers, so that these bots never delay the bots of LIVE.
"""

HOUSE, MODULE, ENGINE, PROGRAM = "house", "module", "engine", "program"
"""The kinds of bots: of this project, of ``LONJA_EXTRA_BOTS``, and of ``LONJA_ENGINES``, in a
sandbox and outside.
"""


@dataclass(frozen=True, slots=True)
class BotOffer:
    """A bot that may hold a seat: its name, version and default settings.

    Rulesets may have other settings for it (``settings_in``). In live games the workers of
    ``queue`` (``LIVE`` or ``HEAVY``) run it. ``level`` is its strength, from 1 to 5, or None if it
    is unknown. ``decision_ms`` is its median time for a decision between several legal moves, or
    None if it is unknown. This time is measured on one core, in the game in which the bot is
    slowest (docs/bots.md). ``rulesets`` has the rulesets that it plays; None means all rulesets.
    ``title`` is its name for people, None if that is its ``name``, which requests and events have.
    """

    name: str
    version: str
    settings: Mapping[str, object] = field(default_factory=dict)
    queue: str = LIVE
    level: int | None = None
    decision_ms: int | None = None
    kind: str = HOUSE
    rulesets: tuple[str, ...] | None = None
    title: str | None = None

    @property
    def called(self) -> str:
        """Its name for people."""
        return self.title or self.name

    @property
    def may_remember(self) -> bool:
        """Whether it could remember in one game what it saw in another.

        This project's bots do not, and a sandbox is a new one for each game.
        """
        return self.kind in (MODULE, PROGRAM)

    def plays(self, ruleset_id: str) -> bool:
        """Whether it plays a ruleset."""
        return self.rulesets is None or ruleset_id in self.rulesets

    def settings_in(self, ruleset: Ruleset[Any]) -> JsonObject:
        """Return the bot's settings in games of a ruleset.

        The ruleset may override the defaults.
        """
        return {**self.settings, **published.bots(ruleset).get(self.name, {})}

    def holder(self, ruleset: Ruleset[Any]) -> JsonObject:
        """Return the bot as the holder of a seat, in the form that events record."""
        return {"bot": self.name, "version": self.version, "settings": self.settings_in(ruleset)}

    def to_json(self, ruleset: Ruleset[Any] | None = None) -> JsonObject:
        """Return the bot's public description for one kind of game, or for any game."""
        settings = dict(self.settings) if ruleset is None else self.settings_in(ruleset)
        strength = None if ruleset is None else published.strength(ruleset).get(self.name)
        told = {**asdict(self), "settings": settings, "title": self.called, "strength": strength}
        del told["rulesets"]
        return told


_LOOKAHEAD = {"nodes": 2_000, "candidates": 6, "decisions": 9}
_TREE = {
    "candidates": 6, "decisions": 12, "ripe": 4, "opponents": 1, "width": 2, "explore": 1_000,
}  # fmt: skip
_SEARCH = {"nodes": 3_000, "worlds": 4, **_TREE}
_DEEP = {"nodes": 12_000, "worlds": 8, **_TREE}

BOTS = {
    offer.name: offer
    for offer in (
        BotOffer("random", "1", level=1, decision_ms=0, title="Tito"),
        BotOffer("greedy", "2", {"nodes": 2_000}, level=2, decision_ms=2, title="Lola"),
        BotOffer("lookahead", "1", _LOOKAHEAD, level=3, decision_ms=65, title="Marco"),
        BotOffer("search", "1", _SEARCH, HEAVY, level=4, decision_ms=110, title="Nadia"),
        BotOffer("search-deep", "1", _DEEP, HEAVY, level=5, decision_ms=450, title="Vera"),
    )
}
"""The bots of this project, by name.

Their setting ``nodes`` limits the events that a bot tries for one move; docs/bots.md has the other
settings.
"""


def called(bot: str) -> str:
    """Return the name for people of a bot of this project; that of another bot is ``bot``."""
    return BOTS[bot].called if bot in BOTS else bot


def installed(settings: Settings) -> Mapping[str, BotOffer]:
    """Return a dict from the name of each bot on offer to the bot.

    The bots of ``LONJA_EXTRA_BOTS`` and ``LONJA_ENGINES`` are among them.

    Raises:
        SettingsError: a module cannot be loaded, or is not a bot; the file of engines cannot be
            used; or a bot has another one's name.
    """
    bots = dict(BOTS)
    for name in settings.extra_bots:
        offer = _offer_of(name)
        if offer.name in bots:
            raise SettingsError(
                f"LONJA_EXTRA_BOTS: {name} offers {offer!r}, which cannot be added: there is a bot"
                f" {offer.name!r} already"
            )
        bots[offer.name] = replace(offer, kind=MODULE)
    for engine in engines_of(settings):
        if engine.name in bots:
            raise SettingsError(
                f"LONJA_ENGINES: the engine {engine.name!r} cannot be added: there is a bot of that"
                " name already"
            )
        bots[engine.name] = BotOffer(
            engine.name, engine.version, engine.settings, engine.queue,
            kind=ENGINE if engine.sandboxed else PROGRAM, rulesets=engine.rulesets,
        )  # fmt: skip
    return bots


def playing(offers: Mapping[str, BotOffer], ruleset_id: str) -> list[BotOffer]:
    """Return the bots that play a ruleset."""
    return [offer for offer in offers.values() if offer.plays(ruleset_id)]


def engines_of(settings: Settings) -> tuple[ForeignEngine, ...]:
    """Return the engines of strangers that are installed. Raises SettingsError."""
    return () if settings.engines is None else engines.read(settings.engines, (LIVE, HEAVY))


def _offer_of(name: str) -> BotOffer:
    try:
        module = import_module(name)
        offer, choose = module.BOT, module.choose
    except (ImportError, AttributeError) as error:
        raise SettingsError(f"LONJA_EXTRA_BOTS names what is no bot: {error} ({name})") from None
    except Exception as error:  # a foreign module may raise anything
        raise SettingsError(
            f"LONJA_EXTRA_BOTS: {name} cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(offer, BotOffer) or not callable(choose):
        raise SettingsError(
            f"LONJA_EXTRA_BOTS: {name} offers {offer!r}, played by {choose!r}, which cannot be"
            " added: BOT must be a BotOffer, and choose a function"
        )
    if offer.queue not in (LIVE, HEAVY):
        raise SettingsError(
            f"LONJA_EXTRA_BOTS: {name} offers {offer!r}, which cannot be added: its queue is"
            f" {offer.queue!r}, neither {LIVE!r} nor {HEAVY!r}"
        )
    try:
        check(offer.to_json())
        _require_words(offer.name, offer.version)
        _require_numbers(offer)
    except (TypeError, ValueError) as error:
        raise SettingsError(
            f"LONJA_EXTRA_BOTS: {name} offers {offer!r}, which cannot be added: {error}"
        ) from None
    return offer


def _require_words(*words: str) -> None:
    """Raise ValueError if a name is not 1 to 40 letters, digits, dots and dashes.

    With other characters, a text such as ``greedy@1`` or a list of entrants would be ambiguous.
    """
    for word in words:
        if not re.fullmatch(engines.NAME, word):
            raise ValueError(f"{word!r} is not 1 to 40 letters, digits, dots and dashes")


def _require_numbers(offer: BotOffer) -> None:
    """Raise ValueError unless ``level``, ``decision_ms`` and ``title`` are within their ranges."""
    if offer.level not in (None, 1, 2, 3, 4, 5):
        raise ValueError(f"its level is {offer.level!r}, not 1 to 5 or None")
    took = offer.decision_ms
    if took is not None and (type(took) is not int or took < 0):
        raise ValueError(f"its decision_ms is {took!r}, no number of milliseconds, nor None")
    title: object = offer.title
    if title is not None and not (isinstance(title, str) and 0 < len(title) <= 40):
        raise ValueError(f"its title is {title!r}, not 1 to 40 characters, nor None")
