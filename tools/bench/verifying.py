"""The time to verify a record, compared with the time only to read, hash and encode each state."""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rules.kernel.canonical import JsonObject, digest, encode_known, mac
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.proof.verdicts import PROVED
from rules.kernel.record.events import from_copy
from rules.kernel.record.game import Game
from rules.kernel.record.secrets import part_nonce, state_key
from service.catalogue.bots import BOTS
from service.cli import local
from service.cli.verifying import VerifyOptions, verify_file
from service.records import game_file
from service.records.receipts import Signer
from tools.bench.measure import Row, alternate, at_most
from workers.deciding import decide

SEATS = 3
GAMES = 3
TIMES = 3
SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(b"\x01" * 32))
_HEADER = ("seq", "kind", "by", "at", "last", "parts", "state_proof")


def measure(registry: Registry) -> Iterator[Row]:
    """Yield for each ruleset the time of verification divided by that minimum, on one core."""
    for ruleset in registry:
        yield _measure(registry, ruleset)


def _measure(registry: Registry, ruleset: Ruleset[Any]) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        played = [_played(registry, ruleset, seed) for seed in range(GAMES)]
        files = [_write(Path(folder) / f"{n}.ndjson", game) for n, game in enumerate(played)]
        floors = [_FloorCheck(file, registry) for file in files]
        events = sum(game.game.version for game in played)

        def verify() -> None:
            for file in files:
                assert verify_file(str(file), VerifyOptions(), registry).verdict == PROVED

        def floor() -> None:
            for each in floors:
                each()

        whole, least, ratio = alternate(
            lambda: _microseconds(verify, events), lambda: _microseconds(floor, events)
        )
    return at_most(
        "time of `lonja verify` against the time only to read the file, hash it and write the"
        " states:"
        f" {ruleset.info.title['en']}", ratio, 4.0,
        us_an_event=whole, floor_us_an_event=least,
    )  # fmt: skip


def _microseconds(run: Callable[[], None], events: int) -> float:
    """Return the microseconds that an event takes, in the fastest of several runs."""
    found = []
    for _ in range(TIMES):
        start = time.process_time()
        run()
        found.append(time.process_time() - start)
    return 1_000_000 * min(found) / events


def _played(registry: Registry, ruleset: Ruleset[Any], seed: int) -> local.LocalGame:
    holders = [BOTS["greedy"].holder(ruleset)] * SEATS
    table = local.start(registry, ruleset.info.id, holders, {}, f"bench {seed}")
    while not table.game.over:
        table.change(decide(table.game, min(table.game.asked), table.secrets.salt).record)
    return table


def _write(path: Path, table: local.LocalGame) -> Path:
    game = table.game
    first = game_file.header(
        game.id, game.created, game.version, game.status, None, SIGNER.head(game),
        SIGNER.public_key.hex(),
    )  # fmt: skip
    game_file.write(path, first, table.copies())
    return path


class _FloorCheck:
    """The minimum of a verification: only the work that no verifier of a record can omit."""

    def __init__(self, file: Path, registry: Registry) -> None:
        self._lines = file.read_bytes().splitlines(keepends=True)[1:]
        found = game_file.read(file)
        (self._salt,) = [
            bytes.fromhex(copy["body"]["salt"]["salt_secret"])
            for copy in found.copies
            if "salt" in copy["body"]
        ]
        self._states: list[Any] = []
        game = Game(found.game_id, registry)
        for copy in found.copies:
            game.apply(from_copy(copy))
            self._states.append(None if game.state is None else game.ruleset.copy(game.state))
        self._ruleset = game.ruleset

    def __call__(self) -> None:
        prev_hash = bytes(32)
        for line, state in zip(self._lines, self._states, strict=True):
            copy: JsonObject = orjson.loads(line)
            for name, value in copy["body"].items():
                digest(part_nonce(self._salt, copy["seq"], name, prev_hash) + encode_known(value))
            written = encode_known(None) if state is None else self._ruleset.to_bytes(state)
            mac(state_key(self._salt, copy["seq"], prev_hash), written)
            prev_hash = digest(prev_hash + encode_known({name: copy[name] for name in _HEADER}))
