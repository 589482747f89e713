"""Checks the record of a game that somebody else hands in: from its own bytes and the rules alone.

What can be proven, and what never can, stands in docs/format.md, "What verify can prove". What is
skipped is never passed: it fails if the record lacks what its kind must have, and leaves the game
not wholly proved if it goes on, its luck is not open, or something is not installed here.

A record is gone through twice, however long it is: for the shapes of its events, and then, stretch
by stretch, for everything else at once (``steps``).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from rules.kernel.canonical import JsonObject, NotCanonicalError, digest, encode, encode_known, mac
from rules.kernel.contract.chance import chance_key, draw, seeded
from rules.kernel.contract.chance import commitment as chance_commitment
from rules.kernel.contract.effects import PUBLIC
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from rules.kernel.proof.outline import Outline
from rules.kernel.proof.reenact import Reenactment
from rules.kernel.proof.remarks import MOST_CODES, remarks
from rules.kernel.proof.shape import is_digest
from rules.kernel.proof.shapes import GAME_KINDS, wrong_copies, wrong_record
from rules.kernel.proof.steps import Chained, Copies, Heads, Step, stretches
from rules.kernel.proof.verdicts import Check, Failures, NotARecordError, Report, guarded
from rules.kernel.record.entropy import entropies
from rules.kernel.record.events import NO_STATE, OPENABLE
from rules.kernel.record.game import ABORTED, CLOSED, DAMAGED, ENDED, LOBBY, RUNNING
from rules.kernel.record.secrets import part_nonce, state_key

__all__ = ["Check", "NotARecordError", "Report", "status_of", "verify", "verify_stream"]

_LEADS_TO: Mapping[object, str] = {
    "created": LOBBY, "closed": CLOSED, "started": RUNNING, "ended": ENDED, "aborted": ABORTED,
}  # fmt: skip
"""The status of a game after an event of a kind."""

GUESSES = 8
"""How often hidden parts are guessed anew, where a record shows that the guess was wrong."""

_HEADER = ("seq", "kind", "by", "at", "last", "parts", "state_proof")

_NOT_SHAPED = "the events have not the shapes that they must have"
_NOT_SOUND = "the record is not sound enough to be played"
_NOT_OPEN = "the chance seed is not open yet"
_GOES_ON = "the game has not ended: states and hidden parts are not open"


def verify_stream(stream_id: str, copies: Copies, kinds: Collection[str]) -> list[Check]:
    """Check that the events of any stream in this format are chained, whole and as committed to.

    Raises:
        NotARecordError: there are none.

    """
    _need_events(copies)
    shapes = _shapes(copies, lambda: Failures(wrong_copies(copies, kinds)))
    if not shapes.ok:
        return [shapes, *_not_made("chain", "batches", "parts", why=_NOT_SHAPED)]
    parts = _Parts(_opened(copies, "salt", "salt_secret"), encode)
    return [shapes, *_seen_by([_Chain(copies), _Batches(), parts], stream_id, copies)]


def verify(game_id: str, copies: Copies, registry: Registry) -> Report:
    """Check the event copies of one game, in order, as any viewer received them.

    They are gone through several times, and single ones are looked at again.

    Raises:
        NotARecordError: there are none.

    """
    _need_events(copies)
    shapes = _shapes(copies, lambda: wrong_record(game_id, copies))
    if shapes.ok:
        return _verified(game_id, copies, registry, shapes)
    _any_shapes, *checks = verify_stream(game_id, copies, GAME_KINDS)
    names = ("openings", "commitments", "chance", "table", "play")
    checks = [shapes, *checks, *_not_made(*names, why=_NOT_SHAPED)]
    return Report(game_id, len(copies), "", checks)


def _need_events(copies: Copies) -> None:
    if not copies:
        raise NotARecordError("it has no events")


def _shapes(copies: Copies, look: Callable[[], Failures]) -> Check:
    return guarded("shapes", lambda: Check("shapes", len(copies), look()))


def _verified(game_id: str, copies: Copies, registry: Registry, shapes: Check) -> Report:
    """Check a game of which every event has the shape of its kind."""
    salt = _opened(copies, "salt", "salt_secret")
    seed = _opened(copies, "chance", "chance_seed")
    batches, table, told = _Batches(), _Table(game_id, copies), _Told()

    def playing(guess: int) -> tuple[_Parts, _Play]:
        parts = _Parts(salt, encode_known)  # the shapes leave nothing else
        return parts, _Play(game_id, copies, registry, salt, seed, (batches, parts, table), guess)

    parts, play = playing(0)
    own = [_Chain(copies), batches, parts, _Openings(copies)]
    *checks, chance, followed, _told, _played = _seen_by(
        [*own, _Chance(copies, seed), table, told, play], game_id, copies
    )
    committed = guarded("commitments", lambda: _commitments(game_id, copies, seed))
    played = _not_made("play", why=_NOT_SOUND)
    if play.follows:
        for guess in range(1, GUESSES):
            if not play.is_lost:
                break
            again = playing(guess)
            _seen_by(again, game_id, copies)
            play = max(play, again[1], key=_Play.how_far)
        played = [play.check]
    checks = [shapes, *checks, committed, chance, followed, *played]
    status = status_of(copies)
    notes = remarks(copies, status, told.codes, registry)
    return Report(game_id, len(copies), status, checks, notes)


def _seen_by(steps: Sequence[Step], stream_id: str, copies: Copies) -> list[Check]:
    """Have all steps look at a stream; return what they found."""
    for stretch in stretches(stream_id, copies):
        for step in steps:
            step.see(stretch)
    return [step.end() for step in steps]


# What any stream proves by itself


class _Chain(Step):
    name = "chain"

    def __init__(self, copies: Copies) -> None:
        super().__init__()
        self._known = Heads(copies)
        self._at = ""

    def examine(self, batch: Chained) -> None:
        check = self.check
        for index, copy in enumerate(batch.copies):
            seq = batch.first + index
            if copy["seq"] != seq:
                check.failures.append(f"event {seq} calls itself {copy['seq']}")
            if copy["at"] < self._at:
                check.failures.append(f"event {seq}: its time goes back to {copy['at']}")
            self._at = copy["at"]
            header = {name: copy[name] for name in _HEADER}
            if digest(batch.prev[index] + encode_known(header)) != batch.prev[index + 1]:
                check.failures.append(f"event {seq}: the header does not hash to {copy['hash']}")
            if "client" in copy["body"] and not self._known.holds(seen := _seen(copy), seq):
                check.failures.append(
                    f"event {seq}: its player had seen the event {seen}, which is not in this"
                    " history: there is another"
                )
        check.checked += len(batch.copies)


class _Batches(Step):
    name = "batches"

    def examine(self, batch: Chained) -> None:
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

    def __init__(self, salt: bytes | None, write: Callable[[object], bytes]) -> None:
        super().__init__()
        self._salt = salt
        self._write = write

    def examine(self, batch: Chained) -> None:
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
            if salt is not None and len(written) < len(parts):
                hidden = sorted(parts.keys() - written.keys())
                check.expect(not hidden, f"event {seq}: {', '.join(hidden)} is left out")
            batch.written.append(written)


# What a game proves besides, without rules


class _Openings(Step):
    name = "openings"

    def __init__(self, copies: Copies) -> None:
        super().__init__()
        self._copies = copies
        self._opened = bytearray(len(copies))
        """Two bits of each event: which of its parts were opened."""

    def examine(self, batch: Chained) -> None:
        check = self.check
        for copy in batch.copies:
            for opened in copy["body"].get("opens", ()):
                seq, part = opened["seq"], opened["part"]
                where = f"event {copy['seq']}: what it opens of event {seq}"
                earlier = self._copies[seq - 1] if seq <= copy["seq"] else {}
                sealed = earlier.get("parts", {}).get(part)
                commits = digest(bytes.fromhex(opened["nonce"]) + encode(opened["value"])).hex()
                check.expect(commits == sealed, f"{where} is not what was sealed")
                closed = earlier.get("audiences", {}).get(part) != PUBLIC
                check.expect(closed and self._is_new(seq, part), f"{where} was open already")

    def _is_new(self, seq: int, part: str) -> bool:
        """Note that a part is opened; whether it was not before."""
        if seq > len(self._opened):  # there is no such event, which is told by itself
            return True
        before = self._opened[seq - 1]
        self._opened[seq - 1] |= 1 << OPENABLE.index(part)
        return self._opened[seq - 1] != before


def _commitments(game_id: str, copies: Copies, seed: bytes | None) -> Check:
    check = Check("commitments")
    for entropy in entropies(copies):
        if entropy.opened is not None:
            same = entropy.is_of(game_id, entropy.opened)
            check.expect(same, f"seat {entropy.seat} opened other entropy than it committed to")
    if seed is None:
        check.skipped = _NOT_OPEN
        return check
    chance = copies[0]["body"]["game"]["chance"]
    scope = chance["scope"]
    (told,) = [copy["body"]["chance"] for copy in _tail(copies) if "chance" in copy["body"]]
    check.expect(
        chance_commitment(scope, seed).hex() == chance["commitment"],
        "the chance seed is not the one that was committed before play",
    )
    check.expect(told["scope"] == scope, f"it opens the luck of {told['scope']!r}")
    return check


class _Chance(Step):
    name = "chance"

    def __init__(self, copies: Copies, seed: bytes | None) -> None:
        super().__init__()
        self._key: bytes | None = None
        self._drawn: set[tuple[str, int]] = set()
        if seed is None:
            self.check.skipped = _NOT_OPEN
            return
        pinned = copies[0]["body"]["game"]
        given: list[bytes | None] = [None] * pinned["seats"]
        for entropy in entropies(copies):
            given[entropy.seat] = entropy.opened
        self._key = chance_key(seed, pinned["chance"]["scope"], given)

    def examine(self, batch: Chained) -> None:
        for copy in batch.copies:
            if copy["kind"] == "chanced":
                self._draw(copy)

    def _draw(self, copy: JsonObject) -> None:
        asked = copy["body"]["draw"]
        label, n = asked["label"], asked["n"]
        if (label, n) in self._drawn:
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


class _Damage(NamedTuple):
    """What an operator says of a damaged game: the last sound event, and the one that ends it."""

    sound: int
    end: int


class _Table(Step):
    """Follows the course of the game as far as it needs no rules."""

    name = "table"

    def __init__(self, game_id: str, copies: Copies) -> None:
        super().__init__()
        self._outline = Outline(game_id, copies)
        self._damage = _damage(copies)

    def examine(self, batch: Chained) -> None:
        first, last = batch.copies[0]["seq"], batch.copies[-1]["seq"]
        damage = self._damage
        if damage is None or last <= damage.sound or first >= damage.end:
            self._outline.follow(batch.copies)
            self.check.checked += len(batch.copies)


class _Told(Step):
    """Notes which events say that other code recorded from there on; it checks nothing."""

    name = "told"

    def __init__(self) -> None:
        super().__init__()
        self.codes: dict[int, str] = {}

    def examine(self, batch: Chained) -> None:
        for copy in batch.copies:
            if "code" in copy["body"] and len(self.codes) < MOST_CODES:
                self.codes[copy["seq"]] = copy["body"]["code"]["rules_digest"]


# With the rules


class _Play(Step):
    """Plays again what ``needed`` have found sound, as long as they do.

    ``guess`` tells guesses of hidden parts apart.
    """

    name = "play"

    def __init__(
        self,
        game_id: str,
        copies: Copies,
        registry: Registry,
        salt: bytes | None,
        seed: bytes | None,
        needed: tuple[_Batches, _Parts, _Table],
        guess: int,
    ) -> None:
        super().__init__()
        self._copies = copies
        self._salt = salt
        self._damage = _damage(copies)
        nature = seeded(digest(encode([game_id, guess])))
        self._play = Reenactment(game_id, registry, salt, seed, nature)
        self._needed = needed
        if salt is None:
            self.check.skipped = _GOES_ON

    @property
    def follows(self) -> bool:
        """Whether the record is sound enough to be played."""
        return all(step.check.ok for step in self._needed)

    @property
    def is_lost(self) -> bool:
        """Whether the record could not be followed to its end, and another guess may."""
        return self.check.ok and bool(self._play.lost)

    def how_far(self) -> tuple[bool, bool, int]:
        """Order what was found by how much it tells: a failure, all of it, or up to where."""
        return bool(self.check.failures), not self._play.lost, self._play.lost

    def see(self, stretch: Iterable[Chained]) -> None:
        if self.follows:
            super().see(stretch)

    def examine(self, batch: Chained) -> None:
        damage = self._damage
        try:
            if damage is not None and batch.copies[-1]["seq"] > damage.sound:
                self.over = True
                self._expect_damage(batch, damage)
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

    def _expect_damage(self, batch: Chained, damage: _Damage) -> None:
        """Check that what an operator calls damaged cannot be played, and is ended as such."""
        check = self.check
        check.skipped = f"the game was damaged after event {damage.sound}"
        try:
            self._play.play(batch.copies, batch.written, batch.prev)
        except UnknownRulesetError:
            raise
        except Exception:  # noqa: BLE001 - a damaged event provokes anything
            check.checked += 1
        else:
            seq = batch.copies[0]["seq"]
            check.fail(f"event {seq}: nothing is wrong with what is called damaged")
        assert self._salt is not None  # noqa: S101 - it opens with the end
        for index in range(damage.end - 1, len(self._copies)):
            copy, before = self._copies[index], self._copies[index - 1]
            key = state_key(self._salt, copy["seq"], bytes.fromhex(before["hash"]))
            check.expect(
                mac(key, encode(NO_STATE)).hex() == copy["state_proof"],
                f"event {copy['seq']}: a state is proven of a game that has none any more",
            )


def status_of(copies: Copies) -> str:
    """Return the status that events lead to; "" if none of them tells."""
    kinds = (copy["kind"] for copy in reversed(copies))
    return next((_LEADS_TO[kind] for kind in kinds if kind in _LEADS_TO), "")


def _tail(copies: Copies) -> Copies:
    """Return the last events, which open what was secret."""
    return copies[-2:]


def _damage(copies: Copies) -> _Damage | None:
    """Return what an operator says of a damaged game, None of all others."""
    for copy in _tail(copies):
        if copy["kind"] == "aborted" and copy["body"]["aborted"]["reason"] == DAMAGED:
            return _Damage(copy["body"]["aborted"]["sound"]["seq"], copy["seq"])
    return None


def _seen(copy: JsonObject) -> str:
    """Return the hash of the event that a player says to have seen."""
    client = copy["body"]["client"]
    seen = client.get("expected_head") if type(client) is dict else None
    return seen if type(seen) is str else "None"


def _opened(copies: Copies, part: str, secret: str) -> bytes | None:
    """Return a secret that the end of a stream opens, if it does."""
    for copy in _tail(copies):
        value = copy["body"].get(part)
        if type(value) is dict and is_digest(value.get(secret)):
            return bytes.fromhex(value[secret])
    return None


def _not_made(*names: str, why: str) -> list[Check]:
    return [Check(name, skipped=why) for name in names]
