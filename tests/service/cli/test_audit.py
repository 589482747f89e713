"""``lonja audit`` as a stranger runs it, against a service over HTTP and a copied folder."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from rules.kernel.canonical import FORMAT, digest, encode
from service.publishing.folder import LogFiles
from service.records.promises import HASHED
from service.records.receipts import is_genuine
from service.tlog.checkpoints import open_checkpoint
from service.tlog.merkle import leaf_hash, verify_inclusion
from tests.faults import processes
from tests.receiver import Receiver
from tests.running import ME, PLAYER
from tests.service.auditing.made import MadeLog
from tests.service.cli.audited import PRIVATE, Place, place_in
from tests.service.cli.conftest import Lonja
from tests.service.publishing import logs
from tests.service.tournaments.conftest import hall_on


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None) -> Iterator[Place]:
    with place_in(tmp_path_factory.mktemp("service"), redis_binary) as found:
        yield found


class Stranger:
    """Audits a service with a memory of its own."""

    def __init__(self, lonja: Lonja, place: Place, memory: Path) -> None:
        self.lonja = lonja
        self.place = place
        self.memory = memory

    def __call__(self, *more: Any, log: Any = None, exit_code: int = 0) -> Any:
        where = (log or self.place.url, *self.place.keys, "--state", self.memory)
        result = self.lonja("audit", *where, "--wait", 0, "--rate", 1000, "--json", *more)
        assert result.exit_code == exit_code, result.output
        return orjson.loads(result.stdout)

    def codes(self, *more: Any, **how: Any) -> dict[str, str | None]:
        """Audit a service in which something is wrong; return what, by id."""
        found = self(*more, exit_code=1, **how)["findings"]
        return {one["id"]: one["code"] for one in found}


@pytest.fixture
def stranger(lonja: Lonja, place: Place, tmp_path: Path) -> Stranger:
    return Stranger(lonja, place, tmp_path / "memory")


def test_an_honest_service_is_audited_in_silence(
    place: Place, stranger: Stranger, lonja: Lonja
) -> None:
    place.build()
    assert stranger()["verdict"] == "clean"
    over, going, private = place.open(), place.open(), place.open(PRIVATE)
    place.play(over), place.play(private)
    place.play(going, 2)
    off: Any = place.runtime.tables.create(PLAYER, "sealed", {}, [ME, None])
    place.runtime.tables.abort(off.game.id, PLAYER)
    hall = hall_on(place.redis_url)
    tournament = hall.hold(
        entries=[{"bot": "greedy"}, {"bot": "random"}], format={"type": "round_robin", "games": 4}
    )
    place.build()
    page = stranger()
    assert (page["verdict"], page["findings"], page["losses"]) == ("clean", [], [])
    assert page["ids"]["games"] | {"ended": 5, "aborted": 1, "open": 1} == page["ids"]["games"]
    assert page["ids"]["tournaments"]["ended"] == 1
    assert page["ids"]["private"]["ended"] == 1
    assert page["records"] == {"proved": 7, "newer": 0, "not_wholly": 0, "none": 0}
    assert tournament.over
    # The next run reads only what is new, and verifies nothing again.
    place.play(going)
    place.build()
    page = stranger()
    assert (page["log"]["new"], page["records"]["proved"]) == (1, 8)
    # A folder is read alone, or with its service.
    alone = Stranger(lonja, place, stranger.memory.with_name("alone"))
    for log in (place.log, place.log / "public"):
        page = alone(log=log)
        assert (page["verdict"], page["records"]) == ("clean", None)
    page = alone("--service", place.url, log=place.log)
    assert page["records"]["proved"] == 8
    told = lonja("audit", place.url, *place.keys, "--state", stranger.memory)
    assert "ALL IS WELL" in told.output
    assert "Records that were verified: 8." in told.output


def test_a_second_server_on_a_copied_folder_is_found_out(
    place: Place, stranger: Stranger, tmp_path: Path, redis_binary: Path | None, lonja: Lonja
) -> None:
    forked, ended, cut = place.open(), place.open(), place.open()
    place.play(forked, 1)
    place.build()
    copy = place.copy(tmp_path / "copy")
    for game in (forked, ended, cut):
        place.play(game, 3)
    place.play(ended)
    place.build()
    shutil.rmtree(copy / "log")
    shutil.copytree(place.log, copy / "log")
    with place_in(copy, redis_binary) as fork:
        # It has the same log, and other histories.
        fork.play(forked, 4, choice=-1)
        fork.play(ended, choice=-1)
        other = Stranger(lonja, fork, tmp_path / "other")
        found = {one["id"]: one for one in other(exit_code=1)["findings"]}
    assert {id_: found[id_]["code"] for id_ in (forked, ended, cut)} == {
        forked: "other_history", ended: "other_history", cut: "cut",
    }  # fmt: skip
    leaves = read_log(place)
    for game in (forked, ended):
        convinces(orjson.loads(Path(found[game]["evidence"]).read_bytes()), game, place, leaves)
        assert verified(lonja, found[game]["evidence"], place) == "proved"
    assert found[cut]["evidence"] is None


def read_log(place: Place) -> list[Any]:
    return [orjson.loads(entry)[2] for entry in logs.entries(place.log)]


def convinces(shown: Any, game: str, place: Place, leaves: list[Any]) -> None:
    """Check evidence as somebody does who has the keys of the log."""
    (log, _time) = LogFiles(place.log).keys().verifiers
    found = open_checkpoint(shown["checkpoint"].encode(), [log]).checkpoint
    for one in shown["leaves"]:
        assert leaves[one["index"]] == one["leaf"]
        path = [bytes.fromhex(hash_) for hash_ in one["path"]]
        hash_ = leaf_hash(encode([FORMAT, "leaf", one["leaf"]]))
        verify_inclusion(hash_, one["index"], found.size, path, found.root)
    receipt, before = shown["receipt"], bytes.fromhex(shown["before"])
    assert is_genuine(receipt, bytes.fromhex(shown["public_key"]))
    seq = receipt["seq"] - len(shown["headers"])
    (leaf,) = (one["leaf"] for one in shown["leaves"] if one["leaf"]["seq"] == seq)
    assert (leaf["id"], receipt["game_id"]) == (game, game)
    assert leaf["hash"] != shown["before"]
    for header in shown["headers"]:
        before = digest(before + encode({name: header[name] for name in HASHED}))
    assert before.hex() == receipt["hash"]


def verified(lonja: Lonja, evidence: str, place: Place) -> Any:
    """Return what `lonja verify` says of evidence."""
    return orjson.loads(lonja("verify", evidence, *place.keys, "--json").stdout)["verdict"]


def test_two_strangers_compare_what_they_saw(
    place: Place, stranger: Stranger, tmp_path: Path, redis_binary: Path | None, lonja: Lonja
) -> None:
    place.play(place.open(), 1)
    place.build()
    copy = place.copy(tmp_path / "copy")
    for _ in range(2):
        place.play(place.open(), 2)
    place.build()
    with place_in(copy, redis_binary, serves=False) as fork:
        fork.play(fork.open(), 3)
        fork.build()
    other = Stranger(lonja, fork, tmp_path / "other")
    mine, theirs = stranger("--no-records"), other(log=fork.log)
    assert mine["log"]["checkpoint"] != theirs["log"]["checkpoint"]
    file = tmp_path / "checkpoint"
    file.write_text(theirs["log"]["checkpoint"])
    assert stranger.codes("--no-records", "--seen", file) == {None: "forked"}
    # And whoever has seen one of them finds the other one out without help.
    assert other.codes(log=place.log) == {None: "forked"}
    shown = lonja("audit", place.url, *place.keys, "--state", other.memory, "--no-records")
    assert "SOMETHING IS WRONG" in shown.output
    assert "convinces others" in shown.output


def test_what_is_wrong_with_the_input_is_said(
    place: Place, stranger: Stranger, lonja: Lonja, tmp_path: Path
) -> None:
    place.build()

    def refusal(*words: Any) -> str:
        result = lonja("audit", *words, "--state", stranger.memory)
        assert result.exit_code == 2, result.output
        return " ".join(result.stderr.split())

    others = LogFiles(place.log).keys().generate("example.org/log").verifiers
    assert "--log-key" in refusal(place.url)
    assert "not signed by" in refusal(place.url, "--log-key", others[0])
    assert "keys of one log" in refusal(place.url, "--log-key", others[1])
    assert "no folder" in refusal(tmp_path / "none", *place.keys)
    assert "is no checkpoint" in refusal(place.url, *place.keys, "--seen", __file__)
    stranger("--no-records")
    other = LogFiles(tmp_path / "other")
    other.public.mkdir(parents=True)
    keys = other_log(other.public)
    assert "of another log" in refusal(other.public, *keys)
    nobody = f"http://127.0.0.1:{processes.free_port()}"
    assert "cannot be read" in refusal(nobody, *place.keys)


def other_log(folder: Path) -> list[str]:
    log = MadeLog(folder)
    log.sign()
    return [word for key in log.verifiers for word in ("--log-key", str(key))]


def test_a_monitor_tells_what_is_new(place: Place, stranger: Stranger, tmp_path: Path) -> None:
    going, over = place.open(), place.open()
    place.play(over)
    place.build()
    with Receiver() as receiver:
        tell = ("--webhook", receiver.url, "--metrics", tmp_path / "audit.prom")
        assert stranger(*tell)["verdict"] == "clean"
        assert stranger(*tell)["verdict"] == "clean"
        later = place.open()
        place.play(later)
        place.build()
        for game in (going, later):
            place.lose(game)
        dropped = {going: "dropped", later: "dropped"}
        assert stranger.codes(*tell) == dropped
        assert stranger.codes(*tell) == dropped
        first, second = (sent.json for sent in receiver.sent)
    assert (first["audit"]["verdict"], second["audit"]["verdict"]) == ("clean", "wrong")
    assert "ALL IS WELL" in first["text"]
    assert "knows nothing of it" in second["text"]
    figures = (tmp_path / "audit.prom").read_text()
    assert "lonja_audit_exit_code{" in figures
    assert 'lonja_audit_findings{code="dropped"' in figures
