"""Tables of Pig on a new service, with a player in a terminal."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from service.redis.server import RedisServer
from tests.faults import processes
from tests.faults.people import Client
from tests.service.cli.terminal.screens import Size, Terminal, lonja

APPLICATION = "service.api.wsgi:app"
PIG = {"LONJA_EXTRA_RULESETS": "tests.pig"}


class Place(NamedTuple):
    """A table of Pig on a service, at which Ana sits in a terminal and Bob elsewhere."""

    ana: Client
    bob: Client
    game: str

    @property
    def rolls(self) -> int:
        """The number of Ana's moves."""
        moved = [e for e in self.ana.events(self.game) if e["kind"] == "moved"]
        return sum(event["by"].get("seat") == 0 for event in moved)


@contextmanager
def service(folder: Path, redis: RedisServer, port: int) -> Iterator[None]:
    """Run gunicorn; kill it afterwards."""
    with processes.web_on(port, redis.url, folder / "log", APPLICATION, workers=1, **PIG):
        yield


def table(
    port: int,
    clock: dict[str, int] | None = None,
    *,
    ruleset: str = "pig",
    take_back: bool = False,
    hints: bool = False,
    **options: int,
) -> Place:
    """Seat both players, which starts the game."""
    ana, bob = (Client(port).player(name) for name in ("Ana", "Bob"))
    seats = [{"holder": "me"}, {"holder": "open"}]
    allowed = {"take_back": take_back, "hints": hints}
    form = {"ruleset": ruleset, "seats": seats, "options": options, **allowed}
    game = ana.post("/v1/games", form if clock is None else {**form, "clock": clock})["id"]
    path = f"/v1/games/{game}"
    assert bob.ask("PUT", f"{path}/seats/1", {"holder": "me"}).status == 200
    return Place(ana, bob, path)


@contextmanager
def seated(
    place: Place, port: int, folder: Path, *more: str, size: str | Size = "80x24"
) -> Iterator[Terminal]:
    """Start Ana's program in a terminal."""
    url, game = f"http://127.0.0.1:{port}", place.game.rpartition("/")[2]
    env = {**PIG, "LONJA_KEY": place.ana.key}
    asked = ("play", "--url", url, "--game", game, "--pace", "0", *more)
    with lonja(*asked, folder=folder, size=size, env=env) as terminal:
        yield terminal
