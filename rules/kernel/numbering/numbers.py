"""The numbers of a ruleset's observations and moves, with the tables of one edition."""

from array import array
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.edition import Edition
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.schemas import view_schema
from rules.kernel.numbering.choice import Choice
from rules.kernel.numbering.flat import Flat, Row
from rules.kernel.numbering.words import WAIT, Vocabulary


class Numbers:
    """The meaning of each place of an observation, and the number of each word of moves."""

    def __init__(self, ruleset: Ruleset[Any], edition: Edition) -> None:
        self.vocabulary = Vocabulary(ruleset, edition)
        self.flat = Flat(view_schema(ruleset, "en", edition))
        self._wait = {self.vocabulary.words.index(WAIT): None}
        self._no_words = array("b", bytes(len(self.vocabulary.words)))

    @cached_property
    def observation_names(self) -> tuple[str, ...]:
        """The names of the numbers in an observation.

        The numbers of the view come first. Then, for each word, comes the number of times that the
        seat has said it.
        """
        said = (f"said {word}" for word in self.vocabulary.words)
        return (*self.flat.names, *said)

    def choice(self, legal: Sequence[Move[Any]]) -> Choice:
        """Begin to choose between these moves."""
        return Choice(legal, self.vocabulary)

    def observation(self, view: JsonObject, choice: Choice | None) -> Row:
        """Return a row of integers (32 bits) in the order of ``observation_names``.

        These are the seat's view, and the number of times that each word was said in the choice. A
        seat that is not asked has no choice (None).
        """
        return self.counted(self.row(view), choice)

    def row(self, view: JsonObject) -> Row:
        """Return a view as a row of integers, followed by a zero for each word."""
        return self.flat.row(view, len(self.vocabulary.words))

    def counted(self, row: Row, choice: Choice | None) -> Row:
        """Add the number of times that each word was said in the choice to a ``row``; return it."""
        if choice is not None:
            for word in choice.said:
                row[self.flat.size + word] += 1
        return row

    def mask(self, choice: Choice | None) -> "array[int]":
        """Return 1 (8 bits) for each word that may come next, and 0 for the others.

        A seat that is not asked can only say ``wait``, which is word 0.
        """
        mask = self._no_words[:]
        for word in self._wait if choice is None else choice.words:
            mask[word] = 1
        return mask
