"""A question of the service to a bot, with everything that the bot needs to know to decide."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from lonja_client import answers
from lonja_client.answers import Move, MoveAnswer
from lonja_client.errors import Refused, Rewound
from lonja_client.tables import GONE, Table

NUMBERS = ("observation", "mask", "actions")
"""The parts of a question that ``Question.choose`` needs: ``include`` of ``Client.questions``."""
_OVER = (*GONE, "idempotency_key_reused", "game_suspended")
"""Codes with which an answer is refused when its question is not open any more.

``idempotency_key_reused``: another program has answered the question with another move, under the
same key. ``game_suspended``: the service sends the question again when the game resumes.
"""


class Question(NamedTuple):
    """A decision of your seat at ``table``; ``asked`` is the whole question as it came."""

    table: Table
    asked: answers.Question

    @property
    def ruleset(self) -> str:
        """The id of the game's rules."""
        return self.asked["ruleset"]

    @property
    def seat(self) -> int:
        """The deciding seat, from 0."""
        return self.asked["seat"]

    @property
    def view(self) -> Mapping[str, Any]:
        """The seat's view of the game."""
        return self.asked["view"]

    @property
    def legal(self) -> Sequence[Move]:
        """All legal moves, in the rules' order."""
        return self.asked["legal"]

    @property
    def words(self) -> Sequence[str]:
        """The labels of the legal moves; empty unless ``Client.questions`` requested them."""
        return self.asked.get("words", ())

    def choose(self, policy: Callable[[Sequence[int], Sequence[int]], int]) -> int:
        """Let ``policy`` choose a move, and return the move's index in ``legal``.

        The policy chooses the move one action at a time. For each action it gets an observation and
        a mask, as in an environment of ``lonja_learning``, and it returns the action.
        ``Client.questions`` must have requested ``NUMBERS``.

        Raises ValueError: the mask forbids the action.
        """
        actions, words = self.asked["actions"], len(self.asked["mask"])
        observation = [*self.asked["observation"]]
        left = list(range(len(actions)))
        place = sum(observation[-words:])
        while len(left) > 1:
            possible = {actions[index][place] for index in left}
            if len(possible) > 1:
                action = policy(observation, [int(word in possible) for word in range(words)])
                if action not in possible:
                    raise ValueError(f"the mask forbids the action {action}")
            else:
                (action,) = possible
            left = [index for index in left if actions[index][place] == action]
            observation[action - words] += 1
            place += 1
        return left[0]

    def answer(
        self, choice: int | Move, thoughts: Mapping[str, Any] | None = None
    ) -> MoveAnswer | None:
        """Make a move; ``choice`` is the move or its index in ``legal``, ``thoughts`` as there.

        The move is made only once, even if the answer is sent again. Return None if the question is
        no longer open: its time is up, another program with the same key has answered it, or the
        service has lost the events that led to it.

        Raises IllegalMove, and the other errors of ``Table.move``.
        """
        asked = self.asked
        # The decision's number would not do: if moves are taken back, it is open once more.
        signs = self.table.client.signing_key is not None
        key = f"answer-{asked['game']}-{asked['seat']}-{asked['version']}"
        try:
            return self.table.move(
                self.legal[choice] if signs and isinstance(choice, int) else choice,
                seat=asked["seat"],
                expected_version=asked["version"],
                expected_head=asked["head"],
                thoughts=thoughts,
                idempotency_key=key,
                decision=asked["decision"],
            )
        except Rewound:
            return None
        except Refused as refused:
            if refused.code not in _OVER:
                raise
            return None
