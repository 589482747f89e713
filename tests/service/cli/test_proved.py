"""``lonja log prove``, and what both verifiers say of the proof that travels with a record."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.record.instants import from_ms
from service.cli.verifying import VerifyOptions, verify_file
from service.ledger import export
from service.ledger.terms import TableTerms
from service.publishing.folder import LogFiles
from service.records import game_file, tournament_file
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.tlog.keys import Algorithm, VerifierKey, cosign
from service.tlog.notes import Note
from service.tournaments.record import export as tournament_export
from tests import running
from tests.running import ME, PLAYER
from tests.service.archive.packing import put
from tests.service.cli import records
from tests.service.cli.conftest import Lonja
from tests.service.publishing import logs
from tests.service.tournaments.conftest import hall_on
from tests.service.verifier.programs import codes, lines_of, reports

SEEN = 1_795_000_000


@pytest.fixture
def runtime(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    return running.runtime_on(redis_server.url)


def played(runtime: Runtime, visibility: str = "public", moves: int = 10_000) -> str:
    """Play a game, as far as there are moves; return its id."""
    terms = TableTerms(visibility=visibility)
    game_id = running.open_game(runtime, "sealed", ME, ME, terms=terms)
    for _ in range(moves):
        game = running.game(runtime, game_id)
        seat = next(iter(game.asked), None)
        if seat is None:
            break
        move = game.ruleset.legal_moves(game.state, seat)[-1]
        runtime.tables.move(game_id, seat, move.to_json(), game.version, PLAYER)
    return game_id


def saved(runtime: Runtime, game_id: str, file: Path) -> Path:
    first, *more = export.lines(runtime, runtime.ledger.table(game_id), None)
    game_file.write(file, first, more)
    return file


def said(file: Path, *keys: VerifierKey) -> tuple[str, list[str]]:
    """Return what `lonja verify` says of the proof, and what is wrong with the header."""
    report = verify_file(str(file), VerifyOptions(log_keys=keys), records.REGISTRY).report
    assert report is not None
    (header,) = (check for check in report.checks if check.name == "header")
    note = next((note for note in report.notes if "public log" in note), "")
    return note, list(header.failures)


def test_a_record_says_who_saw_its_history(lonja: Lonja, runtime: Runtime, tmp_path: Path) -> None:
    log, store = tmp_path / "log", runtime.ledger.store
    ended, running_, private = played(runtime), played(runtime, moves=1), played(runtime, "private")
    logs.build(store, log)
    keys = LogFiles(log).keys().verifiers
    asked = ["--log", log, *(word for key in keys for word in ("--log-key", str(key)))]
    proved, record = tmp_path / "proved.ndjson", tmp_path / "record.ndjson"
    for game_id in (ended, running_, private):
        saved(runtime, game_id, record)
        more: list[Any] = []
        if game_id == private:
            refused = lonja("log", "prove", record, *asked, "--output", proved)
            assert "has no leaf `ended`" in refused.stderr
            opening = runtime.ledger.pseudonym_key(running.game(runtime, private))
            receipt = runtime.signer.head(running.game(runtime, private), opening)
            (tmp_path / "receipt.json").write_bytes(orjson.dumps(receipt))
            more = ["--receipt", tmp_path / "receipt.json"]
        done = lonja("log", "prove", record, *asked, *more, "--output", proved)
        assert done.exit_code == 0, done.output
        note, failures = said(proved, *keys)
        assert (failures, "Nobody but the operator is known" in note) == ([], True)
        assert ("may have another history" in note) == (game_id == private)
        note, failures = said(proved)
        assert (failures, "Nobody vouches for that here" in note) == ([], True)
        assert ("may have another history" in note) == (game_id == private)
        (theirs,) = reports(tmp_path, [proved.read_bytes()])
        assert {"proof_fits", "proof_alone"} <= codes(theirs)
        assert not [f for f in theirs["findings"] if f["severity"] == "failure"]
        assert record.read_bytes().splitlines()[1:] == proved.read_bytes().splitlines()[1:]
    witness = Ed25519PrivateKey.generate()
    seen_by(witness, proved)
    public = witness.public_key().public_bytes_raw()
    key = VerifierKey("witness.example/w1", Algorithm.COSIGNATURE_V1, public)
    note, failures = said(proved, *keys, key)
    assert (failures, f"{key.name} saw it at {from_ms(1000 * SEEN)}." in note) == ([], True)
    note, failures = said(proved, *keys)
    assert "Nobody but the operator is known" in note
    assert f"{key.name} saw it." in said(proved)[0]
    (theirs,) = reports(tmp_path, [proved.read_bytes()])
    assert "proof_seen" in codes(theirs)
    other = LogFiles(log).keys().generate("example.org/log").verifiers
    _note, failures = said(proved, *other)
    assert "not signed by" in failures[0]
    assert "--log-key" in lonja("log", "prove", record, "--log", log, "--output", proved).stderr


def seen_by(witness: Ed25519PrivateKey, file: Path) -> None:
    """Let a witness co-sign the checkpoint in a record."""
    first, *lines = map(orjson.loads, file.read_bytes().splitlines())
    note = Note.parse(first["proof"]["checkpoint"].encode())
    signature = cosign(note.text, "witness.example/w1", witness, SEEN)
    signed = note._replace(signatures=(*note.signatures, signature))
    first["proof"]["checkpoint"] = bytes(signed).decode()
    file.write_bytes(lines_of((first, *lines)))


Change = Callable[[JsonObject], None]
FORGED: dict[str, tuple[Change, str, str]] = {
    "another hash": (lambda proof: proof["leaf"].update(hash="0" * 64), "last event", "proof_leaf"),
    "another event": (lambda proof: proof["leaf"].update(seq=1), "last event", "proof_leaf"),
    "another kind": (lambda proof: proof["leaf"].update(kind="head"), "last event", "proof_leaf"),
    "a pseudonym": (lambda proof: proof.update(pseudonym_key="0" * 64), "last event", "proof_leaf"),
    "another place": (lambda proof: proof.update(index=0), "that leaf 0 is", "proof_path"),
    "no such place": (lambda proof: proof.update(index=10**9), "leaf", "proof_path"),
    "a longer path": (lambda proof: proof["path"].append("0" * 64), "too long", "proof_path"),
    "a shorter path": (lambda proof: proof["path"].pop(), "too short", "proof_path"),
    "no note": (lambda proof: proof.update(checkpoint="none"), "no note", "proof_checkpoint"),
    "no path": (lambda proof: proof.update(path=1), "no path", "proof_shape"),
    "no leaf": (lambda proof: proof.update(leaf=1), "is none", "proof_shape"),
    "no key": (lambda proof: proof.update(pseudonym_key="x"), "no key", "proof_shape"),
    "no index": (lambda proof: proof.pop("index"), "has not", "proof_shape"),
}


def test_a_forged_proof_is_found_by_both(lonja: Lonja, runtime: Runtime, tmp_path: Path) -> None:
    log = tmp_path / "log"
    game_id = played(runtime)
    logs.build(runtime.ledger.store, log)
    keys = LogFiles(log).keys().verifiers
    asked = ["--log", log, *(word for key in keys for word in ("--log-key", str(key)))]
    record, proved = saved(runtime, game_id, tmp_path / "record.ndjson"), tmp_path / "proved.ndjson"
    assert lonja("log", "prove", record, *asked, "--output", proved).exit_code == 0
    first, *lines = map(orjson.loads, proved.read_bytes().splitlines())
    texts = []
    for change, _words, _code in FORGED.values():
        forged = copy.deepcopy(first)
        change(forged["proof"])
        texts.append(lines_of((forged, *lines)))
    found = reports(tmp_path, texts)
    for (name, (_change, words, code)), theirs in zip(FORGED.items(), found, strict=True):
        failures = said(Path(theirs["file"]))[1]
        assert any(words in failure for failure in failures), (name, failures)
        assert code in codes(theirs), name
        assert theirs["verdict"] == "failed"


def test_a_tournament_and_a_pack_carry_their_proofs(
    lonja: Lonja, runtime: Runtime, redis_server: RedisServer, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    hall = hall_on(redis_server.url)
    cup = hall.hold(
        entries=[{"bot": "greedy"}, {"bot": "random"}], format={"type": "round_robin", "games": 2}
    )
    game_id = played(runtime)
    logs.build(runtime.ledger.store, log)
    keys = LogFiles(log).keys().verifiers
    asked = ["--log", log, *(word for key in keys for word in ("--log-key", str(key)))]
    record, proved = tmp_path / "cup.ndjson", tmp_path / "proved.ndjson"
    tournament_file.write(record, tournament_export.lines(runtime, cup))
    done = lonja("log", "prove", record, *asked, "--output", proved)
    assert done.exit_code == 0, done.output
    assert "those of 2 of its 2 games" in done.output
    note, failures = said(proved, *keys)
    assert (failures, "Nobody but the operator is known" in note) == ([], True)
    (theirs,) = reports(tmp_path, [proved.read_bytes()])
    assert "proof_alone" in codes(theirs)
    assert not [f for f in theirs["findings"] if f["severity"] in ("failure", "newer")]
    # Another proof, or one of another game, is found by both.
    whole = [*map(orjson.loads, proved.read_bytes().splitlines())]
    headers = [line for line in whole if "proof" in line]
    assert len(headers) == 3
    first, second = (headers[0], headers[2])
    first["proof"]["leaf"]["hash"], second["proof"] = "0" * 64, headers[1]["proof"]
    proved.write_bytes(lines_of(whole))
    _note, failures = said(proved, *keys)
    assert len(failures) == 2
    assert f"{second['game_id']}: the proof" in failures[1]
    (theirs,) = reports(tmp_path, [proved.read_bytes()])
    assert "proof_leaf" in codes(theirs)

    # A pack never changes: its proofs are beside it.
    game = game_file.read(saved(runtime, game_id, tmp_path / "game.ndjson"))
    pack = put(tmp_path, [game])
    before = pack.read_bytes()
    beside = pack.with_suffix(".proofs")
    done = lonja("log", "prove", pack, *asked, "--output", beside)
    assert done.exit_code == 0, done.output
    assert "the proofs of 1 of the 1 records" in done.output
    assert pack.read_bytes() == before
    words = [word for key in keys for word in ("--log-key", str(key))]
    told = lonja("verify", pack, *words)
    assert told.exit_code == 0, told.output
    assert "has this history, among" in told.output
    other = put(tmp_path, [records.finished("sealed")])
    beside.rename(other.with_suffix(".proofs"))
    told = lonja("verify", other)
    assert told.exit_code == 1
    assert "they are of the pack" in told.output
    assert (
        "none of the last events"
        in lonja("log", "prove", other, *asked, "--output", tmp_path / "none").stderr
    )
