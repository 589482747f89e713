"""Games with damaged streams: they are suspended, show their sound events, and can be ended."""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import pytest
from redis import Redis
from redis.exceptions import ResponseError

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.proof.verdicts import NOT_WHOLLY, PROVED
from rules.kernel.record.batch import Batch
from rules.kernel.record.events import UNREADABLE, Draft, Event, public, seal
from rules.kernel.record.game import ABORTED, LOBBY, Game
from service.cli.verifying import VerifyOptions, verify_game
from service.games.commands import TableCommands
from service.games.listing import GameList
from service.ids import new_game_id, shard_of
from service.ledger import export
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import AppendedBatch, Ledger
from service.ledger.origin import IMPORTED, Origin
from service.ledger.run import BufferedGame
from service.ledger.store import Store
from service.records.game_file import Record
from service.records.receipts import Signer
from service.redis.keys import game_key, shard_key
from service.upkeep import maintenance
from service.upkeep.inspection import Finding
from service.upkeep.maintenance import NotDamagedError, end_damaged
from tests.service.cli import records
from tests.service.ledger.conftest import (
    PLAYERS,
    REGISTRY,
    choose,
    lay,
    newest_snapshot,
    play,
    start,
    state_of,
)
from tests.service.verifier.programs import reports, standing, text_of

Fields = dict[bytes, bytes]
Harm = Callable[[Fields], Fields | None]
BY: JsonObject = {"admin": "Ana"}


def changed(**members: Any) -> Harm:
    """Change members of the stored JSON of an event."""

    def harm(fields: Fields) -> Fields:
        return {**fields, b"e": orjson.dumps({**orjson.loads(fields[b"e"]), **members})}

    return harm


HARMS: dict[str, tuple[Harm, str]] = {
    "missing": (lambda _fields: None, "gap"),
    "not JSON": (lambda fields: {**fields, b"e": b"\xff{"}, "broken_chain"),
    "something else": (lambda _fields: {b"x": b"y"}, "broken_chain"),
    "an unknown kind": (changed(k="flown"), "broken_chain"),
    "no parts": (changed(p={}), "broken_chain"),
    "parts that are none": (changed(p={"move": 5}), "broken_chain"),
    "an impossible seat": (changed(b={"seat": 77}), "broken_chain"),
    "a batch that is none": (changed(l="x"), "broken_chain"),
    "another state": (
        lambda fields: {**fields, b"p": bytes(32) + fields[b"p"][32:]}, "broken_chain",
    ),
}  # fmt: skip
BREAK_THE_FOLD = [name for name in HARMS if name != "another state"]


def damage(redis: Redis, game_id: str, seq: int, harm: Harm) -> None:
    """Change one event in the middle of a stream."""
    key = game_key(game_id, "events")
    entries: Any = redis.xrange(key)
    redis.delete(key)
    for entry_id, fields in entries:
        now = harm(fields) if entry_id == b"%d-0" % seq else fields
        if now is not None:
            redis.xadd(key, now, id=entry_id)  # type: ignore[arg-type]  # bytes are fine


def findings(store: Store) -> list[Finding]:
    return [finding for finding in maintenance.check(store, REGISTRY) if finding]


def first_move(tables: TableCommands, game: Game) -> int:
    """Return the first event after the batch with the game's start."""
    events = tables.ledger.events(game.id, 0, 1000)
    return next(event.seq for event, _prev_hash in events if event.kind == "moved")


@pytest.fixture
def game(tables: TableCommands) -> Game:
    """A game of three with a clock, with some moves played."""
    return play(tables, start(tables, clock_limits={"decision_seconds": 600}).id, 5)


@pytest.mark.parametrize("name", HARMS)
def test_a_damaged_game_is_found_and_the_others_are_checked(
    tables: TableCommands, store: Store, redis_client: Redis, name: str
) -> None:
    games = [play(tables, start(tables).id, 3) for _ in range(4)]
    harm, problem = HARMS[name]
    for game in games[:3]:
        damage(redis_client, game.id, first_move(tables, game), harm)
    found = findings(store)
    assert {finding.game_id: finding.problem for finding in found} == {
        game.id: problem for game in games[:3]
    }
    assert not any(finding.repairable for finding in found)


@pytest.mark.parametrize("name", BREAK_THE_FOLD)
@pytest.mark.parametrize("cached", [True, False])
def test_the_service_suspends_what_it_cannot_fold(
    tables: TableCommands, store: Store, redis_client: Redis, game: Game, name: str, *, cached: bool
) -> None:
    at = first_move(tables, game)
    sound = tables.ledger.game_at(game.id, at - 1)
    ledger = Ledger(store, REGISTRY)
    if cached:  # the cache has the sound part, and the next event was damaged
        key = game_key(game.id, "events")
        everything = redis_client.dump(key)
        for seq in range(at, game.version + 1):
            redis_client.xdel(key, f"{seq}-0")
        assert ledger.table(game.id).game.version == at - 1
        redis_client.restore(key, 0, everything, replace=True)  # type: ignore[arg-type]
    damage(redis_client, game.id, at, HARMS[name][0])
    table = ledger.table(game.id)
    assert table.damage is not None
    assert table.damage.to_json()["sound"] == {"seq": sound.version, "hash": sound.head.hex()}
    assert state_of(table.game) == state_of(sound)
    assert state_of(ledger.game_at(game.id, None)) == state_of(sound)
    suspended(store, game.id)


def suspended(store: Store, game_id: str) -> None:
    """Fail unless nobody can play on, and the game has no obligations."""
    tables = TableCommands(Ledger(store, REGISTRY))
    now = tables.ledger.table(game_id).game
    seat = min(now.asked)
    with pytest.raises(GameDamagedError):
        tables.move(game_id, seat, choose(now, seat), now.version, PLAYERS[seat])
    with pytest.raises(GameDamagedError):
        tables.resign(game_id, seat, PLAYERS[seat])
    for name in ("due", "deadlines"):
        assert store.redis.zscore(shard_key(shard_of(game_id), name), game_id) is None


@pytest.mark.parametrize("name", HARMS)
def test_what_check_finds_suspends_the_game_until_it_is_sound_again(
    tables: TableCommands, store: Store, redis_client: Redis, game: Game, name: str
) -> None:
    at, key = first_move(tables, game), game_key(game.id, "events")
    sound = tables.ledger.game_at(game.id, at - 1)
    everything = redis_client.dump(key)
    damage(redis_client, game.id, at, HARMS[name][0])
    assert findings(store)
    for ledger in (tables.ledger, Ledger(store, REGISTRY)):  # with and without a cache
        assert state_of(ledger.table(game.id).game) == state_of(sound)
        assert ledger.table(game.id).damage is not None
    suspended(store, game.id)
    redis_client.restore(key, 0, everything, replace=True)  # type: ignore[arg-type]
    assert [finding.problem for finding in findings(store)] == ["wrong_deadline"]
    list(maintenance.repair(store, REGISTRY))
    assert findings(store) == []
    now = play(tables, game.id, 1, key="on")
    assert now.version > game.version


def test_an_event_that_fits_the_chain_and_not_the_game(
    tables: TableCommands, store: Store, redis_client: Redis, game: Game
) -> None:
    """As if a process had checked the move in a position that never existed."""
    other = start(tables)
    salt = tables.ledger.table(game.id).secrets.salt
    bid = {"move": public({"type": "bid", "amount": 99})}
    state = encode(game.ruleset.to_json(game.state))
    draft = Draft(game.version + 1, "moved", {"seat": 77}, bid, state, ())
    lay(store, game.id, seal([draft], {}, game.head, salt, game.at))
    (found,) = findings(store)
    assert (found.game_id, found.problem, found.seq) == (game.id, "not_applicable", draft.seq)
    assert state_of(tables.ledger.table(game.id).game) == state_of(game)
    suspended(store, game.id)
    play(tables, other.id, 1)


def test_an_event_that_proves_another_state(
    tables: TableCommands, store: Store, game: Game
) -> None:
    salt = tables.ledger.table(game.id).secrets.salt
    seat = max(game.asked)
    draft = Draft(game.version + 1, "resigned", {"seat": seat}, {}, encode({"silver": 99}), ())
    lay(store, game.id, seal([draft], {}, game.head, salt, game.at))
    (found,) = findings(store)
    assert (found.problem, found.seq) == ("wrong_state", draft.seq)
    suspended(store, game.id)


def test_a_writer_that_knows_of_no_damage_is_refused(
    tables: TableCommands, store: Store, redis_client: Redis, game: Game
) -> None:
    """Its cache would allow the move, but the script refuses it."""
    damage(redis_client, game.id, first_move(tables, game), HARMS["another state"][0])
    assert findings(store)
    seat = min(game.asked)
    with pytest.raises(GameDamagedError):
        tables.move(game.id, seat, choose(game, seat), game.version, PLAYERS[seat])


@pytest.mark.parametrize("name", HARMS)
def test_an_operator_ends_it(
    tables: TableCommands, store: Store, redis_client: Redis, game: Game, name: str
) -> None:
    at = first_move(tables, game)
    sound = tables.ledger.game_at(game.id, at - 1)
    knows = Ledger(store, REGISTRY)
    knows.table(game.id)
    damage(redis_client, game.id, at, HARMS[name][0])
    ended = end_damaged(store, REGISTRY, game.id, BY)
    assert [event.kind for event in ended] == ["aborted", "chance_revealed"]
    assert ended[0].seq == game.version + 1
    assert ended[0].by == BY
    assert ended[0].body["aborted"].value == {
        "reason": "damaged",
        "withheld_by": [],
        "sound": {"seq": sound.version, "hash": sound.head.hex()},
    }
    salt = tables.ledger.table(game.id).secrets.salt
    assert ended[0].body["salt"].value == {"salt_secret": salt.hex()}
    now = Ledger(store, REGISTRY).table(game.id).game
    for ledger in (tables.ledger, knows):
        table = ledger.table(game.id)
        assert state_of(table.game) == state_of(now)
        assert (now.status, now.version, now.head) == (ABORTED, ended[-1].seq, ended[-1].hash)
        assert now.ruleset.to_json(now.state) == sound.ruleset.to_json(sound.state)
        assert table.damage is None
    assert findings(store) == []
    with pytest.raises(NotDamagedError):
        end_damaged(store, REGISTRY, game.id, BY)


def test_an_imported_one_stays_listed_as_imported(
    tables: TableCommands, store: Store, redis_client: Redis, game: Game
) -> None:
    origin = Origin("Ana", game.at, "00" * 32, {"key_id": "00" * 8}, is_own=False)
    redis_client.set(game_key(game.id, IMPORTED), origin.dump())
    damage(redis_client, game.id, first_move(tables, game), HARMS["missing"][0])
    end_damaged(store, REGISTRY, game.id, BY)
    games = GameList(redis_client, tables.ledger)
    (row,) = games.page(9).games
    assert row["imported"] == origin.to_json()
    assert games.page(9, player=PLAYERS[0]).games == []


EVERY_HARM = [
    *product(HARMS, ("a move", "the newest")), ("missing", "once known"),
    ("nothing", "what nobody can read"),
]  # fmt: skip


def test_its_record_is_neither_proved_nor_failed_by_either_verifier(
    tables: TableCommands, store: Store, redis_client: Redis, tmp_path: Path
) -> None:
    """Whatever the damage is, the record has it, and all other facts in the record are true."""
    found = []
    for name, where in EVERY_HARM:
        game = play(tables, start(tables).id, 5)
        if where == "once known":
            no_newest(redis_client, game)
        elif where == "what nobody can read":
            strange_finding(redis_client, game)
        elif (name, where) != ("missing", "the newest"):  # which is unknown
            at = first_move(tables, game) if where == "a move" else game.version
            damage(redis_client, game.id, at, HARMS[name][0])
        else:
            continue
        end_damaged(store, REGISTRY, game.id, BY)
        found.append((name, where, record_of(store, game.id)))
    told = reports(tmp_path, [text_of(record) for *_, record in found])
    for (name, where, record), theirs in zip(found, told, strict=True):
        ours = verify_game(record, VerifyOptions(bots=True), records.REGISTRY)
        wrong = [check.failures for check in ours.checks], theirs["findings"]
        wanted = PROVED if name == "nothing" else NOT_WHOLLY
        assert ours.verdict == wanted, (name, where, wrong)
        assert theirs["verdict"] == NOT_WHOLLY, (name, where, wrong)
        assert standing(theirs) == ("sound" if name == "nothing" else "open")
        assert record.header["version"] == len(record.copies), (name, where)


def record_of(store: Store, game_id: str) -> Record:
    """Return the record of a game, as `lonja export` writes it."""
    ledger = Ledger(store, REGISTRY)
    first, *copies = export.lines(Exporting(ledger, records.SIGNER), ledger.table(game_id), None)
    return Record(first, copies)


class Exporting(NamedTuple):
    """An object that writes the record of a game."""

    ledger: Ledger
    signer: Signer


def test_the_end_settles_what_was_found(
    tables: TableCommands, store: Store, redis_client: Redis, game: Game
) -> None:
    damage(redis_client, game.id, first_move(tables, game), HARMS["not JSON"][0])
    assert findings(store)
    assert store.damage(game.id) is not None
    end_damaged(store, REGISTRY, game.id, BY)
    assert store.damage(game.id) is None
    assert Ledger(store, REGISTRY).table(game.id).damage is None


def test_no_snapshot_goes_on_after_the_damage(
    tables: TableCommands, store: Store, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.ledger.snapshots.EVERY", 1)
    game = play(tables, start(tables).id, 5)
    raw, version = newest_snapshot(redis_client, game.id)
    at = first_move(tables, game)
    sound = tables.ledger.game_at(game.id, at - 1)
    damage(redis_client, game.id, at, HARMS["not JSON"][0])
    assert findings(store)
    assert state_of(Ledger(store, REGISTRY).game_at(game.id, None)) == state_of(sound)
    redis_client.zadd(game_key(game.id, "snapshots"), {raw: version})  # by a slow process
    assert Ledger(store, REGISTRY).table(game.id).damage is not None


def test_lists_show_the_end(
    tables: TableCommands, store: Store, redis_client: Redis, game: Game
) -> None:
    games = GameList(redis_client, tables.ledger)
    assert [listed["status"] for listed in games.page(9).games] == ["running"]
    damage(redis_client, game.id, first_move(tables, game), HARMS["not JSON"][0])
    end_damaged(store, REGISTRY, game.id, BY)
    assert [listed["status"] for listed in games.page(9).games] == ["aborted"]


def test_a_sound_game_cannot_be_ended(tables: TableCommands, store: Store, game: Game) -> None:
    with pytest.raises(NotDamagedError):
        end_damaged(store, REGISTRY, game.id, BY)
    assert tables.ledger.table(game.id).game.version == game.version


@pytest.mark.parametrize("name", ["not JSON", "something else", "an unknown kind", "no parts"])
def test_a_game_that_cannot_even_be_opened(
    tables: TableCommands, store: Store, redis_client: Redis, game: Game, name: str
) -> None:
    other = start(tables)
    damage(redis_client, game.id, 1, HARMS[name][0])
    games = GameList(redis_client, Ledger(store, REGISTRY))
    assert {listed["id"] for listed in games.page(9).games} == {game.id, other.id}
    for ledger in (Ledger(store, REGISTRY), tables.ledger):
        with pytest.raises(GameDamagedError):
            ledger.table(game.id)
    ended = end_damaged(store, REGISTRY, game.id, BY)
    assert ended[0].body["aborted"].value["sound"]["seq"] == 0
    with pytest.raises(GameDamagedError):
        tables.ledger.table(game.id)
    assert findings(store) == []
    assert [listed["id"] for listed in games.page(9).games] == [other.id]
    assert len(list(games.rebuild())) == 2
    assert [listed["id"] for listed in games.page(9).games] == [other.id]


def test_a_stream_without_events_is_found_and_the_others_are_checked(
    tables: TableCommands, store: Store, redis_client: Redis, game: Game
) -> None:
    others = [start(tables) for _ in range(3)]
    redis_client.xtrim(game_key(game.id, "events"), maxlen=0, approximate=False)
    damage(redis_client, others[1].id, 2, HARMS["not JSON"][0])
    assert {finding.game_id: finding.problem for finding in findings(store)} == {
        game.id: "gap", others[1].id: HARMS["not JSON"][1],
    }  # fmt: skip


@pytest.mark.parametrize("lost", [1, 0], ids=["the beginning", "a move"])
def test_a_game_whose_past_is_lost_under_a_process_is_suspended(
    tables: TableCommands, store: Store, redis_client: Redis, game: Game, lost: int
) -> None:
    """Its newest event exists, so a process with a cached game notices only at a read."""
    lost = lost or first_move(tables, game)
    assert tables.ledger.earlier(game, lost + 1).version == lost + 1
    redis_client.xdel(game_key(game.id, "events"), f"{lost}-0")
    for read in (
        lambda: tables.ledger.earlier(game, lost + 1),
        lambda: tables.ledger.effects(game, 0, lost + 1),
    ):
        with pytest.raises(GameDamagedError):
            read()
    found = store.damage(game.id)
    assert found is not None
    assert found.sound_seq == lost - 1
    seat = min(game.asked)
    with pytest.raises(GameDamagedError):
        tables.move(game.id, seat, choose(game, seat), game.version, PLAYERS[seat])
    assert not [f for f in findings(store) if f.problem != "gap"]


def resign(game: Game) -> Callable[[Batch], None]:
    seat = min(game.asked)
    return lambda batch: batch.resign(seat, {"player": PLAYERS[seat]})


def no_stream(redis: Redis, game: Game) -> None:
    redis.delete(game_key(game.id, "events"))
    redis.hset(game_key(game.id, "events"), "x", "y")


def no_newest(redis: Redis, game: Game) -> None:
    redis.xdel(game_key(game.id, "events"), f"{game.version}-0")


def no_events(redis: Redis, game: Game) -> None:
    redis.xtrim(game_key(game.id, "events"), maxlen=0, approximate=False)


def strange_finding(redis: Redis, game: Game) -> None:
    redis.delete(game_key(game.id, "damage"))
    redis.rpush(game_key(game.id, "damage"), "x")


SPOILS: dict[Callable[[Redis, Game], None], str] = {
    no_stream: "broken_chain",
    no_newest: "broken_chain",
    no_events: "gap",
    strange_finding: "unknown_damage",
}


@pytest.mark.parametrize("checked", [True, False], ids=["checked", "not checked"])
@pytest.mark.parametrize("spoil", SPOILS)
def test_what_no_process_wrote_is_reported_and_can_be_ended(
    tables: TableCommands,
    store: Store,
    redis_client: Redis,
    game: Game,
    spoil: Callable[[Redis, Game], None],
    *,
    checked: bool,
) -> None:
    others = [start(tables) for _ in range(3)]
    spoil(redis_client, game)
    if checked:
        for _ in range(2):
            assert [(f.game_id, f.problem) for f in findings(store)] == [(game.id, SPOILS[spoil])]
    for ledger in (tables.ledger, Ledger(store, REGISTRY)):
        with pytest.raises(GameDamagedError):
            ledger.change(game.id, resign(game))
    for name in ("due", "deadlines"):
        assert redis_client.zscore(shard_key(shard_of(game.id), name), game.id) is None
    (aborted, *_seed) = end_damaged(store, REGISTRY, game.id, BY)
    assert aborted.kind == ABORTED
    assert findings(store) == []
    for other in others:
        play(tables, other.id, 1)


def test_what_lay_in_the_place_of_a_stream_is_put_aside(
    store: Store, redis_client: Redis, game: Game
) -> None:
    no_stream(redis_client, game)
    end_damaged(store, REGISTRY, game.id, BY)
    assert redis_client.hgetall(game_key(game.id, "aside")) == {b"x": b"y"}


def test_a_finding_that_nobody_can_read_is_repaired(
    tables: TableCommands, store: Store, redis_client: Redis, game: Game
) -> None:
    strange_finding(redis_client, game)
    assert [f.problem for f in maintenance.repair(store, REGISTRY) if f] == ["unknown_damage"]
    assert findings(store) == []
    assert play(tables, game.id, 1, key="on").version > game.version


def test_a_game_played_by_one_process_stops_where_its_end_was_removed(
    tables: TableCommands, store: Store, redis_client: Redis, game: Game
) -> None:
    table = tables.ledger.table(game.id)
    run = BufferedGame(store, table.game.fork(), table.secrets, game.at)
    run.record(resign(game))
    no_newest(redis_client, game)
    with pytest.raises(GameDamagedError):
        run.flush()


def test_a_game_without_its_secrets_is_suspended_wherever_it_is_known(
    tables: TableCommands,
    new_ledger: Callable[[], Ledger],
    store: Store,
    redis_client: Redis,
    game: Game,
) -> None:
    """Later events could not be proved, so even a process with the secrets stops playing."""
    secrets: Any = redis_client.hgetall(game_key(game.id, "secrets"))
    redis_client.delete(game_key(game.id, "secrets"))
    with pytest.raises(GameDamagedError, match="no_secrets"):
        tables.ledger.change(game.id, resign(game))
    assert store.newest(game.id) == game.version
    for ledger in (tables.ledger, new_ledger()):
        with pytest.raises(GameDamagedError, match=f"{game.version} events are sound"):
            ledger.table(game.id)
    assert store.counts_as_damaged(game.id)
    assert [f.problem for f in findings(store)] == ["no_secrets"]
    with pytest.raises(GameDamagedError):
        end_damaged(store, REGISTRY, game.id, BY)
    redis_client.hset(game_key(game.id, "secrets"), mapping=secrets)  # from a backup
    assert [f.problem for f in findings(store)] == ["wrong_deadline"]
    assert isinstance(tables.ledger.change(game.id, resign(game)), AppendedBatch)


def test_a_game_without_its_secrets_is_suspended_by_who_reads_it(
    tables: TableCommands, new_ledger: Callable[[], Ledger], redis_client: Redis, game: Game
) -> None:
    redis_client.delete(game_key(game.id, "secrets"))
    for ledger in (new_ledger(), tables.ledger):
        with pytest.raises(GameDamagedError, match="no_secrets"):
            ledger.table(game.id)


def test_a_game_that_is_made_while_somebody_looks_for_it_has_its_secrets(
    tables: TableCommands,
    new_ledger: Callable[[], Ledger],
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """For example concurrent requests for the same rematch, whose id is known before it exists."""
    ledger, wanted = new_ledger(), new_game_id()
    look = Store.newest_event

    def meanwhile(store: Store, game_id: str) -> Event | None:
        monkeypatch.undo()
        seats: list[JsonObject | None] = [{"player": "p-a"}, None]
        tables.create("p-a", "sealed", {}, seats, new_id=game_id)
        return look(store, game_id)

    monkeypatch.setattr(Store, "newest_event", meanwhile)
    assert ledger.table(wanted).game.status == LOBBY
    assert not store.counts_as_damaged(wanted)


@pytest.mark.parametrize("key", ["secrets", "index"])
def test_checking_goes_on_after_a_key_of_another_type(
    tables: TableCommands, store: Store, redis_client: Redis, game: Game, key: str
) -> None:
    others = [start(tables) for _ in range(3)]
    damage(redis_client, others[1].id, 2, HARMS["not JSON"][0])
    redis_client.delete(game_key(game.id, key))
    redis_client.set(game_key(game.id, key), "x")
    assert {f.game_id: f.problem for f in findings(store)} == {
        game.id: "wrong_type", others[1].id: "broken_chain",
    }  # fmt: skip


def test_nothing_is_appended_beside_an_index_of_another_type(
    tables: TableCommands, redis_client: Redis, store: Store, game: Game
) -> None:
    redis_client.delete(game_key(game.id, "index"))
    redis_client.set(game_key(game.id, "index"), "x")
    assert state_of(Ledger(store, REGISTRY).table(game.id).game) == state_of(game)
    with pytest.raises(ResponseError):
        tables.ledger.change(game.id, resign(game))
    assert tables.ledger.store.newest(game.id) == game.version


def test_what_cannot_be_read_is_an_event_of_no_kind(
    tables: TableCommands, store: Store, redis_client: Redis, game: Game
) -> None:
    damage(redis_client, game.id, 3, HARMS["something else"][0])
    third = store.read_all(game.id)[2].event
    assert (third.seq, third.kind, third.hash) == (3, UNREADABLE, b"")


def test_what_only_fails_once_is_no_damage(
    tables: TableCommands,
    new_ledger: Callable[[], Ledger],
    game: Game,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A time limit that ends while a process folds is no fault of the event."""
    calls: list[int] = []
    folded = Game.apply

    def strike(self: Game, *arguments: Any) -> None:
        calls.append(1)
        if len(calls) == 5:
            raise TimeoutError
        folded(self, *arguments)

    behind = new_ledger()
    behind.table(game.id)
    now = play(tables, game.id, 6, key="more")
    monkeypatch.setattr(Game, "apply", strike)
    with pytest.raises(TimeoutError):
        behind.table(game.id)
    assert behind.table(game.id).damage is None
    assert state_of(behind.table(game.id).game) == state_of(now)
