"""Choosing a move in steps (its type, then its fields), or by typing.

Only legal moves can be chosen: after each step, only the moves that fit the picks remain. This
module uses the groups of ``rules.kernel.contract.choices``, so it is the same in a local game and
at a service.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from rules.kernel.canonical import JsonObject

FLAT = 8
"""Maximum number of moves that are listed at once, without a step for their types."""
SPREAD = 12
"""Maximum number of amounts that are listed one by one; more are offered as a range."""
FOUND = 40
"""Maximum whole moves that are listed for a typed text."""
AGAIN = "="
"""The text that stands for the player's last answer to this kind of question."""

TYPE = "type"


class LegalMoves(NamedTuple):
    """A seat's legal moves, each in words, and grouped for people to choose from."""

    moves: Sequence[JsonObject]
    texts: Sequence[str]
    groups: Sequence[JsonObject]


class Pick(NamedTuple):
    """A field of the move, and its picked value; ``label`` is its words."""

    field: str
    value: object
    label: str


class Option(NamedTuple):
    """An option of a step; ``ways`` is the number of legal moves that remain after it.

    If ``amounts`` is given, the person types one of these numbers, and ``picks`` is empty. If only
    one move remains, ``move`` is its index.
    """

    label: str
    help: str
    ways: int
    picks: tuple[Pick, ...] = ()
    amounts: range | None = None
    move: int | None = None


class ChoiceStep(NamedTuple):
    """The question after some picks; ``move`` is the chosen move once nothing is left to pick."""

    asked: str
    options: Sequence[Option]
    move: int | None = None


class MoveChoice:
    """The state of choosing a move."""

    def __init__(self, legal: LegalMoves, last: JsonObject | None = None) -> None:
        """Choose among ``legal`` moves.

        ``last`` is the move that was chosen when the same question was asked the previous time.
        """
        self.legal = legal
        self._last = last
        self._flat = FLAT
        self._picked: list[tuple[Pick, ...]] = []

    @property
    def picks(self) -> list[Pick]:
        """All picks, in order."""
        return [pick for picks in self._picked for pick in picks]

    def take(self, option: Option) -> None:
        """Pick an option of the current step."""
        self._picked.append(option.picks)

    def take_back(self) -> bool:
        """Undo the last pick; False if there was none."""
        if not self._picked:
            return False
        self._picked.pop()
        return True

    def ask_in_steps(self, *, always: bool) -> None:
        """Set whether the player always chooses in steps: first the type of move, then its fields.

        If ``always`` is false, a few moves are listed as whole moves in one list.
        """
        self._flat = 0 if always else FLAT

    def step(self) -> ChoiceStep:
        """Return the next step."""
        left = self._left(self.picks)
        if len(left) == 1 and self._picked:
            return ChoiceStep("", (), left[0])
        return self._ask(left)

    def find(self, typed: str) -> Sequence[Option]:
        """Return the options that match ``typed``, a number or words.

        A number matches the options with this amount. Words match the options and the whole moves
        whose texts contain them. Those that begin with the words come first. An empty text matches
        all options of the step.
        """
        step = self.step()
        words = plain(typed).split()
        if not words:
            return step.options
        if words == [AGAIN]:
            return self._again()
        if typed.strip().isdecimal():
            amounts = self.amounts(int(typed))
            if amounts:
                return amounts
        found = [option for option in step.options if _has(words, option.label)]
        listed = {option.move for option in found}
        moves = (
            index
            for index in self._left(self.picks)
            if index not in listed and _has(words, self.legal.texts[index])
        )
        whole = (self._whole(index) for index in islice(moves, FOUND))
        begun = plain(typed).strip()
        return sorted(
            [*found, *whole], key=lambda option: not plain(option.label).startswith(begun)
        )

    def moves_of(self, option: Option) -> list[JsonObject]:
        """Return the moves that an option leaves."""
        if option.move is not None:
            return [self.legal.moves[option.move]]
        if option.amounts is not None:
            return []
        return [self.legal.moves[index] for index in self._left([*self.picks, *option.picks])]

    def _again(self) -> list[Option]:
        """Return the move that was made last time, if it is legal now."""
        same = (index for index, move in enumerate(self.legal.moves) if move == self._last)
        return [self._whole(index) for index in islice(same, 1)]

    def amounts(self, number: int) -> list[Option]:
        """Return the options in which ``number`` is the next amount."""
        found = []
        left = self._left(self.picks)
        for group in self._groups(left):
            of_type = [i for i in left if self.legal.moves[i][TYPE] == group[TYPE]]
            node = self._open(group, of_type)
            if node is None:
                continue
            name = node["field"]
            fitting = [i for i in of_type if _same(self.legal.moves[i].get(name), number)]
            if not fitting or not _asks_amount(node):
                continue
            label = f"{group['label']}: {number}" if len(self._groups(left)) > 1 else str(number)
            picks = (Pick(TYPE, group[TYPE], group["label"]), Pick(name, number, str(number)))
            only = fitting[0] if len(fitting) == 1 else None
            if only is not None:
                label = self.legal.texts[only]
            found.append(Option(label, "", len(fitting), picks, move=only))
        return found

    def _left(self, picks: Iterable[Pick]) -> list[int]:
        """Return the indices of the moves that fit ``picks``."""
        chosen = [*picks]
        return [
            index
            for index, move in enumerate(self.legal.moves)
            if all(
                pick.value == index if pick.field == "" else _same(move.get(pick.field), pick.value)
                for pick in chosen
            )
        ]

    def _groups(self, left: Sequence[int]) -> list[JsonObject]:
        """Return the groups of the moves ``left``; those without a choice, such as Pass, first."""
        types = {self.legal.moves[index][TYPE] for index in left}
        groups = [group for group in self.legal.groups if group[TYPE] in types]
        return sorted(groups, key=lambda group: group["choices"] is not None)

    def _ask(self, left: Sequence[int]) -> ChoiceStep:
        groups = self._groups(left)
        if len(groups) > 1 or (not self._picked and len(left) <= self._flat):
            if len(left) <= self._flat:
                order = {group[TYPE]: place for place, group in enumerate(groups)}
                listed = sorted(left, key=lambda index: order[self.legal.moves[index][TYPE]])
                return ChoiceStep("", [self._whole(index) for index in listed])
            return ChoiceStep("", [self._type(group, left) for group in groups])
        node = self._open(groups[0], left)
        if node is None:  # these moves do not differ in any field
            return ChoiceStep("", [self._whole(index) for index in left])
        options = [option for one in node["choices"] for option in self._fields(node, one, left)]
        return ChoiceStep(node["label"], options)

    def _open(self, group: JsonObject, left: Sequence[int]) -> JsonObject | None:
        """Return the first field of a group that still has several possible values.

        Return None if the group has no such field.
        """
        node: JsonObject | None = group["choices"]
        while node is not None:
            name = node["field"]
            values = [self.legal.moves[index].get(name) for index in left]
            if any(not _same(value, values[0]) for value in values):
                return node
            choice = _choice_of(node, values[0])
            node = choice["then"] if choice and "then" in choice else node.get("then")
        return None

    def _whole(self, index: int) -> Option:
        text = self.legal.texts[index]
        type_ = self.legal.moves[index][TYPE]
        help_ = next((g["help"] for g in self.legal.groups if g[TYPE] == type_), "")
        return Option(text, help_, 1, (Pick("", index, text),), move=index)

    def _type(self, group: JsonObject, left: Sequence[int]) -> Option:
        of_type = [index for index in left if self.legal.moves[index][TYPE] == group[TYPE]]
        if len(of_type) == 1:
            return self._whole(of_type[0])
        label = group["label"]
        node = self._open(group, of_type)
        spans = [] if node is None else [_span(c) for c in node["choices"] if "min" in c]
        if len(spans) == 1:
            label = f"{label}: {spans[0]}"
        return Option(
            label, group["help"], len(of_type), (Pick(TYPE, group[TYPE], group["label"]),)
        )

    def _fields(
        self, node: JsonObject, choice: JsonObject, left: Sequence[int]
    ) -> Iterator[Option]:
        """Yield the options for one choice of a field.

        If the choice is a value, there is one option. If it is a range of amounts, there is an
        option for each amount if these are few; otherwise there is one option for the whole range.
        """
        if "min" not in choice:
            yield self._field(node, choice, left)
            return
        name = node["field"]
        amounts = range(choice["min"], choice["max"] + 1, choice["step"])
        if len(amounts) <= SPREAD:
            for amount in amounts:
                yield self._field(node, {"value": amount, "label": str(amount)}, left)
            return
        fitting = [i for i in left if self.legal.moves[i].get(name) in amounts]
        yield Option(_span(choice), "", len(fitting), amounts=amounts)

    def _field(self, node: JsonObject, choice: JsonObject, left: Sequence[int]) -> Option:
        name, value, label = node["field"], choice.get("value"), choice["label"]
        fitting = [i for i in left if _same(self.legal.moves[i].get(name), value)]
        only = fitting[0] if len(fitting) == 1 else None
        if only is not None and label == str(value):
            label = self.legal.texts[only]  # the whole move: a number alone says too little
        return Option(label, "", len(fitting), (Pick(name, value, choice["label"]),), move=only)


def path(asked: str, choosing: MoveChoice, step: ChoiceStep) -> list[str]:
    """Return the texts that show how far a choice has come, in their order.

    They are the question, the label of each pick so far, and the question of the next step. A text
    that is empty or already in the list is left out.
    """
    said: list[str] = []
    for text in (asked, *(pick.label for pick in choosing.picks), step.asked):
        if text and plain(text) not in map(plain, said):
            said.append(text)
    return said


def plain(text: str) -> str:
    """Return a text in searchable form: without accents and capitals."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


def _has(words: Sequence[str], text: str) -> bool:
    searched = plain(text)
    return all(word in searched for word in words)


def _same(one: object, other: object) -> bool:
    """Whether two JSON values are equal; 1 and true are not."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _choice_of(node: JsonObject, value: object) -> JsonObject | None:
    return next((choice for choice in node["choices"] if _fits(choice, value)), None)


def _fits(choice: JsonObject, value: object) -> bool:
    if "min" in choice:
        return isinstance(value, int) and choice["min"] <= value <= choice["max"]
    return _same(choice.get("value"), value)


def _asks_amount(node: JsonObject) -> bool:
    """Whether the person types a number for a field."""
    return any(
        "min" in choice or choice["label"] == str(choice.get("value")) for choice in node["choices"]
    )


def _span(choice: JsonObject) -> str:
    step = choice["step"]
    between = "…" if step == 1 else f", {choice['min'] + step} …"
    return f"{choice['min']} {between} {choice['max']}".replace(" ,", ",")
