"""``greedy`` of release 0.2.0, which new games cannot choose; tests compare with it."""

from service.catalogue.bots import BotOffer
from workers.bots.archive.greedy_1.bot import choose

__all__ = ["BOT", "choose"]

BOT = BotOffer("former", "1", {"nodes": 2_000})
