"""An analysis in words, in Spanish and English."""

from collections.abc import Iterator, Mapping, Sequence

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.labels import Labels
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from rules.kernel.record.events import Event
from service.cli import words

SHOWN = 5
"""Number of costliest moves shown for each seat."""

_WORDS = Labels(
    {
        "en": {
            "head": "{game}, judged by {bot} {version}",
            "expected": "By how many points each seat gets ahead of the mean of the others:",
            "cost": "{seat}: its moves cost {cost} points in all",
            "costly": "  event {seq}: {played} (cost {cost}; {bot}: {best})",
            "more": "  and {count} more",
            "none": "  none of them cost much",
            "luck": "Luck, what the draws did to each seat:",
            "lucky": "  {seat}: {luck} points",
        },
        "es": {
            "head": "{game}, juzgada por {bot} {version}",
            "expected": "Cuántos puntos saca cada asiento a la media de los demás:",
            "cost": "{seat}: sus jugadas costaron {cost} puntos en total",
            "costly": "  evento {seq}: {played} (costó {cost}; {bot}: {best})",
            "more": "  y {count} más",
            "none": "  ninguna costó mucho",
            "luck": "Suerte, lo que el azar hizo a cada asiento:",
            "lucky": "  {seat}: {luck} puntos",
        },
    }
)


def lines(
    game_id: str,
    events: Sequence[Event],
    registry: Registry,
    found: JsonObject,
    language: str,
) -> Iterator[str]:
    """Yield the lines of an analysis of a game whose ``events`` are all readable."""
    decisions = {one["seq"]: one for one in found["decisions"]}
    teller = words.Teller(game_id, registry, language, everything=True)
    headlines = {event.seq: teller.tell(event)[0] for event in events}
    ruleset = teller.game.ruleset
    say = _WORDS.text
    yield say("head", language, game=game_id, bot=found["bot"], version=found["version"])
    yield ""
    yield say("expected", language)
    for one in found["expected"]:
        leads = " ".join(f"{_points(lead['mean']):>7}" for lead in one["leads"])
        yield f"{one['seq']:>5} {leads}  {headlines[one['seq']]}"
    for seat in found["seats"]:
        name = words.seat_text(ruleset, Seat(seat["seat"]), language)
        yield ""
        yield say("cost", language, seat=name, cost=_measured(seat["cost"]))
        yield from _costly(seat["costly"], decisions, found["bot"], language)
    yield ""
    yield say("luck", language)
    for seat in found["seats"]:
        name = words.seat_text(ruleset, Seat(seat["seat"]), language)
        yield say("lucky", language, seat=name, luck=_measured(seat["luck"], signed=True))


def _costly(
    seqs: Sequence[int],
    decisions: Mapping[int, JsonObject],
    bot: str,
    language: str,
) -> Iterator[str]:
    for seq in seqs[:SHOWN]:
        one = decisions[seq]
        cost = _measured({"mean": one["cost"], "error": one["error"]})
        yield _WORDS.text("costly", language, seq=seq, cost=cost, bot=bot, **one["words"][language])
    if not seqs:
        yield _WORDS.text("none", language)
    if len(seqs) > SHOWN:
        yield _WORDS.text("more", language, count=len(seqs) - SHOWN)


def _points(milli: int) -> str:
    return f"{milli / 1000:+.1f}"


def _measured(what: JsonObject, *, signed: bool = False) -> str:
    mean = _points(what["mean"]) if signed else f"{what['mean'] / 1000:.1f}"
    return f"{mean} ± {what['error'] / 1000:.1f}"
