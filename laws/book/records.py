"""Laws of recorded games: folding, viewers' copies, and proofs."""

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from laws.games import RulesEvent, SampleGame, possible, reduced
from laws.law import Breach, Scope, law
from laws.streams import GAME_ID, SECRETS, Stream, batches, played
from laws.tables import registry_of
from rules.kernel.canonical import JsonObject, derive, digest, encode, mac
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.effects import can_see
from rules.kernel.contract.ruleset import ChanceEvent, GameOver, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.proof.verify import verify
from rules.kernel.record import snapshot
from rules.kernel.record.events import Event, dump, load
from rules.kernel.record.secrets import part_commitment, part_nonce, state_key

SEQUENCE = "3. The sequence of play"
KNOWN = "6. What each viewer knows"
PURE = "reduce does the same whenever it is called: it keeps nothing outside the state"
SEED = 3
"""The random seed of the game that most of these laws use; seats resign in it."""


@law(Scope.GAME, SEQUENCE, PURE)
def folding_is_what_was_tried(game: SampleGame) -> None:
    """A game folded from its events equals the game that was played."""
    if game.seed not in (0, SEED):
        return
    stream, ruleset = Stream.of(game.table), game.ruleset
    before = None
    for batch in batches(game.table, game.events, stream):
        version = stream.game.version
        if before is not None and snapshot.take(stream.game) != before:
            raise Breach(f"at version {version}, trying a move changed the game")
        stream.append(batch)
        before = snapshot.take(stream.game)
        if before != snapshot.take(batch.game) or batch.game.head != stream.game.head:
            raise Breach(f"from version {version} on, what is folded is another game")
    state = game.table.initial()
    for event in game.events:
        ruleset.reduce(state, event)
    if encode(ruleset.to_json(state)) != encode(ruleset.to_json(stream.game.state)):
        raise Breach("recorded, the game leads to another state")


@law(Scope.GAME, SEQUENCE, PURE)
def snapshots_play_on(game: SampleGame) -> None:
    """A game that is restored from a snapshot equals the original, and can go on."""
    if game.seed not in (0, SEED):
        return
    table, stream = game.table, Stream.of(game.table)
    for number, batch in enumerate(batches(table, game.events, stream)):
        stream.append(batch)
        if number % 7 == 3:
            taken = snapshot.take(stream.game)
            restored = snapshot.restore(GAME_ID, taken, registry_of(game.ruleset))
            if restored is None or snapshot.take(restored) != taken:
                raise Breach(f"at version {stream.game.version}, a snapshot is another game")
            # Revealed parts are checked only at a few events, because this check reads the whole
            # stream twice for each viewer.
            viewers = table.viewers if number % 70 == 3 else ()
            shown = [stream.copies(viewer) for viewer in viewers]
            stream.game = restored
            if [stream.copies(viewer) for viewer in viewers] != shown:
                raise Breach(f"at version {stream.game.version}, a snapshot opens other parts")


@law(Scope.GAME, SEQUENCE, PURE)
def events_are_stored_whole(game: SampleGame) -> None:
    """Events come back from a store as they were."""
    if game.seed not in (0, SEED):
        return
    for event in stream_of(game).events:
        stored = load(event.seq, *dump(event))
        written = [[e.by, [list(p) for p in e.body.values()]] for e in (stored, event)]
        if encode(written[0]) != encode(written[1]) or (
            (stored.seq, stored.last, stored.at, stored.hash, stored.state_proof)
            != (event.seq, event.last, event.at, event.hash, event.state_proof)
        ):
            raise Breach(f"event {event.seq} comes back otherwise")


@law(
    Scope.GAME,
    KNOWN,
    "a refusal follows from something hidden: list its code in hidden_errors; or a draw has"
    " another label than when it was recorded",
)
def records_verify(game: SampleGame) -> None:
    """The record of a game verifies for every viewer, at its end and while the game goes on."""
    if game.seed not in (0, SEED):
        return
    stream = stream_of(game)
    version = stream.game.version
    of_all = (version, version * 2 // 3) if game.seed else range(1, version + 1, version // 6 or 1)
    for viewer in game.table.viewers:
        for at in of_all:
            verify_copies(stream, viewer, stream.events[at - 1].last, game.ruleset)


def verify_copies(stream: Stream, viewer: Seat | None, version: int, ruleset: Ruleset[Any]) -> None:
    """Verify a viewer's copies up to ``version``; raise Breach if the verification fails."""
    report = verify(GAME_ID, stream.copies(viewer, version), registry_of(ruleset))
    wrong = [f for c in report.checks if c.name != "chance" for f in c.failures]
    if wrong:
        raise Breach(f"the record as {_named(viewer)} has it at version {version}: {wrong}")


@law(Scope.GAME, KNOWN, "the audience of a move or draw must depend only on public facts")
def copies_show_their_audience(game: SampleGame) -> None:
    """A viewer's copy has all revealed parts and all parts for the viewer, and no others."""
    if game.seed not in (0, SEED):
        return
    stream = stream_of(game)
    over = next((e.seq for e in stream.events if e.kind == "ended"), stream.game.version + 1)
    versions = sorted({event.last for event in stream.events})
    for version in random.Random(1).sample(versions, min(len(versions), 12)):
        opened = opened_parts(stream, version)
        for viewer in game.table.viewers:
            for event, copy in zip(stream.events, stream.copies(viewer, version), strict=False):
                wanted = {
                    name
                    for name, part in event.body.items()
                    if can_see(viewer, part.audience)
                    or (event.seq, name) in opened
                    or version >= over
                }
                if not copy["body"].keys() == wanted == copy["nonces"].keys():
                    shown = sorted(copy["body"])
                    raise Breach(f"event {event.seq} shows {_named(viewer)} {shown} at {version}")
                if copy["parts"].keys() != event.body.keys():
                    raise Breach(f"event {event.seq} does not commit to all of its parts")


@law(Scope.GAME, KNOWN, PURE)
def what_is_shown_proves_itself(game: SampleGame) -> None:
    """Every part that is shown, at once or later, matches its commitment."""
    if game.seed not in (0, SEED):
        return
    stream = stream_of(game)
    for viewer in game.table.viewers:
        copies = stream.copies(viewer)
        for copy in copies:
            for name, value in copy["body"].items():
                nonce = bytes.fromhex(copy["nonces"][name])
                if part_commitment(nonce, value).hex() != copy["parts"][name]:
                    raise Breach(f"the {name} of event {copy['seq']} is not what was committed to")
            for opened in copy["body"].get("opens", []):
                nonce = bytes.fromhex(opened["nonce"])
                sealed = copies[opened["seq"] - 1]["parts"][opened["part"]]
                if part_commitment(nonce, opened["value"]).hex() != sealed:
                    raise Breach(f"event {copy['seq']} opens another thing than was sealed")


@law(
    Scope.GAME,
    KNOWN,
    "something hidden changes what is sent of an event: a size, an effect, a draw's label",
)
def copies_tell_nothing_hidden(game: SampleGame) -> None:
    """If two games look the same to a seat, the copies that it gets have equal lengths."""
    for seat in all_seats(game.table.seats):
        one, other, different = hidden_twin(game, seat)
        if not different:
            continue  # equal events have equal copies
        streams = [played(game.table, script) for script in (one, other)]
        for viewer in (seat, None):
            sent = [stream.copies(viewer) for stream in streams]
            if len(sent[0]) != len(sent[1]):
                raise Breach(f"{_named(viewer)} is sent more events in one of two such games")
            for first, second in zip(*sent, strict=True):
                alike = without_hashes(first) == without_hashes(second)
                if not alike or len(encode(first)) != len(encode(second)):
                    raise Breach(f"{_named(viewer)} can tell by event {first['seq']}")


@law(Scope.GAME, KNOWN, "a value that the rules reveal contains a key or a nonce")
def no_key_follows_from_what_is_sent(game: SampleGame) -> None:
    """No state's key, and no hidden part's nonce, can be derived from the copies of all seats.

    With the key of a state proof, somebody could confirm a guess of the state.
    """
    if not game.table.default or game.seed != SEED:
        return
    stream = stream_of(game)
    before_the_end = next(e.seq for e in stream.events if e.kind == "ended") - 1
    everybody = [stream.copies(viewer, before_the_end) for viewer in game.table.viewers]
    shared = {found for sent in everybody for found in hex_strings(sent)}
    if SECRETS.salt in shared:
        raise Breach("the game's salt is sent")
    hidden = {
        part_nonce(SECRETS.salt, event.seq, name, stream.prev_hash(event.seq))
        for event in stream.events[:before_the_end]
        for name in event.body
        if all(name not in sent[event.seq - 1]["body"] for sent in everybody)
    }
    for event in targets(stream):
        prev_hash = stream.prev_hash(event.seq)
        known = key_guesses(everybody[0], event.seq, prev_hash, shared)
        if state_key(SECRETS.salt, event.seq, prev_hash) in known:
            raise Breach(f"the state key of event {event.seq} follows from what is sent")
        if hidden & known:
            raise Breach(f"the nonce of something hidden follows from event {event.seq}")


# What these laws examine


@cache
def stream_of(game: SampleGame) -> Stream:
    """Return the stream of a game."""
    return played(game.table, game.events)


def opened_parts(stream: Stream, version: int) -> set[tuple[int, str]]:
    """Return the parts that are revealed up to ``version``, as pairs of event number and name."""
    return {
        (opened["seq"], opened["part"])
        for event in stream.events[:version]
        if "opens" in event.body
        for opened in event.body["opens"].value
    }


def hidden_twin(game: SampleGame, seat: Seat) -> tuple[list[RulesEvent], list[RulesEvent], int]:
    """Return the beginnings of two games that ``seat`` cannot tell apart, and how they differ.

    The first two values are the events of the two games. The third value is the number of events
    that differ between them. Both beginnings stop before any difference is revealed, and before the
    game ends.

    If the sample game's seed is even, both games have the same sealed moves. If the seed is odd,
    sealed moves may differ. Then the beginnings are short, because the rules soon reveal sealed
    moves.
    """
    ruleset, rng = game.ruleset, random.Random(f"{game.table} {game.seed} {seat}")
    states = [game.table.initial(), game.table.initial()]
    # For each sealed part: whether it is the same in both games.
    sealed: dict[tuple[str, str, int], bool] = {}
    one: list[RulesEvent] = []
    two: list[RulesEvent] = []
    different = 0
    for event in game.events:
        moves_differ = bool(game.seed % 2)
        for other in _others(ruleset, states[0], event, seat, rng, moves_differ=moves_differ):
            if not possible(ruleset, states[1], other):
                continue
            sealed[_key(event)] = _content(event) == _content(other)
            ends = [reduced(ruleset, s, e) for s, e in zip(states, (event, other), strict=True)]
            over = any(isinstance(ruleset.turn(after), GameOver) for after, _, _ in ends)
            opened = {key for _, _, keys in ends for key in keys}
            if over or not all(sealed.get(key) for key in opened):
                return one, two, different
            known = [encode(ruleset.information(after, seat)) for after, _, _ in ends]
            if known[0] == known[1]:
                break
        else:
            return one, two, different
        states = [after for after, _, _ in ends]
        one.append(event)
        two.append(other)
        different += not sealed[_key(event)]
    return one, two, different


def _key(event: RulesEvent) -> tuple[str, str, int]:
    if isinstance(event, MoveEvent):
        return "move", event.move.type, event.seat
    if isinstance(event, ChanceEvent):
        return "picks", event.label, event.n
    return "resigned", "", event.seat


def _content(event: RulesEvent) -> Any:
    if isinstance(event, MoveEvent):
        return event.move
    return tuple(event.picks) if isinstance(event, ChanceEvent) else None


def _others(
    ruleset: Ruleset[Any],
    state: Any,
    event: RulesEvent,
    seat: Seat,
    rng: random.Random,
    *,
    moves_differ: bool,
) -> Iterator[RulesEvent]:
    """Yield events that ``seat`` cannot distinguish from ``event``; the last one is ``event``."""
    turn = ruleset.turn(state)
    if (
        isinstance(event, ChanceEvent)
        and isinstance(turn, Chance)
        and not can_see(seat, turn.audience)
    ):
        for _ in range(64):  # several tries, because this seat must get the same cards as before
            yield ChanceEvent(event.label, event.n, [rng.randrange(size) for size in turn.sizes])
    if moves_differ and isinstance(event, MoveEvent) and event.move.secret and event.seat != seat:
        moves = [m for m in ruleset.legal_moves(state, event.seat) if type(m) is type(event.move)]
        yield from (MoveEvent(event.seat, move) for move in rng.sample(moves, len(moves)))
    yield event


def without_hashes(value: Any, name: str = "") -> Any:
    """Return a JSON value in which lengths replace hashes and nonces."""
    if isinstance(value, dict):
        return {
            n: without_hashes(v, name if name in ("parts", "nonces") else n)
            for n, v in value.items()
        }
    if isinstance(value, list):
        return [without_hashes(item, name) for item in value]
    return len(value) if name in ("parts", "nonces", "nonce", "state_proof", "hash") else value


_HEX = re.compile(r"[0-9a-f]{64}\Z")


def hex_strings(value: Any) -> set[bytes]:
    """Find the strings in a JSON value that are 32 bytes in hex, and return their bytes."""
    if isinstance(value, dict):
        return {found for item in value.values() for found in hex_strings(item)}
    if isinstance(value, list):
        return {found for item in value for found in hex_strings(item)}
    return {bytes.fromhex(value)} if isinstance(value, str) and _HEX.match(value) else set()


def key_guesses(sent: list[JsonObject], seq: int, prev_hash: bytes, more: set[bytes]) -> set[bytes]:
    """Return all keys that an attacker could try for event ``seq``.

    ``sent`` has the copies of the game's events that the attacker received, in order. ``more`` has
    further 32-byte values that the attacker knows. Each key is one of the 32-byte values in
    ``sent`` and ``more``, or is computed from them and from ``prev_hash``, the hash before the
    event.
    """
    near = hex_strings(sent[seq - 1]) | hex_strings(sent[seq - 2]) | {prev_hash}
    everything = hex_strings(sent) | more
    found = set(everything)
    for one in everything:
        found.add(digest(one))
        found.add(mac(one, prev_hash))
        found.add(digest(one + prev_hash))
        for label in ("state", "part", "draw", "key"):
            found.add(derive(one, label, seq, prev_hash.hex()))
            found.add(derive(one, label, seq))
        found.add(derive(one, "part", seq, "state", prev_hash.hex()))
    for one in near:
        found |= {mac(one, other) for other in near} | {digest(one + other) for other in near}
    return found


def targets(stream: Stream) -> list[Event]:
    """Return the events whose keys the law tries to derive: the first eight and the last four.

    Only events that start a game or continue it are counted.
    """
    running = [e for e in stream.events if e.kind in ("started", "moved", "chanced", "resigned")]
    return [*running[:8], *running[-4:]]


def _named(viewer: Seat | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"
