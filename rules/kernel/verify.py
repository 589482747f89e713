"""Checks a record of a game that somebody else hands in: from its own bytes and the rules alone.

What can be proven, and what never can, stands in docs/format.md, "What verify can prove".
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.kernel.canonical import JsonObject, NotCanonicalError
from rules.kernel.chance import chance_key, commitment, draw
from rules.kernel.events import KINDS, event_hash, from_copy, genesis
from rules.kernel.game import ABORTED, ENDED
from rules.kernel.reenact import Contradiction, Reenactment
from rules.kernel.secrets import entropy_commitment, part_commitment, part_nonce
from rules.registry import Registry, UnknownRulesetError

_FIELDS = {
    "seq", "kind", "by", "at", "last", "parts", "state_proof", "hash", "body", "audiences",
    "nonces",
}  # fmt: skip
_BIGGEST = 2**53
_FORGEABLE = (
    "A record alone is consistent at best: whoever wrote it could have forged all of it."
    " A receipt proves it up to the receipt's event."
)


class NotARecordError(ValueError):
    """The input is no record of a game at all; the message says what is wrong."""


@dataclass
class Check:
    """One kind of proof: how many facts it ``checked``, and a sentence for each that failed.

    ``skipped`` says why nothing could be checked, if so: ``not_here`` tells that another
    installation could, which has the rules or the bot.
    """

    name: str
    checked: int = 0
    failures: list[str] = field(default_factory=list)
    skipped: str = ""
    not_here: bool = False

    @property
    def ok(self) -> bool:
        """Whether nothing failed."""
        return not self.failures

    def expect(self, good: bool, failure: str) -> bool:  # noqa: FBT001 - reads as a sentence
        """Count one fact; note ``failure`` if it does not hold."""
        self.checked += 1
        if not good:
            self.failures.append(failure)
        return good


@dataclass
class Report:
    """What verification found. ``notes`` say in words what the record cannot prove."""

    game_id: str
    version: int
    status: str
    checks: list[Check]
    notes: list[str]

    @property
    def ok(self) -> bool:
        """Whether no check failed."""
        return all(check.ok for check in self.checks)

    @property
    def complete(self) -> bool:
        """Whether all was checked that anybody could check by now."""
        return not any(check.not_here for check in self.checks)

    def to_json(self) -> JsonObject:
        """Return the report as one JSON object."""
        return {
            "ok": self.ok,
            "complete": self.complete,
            "game_id": self.game_id,
            "version": self.version,
            "status": self.status,
            "checks": [
                {
                    "name": check.name,
                    "ok": check.ok,
                    "checked": check.checked,
                    "failures": check.failures,
                    "skipped": check.skipped,
                }
                for check in self.checks
            ],
            "notes": self.notes,
        }


def verify_stream(
    stream_id: str, copies: Sequence[JsonObject], kinds: Sequence[str]
) -> list[Check]:
    """Check that the events of any stream in this format are chained, whole and as committed to.

    Raises:
        NotARecordError: the copies do not have the shape of events.

    """
    return _Verifier(stream_id, copies, Registry(()), kinds).stream()


def verify(game_id: str, copies: Sequence[JsonObject], registry: Registry) -> Report:
    """Check the event copies of one game, in order, as any viewer received them.

    Raises:
        NotARecordError: the copies do not have the shape of a game's events.

    """
    return _Verifier(game_id, copies, registry).run()


class _Verifier:
    def __init__(
        self,
        game_id: str,
        copies: Sequence[JsonObject],
        registry: Registry,
        kinds: Sequence[str] = KINDS,
    ) -> None:
        self._kinds = kinds
        self._game_id = game_id
        self._copies = copies
        self._registry = registry
        self._salt = _revealed(copies, "salt", "salt_secret")
        self._seed = _revealed(copies, "chance", "chance_seed")
        self._prev = self._prev_hashes()

    def _prev_hashes(self) -> list[bytes]:
        try:
            hashes = [bytes.fromhex(copy["hash"]) for copy in self._copies]
        except (KeyError, TypeError, ValueError) as error:
            raise NotARecordError(f"an event has no readable hash: {error}") from None
        return [genesis(self._game_id), *hashes]

    def stream(self) -> list[Check]:
        return _guarded([self._chain, self._batches, self._parts])

    def run(self) -> Report:
        checks = [
            *self.stream(),
            *_guarded([self._openings, self._commitments, self._chance, self._play]),
        ]
        kinds = [copy.get("kind") for copy in self._copies]
        status = ENDED if "ended" in kinds else ABORTED if "aborted" in kinds else "unfinished"
        return Report(self._game_id, len(self._copies), status, checks, self._notes())

    # From the file alone, without rules

    def _chain(self) -> Check:
        check = Check("chain")
        at = ""
        for index, copy in enumerate(self._copies):
            seq = index + 1
            check.expect(_has_shape(copy), f"event {seq} has not the fields of an event")
            check.expect(copy["seq"] == seq, f"event {seq} calls itself {copy['seq']}")
            check.expect(copy["kind"] in self._kinds, f"event {seq}: unknown kind {copy['kind']!r}")
            check.expect(copy["at"] >= at, f"event {seq}: its time goes back to {copy['at']}")
            at = copy["at"]
            wanted = event_hash(
                self._prev[index], copy["seq"], copy["kind"], copy["by"], copy["at"],
                copy["last"], copy["parts"], bytes.fromhex(copy["state_proof"]),
            )  # fmt: skip
            check.expect(
                wanted.hex() == copy["hash"],
                f"event {seq}: the header does not hash to {copy['hash']}",
            )
        return check

    def _batches(self) -> Check:
        check = Check("batches")
        index = 0
        while index < len(self._copies):
            last = self._copies[index]["last"]
            whole = index < last <= len(self._copies) and all(
                copy["last"] == last for copy in self._copies[index:last]
            )
            if not check.expect(whole, f"the batch from event {index + 1} to {last} is cut"):
                break
            index = last
        return check

    def _parts(self) -> Check:
        check = Check("parts")
        for index, copy in enumerate(self._copies):
            for name, value in copy["body"].items():
                nonce = bytes.fromhex(copy["nonces"][name])
                check.expect(
                    _commits(nonce, value, copy["parts"].get(name)),
                    f"event {index + 1}: part {name} is not what the header commits to",
                )
                if self._salt is not None:
                    check.expect(
                        nonce == part_nonce(self._salt, index + 1, name, self._prev[index]),
                        f"event {index + 1}: the nonce of {name} does not follow from the salt",
                    )
            if self._salt is not None:
                hidden = copy["parts"].keys() - copy["body"].keys()
                check.expect(not hidden, f"event {index + 1}: {sorted(hidden)} is left out")
        return check

    def _openings(self) -> Check:
        check = Check("openings")
        for copy in self._copies:
            for opened in copy["body"].get("opens", ()):
                seq, part = opened["seq"], opened["part"]
                earlier = self._copies[seq - 1]["parts"] if 0 < seq <= copy["seq"] else {}
                check.expect(
                    _commits(bytes.fromhex(opened["nonce"]), opened["value"], earlier.get(part)),
                    f"event {copy['seq']}: what it opens of event {seq} is not what was sealed",
                )
        return check

    def _commitments(self) -> Check:
        check = Check("commitments")
        pinned = self._pinned()
        for seat, committed, entropy in self._entropy():
            if entropy is not None:
                known = (
                    entropy_commitment(self._game_id, seat, entropy),
                    entropy_commitment(None, seat, entropy),
                )
                check.expect(
                    committed in known, f"seat {seat} opened other entropy than it committed to"
                )
        if self._seed is not None:
            scope = pinned["chance"]["scope"]
            check.expect(
                commitment(scope, self._seed).hex() == pinned["chance"]["commitment"],
                "the chance seed is not the one that was committed before play",
            )
        else:
            check.skipped = "the chance seed is not open yet"
        return check

    def _chance(self) -> Check:
        check = Check("chance")
        if self._seed is None:
            check.skipped = "the chance seed is not open yet"
            return check
        entropy: list[bytes | None] = [None] * self._pinned()["seats"]
        for seat, _committed, given in self._entropy():
            entropy[seat] = given
        key = chance_key(self._seed, self._pinned()["chance"]["scope"], entropy)
        for copy in self._copies:
            if copy["kind"] == "chanced" and "picks" in copy["body"]:
                asked = copy["body"]["draw"]
                if not all(type(size) is int and 0 < size < _BIGGEST for size in asked["sizes"]):
                    check.expect(False, f"event {copy['seq']}: {asked} is no draw")  # noqa: FBT003 - the failing fact
                    continue
                wanted = draw(key, asked["label"], asked["n"], asked["sizes"])
                check.expect(
                    list(wanted) == copy["body"]["picks"],
                    f"event {copy['seq']}: the seed draws {list(wanted)} for {asked['label']}"
                    f" {asked['n']}, not {copy['body']['picks']}",
                )
        return check

    def _pinned(self) -> Any:
        return self._copies[0]["body"]["game"]

    def _entropy(self) -> Iterable[tuple[int, bytes, bytes | None]]:
        committed: dict[int, bytes] = {}
        revealed: dict[int, bytes] = {}
        for copy in self._copies:
            if copy["kind"] == "seated":
                value = copy["body"]["seat"]
                committed.pop(value["seat"], None)
                if value["entropy_commitment"] is not None:
                    committed[value["seat"]] = bytes.fromhex(value["entropy_commitment"])
            elif copy["kind"] == "left":
                committed.pop(copy["body"]["seat"]["seat"], None)
            elif copy["kind"] == "entropy_revealed":
                value = copy["body"]["entropy"]
                revealed[value["seat"]] = bytes.fromhex(value["entropy"])
        return [(seat, value, revealed.get(seat)) for seat, value in sorted(committed.items())]

    # With the rules

    def _play(self) -> Check:
        check = Check("play")
        if self._salt is None:
            check.skipped = "the game has not ended: hidden parts and state keys are not open"
            return check
        play = Reenactment(self._game_id, self._registry, self._salt, self._seed)
        index = 0
        while index < len(self._copies):
            last = self._copies[index]["last"]
            if not index < last <= len(self._copies):
                break  # _batches says so
            try:
                play.play([from_copy(copy) for copy in self._copies[index:last]])
            except UnknownRulesetError as error:
                check.skipped, check.not_here = str(error), True
                return check
            except Contradiction as error:
                check.expect(False, str(error))  # noqa: FBT003 - the failing fact
                return check
            check.checked += last - index
            index = last
        check.expect(play.game.over, "the salt is open, and the game goes on")
        return check

    def _notes(self) -> list[str]:
        notes = [_FORGEABLE]
        if self._salt is None:
            notes.append("The game has not ended: only what this viewer was shown was checked.")
        try:
            notes += self._notes_on_origin()
        except Exception:  # noqa: BLE001 - what is not readable has failed its checks already
            notes.append("The rules of this game are not installed here.")
        notes.append("Nothing can show that nobody peeked.")
        return notes

    def _notes_on_origin(self) -> list[str]:
        notes = []
        if self._seed is not None and not list(self._entropy()):
            notes.append("Nobody gave entropy: the operator could have chosen this seed.")
        pinned = self._pinned()
        ours = self._registry.digest(pinned["ruleset"])
        if ours != pinned["rules_digest"]:
            notes.append(
                "The game was played by other code for these rules: digest"
                f" {pinned['rules_digest'][:12]}, here {ours[:12]}."
            )
        return notes


def _guarded(steps: Sequence[Callable[[], Check]]) -> list[Check]:
    checks = []
    for step in steps:
        try:
            checks.append(step())
        except Exception as error:  # noqa: BLE001 - whatever a strange record provokes is its own failure
            name = step.__name__.strip("_")
            failure = f"the record is not readable: {type(error).__name__} {error}"
            checks.append(Check(name, 1, [failure]))
    return checks


def _commits(nonce: bytes, value: object, commitment_hex: str | None) -> bool:
    try:
        return part_commitment(nonce, value).hex() == commitment_hex
    except NotCanonicalError:
        return False


def _revealed(copies: Sequence[JsonObject], part: str, name: str) -> bytes | None:
    for copy in reversed(copies):
        body = copy.get("body")
        if isinstance(body, dict) and isinstance(body.get(part), dict) and name in body[part]:
            try:
                return bytes.fromhex(body[part][name])
            except (TypeError, ValueError):
                raise NotARecordError(f"{name} is not hex: {body[part][name]!r}") from None
    return None


def _has_shape(copy: JsonObject) -> bool:
    """Whether a copy has the fields of one and no others, and hashes written as we write them."""
    return (
        copy.keys() == _FIELDS
        and copy["audiences"].keys() == copy["parts"].keys()
        and copy["nonces"].keys() == copy["body"].keys()
        and all(
            bytes.fromhex(text).hex() == text
            for text in (copy["hash"], copy["state_proof"], *copy["nonces"].values())
        )
    )
