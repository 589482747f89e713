"""The questions in a player's stream.

A question is made when it is sent, and only for a seat that the player holds. A question whose
decision is still open is sent again on each new connection. So a program need not remember
questions, even if it was cut off or restarted.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.contract.seats import Seat
from rules.kernel.record.game import Game
from service.games.questions import question_to_player
from service.ledger import lists, notices
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import GameNotFoundError, Ledger
from service.process.fair_queue import paced

AT_ONCE = 20
"""Maximum number of questions that are sent in one piece."""


class _Asked(NamedTuple):
    """The decision of a question that was sent: its id, and the time when its clock started.

    ``taken_back`` is how often it had been opened once more, by taking back its move.
    """

    decision: int
    at: str
    taken_back: int


class Questions:
    """The questions of one stream.

    ``include`` has the names of the additional members. Texts are in ``language``.
    """

    def __init__(
        self, redis: Redis, ledger: Ledger, player: str, language: str, include: Collection[str]
    ) -> None:
        self._redis = redis
        self._ledger = ledger
        self._player = player
        self._language = language
        self._include = include
        self._place: str | None = None
        self._all_listed = False
        self._listed: dict[tuple[str, int], _Asked] = {}
        """Decisions whose questions were sent before their notices were read."""

    def list_anew(self) -> None:
        """Make ``still_open`` begin with the first decision again."""
        self._place, self._all_listed = None, False

    def still_open(self) -> list[JsonObject]:
        """Return the next open decisions with their questions.

        The result is empty if there are no more open decisions. Raises the errors of ``answer_to``.
        """
        found: list[JsonObject] = []
        while not found and not self._all_listed:
            name = lists.asked_list(self._player)
            places = lists.newest(self._redis, name, AT_ONCE, self._place)
            found = [told for place in paced(places) for told in self._open_at(lists.id_at(place))]
            self._place = places[-1] if places else self._place
            self._all_listed = len(places) < AT_ONCE
        return found

    def answer_to(self, told: JsonObject) -> JsonObject | None:
        """Return the body of a notice of a decision, with its question.

        The question is null if the decision is no longer open, or cannot be answered at present.
        Return None if ``still_open`` has returned this decision.

        Raises RedisError, ConflictError: the game cannot be read now.
        """
        seat = Seat(told["seat"])
        game = self._game(told["game_id"], told["version"])
        if game is None or game.asked.get(seat) != told["decision"]:
            return {**told, "question": None}
        if self._listed.pop((game.id, seat), None) == _asked(game, seat):
            return None
        return {**told, "question": self._question(game, seat)}

    def _open_at(self, game_id: str) -> Iterator[JsonObject]:
        game = self._game(game_id)
        if game is None:
            return
        for seat in sorted(game.asked):
            question = self._question(game, seat)
            if question is not None:
                self._listed[game.id, seat] = _asked(game, seat)
                yield {**notices.decision(game, seat), "question": question}

    def _game(self, game_id: str, at_least: int | None = None) -> Game | None:
        """Return a game; None if it is missing or damaged, or if its rules are not installed."""
        try:
            table = self._ledger.table(game_id, at_least)
        except (GameNotFoundError, GameDamagedError, UnknownRulesetError):
            return None
        return table.game if table.damage is None else None

    def _question(self, game: Game, seat: Seat) -> JsonObject | None:
        """Return the question for a seat; None if the player does not hold it, or cannot answer."""
        if game.seats[seat].holder != {"player": self._player}:
            return None
        now = self._ledger.store.clock.now()
        return question_to_player(self._ledger, game, seat, now, self._language, self._include)


def _asked(game: Game, seat: Seat) -> _Asked:
    decision = game.asked[seat]
    return _Asked(decision, game.asked_at[seat], game.taken_back.get(decision, 0))
