"""``lonja verify --log`` as a stranger runs it, against a service that a test runs and forks."""

import shutil
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import pytest
from lonja_client import Client, Table

from rules.kernel.canonical import JsonObject
from rules.kernel.record.instants import from_ms, to_ms
from service.cli.logs import opened_log as opened_files
from service.ledger import export
from service.ledger.terms import BESIDE, TERMS, TableTerms
from service.publishing import builder as publishing
from service.publishing import heads, tree
from service.publishing.folder import LogFiles, LogFolder
from service.publishing.marker import DUE
from service.records import game_file
from service.records.evidence import opened_log, to_json
from service.records.leaves import Leaf
from service.records.promises import BROKEN, Judgement, LoggedLeaf
from service.redis.keys import game_key
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.tlog.keys import VerifierKey
from service.tlog.reading import LogReader
from service.tlog.tiles import tiles_of
from tests import running
from tests.faults import processes
from tests.running import ME as ANA
from tests.running import runtime_on
from tests.service.cli.conftest import Lonja
from tests.service.cli.terminal.places import APPLICATION
from tests.service.ledger.conftest import Moment
from tests.service.publishing import logs

ME = {"holder": "me"}
AT = "2026-11-20T21:29:00.123Z"
"""When the log began."""


def weighed(lonja: Lonja, place: "Place", evidence: Path, *more: Any) -> Any:
    """Return what the command says of evidence, after comparing its exit code."""
    result = lonja("verify", evidence, *place.keys, "--json", *more)
    found = orjson.loads(result.stdout)
    codes = {"proved": 0, "failed": 1, "not_wholly_proved": 3}
    assert result.exit_code == codes[found["verdict"]], result.output
    return found


class Place(NamedTuple):
    """A service with a public log, and the keys of the log."""

    folder: Path
    redis: RedisServer
    runtime: Runtime
    url: str
    log: Path

    @property
    def verifiers(self) -> Sequence[VerifierKey]:
        return LogFiles(self.log).keys().verifiers

    @property
    def keys(self) -> list[str]:
        return [word for key in self.verifiers for word in ("--log-key", str(key))]

    @property
    def signed(self) -> list[str]:
        return ["--public-key", self.runtime.signer.public_key.hex()]

    def build(self) -> None:
        logs.build(self.runtime.ledger.store, self.log)

    def write(self, receipt: JsonObject) -> Path:
        file = self.folder / "receipt.json"
        file.write_bytes(orjson.dumps(receipt))
        return file

    def record(self, game_id: str) -> Path:
        table = self.runtime.ledger.table(game_id)
        first, *more = export.lines(self.runtime, table, None)
        game_file.write(self.folder / "game.ndjson", first, more)
        return self.folder / "game.ndjson"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None) -> Iterator[Place]:
    folder, port = tmp_path_factory.mktemp("service"), processes.free_port()
    log = folder / "log"
    with (
        RedisServer(folder / "redis", binary=redis_binary) as redis,
        processes.web_on(
            port, redis.url, folder / "web.log", APPLICATION, LONJA_PUBLIC_LOG=str(log)
        ),
    ):
        runtime = runtime_on(redis.url)
        logs.begin(runtime.ledger.store, log, to_ms(AT))
        yield Place(folder, redis, runtime, f"http://127.0.0.1:{port}", log)


@pytest.fixture
def ana(place: Place) -> Iterator[Client]:
    with Client(place.url) as visitor, visitor.sign_up("Ana") as found:
        yield found


def move(table: Table) -> JsonObject:
    """Play a move of the seat that is asked; return its receipt."""
    seat = table.game()["decisions"][0]["seat"]
    legal = table.legal_moves(seat)
    answer = table.move(legal["moves"][0], seat=seat, expected_version=legal["version"])
    return {**answer["receipt"]}


def end(ana: Client, table: Table) -> None:
    """Resign both seats."""
    for seat in (0, 1):
        if table.game()["status"] == "running":
            ana.post(f"/games/{table.id}/resignations", {"seat": seat})


def told(lonja: Lonja, place: Place, receipt: JsonObject, *more: Any, log: Any = None) -> Any:
    """Return what the command says, after comparing its exit code."""
    asked = ("--receipt", place.write(receipt), "--log", log or place.url, *place.keys)
    result = lonja("verify", *asked, "--json", *more)
    found = orjson.loads(result.stdout)
    codes = {"kept": 0, "broken": 1}
    assert result.exit_code == codes.get(found["verdict"], 3), result.output
    return found


def test_an_honest_log_keeps_what_receipts_promise(lonja: Lonja, place: Place, ana: Client) -> None:
    table = ana.open("sealed", [ME, ME])
    first = move(table)
    place.build()
    kept = told(lonja, place, first)
    assert (kept["verdict"], kept["leaves"][0]["leaf"]["hash"]) == ("kept", first["hash"])
    assert kept["log"]["origin"] == LogFiles(place.log).keys().origin
    assert not kept["signed_by"]["trusted"]
    early, last = move(table), move(table)
    waits = told(lonja, place, last)
    assert (waits["verdict"], waits["evidence"]) == ("not_yet", None)
    assert 0 < waits["seconds_left"] <= 120
    place.build()
    key = ("--public-key", kept["signed_by"]["public_key"])
    for receipt in (early, last, first):
        found = told(lonja, place, receipt, *key, log=f"{place.url}/log/")
        assert (found["verdict"], found["signed_by"]["trusted"]) == ("kept", True)
    # A copy of the log in a folder has no headers, and the record has them.
    for log in (place.log, place.log / "public"):
        assert told(lonja, place, last, *key, log=log)["verdict"] == "kept"
        assert told(lonja, place, early, *key, log=log)["verdict"] == "untold"
        record = place.record(table.id)
        assert told(lonja, place, early, record, log=log)["verdict"] == "kept"
    words = lonja("verify", "--receipt", place.write(early), "--log", place.url, *place.keys)
    assert "The promise is kept." in words.output
    assert "nobody but the operator" in words.output


def test_a_tournament_keeps_its_promises_by_its_events(
    lonja: Lonja, place: Place, ana: Client
) -> None:
    entries = [{"bot": "greedy"}, {"bot": "random"}]
    form = {"type": "round_robin", "games": 2}
    body = {"ruleset": "sealed", "seats": 2, "entries": entries, "format": form}
    path = f"/tournaments/{ana.post('/tournaments', body)['id']}"
    receipt = ana.get(f"{path}/head")
    ana.post(f"{path}/pause")
    place.build()
    found = told(lonja, place, receipt)
    assert (found["verdict"], found["leaves"][0]["leaf"]["seq"]) == ("kept", receipt["seq"] + 1)


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_a_game_that_is_not_public_keeps_its_promises_under_its_pseudonym(
    lonja: Lonja, place: Place, ana: Client, monkeypatch: pytest.MonkeyPatch, visibility: str
) -> None:
    assert ana.key is not None
    key = ("--key", ana.key)
    table = ana.open("sealed", [ME, ME], table={"visibility": visibility})
    opened = ana.get(f"/games/{table.id}/head")
    early = move(table)
    place.build()
    waits = told(lonja, place, early, *key)
    assert waits["verdict"] == "not_yet"
    assert 0 < waits["seconds_left"] <= 3600 + 120 + 2
    with monkeypatch.context() as patched:  # its leaf is due
        patched.setattr(heads, "next_due", lambda _name, at: at)
        place.runtime.redis.zadd(DUE, {table.id: 0})
        place.build()
    last = move(table)
    said = lonja("verify", "--receipt", place.write(early), "--log", place.url, *place.keys, *key)
    assert "Compare that with the others who sit there" in " ".join(said.stdout.split())
    for receipt in (opened, early):
        found = told(lonja, place, receipt, *key)
        assert (found["verdict"], found["id"]) == ("kept", table.id)
        assert found["leaves"][-1]["leaf"]["id"].startswith("~")
    assert told(lonja, place, last, *key)["verdict"] == "not_yet"
    end(ana, table)
    place.build()  # the end at once
    assert told(lonja, place, last, *key)["verdict"] == "kept"
    signed = place.signed
    assert told(lonja, place, last, *signed, log=place.log)["verdict"] == "untold"
    record = place.record(table.id)
    assert told(lonja, place, last, record, log=place.log)["verdict"] == "kept"
    # The receipt is no part that a verifier does not know.
    verified = lonja("verify", record, "--receipt", place.write(last), "--json")
    assert orjson.loads(verified.stdout)["newer"] == []
    assert "pseudonym_key" not in orjson.loads(record.read_bytes().splitlines()[0])["receipt"]
    if visibility == "private":
        assert "--key" in told(lonja, place, opened)["why"]
    # A receipt of before told nothing of the pseudonym.
    plain = place.runtime.signer.head(running.game(place.runtime, table.id))
    found = told(lonja, place, plain, *key)
    assert (found["verdict"], "does not open" in found["why"]) == ("untold", True)


def test_a_public_game_has_no_second_history_under_a_pseudonym(
    lonja: Lonja, place: Place, ana: Client, tmp_path: Path
) -> None:
    """Else the log would have a history for strangers, and another one for whoever sits there."""
    table = ana.open("sealed", [ME, ME])
    forked = move(table)
    place.build()
    other = Signed(table.id, forked["seq"], at=forked["at"])
    receipt = place.runtime.signer.head(other, b"\7" * 32)
    evidence = tmp_path / "evidence.json"
    found = told(lonja, place, receipt, "--evidence", evidence)
    assert (found["verdict"], "the game twice" in found["why"]) == ("broken", True)
    assert found["name"].startswith("~")
    assert found["leaves"][-1]["leaf"]["id"] == table.id
    for more in ((), ("--log", place.url)):
        proved = weighed(lonja, place, evidence, *more)
        assert (proved["verdict"], "the game twice" in proved["why"]) == ("proved", True)


@pytest.mark.parametrize(("shown", "verdict"), [("private", "not_yet"), ("public", "broken")])
def test_a_public_game_stands_under_its_own_id(
    lonja: Lonja, place: Place, shown: str, verdict: str
) -> None:
    """Under a pseudonym, no stranger could look for it."""
    terms = TableTerms(visibility="private")
    game_id = running.open_game(place.runtime, "sealed", ANA, ANA, terms=terms)
    game = running.game(place.runtime, game_id)
    receipt = place.runtime.signer.head(game, place.runtime.ledger.pseudonym_key(game))
    place.build()
    if shown == "public":  # an operator shows everybody what receipts and log call private
        place.runtime.redis.hdel(game_key(game_id, BESIDE), TERMS)
    found = told(lonja, place, receipt)
    place.runtime.redis.zrem(DUE, game_id)  # its next leaf is no matter of other tests
    assert found["verdict"] == verdict
    assert ("nobody else can look" in found["why"]) == (verdict == "broken")


def test_a_second_history_of_a_private_game_is_found_out(
    lonja: Lonja, place: Place, ana: Client, tmp_path: Path
) -> None:
    table = ana.open("sealed", [ME, ME], table={"visibility": "private"})
    forked = move(table)
    end(ana, table)
    place.build()
    assert ana.key is not None
    signer, opening = place.runtime.signer, bytes.fromhex(forked["pseudonym_key"])
    other = Signed(table.id, forked["seq"], at=forked["at"])
    receipt = signer.head(other, opening)
    evidence = tmp_path / "evidence.json"
    key = ("--key", ana.key)
    found = told(lonja, place, receipt, *key, "--evidence", evidence)
    assert (found["verdict"], "another hash" in found["why"]) == ("broken", True)
    assert len(orjson.loads(evidence.read_bytes())["leaves"]) == 2
    assert weighed(lonja, place, evidence)["verdict"] == "proved"
    assert weighed(lonja, place, evidence, "--log", place.url, *key)["verdict"] == "proved"


def test_a_second_server_on_a_copied_folder_is_found_out(
    lonja: Lonja, place: Place, ana: Client, tmp_path: Path, redis_binary: Path | None
) -> None:
    table = ana.open("sealed", [ME, ME])
    before = move(table)
    place.build()
    shutil.copytree(place.folder / "redis", tmp_path / "redis")
    with RedisServer(tmp_path / "redis", binary=redis_binary) as copied:
        fork = runtime_on(copied.url)
        kept = []
        for _ in range(2):
            game = running.game(fork, table.id)
            seat = next(iter(game.asked))
            chosen = game.ruleset.legal_moves(game.state, seat)[-1].to_json()
            fork.tables.move(table.id, seat, chosen, game.version, ana.player_id)
            kept.append(fork.signer.head(running.game(fork, table.id)))
    _, honest = move(table), move(table)
    place.build()
    evidence = tmp_path / "evidence.json"
    for receipt in kept:
        found = told(lonja, place, receipt, "--evidence", evidence)
        assert (found["verdict"], found["evidence"]) == ("broken", str(evidence))
        assert "two histories" in found["why"]
        shown = orjson.loads(evidence.read_bytes())
        assert shown["receipt"] == receipt
        assert shown["checkpoint"].encode() == (place.log / "public/checkpoint").read_bytes()
        assert shown["leaves"] == found["leaves"]
        for more in ((), ("--log", place.url), ("--log", place.log), place.signed):
            proved = weighed(lonja, place, evidence, *more)
            assert (proved["verdict"], proved["hash"]) == ("proved", receipt["hash"])
            assert proved["signed_by"]["trusted"] == (more == place.signed)
        evidence.unlink()
    for receipt in (before, honest):
        assert told(lonja, place, receipt, "--evidence", evidence)["verdict"] == "kept"
        assert not evidence.exists()


def accusation(place: Place, table: Table, receipt: JsonObject) -> JsonObject:
    """Return evidence of a receipt and the last leaf of its id, as an accuser would make it."""
    opened = opened_log((place.log / "public/checkpoint").read_bytes(), place.verifiers)
    found = [*tree.leaves(LogFiles(place.log), 0, opened.checkpoint.size)]
    last = [LoggedLeaf(number, leaf) for number, leaf in found if leaf.id == table.id][-1:]
    with opened_files(str(place.log)) as read:
        reader = LogReader(opened.checkpoint, read)
        key = place.runtime.signer.public_key.hex()
        return to_json(receipt, key, opened, Judgement(BROKEN, "", last), reader)


def test_a_store_that_fell_back_is_lost_by_the_operators_own_word(
    lonja: Lonja, place: Place, ana: Client, tmp_path: Path
) -> None:
    table = ana.open("sealed", [ME, ME])
    kept = move(table)
    place.build()
    then = Moment(place.runtime.redis)
    logged = move(table)
    place.build()
    unlogged = move(table)
    then.come_back()
    place.build()
    for receipt in (logged, unlogged):
        found = told(lonja, place, receipt)
        assert (found["verdict"], "operator's own word" in found["why"]) == ("lost", True)
    assert told(lonja, place, kept)["verdict"] == "kept"
    # The game goes on with the same move, and has other events with the same numbers.
    game = running.game(place.runtime, table.id)
    seat = next(iter(game.asked))
    chosen = game.ruleset.legal_moves(game.state, seat)[0].to_json()
    place.runtime.tables.move(table.id, seat, chosen, game.version, ana.player_id)
    assert running.game(place.runtime, table.id).version == logged["seq"]
    place.build()
    assert told(lonja, place, logged)["verdict"] == "lost"
    # What the log confesses is no fork, though a leaf has another head there.
    evidence = tmp_path / "evidence.json"
    evidence.write_bytes(orjson.dumps(accusation(place, table, logged)))
    offline = weighed(lonja, place, evidence)
    assert (offline["verdict"], "`rewound`" in offline["why"]) == ("proved", True)
    found = weighed(lonja, place, evidence, "--log", place.url)
    assert (found["verdict"], "operator's own word" in found["why"]) == ("failed", True)
    again = place.runtime.signer.head(running.game(place.runtime, table.id))
    assert told(lonja, place, again)["verdict"] == "kept"


def test_a_log_that_is_behind_is_late_and_not_a_fork(
    lonja: Lonja, place: Place, ana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.build()
    receipts = [move(ana.open("sealed", [ME, ME])) for _ in range(6)]
    store = place.runtime.ledger.store
    builder = logs.Builder.open(store, place.log)
    before = len(logs.statements(place.log))
    with monkeypatch.context() as patched:  # ten minutes later
        patched.setattr(store.clock, "now_ms", lambda: store.clock.ask() + 600_000)
        patched.setattr(publishing, "AT_ONCE", 1)
        while len(logs.statements(place.log)) == before:
            builder.follower.catch_up()
    found = [told(lonja, place, receipt) for receipt in receipts]
    assert {one["verdict"] for one in found} == {"kept", "late"}
    assert any("says itself" in one["why"] for one in found)
    builder.build()
    builder.die()
    assert {told(lonja, place, receipt)["verdict"] for receipt in receipts} == {"kept"}


def test_doctored_evidence_is_refused(
    lonja: Lonja, place: Place, ana: Client, tmp_path: Path
) -> None:
    table = ana.open("sealed", [ME, ME])
    honest = move(table)
    place.build()
    game = running.game(place.runtime, table.id)
    receipt = place.runtime.signer.head(Signed(table.id, game.version))
    evidence = tmp_path / "evidence.json"
    assert told(lonja, place, receipt, "--evidence", evidence)["verdict"] == "broken"
    found = orjson.loads(evidence.read_bytes())
    (leaf,) = found["leaves"]
    other = {**leaf, "leaf": {**leaf["leaf"], "hash": "2" * 64}}
    sign = place.runtime.signer.head
    stranger = sign(Signed(ana.open("sealed", [ME, ME]).id, 3))
    later = sign(Signed(table.id, 99))
    doctored: list[tuple[str, JsonObject]] = [
        ("not signed with", {"receipt": {**receipt, "hash": "3" * 64}}),
        ("leads to", {"leaves": [other]}),
        ("promises nothing", {"receipt": {**receipt, "seq": 0}}),
        ("is wrong", {"checkpoint": found["checkpoint"].replace("\n", "\n1", 1)}),
        ("is none of", {"receipt": stranger}),
        ("not in order", {"leaves": [leaf, leaf]}),
        ("the promise is kept", {"receipt": honest}),
        ("from no leaf", {"receipt": later, "headers": [{"seq": 1}]}),
        ("not later", {"receipt": sign(Signed(table.id, 99, at="2099-01-01T00:00:00.000Z"))}),
        ("no leaves", {"leaves": None}),
        ("no receipt", {"receipt": None}),
        ("is no leaf", {"leaves": [1]}),
        ("no index", {"leaves": [{}]}),
        ("is no path", {"leaves": [{**leaf, "path": ["x"]}]}),
        ("the export", {"export": "lonja-evidence/2"}),
    ]
    for why, change in doctored:
        evidence.write_bytes(orjson.dumps({**found, **change}))
        wrong = weighed(lonja, place, evidence)
        assert (wrong["verdict"], why in wrong["why"]) == ("failed", True), wrong["why"]
    evidence.write_bytes(orjson.dumps(found))
    wrong = weighed(lonja, place, evidence, "--public-key", "ab" * 32)
    assert (wrong["verdict"], "not abab" in wrong["why"]) == ("failed", True)
    words = lonja("verify", evidence, *place.keys)
    assert words.output.startswith("PROVED. The key ")
    assert "--log-key" in lonja("verify", evidence).stderr
    assert "--bots" in lonja("verify", evidence, *place.keys, "--bots").stderr
    evidence.write_text('{"export": "lonja-evidence/1"')
    assert "is no evidence" in lonja("verify", evidence, *place.keys).stderr


def test_evidence_of_a_log_that_was_rebuilt_names_both_trees(
    lonja: Lonja, place: Place, ana: Client, tmp_path: Path
) -> None:
    table = ana.open("sealed", [ME, ME])
    place.build()
    then = tmp_path / "then"
    shutil.copytree(place.log, then)
    move(table)
    place.build()
    receipt = place.runtime.signer.head(Signed(table.id, 99))
    evidence = tmp_path / "evidence.json"
    assert told(lonja, place, receipt, "--evidence", evidence)["verdict"] == "broken"
    whole = weighed(lonja, place, evidence)
    assert (whole["verdict"], "--log" in whole["why"]) == ("not_wholly_proved", True)
    assert weighed(lonja, place, evidence, "--log", place.url)["verdict"] == "proved"
    # That a copy is older proves nothing against its operator, but that it was signed later does.
    older = weighed(lonja, place, evidence, "--log", then)
    assert (older["verdict"], "had event" in older["why"]) == ("proved", True)
    keys, old = LogFiles(then).keys(), logs.checkpoint(then)
    signed = opened_log((place.log / "public/checkpoint").read_bytes(), place.verifiers)
    assert signed.seen_ms is not None
    late = signed.seen_ms // 1000 + 60
    (then / "public/checkpoint").write_bytes(keys.signed(old.size, old.root, late))
    back = weighed(lonja, place, evidence, "--log", then)
    assert (back["verdict"], "went back" in back["why"]) == ("proved", True)
    folder = LogFolder(then)  # another history of the log, with its keys
    leaf = Leaf("created", f"g07-{'a' * 20}", 1, "0" * 64, {"commitment": "0" * 64})
    size, root = old.size + 9, tree.write(folder, old.size, [leaf] * 9, {})
    folder.publish(tiles_of(old.size, size), keys.signed(size, root, late))
    folder.close()
    fork = weighed(lonja, place, evidence, "--log", then)
    assert (fork["verdict"], "does not contain" in fork["why"]) == ("proved", True)


def test_a_key_is_sent_nowhere_unless_it_is_named(
    lonja: Lonja, place: Place, ana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str | None] = []

    class Stranger(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.headers["Authorization"])
            self.send_error(404)

        def log_message(self, *_words: object) -> None:
            return

    monkeypatch.setenv("LONJA_KEY", "a-key-for-another-service")
    receipt = place.write(move(ana.open("sealed", [ME, ME])))
    with ThreadingHTTPServer(("127.0.0.1", 0), Stranger) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        log = ("--log", f"http://127.0.0.1:{server.server_port}", *place.keys)
        assert lonja("verify", "--receipt", receipt, *log).exit_code == 2
        assert asked
        assert not any(asked)
        assert lonja("verify", "--receipt", receipt, *log, "--key", "mine").exit_code == 2
        assert "mine" in str(asked[-1])
        server.shutdown()


def test_what_is_wrong_with_the_input_is_said(
    lonja: Lonja, place: Place, ana: Client, tmp_path: Path
) -> None:
    table = ana.open("sealed", [ME, ME])
    receipt = move(table)
    place.build()
    log = ("--log", place.url, *place.keys)
    key = ("--public-key", place.runtime.signer.public_key.hex())
    other = LogFiles(place.log).keys().generate("example.org/log").verifiers

    def refusal(given: JsonObject, *words: Any) -> str:
        result = lonja("verify", "--receipt", place.write(given), *words)
        assert result.exit_code == 2, result.output
        return " ".join(result.stderr.split())

    assert "not signed with the key" in refusal({**receipt, "seq": 1}, *log)
    assert "no seq" in refusal({k: v for k, v in receipt.items() if k != "seq"}, *log)
    assert "does not know the key" in refusal({**receipt, "key_id": "0" * 16}, *log)
    assert "not signed by" in refusal(receipt, "--log", place.url, "--log-key", other[0])
    assert "no folder" in refusal(receipt, "--log", tmp_path / "no", *place.keys, *key)
    assert "Name the key" in refusal(receipt, "--log", place.log, *place.keys)
    assert "no checkpoint" in refusal(receipt, "--log", tmp_path, *place.keys, *key)
    assert "NAME+ID+KEY" in refusal(receipt, "--log", place.url, "--log-key", "key")
    assert "--log-key" in refusal(receipt, "--log", place.url)
    assert "name it" in refusal(receipt, *place.keys)
    assert "--bots" in refusal(receipt, *log, "--bots")
    strange = place.record(ana.open("sealed", [ME, ME]).id)
    assert "the receipt is of" in refusal(receipt, strange, *log)
    copy = tmp_path / "copy"
    shutil.copytree(place.log / "public", copy)
    for file in (copy / "tile/entries").rglob("*"):
        if file.is_file():
            file.write_bytes(file.read_bytes()[:-1])
    assert "no log that is whole" in refusal(receipt, "--log", copy, *place.keys, *key)


class Signed(NamedTuple):
    """A head that the service has signed some time ago."""

    id: str
    version: int
    head: bytes = b"\1" * 32
    at: str = "2026-11-20T22:00:00.000Z"


def test_a_game_that_was_dropped_or_cut_is_missed(lonja: Lonja, place: Place, ana: Client) -> None:
    table = ana.open("sealed", [ME, ME])
    early = move(table)
    move(table)
    place.build()
    cut = told(lonja, place, place.runtime.signer.head(Signed(table.id, 99)))
    assert (cut["verdict"], "had event" in cut["why"]) == ("broken", True)
    dropped = place.runtime.signer.head(Signed(f"{table.id[:4]}{'a' * 20}", 9))
    assert told(lonja, place, dropped)["verdict"] == "untold"  # it may be a private game
    assert ana.key is not None
    found = told(lonja, place, dropped, "--key", ana.key)
    assert (found["verdict"], "had nothing of" in found["why"]) == ("broken", True)
    assert told(lonja, place, early)["verdict"] == "kept"
    older = from_ms(to_ms(AT) - 1)
    for signed in (Signed(table.id, 99, at=older), Signed(dropped["game_id"], 9, at=older)):
        found = told(lonja, place, place.runtime.signer.head(signed), "--key", ana.key)
        assert (found["verdict"], "older than the log" in found["why"]) == ("untold", True)
    redis = place.runtime.redis
    redis.delete(*redis.scan_iter(f"*{table.id}*"))
    found = told(lonja, place, early)
    assert (found["verdict"], "serves no headers" in found["why"]) == ("broken", True)
