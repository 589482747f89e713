"""Checks the record of a game that somebody else hands in: from its own bytes and the rules alone.

What can be proven, and what never can, stands in docs/format.md, "What verify can prove". What is
skipped is never passed: it fails if the record lacks what its kind must have, and leaves the game
not wholly proved if it goes on, its luck is not open, or something is not installed here.

A record is gone through twice, however long it is: for the shapes of its events, and then, stretch
by stretch, for everything else at once (``steps``).
"""

from collections.abc import Callable, Collection, Sequence

from rules.kernel.canonical import JsonObject, NotCanonicalError, digest, encode, encode_known, mac
from rules.kernel.contract.chance import chance_key, commitment, draw, seeded
from rules.kernel.contract.effects import PUBLIC
from rules.kernel.proof.outline import Contradiction, Outline
from rules.kernel.proof.reenact import Reenactment
from rules.kernel.proof.remarks import MOST_CODES, remarks
from rules.kernel.proof.shape import is_digest
from rules.kernel.proof.shapes import GAME_KINDS, wrong_copies, wrong_record
from rules.kernel.proof.steps import Copies, Heads, Step, Stretch, stretches
from rules.kernel.proof.verdicts import Check, NotARecordError, Report, guarded
from rules.kernel.record.entropy import entropies
from rules.kernel.record.events import NO_STATE, OPENABLE
from rules.kernel.record.game import ABORTED, DAMAGED, ENDED
from rules.kernel.record.secrets import part_nonce, state_key
from rules.registry import Registry, UnknownRulesetError

__all__ = ["Check", "NotARecordError", "Report", "verify", "verify_stream"]

GUESSES = 8
"""How often hidden parts are guessed anew, where a record shows that the guess was wrong."""

_HEADER = ("seq", "kind", "by", "at", "last", "parts", "state_proof")

_NOT_SHAPED = "the events have not the shapes that they must have"
_NOT_SOUND = "the record is not sound enough to be played"
_NOT_OPEN = "the chance seed is not open yet"


def verify_stream(stream_id: str, copies: Copies, kinds: Collection[str]) -> list[Check]:
    """Check that the events of any stream in this format are chained, whole and as committed to.

    Raises:
        NotARecordError: there are none.

    """
    _need_events(copies)

    def look_at_shapes() -> Check:
        check = Check("shapes", len(copies))
        check.failures += wrong_copies(copies, kinds)
        return check

    shapes = guarded("shapes", look_at_shapes)
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
    shapes = guarded("shapes", lambda: Check("shapes", len(copies), wrong_record(game_id, copies)))
    names = ["openings", "commitments", "chance", "table", "play"]
    if shapes.ok:
        return _verified(game_id, copies, registry, shapes)
    _any_shapes, *checks = verify_stream(game_id, copies, GAME_KINDS)
    checks = [shapes, *checks, *_not_made(*names, why=_NOT_SHAPED)]
    return _report(game_id, copies, "unknown", checks)


def _need_events(copies: Copies) -> None:
    if not copies:
        raise NotARecordError("it has no events")


def _verified(game_id: str, copies: Copies, registry: Registry, shapes: Check) -> Report:
    """Check a game of which every event has the shape of its kind."""
    salt = _opened(copies, "salt", "salt_secret")
    seed = _opened(copies, "chance", "chance_seed")
    batches, parts = _Batches(), _Parts(salt, encode_known)  # the shapes leave nothing else
    table, told = _Table(game_id, copies), _Told()

    def playing(parts: _Parts, guess: int) -> _Play:
        return _Play(game_id, copies, registry, salt, seed, (batches, parts, table), guess)

    play = playing(parts, 0)
    steps: list[Step] = [_Chain(copies), batches, parts, _Openings(copies)]
    after: list[Step] = [_Chance(copies, seed), table, play, told]
    checks = _seen_by([*steps, *after], game_id, copies)
    committed = guarded("commitments", lambda: _commitments(game_id, copies, seed))
    played = _not_made("play", why=_NOT_SOUND)
    if play.follows:
        for guess in range(1, GUESSES):
            if not play.is_lost:
                break
            parts = _Parts(salt, encode_known)
            again = playing(parts, guess)
            _seen_by([parts, again], game_id, copies)
            play = max(play, again, key=_Play.how_far)
        played = [play.check]
    checks = [shapes, *checks[: len(steps)], committed, *checks[len(steps) : -2], *played]
    notes = remarks(copies, told.kinds, told.codes, registry)
    return _report(game_id, copies, told.status, checks, notes)


def _report(
    game_id: str, copies: Copies, status: str, checks: list[Check], notes: Sequence[str] = ()
) -> Report:
    return Report(game_id, len(copies), status, checks, [*notes])


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
        self._copies = copies
        self._known: Heads | None = None
        """All that was before; nobody asks if no player says what it has seen."""
        self._at = ""

    def look(self, stretch: Stretch) -> None:
        check, at = self.check, self._at
        for seq, copy in stretch.numbered():
            if copy["seq"] != seq:
                check.failures.append(f"event {seq} calls itself {copy['seq']}")
            if copy["at"] < at:
                check.failures.append(f"event {seq}: its time goes back to {copy['at']}")
            at = copy["at"]
            header = {name: copy[name] for name in _HEADER}
            index = seq - stretch.first
            found = digest(stretch.prev[index] + encode_known(header))
            if found != stretch.prev[index + 1]:
                check.failures.append(f"event {seq}: the header does not hash to {copy['hash']}")
            if "client" in copy["body"] and not self._is_known(seen := _seen(copy), seq):
                check.failures.append(
                    f"event {seq}: its player had seen the event {seen}, which is not in this"
                    " history: there is another"
                )
            if self._known is not None:
                self._known.add(seq, stretch.prev[index + 1])
        self._at = at
        check.checked += len(stretch.copies)

    def _is_known(self, seen: object, seq: int) -> bool:
        """Whether an event before ``seq`` has this hash."""
        if self._known is None:
            self._known = Heads(self._copies)
            for number, copy in zip(range(1, seq), self._copies, strict=False):
                self._known.add(number, bytes.fromhex(copy["hash"]))
        return is_digest(seen) and self._known.holds(bytes.fromhex(str(seen)))


class _Batches(Step):
    name = "batches"

    def look(self, stretch: Stretch) -> None:
        check = self.check
        for batch in stretch.batches:
            first = batch[0]
            if len(batch) == 1 and first["seq"] == first["last"]:
                check.checked += 1
                continue
            whole = first["seq"] + len(batch) - 1 == first["last"]
            same = all(copy["last"] == first["last"] for copy in batch)
            check.expect(
                whole and same, f"the batch from event {first['seq']} to {first['last']} is cut"
            )
            check.expect(
                all(copy["at"] == first["at"] for copy in batch),
                f"the batch from event {first['seq']} has several times",
            )


class _Parts(Step):
    """``written`` has the canonical bytes of the parts that each event of the stretch shows."""

    name = "parts"

    def __init__(self, salt: bytes | None, write: Callable[[object], bytes]) -> None:
        super().__init__()
        self._salt = salt
        self._write = write
        self.written: list[dict[str, bytes]] = []

    def look(self, stretch: Stretch) -> None:
        check, salt, write = self.check, self._salt, self._write
        self.written = []
        for (seq, copy), prev_hash in zip(stretch.numbered(), stretch.prev, strict=False):
            parts, nonces = copy["parts"], copy["nonces"]
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
                if salt is not None and nonce != part_nonce(salt, seq, name, prev_hash):
                    check.fail(f"event {seq}: the nonce of {name} does not follow from the salt")
            check.checked += len(written)
            if salt is not None and len(written) < len(parts):
                hidden = sorted(parts.keys() - written.keys())
                check.expect(not hidden, f"event {seq}: {', '.join(hidden)} is left out")
            self.written.append(written)


# What a game proves besides, without rules


class _Openings(Step):
    name = "openings"

    def __init__(self, copies: Copies) -> None:
        super().__init__()
        self._copies = copies
        self._opened = bytearray(1 + len(copies) // 4)
        """Two bits for each event: which of its parts were opened."""

    def look(self, stretch: Stretch) -> None:
        check = self.check
        for copy in stretch.copies:
            for opened in copy["body"].get("opens", ()):
                seq, part = opened["seq"], opened["part"]
                where = f"event {copy['seq']}: what it opens of event {seq}"
                earlier = self._copies[seq - 1] if seq <= copy["seq"] else {}
                sealed = earlier.get("parts", {}).get(part)
                check.expect(_commits(opened, sealed), f"{where} is not what was sealed")
                closed = earlier.get("audiences", {}).get(part) != PUBLIC
                check.expect(closed and self._is_new(seq, part), f"{where} was open already")

    def _is_new(self, seq: int, part: str) -> bool:
        """Note that a part is opened; whether it was not before."""
        place = 2 * (seq - 1) + OPENABLE.index(part)
        index, bit = place // 8, 1 << place % 8
        if index >= len(self._opened):  # there is no such event, which is told by itself
            return True
        new = not self._opened[index] & bit
        self._opened[index] |= bit
        return new


def _commitments(game_id: str, copies: Copies, seed: bytes | None) -> Check:
    check = Check("commitments")
    for entropy in entropies(copies):
        if entropy.opened is not None:
            check.expect(
                entropy.fits(game_id),
                f"seat {entropy.seat} opened other entropy than it committed to",
            )
    if seed is None:
        check.skipped = _NOT_OPEN
        return check
    chance = copies[0]["body"]["game"]["chance"]
    scope = chance["scope"]
    (opened,) = [copy["body"]["chance"] for copy in _tail(copies) if "chance" in copy["body"]]
    check.expect(
        commitment(scope, seed).hex() == chance["commitment"],
        "the chance seed is not the one that was committed before play",
    )
    check.expect(opened["scope"] == scope, f"it opens the luck of {opened['scope']!r}")
    return check


class _Chance(Step):
    name = "chance"

    def __init__(self, copies: Copies, seed: bytes | None) -> None:
        super().__init__()
        self._key = b""
        if seed is None:
            self.check.skipped, self.over = _NOT_OPEN, True
            return
        pinned = copies[0]["body"]["game"]
        given: list[bytes | None] = [None] * pinned["seats"]
        for entropy in entropies(copies):
            given[entropy.seat] = entropy.opened
        self._key = chance_key(seed, pinned["chance"]["scope"], given)

    def look(self, stretch: Stretch) -> None:
        for copy in stretch.copies:
            if copy["kind"] == "chanced" and "picks" in copy["body"]:
                asked = copy["body"]["draw"]
                wanted = [*draw(self._key, asked["label"], asked["n"], asked["sizes"])]
                self.check.expect(
                    wanted == copy["body"]["picks"],
                    f"event {copy['seq']}: the seed draws {wanted} for {asked['label']}"
                    f" {asked['n']}, not {copy['body']['picks']}",
                )


class _Table(Step):
    """Follows the course of the game as far as it needs no rules."""

    name = "table"

    def __init__(self, game_id: str, copies: Copies) -> None:
        super().__init__()
        self._outline = Outline(game_id, copies)
        self._damage = _damage(copies)

    def look(self, stretch: Stretch) -> None:
        damage = self._damage
        try:
            for batch in stretch.batches:
                first, last = batch[0]["seq"], batch[-1]["seq"]
                if damage is None or last <= _last_sound(damage) or first >= damage["seq"]:
                    self._outline.follow(batch)
                    self.check.checked += len(batch)
        except Contradiction as error:
            self.check.fail(str(error))
            self.over = True


class _Told(Step):
    """What the kinds of all events tell; it checks nothing."""

    name = "told"

    def __init__(self) -> None:
        super().__init__()
        self.kinds: set[str] = set()
        self.codes: dict[int, str] = {}

    def look(self, stretch: Stretch) -> None:
        for copy in stretch.copies:
            self.kinds.add(copy["kind"])
            if "code" in copy["body"] and len(self.codes) < MOST_CODES:
                self.codes[copy["seq"]] = copy["body"]["code"]["rules_digest"]

    @property
    def status(self) -> str:
        """How the game stands."""
        return (
            ENDED if "ended" in self.kinds else ABORTED if "aborted" in self.kinds else "unfinished"
        )


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

    def look(self, stretch: Stretch) -> None:
        if not self.follows:
            return
        parts = self._needed[1]
        try:
            index = 0
            for batch in stretch.batches:
                end = index + len(batch)
                written, prev = parts.written[index:end], stretch.prev[index:end]
                damage = self._damage
                if damage is not None and batch[-1]["seq"] > _last_sound(damage):
                    self.over = True
                    self._expect_damage(batch, written, prev, damage)
                    return
                self._play.play(batch, written, prev)
                self.check.checked += len(batch)
                index = end
        except UnknownRulesetError as error:
            self.check.skipped, self.check.not_here = str(error), True
            self.over = True
        except Contradiction as error:
            self.check.fail(str(error))
            self._say_what_is_closed()
            self.over = True

    def end(self) -> Check:
        if not self.over:
            self._say_what_is_closed()
        return super().end()

    def _say_what_is_closed(self) -> None:
        if self._salt is None:
            self.check.skipped = "the game has not ended: states and hidden parts are not open"
            play = self._play
            if play.guessed:
                self.check.skipped += f", so from event {play.guessed} on some are guessed"
            if play.lost:
                self.check.skipped += f", and from event {play.lost} on the state cannot be known"

    def _expect_damage(
        self,
        batch: Copies,
        written: Sequence[dict[str, bytes]],
        prev_hashes: Sequence[bytes],
        damage: JsonObject,
    ) -> None:
        """Check that what an operator calls damaged cannot be played, and is ended as such."""
        check = self.check
        check.skipped = f"the game was damaged after event {_last_sound(damage)}"
        try:
            self._play.play(batch, written, prev_hashes)
        except UnknownRulesetError:
            raise
        except Exception:  # noqa: BLE001 - a damaged event provokes anything
            check.checked += 1
        else:
            check.fail(f"event {batch[0]['seq']}: nothing is wrong with what is called damaged")
        assert self._salt is not None  # noqa: S101 - it opens with the end
        for index in range(damage["seq"] - 1, len(self._copies)):
            copy, before = self._copies[index], self._copies[index - 1]
            key = state_key(self._salt, copy["seq"], bytes.fromhex(before["hash"]))
            proof = mac(key, encode(NO_STATE)).hex()
            check.expect(
                proof == copy["state_proof"],
                f"event {copy['seq']}: a state is proven of a game that has none any more",
            )


def _tail(copies: Copies) -> list[JsonObject]:
    """Return the last events, which open what was secret."""
    return [copies[index] for index in range(max(0, len(copies) - 2), len(copies))]


def _damage(copies: Copies) -> JsonObject | None:
    """Return what an operator says of a damaged game, None of all others."""
    for copy in _tail(copies):
        if copy["kind"] == "aborted" and copy["body"]["aborted"]["reason"] == DAMAGED:
            return copy
    return None


def _seen(copy: JsonObject) -> object:
    """Return the hash of the event that a player says to have seen."""
    client = copy["body"]["client"]
    seen = client.get("expected_head") if type(client) is dict else None
    return seen if type(seen) is str else None


def _last_sound(damage: JsonObject) -> int:
    seq: int = damage["body"]["aborted"]["sound"]["seq"]
    return seq


def _commits(opened: JsonObject, sealed: str | None) -> bool:
    return digest(bytes.fromhex(opened["nonce"]) + encode(opened["value"])).hex() == sealed


def _opened(copies: Copies, part: str, secret: str) -> bytes | None:
    """Return a secret that the end of a stream opens, if it does."""
    for copy in _tail(copies):
        value = copy["body"].get(part)
        if type(value) is dict and is_digest(value.get(secret)):
            return bytes.fromhex(value[secret])
    return None


def _not_made(*names: str, why: str) -> list[Check]:
    return [Check(name, skipped=why) for name in names]
