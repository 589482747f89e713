"""A separate network namespace: it does not share ports with the machine, which cannot reach it."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.deploy.programs import needed

HOLDER = """
ip link set lo up
echo ready
while ! ip link show tap0 > /dev/null 2>&1; do sleep 0.1; done
mount --bind "$1" /etc/resolv.conf
echo ready
cat > /dev/null
"""
"""A script that keeps the namespaces until its input ends; tap0 leads to the outside."""
RESOLVER = "nameserver 10.0.2.3\n"  # the addresses of slirp4netns


@contextmanager
def network(folder: Path) -> Iterator[list[str]]:
    """Make the network; yield the beginning of command lines that run in it."""
    slirp = needed("slirp4netns", "nsenter", "unshare", "ip")
    resolver = folder / "resolv.conf"
    resolver.write_text(RESOLVER)
    holder = subprocess.Popen(
        [
            needed("unshare"), "--net", "--mount", "--propagation", "private",
            "sh", "-euc", HOLDER, "sh", resolver,
        ],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert holder.stdin is not None
    assert holder.stdout is not None
    assert holder.stdout.readline() == "ready\n"
    outside = subprocess.Popen(
        [slirp, "--configure", "--mtu=65520", str(holder.pid), "tap0"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert holder.stdout.readline() == "ready\n"
        yield [needed("nsenter"), "--mount", "--net", "--target", str(holder.pid)]
    finally:
        holder.stdin.close()
        holder.stdout.close()
        holder.wait(20)
        outside.terminate()
        outside.wait(20)
