"""Finds programs that are not Python packages, or skips the test."""

import os
import shutil

import pytest

DEBIAN = {
    "docker": "docker.io",
    "dockerd": "docker.io",
    "ip": "iproute2",
    "nft": "nftables",
    "nginx": "nginx-light",
    "nsenter": "util-linux",
    "promtool": "prometheus",
    "setpriv": "util-linux",
    "systemd-analyze": "systemd",
    "systemd-nspawn": "systemd-container",
    "unshare": "util-linux",
}
"""By program, its package of Debian, if the names differ."""


def needed(*names: str) -> str:
    """Return the path of the first program; skip the test if any of these programs is missing."""
    places = f"{os.environ['PATH']}:/usr/sbin"
    found = {name: shutil.which(name, path=places) for name in names}
    lacking = [DEBIAN.get(name, name) for name, path in found.items() if path is None]
    if lacking:
        pytest.skip(f"needs {', '.join(lacking)}")
    return str(found[names[0]])
