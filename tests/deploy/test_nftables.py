"""The nftables rule of deploy/README.md that limits connections, in a separate network."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.programs import needed
from tests.deploy.proxies import DEPLOY

TABLE = """
table ip filter {{
  chain input {{
    type filter hook input priority 0; policy accept;
    {rule}
  }}
}}
"""
CONNECTING = """
import socket
server = socket.create_server(("127.0.0.1", 443), backlog=2000)
opened = []

def open_from(address, wanted):
    made = 0
    for _ in range(wanted):
        opened.append(socket.socket())
        opened[-1].bind((address, 0))
        try:
            opened[-1].connect(("127.0.0.1", 443))
        except ConnectionRefusedError:
            continue
        made += 1
    return made

print(open_from("127.0.0.2", 610), open_from("127.0.0.3", 10))
"""


def test_an_address_has_so_many_connections_and_another_its_own(tmp_path: Path) -> None:
    unshare, nft = needed("unshare", "nft", "ip"), needed("nft")
    if os.getuid():
        pytest.skip("only root may make a network")
    probe = [unshare, "--net", nft, "list", "ruleset"]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("no network of its own, or no nftables, is allowed here")
    readme = (DEPLOY / "README.md").read_text()
    (rule,) = re.findall(r"^tcp dport .*$", readme, re.MULTILINE)
    rules = tmp_path / "rules"
    rules.write_text(TABLE.format(rule=rule))
    script = 'ip link set lo up; "$1" --file "$2"; exec "$3" -c "$4"'
    ran = subprocess.run(
        [unshare, "--net", "sh", "-euc", script, "sh", nft, rules, sys.executable, CONNECTING],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.stdout == "600 10\n", ran.stderr
