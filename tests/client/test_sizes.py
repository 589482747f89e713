"""The compressed size of the files that a visitor loads."""

import re

from rules.registry import PACKAGES
from tests.client.conftest import Service
from tests.faults.people import Client
from tests.running import ROOT

APP = ROOT / "service/web/static/app"
KB = 1000
SHELL_LIMIT, BOARD_LIMIT, LATER_LIMIT = 60 * KB, 40 * KB, 21 * KB
WORKER_LIMIT, BEACON_LIMIT = 43 * KB, 24 * KB
"""Of the page's checker; and of what it loads besides for a game that a beacon began."""
STATIC = re.compile(r'(?:from|import)\s*"\./([^"?]+)')
LATER = re.compile(r'import\("\./([^"?]+)')
WORKER = re.compile(r'"/static/app/(verifier\.js)')


def size(client: Client, path: str) -> int:
    sent = client.ask("GET", path, Accept_Encoding="br, gzip")
    assert sent.status == 200, sent
    return len(sent.body)


def needed(names: set[str]) -> set[str]:
    """Return these files of the client, and all files that they import."""
    imported = {name for file in names for name in STATIC.findall((APP / file).read_text())}
    return names if imported <= names else needed(names | imported)


def test_the_shell_is_small(service: Service) -> None:
    shell = needed({"app.css", "app.js", "kit.js"})
    later: dict[str, set[str]] = {}
    looked = [*shell]
    for file in looked:  # what is loaded later may load more
        for entry in LATER.findall((APP / file).read_text()):
            if entry not in later:
                later[entry] = needed({entry}) - shell
                looked += later[entry]
    loaded = shell.union(*later.values())
    workers = needed({name for file in loaded for name in WORKER.findall((APP / file).read_text())})
    beacon = {name for file in workers for name in LATER.findall((APP / file).read_text())}
    beacon = needed(beacon) - workers
    assert {file.name for file in APP.iterdir()} == loaded | workers | beacon | {"versions.json"}

    client = Client(service.port)

    def of(files: set[str]) -> int:
        return sum(size(client, f"/static/app/{file}") for file in files)

    assert of(shell) < SHELL_LIMIT, of(shell)
    assert of(workers) < WORKER_LIMIT
    assert of(beacon) < BEACON_LIMIT
    assert {name: kb for name, files in later.items() if (kb := of(files)) > LATER_LIMIT} == {}


def test_each_board_is_small(service: Service) -> None:
    client = Client(service.port)
    games = [package.removeprefix("rules.") for package in PACKAGES]
    sizes = {game: size(client, f"/v1/rulesets/{game}/renderer") for game in games}
    assert {game: bytes_ for game, bytes_ in sizes.items() if bytes_ >= BOARD_LIMIT} == {}
