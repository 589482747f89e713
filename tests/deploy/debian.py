"""A bare Debian as a base image, made from Debian's packages without a container registry."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deploy.programs import needed

NOT_IN_SLIM = ("usr/share/doc", "usr/share/man", "usr/share/info", "usr/share/locale")
"""Folders that Debian's own slim image lacks."""
AUTHORITIES = Path("/usr/local/share/ca-certificates")


def bare_debian(root: Path) -> Path:
    """Make the root of a Debian 12, with this machine's certificate authorities; return it."""
    if os.getuid():
        pytest.skip("only root may make a root")
    subprocess.run([needed("debootstrap"), "--variant=minbase", "bookworm", root], check=True)
    for name in (*NOT_IN_SLIM, "var/cache/apt", "var/lib/apt/lists"):
        shutil.rmtree(root / name, ignore_errors=True)  # some of these are not in every Debian
    if AUTHORITIES.exists():
        shutil.copytree(AUTHORITIES, root / AUTHORITIES.relative_to("/"), dirs_exist_ok=True)
    return root
