"""The bots that may be asked for. ``workers.bots`` plays them; here they are only names."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module

from rules.kernel.canonical import JsonObject
from service.settings import Settings, SettingsError


@dataclass(frozen=True, slots=True)
class BotOffer:
    """A bot that may hold a seat: its name, version and default settings."""

    name: str
    version: str
    settings: Mapping[str, object] = field(default_factory=dict)

    def holder(self) -> JsonObject:
        """Return how events name it."""
        return {"bot": self.name, "version": self.version, "settings": dict(self.settings)}


BOTS = {
    offer.name: offer
    for offer in (BotOffer("random", "1"), BotOffer("greedy", "1", {"nodes": 2_000}))
}
"""The bots of this project; ``nodes`` bounds how many events one tries for one move."""


def installed(settings: Settings) -> Mapping[str, BotOffer]:
    """Return every bot on offer by name, with those that ``LONJA_EXTRA_BOTS`` names.

    Raises:
        SettingsError: a module is no bot, or has the name of another one.

    """
    bots = dict(BOTS)
    for name in settings.extra_bots:
        try:
            offer = import_module(name).BOT
        except (ImportError, AttributeError) as error:
            raise SettingsError(f"LONJA_EXTRA_BOTS names what is no bot: {error}") from None
        if not isinstance(offer, BotOffer) or offer.name in bots:
            raise SettingsError(f"LONJA_EXTRA_BOTS: {name} offers {offer!r}, which cannot be added")
        bots[offer.name] = offer
    return bots
