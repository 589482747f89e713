"""A hint: what a bot would do for a deciding seat, and what the best moves are expected to bring.

It is a function of what the seat knows (``Ruleset.information``) and of the game's version, so it
says nothing that the seat could not know. The bot chooses its move, and orders the others, in
worlds of its own. Then these moves are tried in fresh worlds, all in the same ones with the same
luck, because the worlds that made a move seem best would favour it.
"""

from collections.abc import Sequence
from typing import Any

from rules.kernel.canonical import JsonObject, derive, digest, encode
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.move import Move
from rules.kernel.contract.seats import Seat
from rules.kernel.record.game import Game
from service.process.limits import Limit
from workers import bots
from workers.analysis.decisions import Worlds, words
from workers.analysis.futures import horizon
from workers.analysis.measured import measured
from workers.analysis.points import Scale
from workers.bots.bot import BotRandom, Choice
from workers.bots.worlds import BOUNDLESS, Learner
from workers.deciding import LIVE_PATIENCE

VERSION = 1
"""The version of the figures; raise it if they change."""

LIMIT = Limit(30.0, patience=LIVE_PATIENCE)
"""Time limit of a hint. The slowest hints take two seconds."""

MOVES = 4
"""Maximum number of moves in a hint: the bot's move, and the best of the others."""
WORLDS = 16
"""Number of fresh worlds in which the moves are compared."""
FARTHEST = 2_000
"""Number of moves after which the end of a game is no longer looked for."""


def hint(game: Game, seat: Seat, holder: JsonObject) -> JsonObject:
    """Return the hint for a deciding ``seat``; the game is not changed.

    ``holder`` names the bot, just as a game names a bot that holds a seat.

    Returns ``{"hint", "digest", "choices", "moves"}``: the version of the figures, the digest of
    the bot's code, the number of legal moves, and the moves, the bot's own first. A move is
    ``{"move", "words", "lead", "cost"}``: its JSON, its label by language, the expected lead over
    the mean of the others, and by how much that is less than the lead of the bot's move; both with
    a standard error, in thousandths of a point.

    Raises UnknownBotError.
    """
    ruleset, settings = game.ruleset, holder["settings"]
    choose = bots.find(holder["bot"], holder["version"])
    legal = ruleset.legal_moves(game.state, seat)
    information = ruleset.information(game.state, seat)
    key = digest(encode(["hint", VERSION, information]))
    choice = choose(ruleset, information, seat, legal, _source(key, "bot"), settings)
    moves = _best(choice, legal)
    scale = _scale(game, information, _source(key, "end"))
    worlds = Worlds(ruleset, information, seat, horizon(settings), scale)
    came = worlds.try_out(moves, WORLDS, _source(key, "worlds"))
    return {
        "hint": VERSION,
        "digest": bots.code_of(game, holder)["digest"],
        "choices": len(legal),
        "moves": [
            {
                "move": move.to_json(),
                "words": {language: words(game, seat, move, language) for language in LANGUAGES},
                "lead": measured(leads).to_json(),
                "cost": measured(
                    [best - lead for best, lead in zip(came[0], leads, strict=True)]
                ).to_json(),
            }
            for move, leads in zip(moves, came, strict=True)
        ],
    }


def _best(choice: Choice, legal: Sequence[Move[Any]]) -> list[Move[Any]]:
    """Return the bot's move, and the moves that it kept longest."""
    by_json = {encode(move.to_json()): move for move in legal}
    told = sorted(
        choice.thoughts.get("candidates", ()), key=lambda each: (-each["visits"], -each["lead"])
    )
    others = [by_json[encode(each["move"])] for each in told]
    return [choice.move, *(move for move in others if move != choice.move)][:MOVES]


def _scale(game: Game, information: JsonObject, rng: BotRandom) -> int:
    """Return the scale of leads (thousandths) at this point of the game.

    How much of the game is left is guessed: in a world, the seats play on to the end.
    """
    explorer = Learner(game.ruleset, BOUNDLESS)
    world, left = explorer.guess(information, rng), 0
    while (seat := world.seat) is not None and left < FARTHEST:
        world = explorer.best_looking(world, seat, explorer.legal(world, seat))
        left += 1
    return Scale(game.ruleset, len(game.seats), "thoughts").at(game.version, game.version + left)


def _source(key: bytes, what: str) -> BotRandom:
    return BotRandom(int.from_bytes(derive(key, what)))
