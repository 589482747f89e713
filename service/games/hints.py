"""Hints: what a bot would do for a seat that has a decision, and why.

A hint depends only on what the seat knew when it was asked (``workers.analysis.hint``). It is
requested, queued and kept as an analysis is, and is identified by the game, the seat and the
decision: ``g07-…:hint:0:17``. Nothing of it is in the record of the game, unless the table was
opened with ``hints``. Then people may ask for hints beside others, and an event ``hinted`` shows
all that a seat has asked. A hint that no event shows is told to nobody there.
"""

from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.batch import RefusedError
from rules.kernel.record.game import HINTS, Game
from service.games.analyses import PREFIX, Analyses, AnalysisProgress, Limits
from service.ledger.terms import TableTerms

BOT = "lookahead"
"""The bot that gives hints."""

PER_PLAYER = 2
PER_ADDRESS = 8
WAITING = 200
"""Maximum unfinished hints: of one player, from one address, and in the whole store."""
MOST = 10_000
"""Number of hints that are kept, the newest ones."""
KEEP_S = 24 * 3600
"""Time for which hints are kept."""

_HINT = ":hint:"


class Hints(Analyses):
    """The hints of one store."""

    prefix = f"{PREFIX}hints:"
    what = "hints"

    @property
    def limits(self) -> Limits:
        """The limits of hints."""
        return Limits(PER_PLAYER, PER_ADDRESS, WAITING, MOST, KEEP_S)


def is_hint(thing: str) -> bool:
    """Whether a turn belongs to a hint."""
    return _HINT in thing


def name_of(game_id: str, seat: Seat, decision: int) -> str:
    """Return the name of the hint for a decision of a seat."""
    return f"{game_id}{_HINT}{seat}:{decision}"


def decision_of(asked: AnalysisProgress) -> tuple[Seat, int]:
    """Return the seat and the decision of a hint."""
    seat, decision = asked.name.rpartition(_HINT)[2].split(":")
    return Seat(int(seat)), int(decision)


def need_hints(game: Game, terms: TableTerms, player_id: str) -> None:
    """Raise RefusedError (``no_hints``) unless a player at the table may have hints."""
    why = _reason(game, terms, player_id)
    if why is not None:
        raise RefusedError("no_hints", why)


def _reason(game: Game, terms: TableTerms, player_id: str) -> str | None:
    if "tournament" in game.created_by:
        return "it is a tournament's game"
    if terms.rated:
        return "its result counts for ratings"
    holders = (holding.holder or {} for _seat, holding in by_seat(game.seats))
    if HINTS not in game.created and any(
        holder.get("player", player_id) != player_id for holder in holders
    ):
        return "you are not alone with bots, and the table was not opened with `hints`"
    return None


def is_secret(game: Game, asked: AnalysisProgress) -> bool:
    """Whether a hint must not be told, because others at the table have not seen the request."""
    return HINTS in game.created and decision_of(asked) not in game.hinted
