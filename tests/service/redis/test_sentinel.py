"""A client finds the primary by its sentinels, and changes to another when they name one."""

import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.sentinel import MasterNotFoundError

from service.redis import sentinel
from service.redis.binary import choose
from service.redis.client import UnsuitableServerError, blocking_client, make_client
from service.redis.scripts import Script
from service.runtime import open_runtime
from service.settings import load
from tests.faults.processes import free_port
from tests.service.ledger.test_replicas import HOST, server, wait_for

NAME = "lonja"
APPEND = ("--appendonly", "yes")


class Place:
    """A folder in which a test starts servers and sentinels."""

    def __init__(self, folder: Path, binary: Path | None, stack: ExitStack) -> None:
        self._folder = folder
        self.binary = binary
        self._stack = stack
        self._count = 0

    def next(self) -> Path:
        self._count += 1
        return self._folder / str(self._count)

    def server(self, *more: str) -> tuple[Redis, int]:
        return self._stack.enter_context(server(self.next(), self.binary, *APPEND, *more))

    def sentinel(self, primary: int, *lines: str) -> int:
        """Start a sentinel of this primary; return its port."""
        return self._stack.enter_context(watching(self.next(), self.binary, primary, *lines))


@contextmanager
def watching(folder: Path, binary: Path | None, primary: int, *lines: str) -> Iterator[int]:
    folder.mkdir()
    port, conf = free_port(), folder / "sentinel.conf"
    said = [f"port {port}", f"bind {HOST}", f'dir "{folder}"']
    said += [f"sentinel monitor {NAME} {HOST} {primary} 1", *lines, ""]
    conf.write_text("\n".join(said))
    command = [str(choose(folder, binary).path), str(conf), "--sentinel"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        password = next((line.split()[1] for line in lines if "requirepass" in line), None)
        with Redis(HOST, port, password=password) as client:
            wait_for(client.ping)
        yield port
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def place(tmp_path: Path, redis_binary: Path | None) -> Iterator[Place]:
    with ExitStack() as stack:
        yield Place(tmp_path, redis_binary, stack)


def url_of(*sentinels: int, service: str = NAME, login: str = "", more: str = "") -> str:
    hosts = ",".join(f"{HOST}:{port}" for port in sentinels)
    return f"redis+sentinel://{login}{hosts}/{service}{more}"


def test_the_primary_is_reached_by_every_path(place: Place) -> None:
    direct, port = place.server()
    url = url_of(free_port(), place.sentinel(port), more="/3")  # also one that does not answer
    with make_client(url) as client, blocking_client(url) as reader:
        client.set("k", "v")
        assert Script(client, 'return redis.call("GET", KEYS[1])')(["k"], []) == b"v"
        assert client.pipeline().get("k").execute() == [b"v"]
        client.rpush("list", "x")
        assert reader.blpop(["list"]) == [b"list", b"x"]
    assert list(direct.info("keyspace")) == ["db3"]


def test_servers_and_sentinels_have_passwords_of_their_own(place: Place) -> None:
    direct, port = place.server()
    direct.config_set("requirepass", "pass@word")
    watch = place.sentinel(port, f"sentinel auth-pass {NAME} pass@word", "requirepass sesame")
    right = url_of(watch, login=":pass%40word@", more="?sentinel_password=sesame")
    with make_client(right) as client:
        assert client.ping()
    without = url_of(watch, login=":pass%40word@")
    with (
        make_client(without) as client,
        pytest.raises(MasterNotFoundError, match=rf"'lonja' \({HOST}:{watch}: .*[Aa]uth"),
    ):
        client.ping()


def test_an_unknown_service_is_named(place: Place) -> None:
    _direct, port = place.server()
    with (
        make_client(url_of(place.sentinel(port), service="other")) as client,
        pytest.raises(MasterNotFoundError, match=r"No sentinel knows 'other' .*No such master"),
    ):
        client.ping()


def test_the_newest_failover_is_believed(place: Place) -> None:
    (_old, old_port), (new, new_port) = place.server(), place.server()
    behind = place.sentinel(old_port)
    newer = place.sentinel(new_port, f"sentinel config-epoch {NAME} 7")
    with make_client(url_of(behind, newer)) as client:
        client.set("k", "v")
    assert new.get("k") == b"v"


def test_who_was_cut_off_with_an_old_primary_is_not_believed_when_the_others_are_silent(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentinel, "EVERY_S", 0.0)
    (old, old_port), (new, new_port) = place.server(), place.server()
    behind, silent = place.sentinel(old_port), free_port()
    epoch = f"sentinel config-epoch {NAME} 7"
    with watching(place.next(), place.binary, new_port, epoch) as newer:
        client = make_client(url_of(behind, newer, silent))
        client.set("k", "v")
    with client:
        client.set("k", "w")
        client.connection_pool.disconnect()
        client.set("l", "v")
    assert new.mget("k", "l") == [b"w", b"v"]
    assert old.dbsize() == 0


def test_a_replica_is_not_taken_for_the_primary(place: Place) -> None:
    _replica, port = place.server("--replicaof", HOST, str(free_port()))
    watch = place.sentinel(port)
    with (
        make_client(url_of(watch)) as client,
        pytest.raises(RedisConnectionError, match=f"{HOST}:{port} is not the primary"),
    ):
        client.get("k")  # a command that a replica would answer


def test_whoever_waits_for_an_old_primary_goes_to_the_new_one(place: Place) -> None:
    (old, old_port), (new, new_port) = place.server(), place.server()
    watch = place.sentinel(old_port)
    url = url_of(watch)
    with (
        make_client(url) as client,
        blocking_client(url) as reader,
        ThreadPoolExecutor(1) as pool,
        Redis(HOST, watch) as asked,
    ):
        client.set("k", "v")
        waits = pool.submit(reader.blpop, ["list"])
        wait_for(lambda: old.info("clients")["blocked_clients"] == 1)
        asked.execute_command("SENTINEL", "REMOVE", NAME)
        asked.execute_command("SENTINEL", "MONITOR", NAME, HOST, new_port, 1)
        wait_for(lambda: client.set("k", "w") and new.get("k") == b"w")
        new.rpush("list", "x")
        assert waits.result(20) == [b"list", b"x"]


def test_sentinels_that_do_not_answer_do_not_stop_play(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentinel, "EVERY_S", 0.0)
    _direct, port = place.server()
    with watching(place.next(), place.binary, port) as watch:
        client = make_client(url_of(watch))
        assert client.ping()
    with client:
        assert client.ping()


def test_a_cluster_is_refused(place: Place) -> None:
    bus = str(free_port())  # otherwise it is 10,000 above the other, which may be too high
    _direct, port = place.server("--cluster-enabled", "yes", "--cluster-port", bus)
    with pytest.raises(UnsuitableServerError, match="is a node of a cluster"):
        open_runtime(load({"REDIS_URL": f"redis://{HOST}:{port}"}))


def certificate(folder: Path) -> tuple[Path, Path]:
    """Write a self-signed certificate for this machine, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address(HOST))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    public, private = folder / "public.pem", folder / "private.pem"
    public.write_bytes(made.public_bytes(Encoding.PEM))
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return public, private


@pytest.fixture
def place_with_tls(tmp_path: Path) -> Iterator[Place]:
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("the bundled server speaks no TLS: install redis-server")
    with ExitStack() as stack:
        yield Place(tmp_path, Path(program), stack)


def test_tls_is_spoken_to_sentinels_and_servers(place_with_tls: Place, tmp_path: Path) -> None:
    place = place_with_tls
    public, private = certificate(tmp_path)
    keys = {"tls-cert-file": public, "tls-key-file": private, "tls-ca-cert-file": public}
    keys["tls-auth-clients"] = Path("no")
    tls, watch = free_port(), free_port()
    options = [word for name, value in keys.items() for word in (f"--{name}", str(value))]
    direct, _port = place.server("--tls-port", str(tls), *options)
    lines = [f"{name} {value}" for name, value in keys.items()]
    place.sentinel(tls, f"tls-port {watch}", "tls-replication yes", *lines)
    url = url_of(watch).replace("redis+", "rediss+")
    with make_client(f"{url}?ssl_ca_certs={public}") as client:
        client.set("k", "v")
        assert Script(client, 'return redis.call("GET", KEYS[1])')(["k"], []) == b"v"
    assert direct.get("k") == b"v"
    with make_client(url) as client, pytest.raises(MasterNotFoundError, match="certificate"):
        client.ping()
