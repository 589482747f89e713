"""The cost of a move compared with a bot's move, judged by what the seat knew.

Both moves are tried in the same guessed worlds with the same luck. The bot chose its move in other
worlds, so the comparison does not favour the bot's move. If one move seems better, both are tried
again in fresh worlds, because among many moves, some seem better merely by chance.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.kernel.canonical import JsonObject, derive
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from rules.kernel.record.game import Game
from workers.analysis.futures import horizon
from workers.analysis.measured import NOTHING, Estimate, measured
from workers.analysis.points import is_over, raw_leads, told
from workers.bots import bot
from workers.bots.bot import Bot, BotRandom
from workers.bots.worlds import BOUNDLESS, Explorer, Position

WORLDS = 8
"""Number of worlds for the first comparison of two moves."""
AGAIN = 32
"""Number of fresh worlds for a second comparison, if the first one shows a difference."""


@dataclass(frozen=True, slots=True)
class Analyst:
    """A bot that analyses, with its settings, and the key of its random choices."""

    choose: Bot
    settings: Mapping[str, Any]
    key: bytes

    def judge(self, game: Game, seat: Seat, played: Move[Any], scale: int) -> JsonObject | None:
        """Judge the move of a deciding ``seat``; return None if it was the only legal one.

        ``scale`` is the scale of leads at this point of the game, in thousandths.

        Returns ``{"seat", "choices", "played", "best", "lead", "best_lead", "cost", "error",
        "words"}``: the seat, the number of legal moves, both moves as JSON, the expected lead after
        each, the difference with its error (all in thousandths of a point), and the labels of both
        moves.
        """
        ruleset, choices = game.ruleset, len(game.ruleset.legal_moves(game.state, seat))
        if choices < 2:
            return None
        best = bot.question(self.choose, game, seat, self.settings, self.key)().move
        information, far = ruleset.information(game.state, seat), horizon(self.settings)
        worlds = Worlds(ruleset, information, seat, far, scale)
        moves = [played] if played == best else [played, best]
        came = worlds.try_out(moves, WORLDS, self._source(game, seat, "worlds"))
        cost = _cost(came)
        if abs(cost.mean) > cost.error:
            came = worlds.try_out(moves, AGAIN, self._source(game, seat, "again"))
            cost = _cost(came)
        lead, best_lead = (measured(came[n]).mean for n in (0, -1))
        return {
            "seat": seat,
            "choices": choices,
            "played": played.to_json(),
            "best": best.to_json(),
            "lead": lead,
            "best_lead": best_lead,
            "cost": cost.mean,
            "error": cost.error,
            "words": {
                language: {
                    "played": words(game, seat, played, language),
                    "best": words(game, seat, best, language),
                }
                for language in LANGUAGES
            },
        }

    def _source(self, game: Game, seat: Seat, what: str) -> BotRandom:
        return BotRandom(int.from_bytes(derive(self.key, what, seat, game.asked[seat])))


class Worlds:
    """Worlds that a seat's ``information`` allows. They serve to compare moves of the seat.

    After each move, the seats play on as in lookahead, in every world for the same number of turns.
    This number is chosen so that the seats make about ``decisions`` decisions. All moves are then
    judged after the same number of turns, whether a move ends the seat's turn or continues it.
    """

    def __init__(
        self, ruleset: Ruleset[Any], information: JsonObject, seat: Seat, decisions: int, scale: int
    ) -> None:
        self._ruleset = ruleset
        self._explorer = Explorer(ruleset, BOUNDLESS)
        self._information = information
        self._seat = seat
        self._decisions = decisions
        self._scale = scale

    def try_out(self, moves: list[Move[Any]], worlds: int, rng: BotRandom) -> list[list[int]]:
        """Return, for each move, the seat's leads in all worlds, in thousandths of a point."""
        guess, information = self._explorer.guess, self._information
        turns = self._explorer.turns(guess(information, rng), self._decisions)
        came = [self._came(guess(information, rng, turns), moves) for _ in range(worlds)]
        return [[world[number] for world in came] for number in range(len(moves))]

    def _came(self, world: Position, moves: list[Move[Any]]) -> list[int]:
        """Return the seat's lead after each move, in thousandths of a point."""
        explorer, seat = self._explorer, self._seat
        starts = [explorer.after(world, seat, move) for move in moves]
        return [self._lead(explorer.play_on(start), seat) for start in starts]

    def _lead(self, position: Position, seat: Seat) -> int:
        raw = raw_leads(self._ruleset, position)
        return told(raw, self._scale, over=is_over(position))[seat]


def words(game: Game, seat: Seat, move: Move[Any], language: str) -> str:
    """Return the label of a move of ``seat``."""
    key, data = move.label_in(game.state, seat)
    return game.ruleset.labels.text(key, language, **data)


def _cost(came: list[list[int]]) -> Estimate:
    """Return the mean by which the second move's lead is greater than the first move's.

    ``came`` has the leads of each move, by world. If it has only one move, the mean is 0.
    """
    if len(came) == 1:
        return NOTHING
    return measured([best - played for played, best in zip(*came, strict=True)])
