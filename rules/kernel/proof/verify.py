"""Checks the record of a game; it relies on nothing but the bytes of the record and the rules.

docs/format.md, "What verify can prove", says what a record cannot prove. A skipped check never
counts as passed. If the record lacks a required part, the check fails. If the game goes on, its
luck is not revealed, or the rules or a bot are not installed here, the game is not wholly proved.
No check fails because of parts that this program does not know: they are from a newer release
(``UnknownParts``).

A record of any length is read twice: first for the shapes of its events, and then, stretch by
stretch, for all other checks at once (``steps``).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Self

from rules.kernel.canonical import JsonObject, NotCanonicalError, digest, encode, encode_known, mac
from rules.kernel.contract.chance import chance_key, draw, seeded
from rules.kernel.contract.chance import commitment as chance_commitment
from rules.kernel.contract.effects import PUBLIC
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from rules.kernel.proof.damage import CountedEvents, counting, is_lost
from rules.kernel.proof.newer import UnknownParts
from rules.kernel.proof.outline import Outline
from rules.kernel.proof.reenact import Reenactment
from rules.kernel.proof.remarks import MOST_CODES, remarks
from rules.kernel.proof.shape import is_digest
from rules.kernel.proof.shapes import (
    CHANCE,
    GAME_KINDS,
    Frames,
    ShapesResult,
    is_known,
    look_at,
    pinned_by,
)
from rules.kernel.proof.steps import ChainedBatch, Copies, Heads, Step, batches_of, stretches
from rules.kernel.proof.verdicts import Check, Failures, NotARecordError, Report, guarded
from rules.kernel.record.beacons import BEACON, BEACON_DRAWN, randomness
from rules.kernel.record.entropy import entropies
from rules.kernel.record.events import NO_STATE, OPENABLE
from rules.kernel.record.game import ABORTED, CLOSED, ENDED, LOBBY, RUNNING
from rules.kernel.record.secrets import part_nonce, state_key

__all__ = ["Check", "NotARecordError", "Report", "status_of", "verify", "verify_stream"]

_LEADS_TO: Mapping[object, str] = {
    "created": LOBBY, "closed": CLOSED, "started": RUNNING, "ended": ENDED, "aborted": ABORTED,
}  # fmt: skip
"""The status of a game after each kind of event that changes it."""

IsSigned = Callable[[JsonObject, int, bytes], bool | None]
"""Whether a chain of a beacon (``created.game.entropy.beacon``) has signed a round.

None means that it is not known here. The rules use no cryptography of elliptic curves, so a caller
provides this function.
"""

GUESSES = 8
"""Maximum number of further guesses of hidden parts, if the record contradicts a guess."""

_LAST = ("ended", "aborted", "cancelled")
"""The kinds of events that reveal the salt."""
_HEADER = ("seq", "kind", "by", "at", "last", "parts", "state_proof")

_NOT_SHAPED = "the events have not the shapes that they must have"
_NOT_SOUND = "the record is not sound enough to be played"
_NOT_OPEN = "the chance seed is not open yet"
_GOES_ON = "the game has not ended: states and hidden parts are not open"


def verify_stream(
    stream_id: str, copies: Copies, kinds: Collection[str], newer: UnknownParts
) -> list[Check]:
    """Check that the events of any stream are chained, complete and match their commitments.

    Unknown parts are noted in ``newer``.

    Raises:
        NotARecordError: there are no events.
    """
    _need_events(copies)
    frames = Frames(kinds, newer)
    wrong = _shapes(
        copies,
        lambda: Failures(
            told for number, copy in enumerate(copies, 1) for told in frames.wrong(number, copy)
        ),
    )
    if not wrong.ok:
        return [wrong, *_not_made("chain", "batches", "parts", why=_NOT_SHAPED)]
    parts = _Parts(_salt(copies, frames.first), encode, newer)
    return [wrong, *_seen_by([_Chain(copies), _Batches(), parts], stream_id, copies)]


def verify(
    game_id: str,
    copies: Copies,
    registry: Registry,
    newer: UnknownParts | None = None,
    is_signed: IsSigned | None = None,
) -> Report:
    """Check the event copies of one game, in order, as any viewer received them.

    The copies are read several times in order, and some of them once more by number. ``newer`` gets
    the unknown parts, and so does the report. ``is_signed`` checks the signature of a beacon.

    Raises:
        NotARecordError: there are no copies.
    """
    _need_events(copies)
    copies = counting(copies)
    newer = UnknownParts(game_id) if newer is None else newer
    looked = ShapesResult(Failures(), 0, {})

    def look() -> Failures:
        nonlocal looked
        looked = look_at(game_id, copies, newer)
        return looked.wrong

    shapes = _shapes(copies, look)
    if shapes.ok:
        game = _Game.of(game_id, copies, looked, newer)
        return _verified(game, registry, shapes, is_signed)
    _any_shapes, *checks = verify_stream(game_id, copies, GAME_KINDS, UnknownParts(game_id))
    names = ("openings", "commitments", "chance", "table", "play")
    checks = [shapes, *checks, *_not_made(*names, why=_NOT_SHAPED)]
    return Report(game_id, len(copies), "", checks, newer=newer)


def _need_events(copies: Copies) -> None:
    if not copies:
        raise NotARecordError("it has no events")


def _shapes(copies: Copies, look: Callable[[], Failures]) -> Check:
    return guarded("shapes", lambda: Check("shapes", len(copies), look()))


class _Game(NamedTuple):
    """A game whose events have the shapes that their kinds require, as far as these are known.

    ``salt`` and ``seed`` are the secrets that the end of the game reveals. A secret that is not
    revealed is None.
    """

    id: str
    copies: Copies
    looked: ShapesResult
    newer: UnknownParts
    salt: bytes | None
    seed: bytes | None

    @classmethod
    def of(cls, game_id: str, copies: Copies, looked: ShapesResult, newer: UnknownParts) -> Self:
        """Return the game, with the secrets from its end."""
        salt = _salt(copies, looked.first)
        seed = _opened(copies, looked.first, "chance_revealed", "chance", "chance_seed")
        return cls(game_id, copies, looked, newer, salt, seed)

    def is_known(self, copy: JsonObject, number: int) -> bool:
        """Whether an event has all parts that its kind requires, and no unknown part."""
        since = self.newer.since
        return not 0 < since <= number or is_known(copy, self.looked.seats)

    def goes_too_far(self, batch: ChainedBatch) -> bool:
        """Whether the consequences of a batch may depend on unknown parts."""
        return 0 < self.newer.since < batch.first + len(batch.copies)


def _verified(game: _Game, registry: Registry, shapes: Check, is_signed: IsSigned | None) -> Report:
    batches, table, told = _Batches(), _Table(game), _CodeNotes(game)

    def playing(guess: int) -> tuple[_Parts, _Play]:
        # Known shapes allow only canonical JSON.
        parts = _Parts(game.salt, encode if game.newer else encode_known, game.newer)
        return parts, _Play(game, registry, (batches, parts, table), guess)

    parts, play = playing(0)
    own = [_Chain(game.copies), batches, parts, _Openings(game)]
    *checks, chance, followed, _told, _played = _seen_by(
        [*own, _Chance(game), table, told, play], game.id, game.copies
    )
    committed = guarded("commitments", lambda: _commitments(game, is_signed))
    played = _not_made("play", why=_NOT_SOUND)
    if play.follows:
        for guess in range(1, GUESSES):
            if not play.is_lost:
                break
            again = playing(guess)
            _seen_by(again, game.id, game.copies)
            play = max(play, again[1], key=_Play.how_far)
        played = [play.check]
    checks = [shapes, *checks, committed, chance, followed, *played]
    newer = game.newer
    status = "" if newer.since else status_of(game.copies)
    notes = remarks(game.copies, status, told.codes, registry, newer)
    return Report(game.id, len(game.copies), status, checks, notes, newer=newer)


def _seen_by(steps: Sequence[Step], stream_id: str, copies: Copies) -> list[Check]:
    """Run all steps over a stream; return their checks."""
    for stretch in stretches(stream_id, copies):
        for step in steps:
            step.see(stretch)
    return [step.end() for step in steps]


# Proofs of any stream


class _Chain(Step):
    name = "chain"

    def __init__(self, copies: Copies) -> None:
        super().__init__()
        self._copies = copies
        self._known = Heads(copies)
        self._at = ""

    def examine(self, batch: ChainedBatch) -> None:
        check = self.check
        for index, copy in enumerate(batch.copies):
            seq = batch.first + index
            if is_lost(self._copies, seq):
                continue
            if copy["seq"] != seq:
                check.failures.append(f"event {seq} calls itself {copy['seq']}")
            if copy["at"] < self._at:
                check.failures.append(f"event {seq}: its time goes back to {copy['at']}")
            self._at = copy["at"]
            header = {name: copy[name] for name in _HEADER}
            if digest(batch.prev[index] + encode_known(header)) != batch.prev[index + 1]:
                check.failures.append(f"event {seq}: the header does not hash to {copy['hash']}")
            seen = _seen(copy) if "client" in copy["body"] else None
            if seen is not None and not self._known.holds(seen, seq):
                check.failures.append(
                    f"event {seq}: its player had seen the event {seen}, which is not in this"
                    " history: there is another"
                )
        check.checked += len(batch.copies)


class _Batches(Step):
    name = "batches"

    def examine(self, batch: ChainedBatch) -> None:
        check, copies, first = self.check, batch.copies, batch.copies[0]
        if len(copies) == 1 and first["seq"] == first["last"]:
            check.checked += 1
            return
        whole = first["seq"] + len(copies) - 1 == first["last"]
        same = all(copy["last"] == first["last"] for copy in copies)
        where = f"the batch from event {first['seq']}"
        check.expect(whole and same, f"{where} to {first['last']} is cut")
        one_time = all(copy["at"] == first["at"] for copy in copies)
        check.expect(one_time, f"{where} has several times")


class _Parts(Step):
    name = "parts"

    def __init__(
        self, salt: bytes | None, write: Callable[[object], bytes], newer: UnknownParts
    ) -> None:
        super().__init__()
        self._salt = salt
        self._write = write
        self._newer = newer

    def examine(self, batch: ChainedBatch) -> None:
        check, salt, write = self.check, self._salt, self._write
        for index, copy in enumerate(batch.copies):
            seq, parts, nonces = batch.first + index, copy["parts"], copy["nonces"]
            written = {}
            for name, value in copy["body"].items():
                try:
                    written[name] = text = write(value)
                except NotCanonicalError as error:
                    check.fail(f"event {seq}: part {name} is not canonical: {error}")
                    continue
                nonce = bytes.fromhex(nonces[name])
                if digest(nonce + text).hex() != parts[name]:
                    check.fail(f"event {seq}: part {name} is not what the header commits to")
                if salt is not None and nonce != part_nonce(salt, seq, name, batch.prev[index]):
                    check.fail(f"event {seq}: the nonce of {name} does not follow from the salt")
            check.checked += len(written)
            if salt is not None and len(written) < len(parts) and not self._newer.since:
                hidden = sorted(parts.keys() - written.keys())
                check.expect(not hidden, f"event {seq}: {', '.join(hidden)} is left out")
            batch.written.append(written)


# Further proofs of a game, without rules


class _Openings(Step):
    name = "openings"

    def __init__(self, game: _Game) -> None:
        super().__init__()
        self._game = game
        self._opened = bytearray(len(game.copies))
        """For each event, a bit for each of its parts that were opened."""

    def examine(self, batch: ChainedBatch) -> None:
        check = self.check
        for index, copy in enumerate(batch.copies):
            if not (opens := copy["body"].get("opens")):
                continue
            number = batch.first + index
            if not self._game.is_known(copy, number):
                continue
            for opened in opens:
                seq, part = opened["seq"], opened["part"]
                where = f"event {copy['seq']}: what it opens of event {seq}"
                earlier = self._game.copies[seq - 1] if seq <= copy["seq"] else {}
                sealed = earlier.get("parts", {}).get(part)
                commits = digest(bytes.fromhex(opened["nonce"]) + encode(opened["value"])).hex()
                check.expect(commits == sealed, f"{where} is not what was sealed")
                closed = earlier.get("audiences", {}).get(part) != PUBLIC
                new = self._is_new(seq, part) or 0 < self._game.newer.since <= number
                check.expect(closed and new, f"{where} was open already")

    def _is_new(self, seq: int, part: str) -> bool:
        """Note that a part is opened; return False if it was opened before."""
        if seq > len(self._opened):  # another step reports that there is no such event
            return True
        before = self._opened[seq - 1]
        self._opened[seq - 1] |= 1 << OPENABLE.index(part)
        return self._opened[seq - 1] != before


def _commitments(game: _Game, is_signed: IsSigned | None) -> Check:
    check = Check("commitments")
    copies, newer, seed = game.copies, game.newer, game.seed
    _check_beacon(check, game, is_signed)
    for entropy in entropies(copies, before=newer.since):
        if entropy.opened is not None:
            same = entropy.is_of(game.id, entropy.opened)
            check.expect(same, f"seat {entropy.seat} opened other entropy than it committed to")
    pinned: JsonObject = pinned_by(copies[0]).get("chance", {})
    if seed is None or not CHANCE.fits(pinned, 0):
        why = _NOT_OPEN if seed is None else newer.why()
        check.skipped, check.not_here = why, False
        return check
    scope = pinned["scope"]
    check.expect(
        chance_commitment(scope, seed).hex() == pinned["commitment"],
        "the chance seed is not the one that was committed before play",
    )
    told = copies[game.looked.first["chance_revealed"] - 1]["body"]["chance"].get("scope")
    check.expect(told in (scope, None), f"it opens the luck of {told!r}")
    return check


def _check_beacon(check: Check, game: _Game, is_signed: IsSigned | None) -> None:
    """Check that the chain, which the first event names, has signed the round of a beacon."""
    number = game.looked.first.get(BEACON_DRAWN, 0)
    terms = pinned_by(game.copies[0]).get("entropy", {})
    if not number or (game.newer and not game.is_known(game.copies[number - 1], number)):
        return
    if not game.is_known(game.copies[0], 1) or "beacon" not in terms:
        return
    chain, told = terms["beacon"], game.copies[number - 1]["body"]["beacon"]
    signed = None
    if is_signed is not None:
        signed = is_signed(chain, told["round"], bytes.fromhex(told["signature"]))
    if signed is None:
        check.not_here = True
        check.skipped = f"the beacon's signature, of the scheme {chain['scheme']}"
        return
    check.expect(signed, f"event {number}: the chain did not sign round {told['round']} like that")


def _given(game: _Game) -> list[bytes | None] | None:
    """Return the inputs of the chance key besides the seed: entropy by seat, and a beacon's value.

    Return None if unknown parts may go into it.
    """
    pinned = pinned_by(game.copies[0])
    if game.newer.decides_luck or "seats" not in pinned or not CHANCE.fits(pinned.get("chance"), 0):
        return None
    for number, copy in enumerate(game.copies, 1):
        if number > 1 and not game.is_known(copy, number):
            return None
        if copy["kind"] == "started" or not game.newer:
            break
    given: list[bytes | None] = [None] * game.looked.seats
    for entropy in entropies(game.copies):
        given[entropy.seat] = entropy.opened
    if pinned.get("entropy", {}).get("mode") == BEACON:
        number = game.looked.first.get(BEACON_DRAWN, 0)
        signature = game.copies[number - 1]["body"]["beacon"]["signature"] if number else None
        given.append(None if signature is None else bytes.fromhex(randomness(signature)))
    return given


class _Chance(Step):
    name = "chance"

    def __init__(self, game: _Game) -> None:
        super().__init__()
        self._game = game
        self._key: bytes | None = None
        self._drawn: set[tuple[str, int]] = set()
        given = _given(game)
        if game.seed is None or given is None:
            self.check.skipped = _NOT_OPEN if game.seed is None else game.newer.why()
            return
        self._key = chance_key(game.seed, pinned_by(game.copies[0])["chance"]["scope"], given)

    def examine(self, batch: ChainedBatch) -> None:
        for index, copy in enumerate(batch.copies):
            number = batch.first + index
            if copy["kind"] == "chanced" and self._game.is_known(copy, number):
                self._draw(copy, again=0 < self._game.newer.since <= number)

    def _draw(self, copy: JsonObject, *, again: bool) -> None:
        """Check a draw. If ``again`` is true, the same draw may have come before."""
        asked = copy["body"]["draw"]
        label, n = asked["label"], asked["n"]
        if (label, n) in self._drawn and not again:
            self.check.failures.append(f"event {copy['seq']}: {label} {n} was drawn before")
        self._drawn.add((label, n))
        if self._key is None or "picks" not in copy["body"]:
            return
        wanted = [*draw(self._key, label, n, asked["sizes"])]
        self.check.expect(
            wanted == copy["body"]["picks"],
            f"event {copy['seq']}: the seed draws {wanted} for {label} {n},"
            f" not {copy['body']['picks']}",
        )


class _Table(Step):
    """Checks everything in the course of the game that can be checked without the rules.

    ``Outline`` makes these checks.
    """

    name = "table"

    def __init__(self, game: _Game) -> None:
        super().__init__()
        self._game = game
        self.check.skipped = game.newer.why()
        self.over = game.newer.since == 1
        if not self.over:
            self._outline = Outline(game.id, game.copies)

    def examine(self, batch: ChainedBatch) -> None:
        if self._game.newer.since and self._game.goes_too_far(batch):
            self.over = True
            return
        if not is_lost(self._game.copies, batch.first):
            self._outline.follow(batch.copies)
            self.check.checked += len(batch.copies)


class _CodeNotes(Step):
    """Notes the events at which other code begins to record the game; it checks nothing."""

    name = "told"

    def __init__(self, game: _Game) -> None:
        super().__init__()
        self.codes: dict[int, str] = {}
        self._game = game

    def examine(self, batch: ChainedBatch) -> None:
        for index, copy in enumerate(batch.copies):
            if "code" in copy["body"] and len(self.codes) < MOST_CODES:
                number = batch.first + index
                if self._game.is_known(copy, number):
                    self.codes[number] = copy["body"]["code"]["rules_digest"]


# With the rules


class _Play(Step):
    """Replays the events, until one of the steps in ``needed`` fails.

    Each ``_Play`` is one try to guess the hidden parts. ``guess`` is the number of the try, from 0,
    and the guesses are derived from it.
    """

    name = "play"

    def __init__(
        self,
        game: _Game,
        registry: Registry,
        needed: tuple[_Batches, _Parts, _Table],
        guess: int,
    ) -> None:
        super().__init__()
        self._game = game
        nature = seeded(digest(encode([game.id, guess])))
        self._play = Reenactment(game.id, registry, game.salt, game.seed, nature)
        self._needed = needed
        if game.salt is None:
            self.check.skipped = _GOES_ON
        if game.newer.since:
            self.check.skipped = game.newer.why()
            self.over = game.newer.since == 1

    @property
    def follows(self) -> bool:
        """Whether the record is sound enough to be replayed."""
        return all(step.check.ok for step in self._needed)

    @property
    def is_lost(self) -> bool:
        """Whether the record could not be followed to its end; then another guess may do better."""
        return self.check.ok and bool(self._play.lost)

    def how_far(self) -> tuple[bool, bool, int]:
        """Return a sort key that is greatest for the best guess.

        A guess with failures ranks highest: public facts do not depend on the guessed parts, so a
        failure shows that the record is wrong. A guess that replayed all events ranks next. The
        other guesses rank by the number of events that they replayed.
        """
        return bool(self.check.failures), not self._play.lost, self._play.lost

    def see(self, stretch: Iterable[ChainedBatch]) -> None:
        if self.follows:
            super().see(stretch)

    def examine(self, batch: ChainedBatch) -> None:
        if self._game.newer.since and self._game.goes_too_far(batch):
            self.over = True
            return
        copies = self._game.copies
        try:
            if type(copies) is CountedEvents and is_lost(copies, batch.first):
                self.over = True
                self._expect_damage(batch, copies)
                return
            self._play.play(batch.copies, batch.written, batch.prev)
            self.check.checked += len(batch.copies)
        except UnknownRulesetError as error:
            self.check.skipped, self.check.not_here = str(error), True
            self.over = True

    def end(self) -> Check:
        check, play = self.check, self._play
        if check.skipped == _GOES_ON and play.guessed:
            check.skipped += f", so from event {play.guessed} on some are guessed"
            if play.lost:
                check.skipped += f", and from event {play.lost} on the state cannot be known"
        return check

    def _expect_damage(self, batch: ChainedBatch, copies: CountedEvents) -> None:
        """Check that the events declared damaged cannot be replayed, and check the end."""
        check, salt = self.check, self._game.salt
        assert salt is not None  # noqa: S101 - it opens with the end
        sound, end = copies.damage
        check.skipped = f"the game was damaged after event {sound}"
        if self._is_sound(copies.stored, end, batch, salt):
            check.fail(f"event {sound + 1}: nothing is wrong with what is called damaged")
        check.checked += 1
        for index in range(end - 1, len(copies)):
            copy, before = copies[index], copies[index - 1]
            key = state_key(salt, copy["seq"], bytes.fromhex(before["hash"]))
            check.expect(
                mac(key, encode(NO_STATE)).hex() == copy["state_proof"],
                f"event {copy['seq']}: a state is proven of a game that has none any more",
            )

    def _is_sound(self, stored: Copies, end: int, first: ChainedBatch, salt: bytes) -> bool:
        """Whether the first batch that does not count is sound, in its stored form."""
        frames = Frames(GAME_KINDS, UnknownParts(None))
        try:
            batch = next(batches_of(stored[first.first - 1 : end - 1], first.first))
            numbers = range(first.first, first.first + len(batch))
            if any(map(frames.wrong, numbers, batch)):
                return False
            hashes = [bytes.fromhex(copy["hash"]) for copy in batch]
            chained = ChainedBatch(first.first, batch, [first.prev[0], *hashes], [])
            steps = [_Chain(stored), _Batches(), _Parts(salt, encode, UnknownParts(None))]
            for step in steps:
                step.see([chained])
            self._play.play(batch, chained.written, chained.prev)
        except UnknownRulesetError:
            raise
        except Exception:  # noqa: BLE001 - a damaged event provokes anything
            return False
        return all(step.check.ok for step in steps)


def status_of(copies: Copies) -> str:
    """Return the status after the events; "" if unknown."""
    kinds = (copy["kind"] for copy in reversed(copies))
    return next((_LEADS_TO[kind] for kind in kinds if kind in _LEADS_TO), "")


def _seen(copy: JsonObject) -> str | None:
    """Return the hash of the newest event that the player had seen before this move.

    Return None if the move does not have this hash.
    """
    client = copy["body"].get("client")
    seen = client.get("expected_head") if type(client) is dict else None
    return seen if type(seen) is str else None


def _salt(copies: Copies, first: Mapping[str, int]) -> bytes | None:
    """Return the salt that the end of a stream reveals, if it does."""
    found = (_opened(copies, first, kind, "salt", "salt_secret") for kind in _LAST)
    return next((salt for salt in found if salt is not None), None)


def _opened(
    copies: Copies, first: Mapping[str, int], kind: str, part: str, secret: str
) -> bytes | None:
    """Return the secret that the first event of a kind reveals; None if there is none."""
    value = copies[first[kind] - 1]["body"].get(part) if kind in first else None
    if type(value) is dict and is_digest(value.get(secret)):
        return bytes.fromhex(value[secret])
    return None


def _not_made(*names: str, why: str) -> list[Check]:
    return [Check(name, skipped=why) for name in names]
