"""Plays a finished game again from its record: every batch must follow from its own request.

The first event of a batch says what was asked; all that follows is recorded anew by the very code
that records games, and must be the same to the last byte. Chance alone is taken from the record:
that it follows from the seed is checked by itself.
"""

from collections.abc import Sequence

from rules.kernel.batch import Batch, Refused, visibility_of
from rules.kernel.canonical import JsonObject
from rules.kernel.chance import Chance, fits
from rules.kernel.errors import BadOptions, IllegalMove
from rules.kernel.events import FORMAT, Event
from rules.kernel.game import Game
from rules.kernel.secrets import SECRET_BYTES, Secrets
from rules.registry import Registry

_PINNED = {
    "format", "ruleset", "rules_version", "rules_digest", "data", "options", "seats", "chance",
    "clock", "entropy_seconds", "visibility",
}  # fmt: skip
_CALLERS = ("player", "admin", "service", "tournament")


class Contradiction(Exception):
    """The record says what cannot have happened; the message says what and where."""


class Reenactment:
    """The game as its record leads to it, batch by batch.

    ``seed`` is None as long as other games of its chance scope are running.
    """

    def __init__(self, game_id: str, registry: Registry, salt: bytes, seed: bytes | None) -> None:
        self.game = Game(game_id, registry)
        self._secrets = Secrets(salt, seed or bytes(SECRET_BYTES))

    def play(self, recorded: Sequence[Event]) -> None:
        """Play the next batch.

        Raises:
            Contradiction: it does not follow from what was before.
            UnknownRulesetError: no installed rules can play the game.
            KeyError, TypeError, ValueError, AttributeError: it has not the shape of events.

        """
        first = recorded[0]

        def nature(chance: Chance) -> tuple[int, ...]:
            seq = batch.game.version + 1
            drawn = next((e for e in recorded if e.seq == seq and e.kind == "chanced"), None)
            if drawn is None:
                raise Contradiction(f"event {seq}: nature was asked for {chance.label}")
            picks = drawn.body["picks"].value
            if not all(type(pick) is int for pick in picks) or not fits(picks, chance.sizes):
                raise Contradiction(f"event {seq}: {picks} is no answer to {chance.label}")
            return tuple(picks)

        batch = Batch(self.game, self._secrets, first.at, nature)
        try:
            for event in recorded:
                if event.seq > batch.game.version:
                    if event is not first and (first.kind, event.kind) != ("created", "seated"):
                        raise Contradiction(
                            f"event {event.seq}: {event.kind} does not follow from {first.kind}"
                        )
                    _ask(batch, event)
        except (Refused, IllegalMove) as error:
            seq = batch.game.version + 1
            raise Contradiction(f"event {seq}: {error.code}: {error.message}") from None
        except BadOptions as error:
            raise Contradiction(f"event {first.seq}: {error}") from None
        _compare(batch.seal(), recorded)
        self.game = batch.game


def _ask(batch: Batch, event: Event) -> None:
    """Ask for what ``event`` records."""
    value = {name: part.value for name, part in event.body.items()}
    game, by = batch.game, event.by
    if event.kind != "created" and game.version == 0:
        raise Contradiction(f"event {event.seq}: {event.kind} before the table is opened")
    match event.kind:
        case "created":
            _expect(event, game.version == 0, "a table is opened once")
            _expect_pinned(event, game, value["game"])
            _expect_caller(event)
            batch.recreate(value["game"], by)
        case "seated" | "left":
            _change_seat(batch, event, value["seat"])
        case "entropy_revealed":
            seat = value["entropy"]["seat"]
            _expect(event, by == _holder(game, seat), f"{by} may not do that")
            batch.reveal_entropy(seat, bytes.fromhex(value["entropy"]["entropy"]), by)
        case "aborted":
            _expect_caller(event)
            _abort(batch, event, value["aborted"])
        case "moved":
            _expect_mover(event, game)
            head = value["client"]["expected_head"] if "client" in value else None
            batch.move(by["seat"], value["move"], by, expected_head=head, bot=value.get("bot"))
        case "defaulted":
            seat = by["seat"]
            _expect(event, game.seats[seat].resigned, f"seat {seat} has not resigned")
            batch.default(seat, "resigned")
        case "timed_out":
            seat = value["time_out"]["seat"]
            timed = game.created["clock"] is not None and not game.seats[seat].automatic
            _expect(event, timed, f"seat {seat} has no clock")
            batch.time_out(seat)
        case "bot_failed":
            seat = value["failure"]["seat"]
            _expect(event, "bot" in _holder(game, seat), f"no bot holds seat {seat}")
            batch.fail_bot(seat, value["error"])
        case "chance_revealed":
            batch.reveal_chance()
        case "resigned":
            _expect_holder(event, game)
            batch.resign(by["seat"], by)
        case _:
            raise Contradiction(f"event {event.seq}: nobody can ask for {event.kind}")


def _change_seat(batch: Batch, event: Event, value: JsonObject) -> None:
    game, seat, sits = batch.game, value["seat"], event.kind == "seated"
    holder = value["holder"] if sits else _holder(game, seat)
    _expect(event, event.by in (holder, game.created_by), f"{event.by} may not do that")
    if sits:
        batch.sit(seat, holder, event.by, value["entropy_commitment"])
    else:
        batch.stand(seat, event.by)


def _abort(batch: Batch, event: Event, aborted: JsonObject) -> None:
    reason, withheld = aborted["reason"], aborted["withheld_by"]
    owing = batch.owing_entropy() if reason == "entropy_withheld" else []
    _expect(event, withheld == owing, f"{owing} withheld entropy, not {withheld}")
    batch.abort(reason, event.by, withheld)


def _expect(event: Event, holds: bool, otherwise: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not holds:
        raise Contradiction(f"event {event.seq}: {otherwise}")


def _holder(game: Game, seat: int) -> JsonObject:
    return game.seats[seat].holder or {}


def _expect_caller(event: Event) -> None:
    named = len(event.by) == 1 and all(
        name in _CALLERS and type(value) is str for name, value in event.by.items()
    )
    _expect(event, named, f"{event.by} is nobody")


def _expect_mover(event: Event, game: Game) -> None:
    _expect_holder(event, game)
    bot = "bot" in _holder(game, event.by["seat"])
    _expect(event, ("bot" in event.body) == bot, "only bots say what they thought")


def _expect_holder(event: Event, game: Game) -> None:
    """Check that ``by`` is a seat, and names its bot, or perhaps its player."""
    seat = event.by["seat"]
    holder = _holder(game, seat)
    if "bot" in holder:
        named = [{"seat": seat, "bot": f"{holder['bot']}@{holder['version']}"}]
    else:
        named = [{"seat": seat}, {"seat": seat, **holder}]
    _expect(event, event.by in named, f"{event.by} does not hold the seat")


def _expect_pinned(event: Event, game: Game, pinned: JsonObject) -> None:
    """Check what ``created`` pins, but for what only its makers knew."""
    _expect(event, pinned.keys() == _PINNED, "it pins something else than games do")
    _expect(event, pinned["format"] == FORMAT, f"the format {pinned['format']!r} is unknown")
    ruleset = game.registry.pinned(pinned)
    wanted = ruleset.parse_options(pinned["seats"], pinned["options"])
    _expect(event, pinned["options"] == wanted, f"the options of such a game are {wanted}")
    if pinned["rules_digest"] == game.registry.digest(pinned["ruleset"]):
        edition = ruleset.edition(wanted)
        data = edition.pinned(ruleset.data)
        _expect(
            event,
            pinned["data"] == data,
            f"the data of such a game is {edition.id}, digest {edition.digest}",
        )
    clock = pinned["clock"]
    _expect(
        event,
        clock is None
        or (clock.keys() == {"decision_seconds"} and type(clock["decision_seconds"]) is int),
        f"{clock} is no clock",
    )
    _expect(event, pinned["chance"].keys() == {"scope", "commitment"}, "chance is pinned wrongly")
    visibility = visibility_of(game.id, pinned["chance"]["scope"])
    _expect(event, pinned["visibility"] == visibility, f"such a game is open to {visibility}")
    _expect(event, type(pinned["entropy_seconds"]) is int, "the time for entropy is a number")


def _compare(wanted: Sequence[Event], recorded: Sequence[Event]) -> None:
    for one, two in zip(wanted, recorded, strict=False):
        where = f"event {two.seq}"
        for name in ("seq", "kind", "by", "at", "last"):
            if getattr(one, name) != getattr(two, name):
                raise Contradiction(
                    f"{where}: by the rules, its {name} is {getattr(one, name)},"
                    f" not {getattr(two, name)}"
                )
        for name in sorted({*one.body, *two.body}):
            if name not in one.body or name not in two.body:
                raise Contradiction(f"{where}: the rules give it the parts {sorted(one.body)}")
            if one.body[name] != two.body[name]:
                raise Contradiction(
                    f"{where}: by the rules, its {name} is {one.body[name].value}"
                    f" for {one.body[name].audience}, not {two.body[name].value}"
                    f" for {two.body[name].audience}"
                )
        if one.state_proof != two.state_proof:
            raise Contradiction(f"{where}: the rules lead to another state than the one proven")
        if one.hash != two.hash:
            raise Contradiction(f"{where}: its hash is not that of what happened")
    if len(wanted) != len(recorded):
        raise Contradiction(
            f"event {recorded[0].seq}: by the rules, {len(wanted)} events follow,"
            f" not {len(recorded)}"
        )
