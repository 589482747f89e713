"""Three servers and three sentinels on this machine, as ``deploy/valkey`` configures them."""

import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from service.redis.binary import choose
from service.redis.client import make_client
from tests.faults.processes import free_port
from tests.running import ROOT, wait_for

HOST = "127.0.0.1"
DEPLOY = ROOT / "deploy" / "valkey"
SERVICE = "lonja"
DOWN_AFTER_MS = 2_000
OUTSIDE, INSIDE = "127.0.0.11", "127.0.0.12"
"""The addresses from which connections come: a partition separates the two."""


class Line:
    """Forwards connections to a server of this machine, unless the line is cut for one side.

    A cut gives no error. When the line is repaired, data that were sent meanwhile are lost, and so
    are the connections of those who sent or waited.
    """

    def __init__(self, port: int) -> None:
        self._target = port
        self._kept_out: str | None = None
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def keep_out(self, side: str | None) -> None:
        """Cut the line for connections from this address (None: for none)."""
        self._kept_out = side

    def close(self) -> None:
        self._kept_out = None
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                caller, (side, _port) = self._listener.accept()
                threading.Thread(target=self._serve, args=(caller, side), daemon=True).start()

    def _serve(self, caller: socket.socket, side: str) -> None:
        self._wait(side)
        with caller, suppress(OSError), socket.create_connection((HOST, self._target)) as callee:
            back = threading.Thread(target=self._pump, args=(callee, caller, side), daemon=True)
            back.start()
            self._pump(caller, callee, side)
            back.join()

    def _pump(self, source: socket.socket, sink: socket.socket, side: str) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                if self._wait(side):
                    break
                sink.sendall(data)
        self._wait(side)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _wait(self, side: str) -> bool:
        """Wait until the line is not cut; return whether it was cut before."""
        was_cut = False
        while self._kept_out == side:
            was_cut = True
            time.sleep(0.02)
        return was_cut


class Node:
    """A server or a sentinel, which can be killed and started again."""

    def __init__(self, folder: Path, command: list[str], env: dict[str, str]) -> None:
        self.folder = folder
        self.port = free_port()
        self._command = command
        self._env = env
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir()

    def start(self, *, empty: bool = False) -> None:
        """Start the node on its folder, or on an empty disk with its first configuration."""
        if empty:
            shutil.rmtree(self.folder / "data")
            shutil.copy(self.folder / "first.conf", self.folder / "node.conf")
        (self.folder / "data").mkdir(exist_ok=True)
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, env=self._env, cwd=self.folder, stdout=log, stderr=log
            )

    def configure(self, shipped: Path, lines: list[str], here: dict[str, str]) -> None:
        """Configure the node as deploy/valkey does, with further ``lines`` and changed options."""
        text = "\n".join([*lines, shipped.read_text()])
        for option, value in here.items():
            text = re.sub(rf"^{option} .*$", f"{option} {value}", text, flags=re.MULTILINE)
        for name in ("first.conf", "node.conf"):
            (self.folder / name).write_text(text)

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        os.kill(self._process.pid, number)

    @property
    def pid(self) -> int:
        """Return the id of the node's process."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def client(self) -> Redis:
        return make_client(f"redis://{HOST}:{self.port}")


class Installation:
    """A primary, its replicas (two, mostly) and three sentinels.

    Sentinel 0 and the servers of ``inside`` can be cut off from the others, but not from clients.
    """

    def __init__(
        self,
        folder: Path,
        binary: Path | None,
        options: dict[str, str],
        inside: tuple[int, ...],
        replicas: int,
    ) -> None:
        self.replicas = replicas
        program = str(choose(folder, binary).path)
        env = {**os.environ, "VALKEY_SERVER": program, "EMPTY_WAIT": str(DOWN_AFTER_MS // 1000 * 3)}
        start = [str(DEPLOY / "start-server"), "node.conf"]
        watch = [program, "node.conf", "--sentinel"]
        self.servers = [Node(folder / f"server{n}", start, env) for n in range(replicas + 1)]
        self.sentinels = [Node(folder / f"sentinel{n}", watch, env) for n in range(3)]
        nodes = self.servers + self.sentinels
        self._sides = [
            *(INSIDE if n in inside else OUTSIDE for n in range(replicas + 1)),
            INSIDE, OUTSIDE, OUTSIDE,
        ]  # fmt: skip
        self._lines = [Line(node.port) for node in nodes] if inside else []
        seen = [line.port for line in self._lines] or [node.port for node in nodes]
        for n, node in enumerate(nodes):
            more = [f"bind {HOST}", f'dir "{node.folder / "data"}"']
            more += [f"bind-source-addr {self._sides[n]}"] if inside else []
            if node in self.servers:
                more += [f"replica-announce-ip {HOST}", f"replica-announce-port {seen[n]}"]
                more += ["min-replicas-to-write 1"]
                more += [f"replicaof {HOST} {seen[0]}"] if n else []
                node.configure(DEPLOY / "server.conf", [*more, f"port {node.port}"], options)
            else:
                more += [f"sentinel announce-ip {HOST}", f"sentinel announce-port {seen[n]}"]
                here = {
                    "port": str(node.port),
                    "sentinel monitor": f"{SERVICE} {HOST} {seen[0]} 2",
                    "sentinel down-after-milliseconds": f"{SERVICE} {DOWN_AFTER_MS}",
                }
                node.configure(DEPLOY / "sentinel.conf", more, here)
        self._seen = dict(zip(seen, self.servers, strict=False))
        self.url = self._url_of(self.sentinels)

    def _url_of(self, sentinels: list[Node]) -> str:
        return f"redis+sentinel://{','.join(f'{HOST}:{s.port}' for s in sentinels)}/{SERVICE}"

    @property
    def inside_url(self) -> str:
        """The URL of a process that reaches only sentinel 0."""
        return self._url_of(self.sentinels[:1])

    def start(self) -> None:
        """Start all nodes; wait until the replicas follow and the sentinels know each other."""
        for node in self.servers:
            node.start()
        with self.servers[0].client() as primary:
            wait_for(lambda: _answers(primary), 60)
            primary.replicaof("NO", "ONE")  # as an operator does after the installation
        for node in self.sentinels:
            node.start()
        self.wait_for_replicas()
        wait_for(lambda: all(_knows_all(one, self.replicas) for one in self.sentinels), 60)

    def stop(self) -> None:
        for node in self.sentinels + self.servers:
            node.kill()
        for line in self._lines:
            line.close()

    def primary(self) -> Node:
        """Return the primary by the answer of an OUTSIDE sentinel."""
        with self.sentinels[1].client() as sentinel:
            _host, port = sentinel.execute_command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE)
        return self._seen[int(port)]

    def replicas_in_sync(self) -> int:
        """Return the number of replicas that have all data of the primary."""
        try:
            with self.primary().client() as client:
                client.set("lonja:{meta}:in_sync", b"")
                holding: int = client.wait(self.replicas, 1_000)
                return holding
        except RedisError:
            return 0

    def wait_for_replicas(self) -> None:
        """Wait until all replicas have all data of the primary."""
        wait_for(lambda: self.replicas_in_sync() == self.replicas, 90)

    def switch_plainly(self) -> None:
        """Make the sentinels change the primary (SENTINEL FAILOVER), and wait for the change."""
        before = self.primary()
        with self.sentinels[0].client() as sentinel:
            sentinel.execute_command("SENTINEL", "FAILOVER", SERVICE)
        self.wait_for_another_than(before)

    def wait_for_another_than(self, primary: Node) -> None:
        """Wait until the sentinels name another primary."""
        wait_for(lambda: self.primary() is not primary, 90)

    def part(self) -> None:
        """Cut the INSIDE off from the OUTSIDE."""
        for line, side in zip(self._lines, self._sides, strict=True):
            line.keep_out(OUTSIDE if side == INSIDE else INSIDE)

    def heal(self) -> None:
        for line in self._lines:
            line.keep_out(None)


def _answers(client: Redis) -> bool:
    try:
        client.role()
    except RedisError:
        return False
    return True


def _knows_all(sentinel: Node, replicas: int) -> bool:
    with sentinel.client() as client:
        flat = client.execute_command("SENTINEL", "MASTER", SERVICE)
    told = flat if isinstance(flat, dict) else dict(zip(flat[::2], flat[1::2], strict=True))
    known = {name.decode(): value for name, value in told.items()}
    return int(known["num-other-sentinels"]) == 2 and int(known["num-slaves"]) == replicas


@contextmanager
def installation(
    folder: Path,
    binary: Path | None,
    *,
    inside: tuple[int, ...] = (),
    replicas: int = 2,
    **options: str,
) -> Iterator[Installation]:
    """Run an installation whose servers have these ``options`` instead of deploy/valkey's."""
    options = {name.replace("_", "-"): value for name, value in options.items()}
    folder.mkdir(exist_ok=True)
    made = Installation(folder, binary, options, inside, replicas)
    try:
        made.start()
        yield made
    finally:
        made.stop()
