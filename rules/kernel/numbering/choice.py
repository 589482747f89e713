"""The choice of a seat that is asked: it is made word by word, until one move is left."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from rules.kernel.contract.move import Move
from rules.kernel.numbering.words import Vocabulary


class Choice:
    """The words that a seat may say next, and the moves that begin with the words already said.

    If only one word is possible, it is said without asking.
    """

    def __init__(self, legal: Sequence[Move[Any]], vocabulary: Vocabulary) -> None:
        self.said: list[int] = []
        self.words: Mapping[int, None] = {}
        """The numbers of the words that may come next, in the order of the moves; empty once only
        one move is left."""
        self._left = [(vocabulary.spell(move), move) for move in legal]
        self._say_what_is_clear()

    @property
    def move(self) -> Move[Any] | None:
        """The chosen move, once only one move is left; None before."""
        return self._left[0][1] if len(self._left) == 1 else None

    def copy(self) -> Self:
        """Return an equal choice that goes on by itself."""
        copied = object.__new__(type(self))
        copied.said, copied.words, copied._left = self.said[:], self.words, self._left
        return copied

    def say(self, word: int) -> None:
        """Add a word to those already said; it must be one of ``words``."""
        place = len(self.said)
        self._left = [each for each in self._left if each[0][place] == word]
        self.said.append(word)
        self._say_what_is_clear()

    def _say_what_is_clear(self) -> None:
        while len(self._left) > 1:
            place = len(self.said)
            self.words = dict.fromkeys([spelt[place] for spelt, _ in self._left])
            if len(self.words) > 1:
                return
            self.said += self.words
        self.words = {}
