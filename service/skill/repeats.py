"""The weight of a rated game: less for each further game against the same opponents.

Games are *alike* if they are of one ruleset and the same players sat in them, on any seats. By rule
2, the n-th of the alike games that ended in 30 days weighs 1/n: n - 1 is the number of those that
ended before it, and less than 30 days before. By rule 1, each game weighs 1. The times are those of
the games' own last events, so everybody who reads the games computes the same weights.

The rule of a game is settled when it starts (``service.ledger.settling``). Games of all rules are
counted.
"""

import orjson

from rules.kernel.record.instants import to_ms
from service.ledger.terms import FIRST_RULE
from service.skill.rated_games import RatedGame

WINDOW_MS = 30 * 24 * 3600 * 1000

Ends = dict[str, list[int]]
"""For each ``alike``, the times (ms since 1970) at which such games ended, the earliest first.

Those before the WINDOW_MS of the last of them may be missing.
"""


def alike(game: RatedGame) -> str:
    """Return the name of the games that are alike to this one."""
    return " ".join((game.ruleset, *sorted(game.players)))


def number_in_window(game: RatedGame, ends: Ends) -> int:
    """Return the game's number n among alike games in 30 days, and add its end to ``ends``."""
    now = to_ms(game.ended_at)
    recent = [end for end in ends.get(alike(game), ()) if now - end < WINDOW_MS]
    ends[alike(game)] = [*recent, now]
    return len(recent) + 1


def weight(rule: int, number: int) -> float:
    """Return the weight of the game with this number in 30 days."""
    return 1.0 if rule == FIRST_RULE else 1 / number


def are_over(ends: list[int], last: int) -> bool:
    """Whether these alike games change no weight once a game that ended at ``last`` has counted."""
    return last - ends[-1] >= WINDOW_MS


def dump(ends: list[int]) -> bytes:
    """Return the stored form of the ends of alike games."""
    return orjson.dumps(ends)


def load(raw: bytes | None) -> list[int]:
    """Read the stored form; None gives no ends."""
    return [] if raw is None else list(orjson.loads(raw))
