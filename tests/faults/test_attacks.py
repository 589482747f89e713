"""Operators who hold all keys and hosts attack; strangers, who see only HTTP, find them out.

No attack edits a byte of a log or record: the attacker is a second server on a copied folder, or
deletes what a store has. The strangers run an installed wheel in folders of their own. What each
attack is found by, and when, stands in docs/proving.md.
"""

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import chance_key
from rules.kernel.contract.seats import Seat
from rules.kernel.record.secrets import Secrets, entropy_commitment
from service import clock
from service.ledger.store import Store
from service.publishing.marker import adopt
from service.redis.keys import game_key
from service.redis.server import RedisServer
from tests import running
from tests.campaigns import Figure
from tests.deploy import installed
from tests.faults.failover import pair
from tests.running import ME, PLAYER
from tests.service.cli.audited import PRIVATE, Place, place_in, place_on
from tests.service.publishing import logs
from tests.service.tournaments.conftest import Hall

pytestmark = [pytest.mark.campaign("attacks"), pytest.mark.timeout(900)]
RULESET = "ragusa"
HISTORIES = 20
DAY = 86_400
"""Seconds."""


@pytest.fixture(scope="session")
def wheel_lonja(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of an installed wheel."""
    wheel = installed.build(tmp_path_factory.mktemp("wheel"))
    return installed.install(wheel, tmp_path_factory.mktemp("environment") / "venv")


class Stranger:
    """Somebody with an installed wheel, a folder, and the keys of a log."""

    def __init__(self, command: Path, folder: Path, keys: list[str]) -> None:
        self.command = command
        self.folder = folder
        self.keys = keys
        folder.mkdir()

    def audit(self, url: str, *more: object) -> Any:
        """Audit the service at ``url``; return the page, with the ``exit_code``."""
        words = "audit", url, *self.keys, "--state", self.folder / "memory", *more
        done = self._run(*words, "--json", "--wait", 0, "--rate", 1000)
        assert done.stdout, done.stderr
        return {**orjson.loads(done.stdout), "exit_code": done.returncode}

    def run(self, *words: object) -> str:
        """Run a command that ends well; return what it says."""
        done = self._run(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout.decode()

    def verify(self, receipt: Any, url: str) -> Any:
        """Ask whether a log keeps the promise of a receipt; return that, with the ``exit_code``."""
        file = self.folder / "receipt.json"
        file.write_bytes(orjson.dumps(receipt))
        done = self._run("verify", "--receipt", file, "--log", url, *self.keys, "--json")
        return {**orjson.loads(done.stdout), "exit_code": done.returncode}

    def _run(self, *words: object) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [str(word) for word in (self.command, *words)],
            env=installed.bare() | {"HOME": str(self.folder)},
            cwd=self.folder,
            capture_output=True,
            check=False,
        )

    def codes(self, url: str, *more: object) -> dict[str | None, str]:
        """Return what an audit finds, by id."""
        return {one["id"]: one["code"] for one in self.audit(url, *more)["findings"]}

    def saw(self, page: Any) -> Path:
        """Return the file of a checkpoint, to give to somebody else."""
        file = self.folder / "checkpoint"
        file.write_text(page["log"]["checkpoint"])
        return file


Meet = Callable[[str, Place], Stranger]


@pytest.fixture
def meet(wheel_lonja: Path, tmp_path: Path) -> Meet:
    """Return a function that makes a stranger of this name."""

    def meet(name: str, place: Place) -> Stranger:
        return Stranger(wheel_lonja, tmp_path / name, place.keys)

    return meet


@pytest.fixture
def place(tmp_path: Path, redis_binary: Path | None, wheel_lonja: Path) -> Iterator[Place]:
    with place_in(tmp_path / "service", redis_binary, ruleset=RULESET) as found:
        found.play(found.open(), 1)
        found.end(found.open())
        found.build()
        yield found


Fork = Callable[..., Any]


@pytest.fixture
def second(tmp_path: Path, redis_binary: Path | None) -> Fork:
    """Return the context of a second server on a copied folder."""

    @contextmanager
    def second(copy: Path) -> Iterator[Place]:
        with place_in(copy, redis_binary, ruleset=RULESET) as found:
            yield found

    return second


def test_a_fork_after_a_checkpoint(place: Place, meet: Meet, second: Fork, tmp_path: Path) -> None:
    """One log, and a server that shows others another history: found at once, with evidence."""
    game = place.open()
    copy = place.copy(tmp_path / "copy")
    place.play(game, 3)
    place.build()
    shutil.rmtree(copy / "log")
    shutil.copytree(place.log, copy / "log")
    with second(copy) as fork:
        fork.play(game, 4, choice=-1)
        assert meet("ana", place).audit(place.url)["verdict"] == "clean"
        page = meet("bob", fork).audit(fork.url)
    (finding,) = page["findings"]
    assert (finding["code"], finding["id"]) == ("other_history", game)
    assert Path(finding["evidence"]).exists()


def test_a_fork_before_a_checkpoint(place: Place, meet: Meet, second: Fork, tmp_path: Path) -> None:
    """Two logs under one key, each honest to its own visitors: found when two compare."""
    game, other = place.open(), place.open()
    place.build()
    copy = place.copy(tmp_path / "copy")
    place.play(game, 3)
    place.play(other, 1)  # the fork's log has an entry more: that its store was another one
    place.build()
    ana, bob = meet("ana", place), meet("bob", place)
    mine = ana.audit(place.url)
    with second(copy) as fork:
        fork.play(game, 3, choice=-1)
        fork.build()
        theirs = bob.audit(fork.url)
        assert (mine["verdict"], theirs["verdict"]) == ("clean", "clean")
        assert ana.codes(place.url, "--seen", bob.saw(theirs)) == {None: "forked"}
        assert bob.codes(fork.url, "--seen", ana.saw(mine)) == {None: "forked"}
        # A stranger who meets both needs nobody.
        cleo = meet("cleo", place)
        cleo.audit(place.url)
        assert cleo.codes(fork.url) == {None: "forked"}


def test_a_checkpoint_that_is_withheld_from_one(
    place: Place, meet: Meet, second: Fork, tmp_path: Path
) -> None:
    """An older state for one alone is no lie; he hears of it, and cannot be led on from there."""
    ana, bob = meet("ana", place), meet("bob", place)
    copy = place.copy(tmp_path / "copy")
    game = place.open()
    place.play(game, 3)
    place.build()
    newer = ana.saw(ana.audit(place.url))
    with second(copy) as fork:
        page = bob.audit(fork.url, "--seen", newer)
        assert (page["exit_code"], page["verdict"]) == (3, "not_all")
        fork.play(fork.open(), 2)  # signed for him alone
        fork.play(fork.open(), 2)
        fork.build()
        assert bob.codes(fork.url, "--seen", newer) == {None: "forked"}


@pytest.mark.parametrize("is_over", [False, True])
def test_a_dropped_game(place: Place, meet: Meet, is_over: bool) -> None:  # noqa: FBT001 - a case
    """A creation without an end, an abort or an open game: found by everybody."""
    game = place.open()
    place.play(game, 2)
    if is_over:
        place.end(game)
    place.build()
    ana = meet("ana", place)
    assert ana.audit(place.url, "--no-records")["verdict"] == "clean"
    place.lose(game)
    assert meet("bob", place).codes(place.url) == {game: "dropped"}
    assert ana.codes(place.url) == {game: "dropped"}


def test_a_cut_tail(
    place: Place, meet: Meet, second: Fork, tmp_path: Path, redis_binary: Path | None
) -> None:
    """Fewer events than the log has: found by everybody."""
    game = place.open()
    place.play(game, 3)
    place.build()
    copy = place.copy(tmp_path / "copy")
    with RedisServer(copy / "redis", binary=redis_binary) as redis:
        store: Any = running.runtime_on(redis.url).redis
        events = game_key(game, "events")
        for entry, _value in store.xrevrange(events, count=2):
            store.xdel(events, entry)
        store.delete(game_key(game, "snapshots"))
    with second(copy) as cut:
        found = meet("ana", cut).codes(cut.url)
    assert found in ({game: "cut"}, {game: "dropped"}, {game: "other_history"})


def test_a_log_that_is_rolled_back(place: Place, meet: Meet, second: Fork, tmp_path: Path) -> None:
    """Store and log of an older disk: whoever has seen the newer log finds it."""
    ana = meet("ana", place)
    copy = place.copy(tmp_path / "copy")
    place.play(place.open(), 3)
    place.build()
    ana.audit(place.url)
    with second(copy) as old:
        page = ana.audit(old.url)
        assert (page["exit_code"], page["findings"]) == (3, [])  # it may be a proxy's old copy
        old.build()
        assert meet("bob", old).audit(old.url)["verdict"] == "clean"
        for _ in range(4):  # as many leaves as the newer log has, and more
            old.play(old.open(), 3)
        old.build()
        assert ana.codes(old.url) == {None: "forked"}


def test_a_log_that_is_rebuilt_without_one_game(
    place: Place, meet: Meet, second: Fork, tmp_path: Path
) -> None:
    """A new log under the old keys: whoever has seen the old one finds it."""
    game = place.open()
    place.play(game, 3)
    place.build()
    ana = meet("ana", place)
    mine = ana.audit(place.url)
    place.lose(game)
    keys = (place.log / "keys").read_bytes()
    shutil.rmtree(place.log)
    place.log.mkdir()
    (place.log / "keys").write_bytes(keys)
    adopt(place.runtime.redis, keeps_log=False)
    place.build()
    bob = meet("bob", place)
    page = bob.audit(place.url)
    assert page["verdict"] == "clean"
    found = ana.audit(place.url)
    assert {one["code"] for one in found["findings"]} <= {"went_back", "forked"}
    assert found["exit_code"] == 1
    place.play(place.open(), 3)
    place.play(place.open(), 3)
    place.build()
    assert "forked" in {one["code"] for one in ana.audit(place.url)["findings"]}
    assert bob.codes(place.url, "--seen", ana.saw(mine)) == {None: "forked"}


# Attacks on single games


ENTROPY = bytes(range(32))


def open_with_entropy(place: Place, other: JsonObject | None) -> str:
    """Open a game to which its player has committed entropy; it is closed if all seats are held."""
    committed = entropy_commitment(None, Seat(0), ENTROPY).hex()
    entropy = {"mode": "reveal", "seconds": DAY}
    made: Any = place.runtime.tables.create(
        PLAYER, RULESET, {}, [ME, other], entropy=entropy, commitments=[committed]
    )
    game_id: str = made.game.id
    return game_id


@contextmanager
def dated(place: Place, hours: int) -> Iterator[None]:
    """Let the service give events a time of some hours ago."""
    at = int(1000 * (time.time() - 3600 * hours))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(clock, "TOLERANCE_MS", 1000 * DAY + 60_000)
        patched.setattr(place.runtime.ledger.store.clock, "now_ms", lambda: at)
        yield


def reveal(place: Place, game_id: str) -> None:
    place.runtime.tables.reveal_entropy(game_id, Seat(0), ENTROPY, PLAYER)


def test_another_seed_after_players_gave_entropy(
    place: Place, meet: Meet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator rolls until he likes the key: the seed that opens was not committed to."""
    game = open_with_entropy(place, ME)
    place.build()
    secrets = Store.secrets
    liked = next(
        seed for seed in (sha256(b"%d" % number).digest() for number in range(1000))
        if chance_key(seed, game, [ENTROPY, None])[0] < 8
    )  # fmt: skip

    def rolled(self: Store, game_id: str) -> Secrets | None:
        found = secrets(self, game_id)
        return found and found._replace(chance_seed=liked)

    monkeypatch.setattr(Store, "secrets", rolled)
    rolling = place._replace(runtime=running.runtime_on(place.redis_url))
    reveal(rolling, game)
    rolling.play(game, 2)
    rolling.end(game)
    monkeypatch.undo()
    place.build()
    page = meet("ana", place).audit(place.url)
    (finding,) = page["findings"]
    assert (finding["code"], finding["id"]) == ("false_record", game)
    assert "seed" in finding["why"]


def test_creations_until_the_luck_is_liked(place: Place, meet: Meet) -> None:
    """What the log has is missed by everybody; what was given up before, by nobody."""
    ana = meet("ana", place)
    first, second, third, liked = (place.open() for _ in range(4))
    place.lose(first)
    place.lose(second)
    place.play(liked, 3)
    place.build()
    assert ana.audit(place.url)["verdict"] == "clean"  # not found: docs/proving.md says so
    place.lose(third)
    assert ana.codes(place.url) == {third: "dropped"}
    assert meet("bob", place).codes(place.url) == {third: "dropped"}


def test_a_log_that_is_stalled_for_a_day(
    tmp_path: Path, redis_binary: Path | None, meet: Meet
) -> None:
    """Everybody sees that it stands still; it proves nothing to others."""
    with place_in(tmp_path / "service", redis_binary, ruleset=RULESET) as stalled:
        with dated(stalled, 24):
            old = stalled.open()
        logs.begin(stalled.runtime.ledger.store, stalled.log, int(1000 * time.time() - 1000 * DAY))
        with dated(stalled, 12):
            stalled.play(old, 3)
        receipt = stalled.runtime.signer.head(running.game(stalled.runtime, old))
        ana = meet("ana", stalled)
        page = ana.audit(stalled.url)
        assert (page["exit_code"], page["verdict"], page["findings"]) == (3, "not_all", [])
        assert "stands still" in " ".join(page["unseen"])
        told = ana.verify(receipt, stalled.url)
        assert (told["verdict"], told["exit_code"]) == ("late", 3)
        assert "proves nothing to others" in told["why"]


@pytest.mark.parametrize("is_over", [False, True])
def test_closed_is_dated_back(
    tmp_path: Path,
    redis_binary: Path | None,
    meet: Meet,
    is_over: bool,  # noqa: FBT001 - a case
) -> None:
    """The event gets a time at which the log that strangers saw did not have it."""
    with place_in(tmp_path / "service", redis_binary, ruleset=RULESET) as place:
        logs.begin(place.runtime.ledger.store, place.log, int(1000 * time.time() - 1000 * DAY))
        with dated(place, 2):
            game = open_with_entropy(place, None)
        place.build()
        ana = meet("ana", place)
        assert ana.audit(place.url)["verdict"] == "clean"
        with dated(place, 1):
            place.runtime.tables.sit(game, Seat(1), ME, PLAYER)
            reveal(place, game)
        if is_over:
            place.end(game)
        place.build()
        assert ana.codes(place.url) == {game: "dated_back"}
        # Who did not look meanwhile finds nothing: docs/proving.md says so.
        assert meet("bob", place).audit(place.url)["verdict"] == "clean"


def test_a_puppet_seat(place: Place, meet: Meet) -> None:
    """The operator plays a seat, with all hidden parts before his eyes: nobody finds it."""
    game = place.open()
    place.play(game, 5)
    place.end(game)
    place.build()
    ana = meet("ana", place)
    page = ana.audit(place.url)
    assert (page["verdict"], page["records"]["proved"]) == ("clean", 2)
    said = ana.run("audit", place.url, *ana.keys, "--state", ana.folder / "memory", "--wait", 0)
    assert "the operator may hold a seat himself" in " ".join(said.split())
    record = ana.folder / "game.ndjson"
    ana.run("export", game, "--url", place.url, "--output", record)
    assert "nor who plays under a name" in ana.run("verify", record)


# Honest histories


def test_an_honest_restore_is_told_apart(
    place: Place, meet: Meet, tmp_path: Path, redis_binary: Path | None
) -> None:
    """A store of yesterday with the log of today: losses by the operator's own word."""
    ana = meet("ana", place)
    game = place.open()
    place.build()
    copy = place.copy(tmp_path / "copy")
    place.play(game, 3)
    lost = place.open()
    place.build()
    assert ana.audit(place.url)["verdict"] == "clean"
    shutil.rmtree(copy / "log")
    shutil.copytree(place.log, copy / "log")
    with place_in(copy, redis_binary, ruleset=RULESET) as restored:
        # Before the log confesses, it looks like an attack, and the audit waits for it.
        restored.build()
        page = ana.audit(restored.url)
        assert (page["verdict"], page["findings"]) == ("clean", [])
        assert {loss["id"] for loss in page["losses"]} == {game, lost}
        assert all(loss["is_new"] for loss in page["losses"])
        restored.play(game, 3, choice=-1)
        restored.build()
        page = ana.audit(restored.url)
        assert page["verdict"] == "clean"
        assert not any(loss["is_new"] for loss in page["losses"])


def test_an_honest_failover_is_told_apart(
    tmp_path: Path, redis_binary: Path | None, meet: Meet
) -> None:
    """A replica that lacks the newest events takes over: losses by the operator's own word."""
    (tmp_path / "service").mkdir()
    (tmp_path / "stores").mkdir()
    with (
        pair(tmp_path / "stores", redis_binary) as stores,
        place_on(tmp_path / "service", stores.url, ruleset=RULESET) as place,
    ):
        game = place.open()
        place.build()
        ana = meet("ana", place)
        assert ana.audit(place.url)["verdict"] == "clean"
        stores.cut_off()
        place.play(game, 3)
        lost = place.open()
        place.build()
        assert ana.audit(place.url)["verdict"] == "clean"
        stores.fail_over()
        place._replace(runtime=running.runtime_on(stores.url)).build()
        for one in (ana, meet("bob", place)):
            page = one.audit(place.url)
            assert (page["verdict"], page["findings"]) == ("clean", [])
            assert {loss["id"] for loss in page["losses"]} == {game, lost}


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_honest_histories_are_audited_in_silence(
    seed: int,
    tmp_path: Path,
    redis_binary: Path | None,
    meet: Meet,
    record_property: Figure,
) -> None:
    rng = Random(seed)
    stays, runs, archived = None, 0, 0
    folder = tmp_path / "service"
    going: list[str] = []
    for era in range(1 + seed % 3):  # each begins with a store that went back, and the newest log
        with place_in(folder, redis_binary, ruleset=RULESET, archives=True) as found:
            found.build()
            stays = stays or meet("ana", found)
            going = [game for game in going if _is_there(found, game)]
            copy = found.copy(tmp_path / f"copy {era}")
            for _ in range(4):
                _happens(found, rng, going)
                found.build()
                if rng.randrange(4) == 0:
                    found.archive()
                    archived += 1
                page = stays.audit(found.url)
                assert (page["verdict"], page["findings"]) == ("clean", []), page
                runs += 1
            page = meet(f"newcomer {era}", found).audit(found.url)
            assert (page["verdict"], page["findings"]) == ("clean", []), page
        shutil.rmtree(copy / "log")
        shutil.copytree(found.log, copy / "log")
        folder = copy
    record_property("honest histories", 1)
    record_property("silent audits", runs)
    record_property("moves into the archive", archived)


def _is_there(place: Place, game: str) -> bool:
    return bool(place.runtime.redis.exists(game_key(game, "events")))


def _happens(place: Place, rng: Random, going: list[str]) -> None:
    """Let something happen to a few games."""
    for _ in range(rng.randrange(1, 5)):
        what = rng.randrange(6)
        if what == 0:
            off: Any = place.runtime.tables.create(PLAYER, RULESET, {}, [ME, None])
            place.runtime.tables.abort(off.game.id, PLAYER)
        elif what == 1:
            place.play(place.open(PRIVATE), rng.randrange(20))
        elif what == 2:
            entries = [{"bot": "greedy"}, {"bot": "random"}]
            form = {"type": "round_robin", "games": 2}
            plan = {"ruleset": RULESET, "entries": entries, "format": form}
            hall = Hall(place.runtime, running.patient_matches(place.runtime))
            hall.hold(seed=None, **plan)
        elif what == 3 and going:
            place.end(going.pop(rng.randrange(len(going))))
        else:
            going.append(place.open())
        for game in going:
            place.play(game, rng.randrange(3))
