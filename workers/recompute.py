"""Recomputes what bots did in a finished game, from its record alone."""

from collections import Counter
from collections.abc import Sequence

from rules.kernel.canonical import JsonObject, encode_known
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from rules.kernel.contract.seats import Seat
from rules.kernel.proof.verify import Check
from rules.kernel.record.batch import CRASHED, ILLEGAL
from rules.kernel.record.events import Event, from_copy
from rules.kernel.record.game import Game
from workers import bots
from workers.deciding import BotFailure, Decided, decide


def check_bots(game_id: str, copies: Sequence[JsonObject], registry: Registry) -> Check:
    """Check that each bot's move, and what it thought, is what the bot does on that decision.

    Only the code that is recorded can show that; where another is installed, or none, the check is
    skipped as ``not_here``. What crashed, or answered what the rules refuse, must do so again.

    Raises:
        KeyError, TypeError, ValueError: the copies are not those of a game.

    """
    check = Check("bots")
    salt = next((c["body"]["salt"]["salt_secret"] for c in copies if "salt" in c["body"]), None)
    if salt is None:
        check.skipped = "the game has not ended: the bots' seeds are not open"
        return check
    again = _Again(check, Game(game_id, registry), bytes.fromhex(salt))
    try:
        for copy in copies:
            again.see(from_copy(copy))
    except UnknownRulesetError as error:
        check.skipped, check.not_here = str(error), True
        return check
    again.conclude()
    return check


class _Again:
    """A game folded again, in which each bot is asked again."""

    def __init__(self, check: Check, game: Game, salt: bytes) -> None:
        self._check = check
        self._game = game
        self._salt = salt
        self._other_code: Counter[str] = Counter()
        self._untold: Counter[str] = Counter()

    def see(self, event: Event) -> None:
        """Check what a bot did, then fold the event."""
        if event.kind == "moved" and "bot" in event.by:
            if self._is_here(event, event.by["seat"]):
                self._check_move(event)
        elif event.kind == "bot_failed":
            failure = event.body["failure"].value
            if failure["cause"] not in (CRASHED, ILLEGAL):
                self._untold[failure["cause"]] += 1
            elif self._is_here(event, failure["seat"]):
                self._check_failure(event)
        self._game.apply(event)

    def conclude(self) -> None:
        """Say what could not be checked."""
        if self._other_code:
            told = [f"{why} ({count} decisions)" for why, count in self._other_code.items()]
            self._check.skipped, self._check.not_here = "; ".join(told), True
        if self._untold:
            told = [f"{count} {cause}" for cause, count in sorted(self._untold.items())]
            self._check.notes.append(
                f"Failures of bots that nobody can recompute: {', '.join(told)}."
            )

    def _is_here(self, event: Event, seat: Seat) -> bool:
        """Whether the code that is recorded is installed."""
        recorded = event.body["bot"].value
        holder = self._game.seats[seat].holder or {}
        try:
            bots.find(recorded["bot"], recorded["version"])
            here = bots.code_of(self._game, holder)
        except bots.UnknownBotError as error:
            self._other_code[str(error)] += 1
            return False
        if all(recorded[name] == value for name, value in here.items()):
            return True
        name = f"{recorded['bot']}@{recorded['version']}"
        self._other_code[f"{name} is not the code {recorded['digest']} here"] += 1
        return False

    def _check_move(self, event: Event) -> None:
        where, name = f"event {event.seq}", event.by["bot"]
        try:
            decided = decide(self._game, event.by["seat"], self._salt)
        except BotFailure as failure:
            self._check.fail(f"{where}: {name} fails there: {failure}")
            return
        self._check.expect(
            encode_known(decided.move) == encode_known(event.body["move"].value),
            f"{where}: {name} plays {decided.move} there",
        )
        self._check.expect(
            encode_known(decided.thoughts) == encode_known(event.body["bot"].value),
            f"{where}: {name} thinks something else there",
        )

    def _check_failure(self, event: Event) -> None:
        """Check that a bot raises again, or again answers what the rules refuse."""
        failure, recorded = event.body["failure"].value, event.body["bot"].value
        cause = ""
        try:
            decided = decide(self._game, failure["seat"], self._salt)
            cause = ILLEGAL if self._is_refused(decided) else "nothing"
        except BotFailure as again:
            cause = again.cause
        self._check.expect(
            cause == failure["cause"],
            f"event {event.seq}: {recorded['bot']}@{recorded['version']} did not fail as"
            f" {failure['cause']}: there it fails as {cause}",
        )

    def _is_refused(self, decided: Decided) -> bool:
        try:
            self._game.ruleset.read_move(self._game.state, decided.seat, decided.move)
        except IllegalMove:
            return True
        return False
