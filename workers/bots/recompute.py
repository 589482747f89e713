"""Recomputes what bots did in a finished game, from its record alone."""

from collections.abc import Sequence

from rules.kernel.canonical import JsonObject
from rules.kernel.events import Event, from_copy
from rules.kernel.game import Game
from rules.kernel.verify import Check
from rules.registry import Registry
from workers import bots


def check_bots(game_id: str, copies: Sequence[JsonObject], registry: Registry) -> Check:
    """Check that each bot's move, and what it thought, is what the bot does on that decision.

    Raises:
        KeyError, TypeError, ValueError: the copies are not those of a game.

    """
    check = Check("bots")
    salts = [copy["body"]["salt"]["salt_secret"] for copy in copies if "salt" in copy["body"]]
    if not salts:
        check.skipped = "the game has not ended: the bots' seeds are not open"
        return check
    salt = bytes.fromhex(salts[0])
    game = Game(game_id, registry)
    for copy in copies:
        event = from_copy(copy)
        if event.kind == "moved" and "bot" in event.by:
            _check_move(check, game, event, salt)
        game.apply(event)
    return check


def _check_move(check: Check, game: Game, event: Event, salt: bytes) -> None:
    seat = event.by["seat"]
    holder = game.seats[seat].holder
    if holder is None or event.by["bot"] != bots.signature(holder):
        check.expect(False, f"event {event.seq}: {event.by['bot']} does not hold seat {seat}")  # noqa: FBT003 - the failing fact
        return
    try:
        choice = bots.decide(game, seat, salt)
    except bots.UnknownBotError as error:
        check.skipped, check.not_here = str(error), True
        return
    check.expect(
        choice.move.to_json() == event.body["move"].value,
        f"event {event.seq}: {event.by['bot']} plays {choice.move.to_json()} there",
    )
    check.expect(
        bots.thoughts_part(holder, choice) == event.body["bot"].value,
        f"event {event.seq}: {event.by['bot']} thinks something else there",
    )
