"""``lonja admin`` on a service's Redis."""

import orjson
import pytest
from redis import Redis

from service.administration.keys import AdminKeys
from service.ids import shard_of
from service.ledger.damage import Damage
from service.redis.format import FORMAT_KEY
from service.redis.keys import game_key, shard_key
from service.redis.server import RedisServer
from service.runtime import Runtime
from tests import running
from tests.running import ME, PLAYER, bot, kinds, open_game
from tests.service.cli.conftest import Lonja

BY = ("--by", "ana", "--reason", "it was asked for")
NOBODY = "g00-aaaaaaaaaaaaaaaaaaaa"


@pytest.fixture
def runtime(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    return running.runtime_on(redis_server.url)


@pytest.fixture
def admin(lonja: Lonja, runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> Lonja:
    monkeypatch.setenv("REDIS_URL", runtime.settings.redis_url or "")
    return lambda *arguments, **more: lonja("admin", *arguments, **more)


@pytest.fixture
def going(runtime: Runtime) -> str:
    return open_game(runtime, "sealed", bot("greedy"), ME)


def done(admin: Lonja, *arguments: str) -> str:
    result = admin(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(admin: Lonja, *arguments: str) -> str:
    result = admin(*arguments)
    assert result.exit_code == 2, result.output
    return result.output


def test_keys_are_made_listed_and_revoked(admin: Lonja, runtime: Runtime) -> None:
    keys = AdminKeys(runtime.redis, runtime.ledger.store.clock.now_ms)
    assert "No admin has a key" in done(admin, "key", "list")
    made = orjson.loads(done(admin, "key", "make", "bea", "--days", "1", "--by", "ana", "--json"))
    told = done(admin, "key", "make", "bea", "--by", "ana")
    secret = told.split()[0]
    known = keys.by_key(made.pop("key"))
    assert known is not None
    assert known.to_json() == made
    listed = orjson.loads(done(admin, "key", "list", "--json"))["keys"]
    assert [key["name"] for key in listed] == ["bea", "bea"]
    assert listed[0] == {**made, "expired": False}
    assert secret not in done(admin, "key", "list")
    assert "opens nothing any more" in done(admin, "key", "revoke", made["id"], *BY)
    assert f"the key '{made['id']}'" in refused(admin, "key", "revoke", made["id"], *BY)
    assert keys.by_key(secret) is not None
    acts = [orjson.loads(line) for line in done(admin, "log", "--json").splitlines()]
    assert [act["act"] for act in acts] == ["make_key", "make_key", "revoke_key"]
    assert secret not in str(acts)


def test_a_game_is_suspended_resumed_and_ended(
    admin: Lonja, runtime: Runtime, going: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LONJA_LOG_FORMAT", "json")
    result = admin("suspend", going, *BY)
    assert result.stdout == f"{going} is suspended.\n"
    lines = map(orjson.loads, result.stderr.splitlines())
    (noted,) = [line for line in lines if line["event"] == "admin_act"]
    told = ("admin_act", "ana", "host", "it was asked for")
    assert tuple(noted[name] for name in ("event", "by", "key", "reason")) == told
    assert "suspended since" in refused(admin, "suspend", going, *BY)
    assert f"{going} goes on." in done(admin, "resume", going, *BY)
    assert runtime.jobs.waiting() == 1
    act = orjson.loads(done(admin, "end", going, *BY, "--json"))
    assert (act["act"], act["subject"]) == ("end_game", going)
    assert "the game is aborted" in refused(admin, "end", going, *BY)
    assert kinds(runtime, going)[-4:] == ["suspended", "resumed", "aborted", "chance_revealed"]
    assert len(done(admin, "log").splitlines()) == 5


def test_what_is_owed_is_owed_again(admin: Lonja, runtime: Runtime, going: str) -> None:
    due = shard_key(shard_of(going), "due")
    runtime.redis.delete(due)
    assert f"{going} is waited for again." in done(admin, "requeue", going, *BY)
    assert runtime.redis.zscore(due, going) is not None


def test_players_are_banned_and_forgotten(admin: Lonja) -> None:
    for act in ("ban", "unban", "erase-name"):
        assert f"There is no '{PLAYER}' here." in refused(admin, act, PLAYER, *BY)


def test_what_cannot_be_is_told_in_a_sentence(admin: Lonja, runtime: Runtime, going: str) -> None:
    for act in ("end", "suspend", "resume", "requeue"):
        assert f"There is no '{NOBODY}' here." in refused(admin, act, NOBODY, *BY)
        assert "'x' here" in refused(admin, act, "x", *BY)
    assert "1 to 100 characters" in refused(admin, "key", "make", "x" * 101, "--by", "ana")
    assert "cannot be noted" in refused(admin, "end", going, "--by", "\x07", "--reason", "x")
    runtime.ledger.store.note_damage(going, Damage("gap", 3, 2, "00"))
    assert f"{going} is damaged" in refused(admin, "suspend", going, *BY)
    runtime.redis.delete(game_key(going, "damage"))
    runtime.redis.set(FORMAT_KEY, "lonja/2")
    assert "`lonja admin finish-upgrade`" in refused(admin, "suspend", going, *BY)
    assert "lonja/2.1" in done(admin, "finish-upgrade", "--by", "ana")
    assert runtime.redis.get(FORMAT_KEY) == b"lonja/2.1"
