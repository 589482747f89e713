"""Results in words: each score with its parts, and what broke the ties between equal scores."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.labels import Labels

if TYPE_CHECKING:
    from rules.kernel.contract.ruleset import Ruleset

_WORDS = Labels(
    {
        "en": {
            "score": "{score:point|points}",
            "tie": "wins the tie by {what}, {own} to {other}",
            "tie.apart": "wins the tie by {what}",
            "resigned": "resigned",
        },
        "es": {
            "score": "{score:punto|puntos}",
            "tie": "gana el desempate por {what}, {own} a {other}",
            "tie.apart": "gana el desempate por {what}",
            "resigned": "ha abandonado",
        },
    }
)


class Tie(NamedTuple):
    """A tie-break: the greatest (or ``least``) sum of ``members`` of the breakdown wins.

    A tie-break without members compares values that are not in the breakdown, and no tie is left
    after it. The label of a tie-break is ``tie.<name>``, or ``breakdown.<name>``.
    """

    name: str
    members: tuple[str, ...] = ()
    least: bool = False


class Scores(NamedTuple):
    """The members of a breakdown.

    ``parts`` add up to the score, and ``ties`` break ties in this order. ``besides`` are members
    for which each value has a sentence of its own (``breakdown.solo_won.1``). Other members are not
    shown.
    """

    parts: tuple[str, ...]
    ties: tuple[Tie, ...] = ()
    besides: tuple[str, ...] = ()


class ScorePart(NamedTuple):
    """The name and the value of a part of a score that is not 0."""

    label: str
    value: int


class StandingInWords(NamedTuple):
    """A standing in words; ``notes`` name tie-breaks, a resignation, and more."""

    side: str
    rank: int
    score: str
    parts: tuple[ScorePart, ...]
    notes: tuple[str, ...]

    @property
    def makeup(self) -> tuple[ScorePart, ...]:
        """The parts of the score; empty if there is only one part, which would repeat the score."""
        return self.parts if len(self.parts) > 1 else ()


def scores_now(ruleset: "Ruleset[Any]", state: Any, sides: int) -> list[int] | None:
    """Return the score of each side as if the game ended in ``state``, in the result's order.

    ``score_now(state, side)`` of the ruleset, or of its ``aids``, returns the score of one side, or
    the parts that add up to it by name. Without it, return None. Hidden parts count, so only a
    finished game may be told so.
    """
    owner = ruleset if hasattr(ruleset, "score_now") else getattr(ruleset, "aids", None)
    found: Callable[[Any, int], int | Mapping[str, int]] | None
    found = getattr(owner, "score_now", None)
    if found is None:
        return None
    scores = [found(state, side) for side in range(sides)]
    return [score if isinstance(score, int) else sum(score.values()) for score in scores]


def told_standings(
    ruleset: "Ruleset[Any]",
    result: JsonObject,
    language: str,
    resigned: Collection[int] | None = None,
) -> list[StandingInWords]:
    """Return the standings of a result in words, best first.

    ``resigned`` are the seats that resigned. If it is None, nobody knows them, and tie-breaks by
    values outside of the breakdown are omitted.
    """
    ranked = sorted(result["standings"], key=lambda standing: int(standing["rank"]))
    followed = zip(ranked, [*ranked[1:], None], strict=True)
    return [_told(ruleset, language, one, next_, resigned) for one, next_ in followed]


def _told(
    ruleset: "Ruleset[Any]",
    language: str,
    standing: JsonObject,
    next_: JsonObject | None,
    resigned: Collection[int] | None,
) -> StandingInWords:
    words, breakdown = ruleset.labels.tables[language], standing["breakdown"]
    scores = ruleset.scores or Scores(_as_labelled(words, breakdown))
    parts = tuple(
        ScorePart(words.get(f"breakdown.{key}", key), breakdown[key])
        for key in scores.parts
        if breakdown.get(key)
    )
    said = _WORDS if "score" not in words else ruleset.labels
    score = said.text("score", language, score=standing["score"])
    notes = _notes(ruleset, scores, language, standing, next_, resigned)
    return StandingInWords(standing["side"], standing["rank"], score, parts, tuple(notes))


def _as_labelled(words: Mapping[str, str], breakdown: JsonObject) -> tuple[str, ...]:
    """Return the members of a breakdown in the order of their labels.

    The members themselves have no order: records have them sorted, other events do not.
    """
    labels = [name for name in words if name.startswith("breakdown.")]
    places = {name.removeprefix("breakdown."): place for place, name in enumerate(labels)}
    return tuple(sorted(breakdown, key=lambda key: (places.get(key, len(places)), key)))


def _notes(
    ruleset: "Ruleset[Any]",
    scores: Scores,
    language: str,
    standing: JsonObject,
    next_: JsonObject | None,
    resigned: Collection[int] | None,
) -> Iterator[str]:
    words = ruleset.labels.tables[language]
    for key in scores.besides:
        if sentence := words.get(f"breakdown.{key}.{standing['breakdown'].get(key)}"):
            yield sentence
    if next_ and next_["score"] == standing["score"] and next_["rank"] > standing["rank"]:
        yield from _broken(scores, words, language, (standing, next_), resigned)
    if standing["side"] in _sides(resigned or ()):
        yield _WORDS.text("resigned", language)


def _broken(
    scores: Scores,
    words: Mapping[str, str],
    language: str,
    pair: tuple[JsonObject, JsonObject],
    resigned: Collection[int] | None,
) -> Iterator[str]:
    """Yield the tie-break that put the first of two equal scores ahead, if there was one."""
    if pair[1]["side"] in _sides(resigned or ()):
        return
    for tie in scores.ties:
        what = words.get(f"tie.{tie.name}") or words.get(f"breakdown.{tie.name}", tie.name)
        if not tie.members:
            if resigned is not None:
                yield _WORDS.text("tie.apart", language, what=what)
            return
        own, other = (sum(one["breakdown"].get(key, 0) for key in tie.members) for one in pair)
        if own != other:
            if (own < other) == tie.least:
                yield _WORDS.text("tie", language, what=what, own=own, other=other)
            return


def _sides(seats: Collection[int]) -> set[str]:
    return {f"seat:{seat}" for seat in seats}
