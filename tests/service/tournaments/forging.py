"""Forges records of tournaments with all secrets and the signing key, as an operator could."""

import copy
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rules.kernel.canonical import JsonObject, encode, mac
from rules.kernel.record.events import NO_STATE, event_hash, from_copy, genesis
from rules.kernel.record.secrets import part_commitment, part_nonce, state_key
from service.records.game_file import Record
from service.records.receipts import Signer
from service.tournaments.figures.bands import SAMPLES
from service.tournaments.report import report
from service.tournaments.tournament import Tournament, failure_of
from tests.service.cli import records
from tests.service.tournaments.conftest import Hall

Lines = list[JsonObject]


@dataclass
class File:
    """A parsed record: ``header``, the stream, and the games by their position."""

    header: JsonObject
    stream: list[JsonObject]
    games: list[Record]

    @classmethod
    def of(cls, lines: Iterable[JsonObject]) -> "File":
        header, *rest = copy.deepcopy(list(lines))
        stream, rest = rest[: header["version"]], rest[header["version"] :]
        games = []
        while rest:
            end = 1 + rest[0]["version"]
            games.append(Record(rest[0], rest[1:end]))
            rest = rest[end:]
        return cls(header, stream, games)

    def lines(self) -> Lines:
        return [
            self.header,
            *self.stream,
            *(line for game in self.games for line in (game.header, *game.copies)),
        ]

    def results(self) -> Iterator[tuple[JsonObject, Record]]:
        """Yield each game's result in the stream, and the game."""
        games = iter(self.games)
        ended = (event for event in self.stream if event["kind"] == "block_ended")
        for event in sorted(ended, key=lambda event: event["body"]["block_ended"]["block"]):
            for result in event["body"]["block_ended"]["games"]:
                yield result, next(games)


class Forger:
    """A forger with a tournament's salt and the service's key."""

    def __init__(self, salt: bytes, signer: Signer) -> None:
        self._salt = salt
        self._signer = signer

    def forge(self, file: File) -> File:
        """Compute everything again that follows from the stream: chain, report, signature."""
        header = file.header
        prev = genesis(header["tournament_id"])
        tournament = Tournament(header["tournament_id"])
        for event in file.stream:
            seq = event["seq"]
            for name, value in event["body"].items():
                nonce = part_nonce(self._salt, seq, name, prev)
                event["nonces"][name] = nonce.hex()
                with suppress(Exception):  # a value without a canonical form has no commitment
                    event["parts"][name] = part_commitment(nonce, value).hex()
            event["state_proof"] = mac(state_key(self._salt, seq, prev), encode(NO_STATE)).hex()
            prev = event_hash(
                prev, seq, event["kind"], event["by"], event["at"], event["last"],
                event["parts"], bytes.fromhex(event["state_proof"]),
            )  # fmt: skip
            event["hash"] = prev.hex()
        with suppress(Exception):  # a stream that cannot be folded has no report
            for event in file.stream:
                tournament.apply(from_copy(event))
            header["report"] = report(tournament, samples=SAMPLES if tournament.over else 0)
        last = file.stream[-1]
        header["version"] = len(file.stream)
        header["receipt"] = self._sign(header["tournament_id"], last)
        return file

    def forge_game(self, game: Record) -> Record:
        """Compute everything again that follows from a game's moves, with the tournament's luck."""
        forged = records.forge(game)
        forged.header["public_key"] = self._signer.public_key.hex()
        forged.header["receipt"] = self._sign(forged.game_id, forged.copies[-1])
        return forged

    def forge_games(self, file: File, change: Callable[[Record], None]) -> File:
        """Change every game, put the new results into the stream, and forge the whole record."""
        for number, game in enumerate(file.games):
            change(game)
            file.games[number] = self.forge_game(game)
        for result, game in file.results():
            result["version"], result["head"] = len(game.copies), game.copies[-1]["hash"]
            told = (failure_of(copy["kind"], copy["body"]) for copy in game.copies)
            result["failures"] = [failure for failure in told if failure is not None]
        return self.forge(file)

    def _sign(self, stream_id: str, last: JsonObject) -> JsonObject:
        head = bytes.fromhex(last["hash"])
        return self._signer._sign(stream_id, last["seq"], head, last["at"])


def forger_of(hall: Hall, held: Tournament) -> Forger:
    """Return a forger with the secrets of a tournament of this store."""
    secrets = hall.runtime.ledger.store.secrets(held.id)
    assert secrets is not None
    return Forger(secrets.salt, hall.runtime.signer)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all leaves of ``value``, including empty objects and lists."""
    if not isinstance(value, dict | list) or not value:
        yield path
        return
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, child in inner:
        yield from places(child, (*path, key))


def flipped(value: Any) -> Any:
    """Return a different but similar value."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1:] != "0" else "1")
    return 1 if value is None else [0] if value == [] else {"x": 0}


def flip(value: Any, path: tuple[Any, ...]) -> None:
    """Change one value in a JSON document."""
    *way, last = path
    for key in way:
        value = value[key]
    value[last] = flipped(value[last])
