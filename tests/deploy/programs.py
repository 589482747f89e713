"""Programs that are no packages of Python's: where they are, or that a test is skipped."""

import shutil

import pytest

DEBIAN = {
    "caddy": "caddy",
    "debootstrap": "debootstrap",
    "nginx": "nginx-light",
    "nsenter": "util-linux",
    "openssl": "openssl",
    "promtool": "prometheus",
    "setpriv": "util-linux",
    "systemd-analyze": "systemd",
    "unshare": "util-linux",
    "uv": "(it is a package of Python's: pip install uv)",
}
"""The package of Debian's that brings each."""


def needed(*names: str) -> str:
    """Return where the first of these programs is; skip the test if one of them is not here."""
    found = {name: shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/bin") for name in names}
    lacking = [DEBIAN[name] for name, path in found.items() if path is None]
    if lacking:
        pytest.skip(f"apt install {' '.join(lacking)}")
    return str(found[names[0]])
