"""Lets bots decide again in a finished game, from nothing but its record."""

from collections.abc import Callable, Sequence

from rules.kernel.canonical import JsonObject, encode_known
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from rules.kernel.contract.seats import Seat
from rules.kernel.proof.damage import damage_of
from rules.kernel.record.batch import CRASHED, ILLEGAL
from rules.kernel.record.events import Event, from_copy
from rules.kernel.record.game import Game
from service.catalogue.bots import HEAVY
from service.process.limits import Limit, StoppedError
from service.records.decisions import Codes, DecisionsCheck
from workers import bots
from workers.deciding import DECISION_SECONDS, BotAnswer, BotFailure, decide, decide_apart
from workers.engines import strangers
from workers.engines.strangers import EngineMissingError

ENGINE_LIMIT = Limit(DECISION_SECONDS[HEAVY])
"""The limit that applies when a stranger's engine makes a decision again."""


def check_bots(game_id: str, copies: Sequence[JsonObject], registry: Registry) -> DecisionsCheck:
    """Let each bot decide again, and compare its moves and thoughts with the record.

    A decision is proved if the recorded code is installed and decides the same. If other code of
    the same version is installed, its decisions are reported, but prove nothing and fail nothing.
    If the version is not installed, nothing can be checked. A recorded crash or illegal answer must
    happen again. An engine of a stranger is asked again only if it says that it is deterministic.

    Raises:
        KeyError, TypeError, ValueError: the copies are not those of a game.
    """
    check = DecisionsCheck()
    salt = next((c["body"]["salt"]["salt_secret"] for c in copies if "salt" in c["body"]), None)
    if salt is None:
        check.skipped = "the game has not ended: the bots' seeds are not open"
        return check
    if (damage := damage_of(copies)) is not None:
        copies = copies[: damage.sound]  # decisions after the damage cannot be replayed
    again = _RecomputedGame(check, Game(game_id, registry), bytes.fromhex(salt))
    try:
        for copy in copies:
            again.see(from_copy(copy))
    except UnknownRulesetError as error:
        check.missing[str(error)] += sum(map(_is_decision, copies))
    check.conclude()
    return check


def _is_decision(copy: JsonObject) -> bool:
    """Whether an event is a bot's decision, or a failure of the bot that must happen again."""
    if copy["kind"] == "bot_failed":
        return copy["body"]["failure"]["cause"] in (CRASHED, ILLEGAL)
    return copy["kind"] == "moved" and "bot" in copy["by"]


class _RecomputedGame:
    """A replay of a game from its events, in which each bot chooses its moves again.

    Each move that a bot chooses is compared with the recorded move.
    """

    def __init__(self, check: DecisionsCheck, game: Game, salt: bytes) -> None:
        self._check = check
        self._game = game
        self._salt = salt

    def see(self, event: Event) -> None:
        """Apply the event to the game.

        If the event is a decision or failure of a bot, first ask the bot again, and compare what it
        does with the event.
        """
        if event.kind == "moved" and "bot" in event.by:
            self._ask(event, event.by["seat"], self._moves_otherwise)
        elif event.kind == "bot_failed":
            failure = event.body["failure"].value
            if failure["cause"] in (CRASHED, ILLEGAL):
                self._ask(event, failure["seat"], self._fails_otherwise)
            else:
                self._check.untold[failure["cause"]] += 1
        self._game.apply(event)

    def _ask(self, event: Event, seat: Seat, differs: Callable[[Event, str], str]) -> None:
        """Ask the bot of a seat again, if its version is installed, and note the comparison."""
        sitting = self._game.seats[seat]
        holder = sitting.holder or {}
        name = bots.signature(holder)
        try:
            bots.need(holder["bot"], holder["version"])
            here = bots.code_of(self._game, holder)
            recorded = event.body["bot"].value.get("digest", sitting.code)
            codes = Codes(name, recorded, here["digest"])
            engine = bots.engine_of(holder)
            if engine is not None and not strangers.repeats(engine, self._game.id, seat):
                self._check.missing[f"{name} does not say that it is deterministic"] += 1
                return
            difference = differs(event, name)
        except (bots.UnknownBotError, EngineMissingError) as error:
            self._check.missing[str(error)] += 1
        except StoppedError as error:
            self._check.missing[f"{name} was stopped: {error}"] += 1
        else:
            self._check.compare(codes, f"event {event.seq}", difference)

    def _decide(self, seat: Seat) -> BotAnswer:
        holder = self._game.seats[seat].holder or {}
        if bots.engine_of(holder) is None:
            return decide(self._game, seat, self._salt)
        return decide_apart(self._game, seat, self._salt, ENGINE_LIMIT)

    def _moves_otherwise(self, event: Event, name: str) -> str:
        """Return how a bot's decision differs from the recorded one; "" if it does not."""
        recorded = event.body["bot"].value
        try:
            decided = self._decide(event.by["seat"])
        except BotFailure as failure:
            return f"{name} fails there: {failure}"
        if encode_known(decided.move) != encode_known(event.body["move"].value):
            return f"{name} plays {decided.move} there"
        thought = [recorded["nodes"], recorded["thoughts"]]
        if encode_known([decided.how.nodes, decided.how.thoughts]) != encode_known(thought):
            return f"{name} plays the same, and thinks something else there"
        return ""

    def _fails_otherwise(self, event: Event, name: str) -> str:
        """Return a sentence that says how a bot's outcome differs from its recorded failure.

        Return "" if the bot fails again with the same cause.
        """
        failure = event.body["failure"].value
        try:
            decided = self._decide(failure["seat"])
            cause = ILLEGAL if self._is_refused(decided) else "nothing"
        except BotFailure as again:
            cause = again.cause
        if cause == failure["cause"]:
            return ""
        return f"{name} did not fail as {failure['cause']}: there it fails as {cause}"

    def _is_refused(self, decided: BotAnswer) -> bool:
        try:
            self._game.ruleset.read_move(self._game.state, decided.seat, decided.move)
        except IllegalMove:
            return True
        return False
