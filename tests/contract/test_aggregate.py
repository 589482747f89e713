"""Rulesets inside the game aggregate: what is recorded, and what each viewer is sent of it."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from rules.kernel.canonical import JsonObject, derive, digest, encode, mac
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.effects import can_see
from rules.kernel.contract.ruleset import Chanced, Finished, Moved, Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.proof.verify import verify
from rules.kernel.record import snapshot
from rules.kernel.record.events import Event, dump, load
from rules.kernel.record.secrets import part_commitment, part_nonce, state_key
from tests.contract.driver import GAME_ID, SECRETS, Stream, batches, played
from tests.contract.tables import (
    REGISTRY,
    SEEDS,
    RulesEvent,
    Table,
    default_tables,
    record,
    reduced,
)
from tests.contract.test_secrecy import possible

SEED = 3
"""A game with resignations."""


@pytest.fixture(scope="module")
def streams() -> dict[str, Stream]:
    return {}


def the_stream(table: Table, streams: dict[str, Stream]) -> Stream:
    if table.name not in streams:
        streams[table.name] = played(table, record(table, SEED))
    return streams[table.name]


def test_folding_what_was_sealed_is_what_the_batch_tried(table: Table) -> None:
    stream = Stream()
    before = None
    for batch in batches(table, record(table, SEED), stream):
        where = f"{table}, seed {SEED}, version {stream.game.version}"
        if before is not None:
            assert snapshot.take(stream.game) == before, f"{where}: trying a batch changed the game"
        stream.append(batch)
        before = snapshot.take(stream.game)
        assert snapshot.take(batch.game) == before, where
        assert batch.game.head == stream.game.head, where
    assert stream.game.over, table
    state = table.initial()
    for event in record(table, SEED):
        table.ruleset.reduce(state, event)
    assert encode(table.ruleset.to_json(state)) == encode(table.ruleset.to_json(stream.game.state))


def test_a_snapshot_in_the_middle_plays_on(table: Table) -> None:
    stream = Stream()
    for number, batch in enumerate(batches(table, record(table, SEED), stream)):
        stream.append(batch)
        if number % 7 == 3:
            taken = snapshot.take(stream.game)
            restored = snapshot.restore(GAME_ID, taken, REGISTRY)
            assert restored is not None
            assert snapshot.take(restored) == taken, f"{table}, version {stream.game.version}"
            # What is open, only now and then: it takes the whole stream for each viewer, twice.
            viewers = table.viewers if number % 70 == 3 else ()
            shown = [stream.copies(viewer) for viewer in viewers]
            stream.game = restored
            assert [stream.copies(viewer) for viewer in viewers] == shown, "what is open"
    assert stream.game.over, table


def test_events_are_stored_whole(table: Table, streams: dict[str, Stream]) -> None:
    for event in the_stream(table, streams).events:
        stored = load(event.seq, *dump(event))
        assert (stored.seq, stored.last, stored.at) == (event.seq, event.last, event.at)
        assert encode([stored.by, [list(p) for p in stored.body.values()]]) == encode(
            [event.by, [list(p) for p in event.body.values()]]
        )
        assert (stored.hash, stored.state_proof) == (event.hash, event.state_proof)


def test_the_record_verifies_for_everybody(table: Table, streams: dict[str, Stream]) -> None:
    stream = the_stream(table, streams)
    for viewer in table.viewers:
        for version in (stream.game.version, stream.game.version * 2 // 3):
            last = stream.events[version - 1].last
            report = verify(GAME_ID, stream.copies(viewer, last), REGISTRY)
            wrong = [f for c in report.checks if c.name != "chance" for f in c.failures]
            assert not wrong, f"{table}, {viewer} at version {last}: {wrong}"


def opened_parts(stream: Stream, version: int) -> set[tuple[int, str]]:
    return {
        (opened["seq"], opened["part"])
        for event in stream.events[:version]
        if "opens" in event.body
        for opened in event.body["opens"].value
    }


def test_copies_show_their_audience_and_no_more(table: Table, streams: dict[str, Stream]) -> None:
    stream = the_stream(table, streams)
    over = next(event.seq for event in stream.events if event.kind == "ended")
    versions = sorted({event.last for event in stream.events})
    for version in random.Random(1).sample(versions, min(len(versions), 12)):
        opened = opened_parts(stream, version)
        for viewer in table.viewers:
            for event, copy in zip(stream.events, stream.copies(viewer, version), strict=False):
                wanted = {
                    name
                    for name, part in event.body.items()
                    if can_see(viewer, part.audience)
                    or (event.seq, name) in opened
                    or version >= over
                }
                where = f"{table}: {viewer} at {version} of event {event.seq}"
                assert copy["body"].keys() == wanted == copy["nonces"].keys(), where
                assert copy["parts"].keys() == event.body.keys(), where


def test_what_is_shown_proves_itself(table: Table, streams: dict[str, Stream]) -> None:
    stream = the_stream(table, streams)
    openings = 0
    for viewer in table.viewers:
        copies = stream.copies(viewer)
        for copy in copies:
            for name, value in copy["body"].items():
                nonce = bytes.fromhex(copy["nonces"][name])
                assert part_commitment(nonce, value).hex() == copy["parts"][name]
            for opened in copy["body"].get("opens", []):
                openings += 1
                nonce = bytes.fromhex(opened["nonce"])
                sealed = copies[opened["seq"] - 1]["parts"][opened["part"]]
                assert part_commitment(nonce, opened["value"]).hex() == sealed
    secret = any(isinstance(e, Moved) and e.move.secret for e in record(table, SEED))
    if table.ruleset.info.id == "sealed" and secret:
        assert openings


def hidden_twin(
    table: Table, seed: int, seat: Seat
) -> tuple[list[RulesEvent], list[RulesEvent], int]:
    """Return two beginnings of a game between which ``seat`` sees no difference.

    Also says in how many events they differ. They end before anything is opened that differs, and
    before the end. Sealed moves differ in games of odd seeds only: these end soon.
    """
    ruleset, rng = table.ruleset, random.Random(f"{table} {seed} {seat}")
    states = [table.initial(), table.initial()]
    sealed: dict[tuple[str, str, int], bool] = {}  # whether both hold the same
    one: list[RulesEvent] = []
    two: list[RulesEvent] = []
    different = 0
    for event in record(table, seed):
        moves_differ = bool(seed % 2)
        for other in others(ruleset, states[0], event, seat, rng, moves_differ=moves_differ):
            if not possible(ruleset, states[1], other):
                continue
            sealed[_key(event)] = _content(event) == _content(other)
            ends = [reduced(ruleset, s, e) for s, e in zip(states, (event, other), strict=True)]
            over = any(isinstance(ruleset.turn(after), Finished) for after, _, _ in ends)
            opened = {key for _, _, keys in ends for key in keys}
            if over or not all(sealed[key] for key in opened):
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
    if isinstance(event, Moved):
        return "move", event.move.type, event.seat
    if isinstance(event, Chanced):
        return "picks", event.label, event.n
    return "resigned", "", event.seat


def _content(event: RulesEvent) -> Any:
    if isinstance(event, Moved):
        return event.move
    return tuple(event.picks) if isinstance(event, Chanced) else None


def others(
    ruleset: Ruleset[Any],
    state: Any,
    event: RulesEvent,
    seat: Seat,
    rng: random.Random,
    *,
    moves_differ: bool,
) -> Iterator[RulesEvent]:
    """Yield events that ``seat`` cannot tell from ``event``, it at last."""
    turn = ruleset.turn(state)
    if isinstance(event, Chanced) and isinstance(turn, Chance) and not can_see(seat, turn.audience):
        for _ in range(
            64
        ):  # one draw may deal to everybody, and this seat's part is to be the same
            yield Chanced(event.label, event.n, [rng.randrange(size) for size in turn.sizes])
    if moves_differ and isinstance(event, Moved) and event.move.secret and event.seat != seat:
        moves = [m for m in ruleset.legal_moves(state, event.seat) if type(m) is type(event.move)]
        yield from (Moved(event.seat, move) for move in rng.sample(moves, len(moves)))
    yield event


def test_copies_tell_nothing_hidden(table: Table, seed: int) -> None:
    """Between two games that differ in what a seat does not see, its copies differ in no length."""
    for seat in all_seats(table.seats):
        one, other, different = hidden_twin(table, seed, seat)
        if not different:
            continue  # the same events have the same copies
        streams = [played(table, script) for script in (one, other)]
        for viewer in (seat, None):
            sent = [stream.copies(viewer) for stream in streams]
            assert len(sent[0]) == len(sent[1])
            for first, second in zip(*sent, strict=True):
                where = f"{table}, seed {seed}: {viewer} can tell by event {first['seq']}"
                assert len(encode(first)) == len(encode(second)), where
                assert without_hashes(first) == without_hashes(second), where


@pytest.mark.parametrize("hiding", ["manila", "plus_ultra", "ragusa", "sealed"])
def test_there_are_games_that_differ_in_what_is_hidden(hiding: str) -> None:
    tables = [table for table in default_tables() if table.ruleset.info.id == hiding]
    assert any(
        hidden_twin(table, seed, seat)[2]
        for table in tables
        for seed in SEEDS
        for seat in all_seats(table.seats)
    )


def without_hashes(value: Any, name: str = "") -> Any:
    """Replace what is a hash or a nonce by its length; names and all else stay."""
    if isinstance(value, dict):
        return {
            n: without_hashes(v, name if name in ("parts", "nonces") else n)
            for n, v in value.items()
        }
    if isinstance(value, list):
        return [without_hashes(item, name) for item in value]
    return len(value) if name in ("parts", "nonces", "nonce", "state_proof", "hash") else value


def test_the_twins_really_differ() -> None:
    tables = [table for table in default_tables() if table.ruleset.info.id == "sealed"]
    found = [
        hidden_twin(t, seed, seat)[2] for t in tables for seed in (1, 2) for seat in all_seats(2)
    ]
    assert sum(found) > len(found)


_HEX = re.compile(r"[0-9a-f]{64}\Z")


def hex_strings(value: Any) -> set[bytes]:
    """Return every 32-byte string that stands anywhere in JSON."""
    if isinstance(value, dict):
        return {found for item in value.values() for found in hex_strings(item)}
    if isinstance(value, list):
        return {found for item in value for found in hex_strings(item)}
    return {bytes.fromhex(value)} if isinstance(value, str) and _HEX.match(value) else set()


def guesses(sent: list[JsonObject], seq: int, prev_hash: bytes, more: set[bytes]) -> set[bytes]:
    """Return keys that an attacker can make of what it was sent, for the event ``seq``."""
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
    running = [e for e in stream.events if e.kind in ("started", "moved", "chanced", "resigned")]
    return [*running[:8], *running[-4:]]


def test_no_state_key_follows_from_what_anybody_is_sent(
    ruleset: Ruleset[Any], streams: dict[str, Stream]
) -> None:
    """With a state key, the proof of a state would tell a good guess of it from a bad one.

    The attacker here is every seat at once.
    """
    for table in default_tables(ruleset):
        stream = the_stream(table, streams)
        before_the_end = next(e.seq for e in stream.events if e.kind == "ended") - 1
        everybody = [stream.copies(viewer, before_the_end) for viewer in table.viewers]
        shared = {found for sent in everybody for found in hex_strings(sent)}
        assert SECRETS.salt not in shared
        hidden = {
            part_nonce(SECRETS.salt, event.seq, name, stream.prev_hash(event.seq))
            for event in stream.events[:before_the_end]
            for name in event.body
            if all(name not in sent[event.seq - 1]["body"] for sent in everybody)
        }
        for event in targets(stream):
            prev_hash = stream.prev_hash(event.seq)
            key = state_key(SECRETS.salt, event.seq, prev_hash)
            known = guesses(everybody[0], event.seq, prev_hash, shared)
            assert key not in known, f"{table}: the state key of event {event.seq}"
            assert not hidden & known, f"{table}: the nonce of something hidden"


def test_a_leaked_salt_would_be_found(streams: dict[str, Stream]) -> None:
    """The attack above works when there is something to find."""
    table = default_tables()[0]
    stream = the_stream(table, streams)
    event = targets(stream)[5]
    prev_hash = stream.prev_hash(event.seq)
    known = guesses(stream.copies(Seat(0), event.seq), event.seq, prev_hash, {SECRETS.salt})
    assert state_key(SECRETS.salt, event.seq, prev_hash) in known
