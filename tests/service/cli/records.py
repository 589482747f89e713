"""Makes records of games, and forges them as whoever knows every secret could."""

import copy
from functools import cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rules.kernel.canonical import JsonObject, encode, mac
from rules.kernel.events import event_hash, from_copy, genesis
from rules.kernel.game import Game
from rules.kernel.secrets import part_commitment, part_nonce, state_key
from rules.registry import PACKAGES, Registry
from service import record
from service.bots import BOTS
from service.cli import local
from service.receipts import Signer
from service.record import Record
from workers import bots

REGISTRY = Registry((*PACKAGES, "tests.sealed"))
SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(b"\x01" * 32))


def _move(table: local.LocalGame, seat: int) -> None:
    holder = table.game.seats[seat].holder
    assert holder is not None
    if "player" in holder:
        legal = table.game.ruleset.legal_moves(table.game.state, seat)
        head = table.game.head.hex()
        table.change(lambda batch: batch.move(seat, legal[-1].to_json(), {}, expected_head=head))
        return
    choice = bots.decide(table.game, seat, table.secrets.salt)
    thoughts = bots.thoughts_part(holder, choice)
    by = {"bot": bots.signature(holder)}
    table.change(lambda batch: batch.move(seat, choice.move.to_json(), by, bot=thoughts))


def played(ruleset: str, seed: str = "record", moves: int = 10_000) -> local.LocalGame:
    """Play a game in which bots move, fail, resign and let their time pass."""
    holders = [BOTS["greedy"].holder(), {"player": "p-x"}, BOTS["greedy"].holder()]
    table = local.start(REGISTRY, ruleset, holders, {}, seed, clock={"decision_seconds": 60})
    game = table.game
    todo = {"time_out", "fail_bot", "resign"}
    for number in range(moves):
        if game.over:
            break
        seat = min(game.asked)
        person = seat == 1
        if "time_out" in todo and person and number > 1:
            todo.remove("time_out")
            table.change(lambda batch, seat=seat: batch.time_out(seat))  # type: ignore[misc]
        elif "fail_bot" in todo and not person and number > 1:
            todo.remove("fail_bot")
            table.change(lambda batch, seat=seat: batch.fail_bot(seat, "no idea"))  # type: ignore[misc]
        elif "resign" in todo and number > moves_before_resigning(ruleset):
            todo.remove("resign")
            table.change(lambda batch: batch.resign(1, {}))
        elif game.seats[seat].resigned:
            table.change(lambda batch, seat=seat: batch.default(seat, "resigned"))  # type: ignore[misc]
        else:
            _move(table, seat)
    return table


def moves_before_resigning(ruleset: str) -> int:
    """Late enough that the person has moved."""
    return 12 if ruleset == "sealed" else 40


def record_of(table: local.LocalGame, viewer: int | None = None) -> Record:
    """Return the record as a service would export it."""
    game = table.game
    header = record.header(
        game.id,
        game.created,
        game.version,
        game.status,
        None if game.over else viewer,
        SIGNER.head(game),
        SIGNER.public_key.hex(),
    )
    return Record(header, table.copies(viewer))


@cache
def _finished(ruleset: str) -> Record:
    return record_of(played(ruleset))


def finished(ruleset: str) -> Record:
    """Return the record of a game that has ended; the caller may change it."""
    return copy.deepcopy(_finished(ruleset))


def forge(original: Record) -> Record:
    """Return the record with every commitment, hash, proof and signature made anew.

    The forger knows the salt, has the service's key, and folds what can still be folded: all
    that is left to find is what contradicts the rules, the seed, or itself.
    """
    forged = copy.deepcopy(original)
    salt = bytes.fromhex(_value(forged, "salt")["salt_secret"])
    prev = [genesis(forged.game_id)]
    game: Game | None = Game(forged.game_id, REGISTRY)
    for event in forged.copies:
        seq = event["seq"]
        for name, value in event["body"].items():
            if name == "opens":
                for opened in (o for o in value if o["seq"] <= len(prev)):
                    nonce = part_nonce(salt, opened["seq"], opened["part"], prev[opened["seq"] - 1])
                    opened["nonce"] = nonce.hex()
            nonce = part_nonce(salt, seq, name, prev[-1])
            event["nonces"][name] = nonce.hex()
            event["parts"][name] = part_commitment(nonce, value).hex()
        game = _folded(game, event)
        if game is not None:
            state = None if game.state is None else game.ruleset.to_json(game.state)
            event["state_proof"] = mac(state_key(salt, seq, prev[-1]), encode(state)).hex()
        digest = event_hash(
            prev[-1],
            seq,
            event["kind"],
            event["by"],
            event["at"],
            event["last"],
            event["parts"],
            bytes.fromhex(event["state_proof"]),
        )
        event["hash"] = digest.hex()
        prev.append(digest)
    header = forged.header
    last = forged.copies[-1]
    header["version"] = len(forged.copies)
    header["receipt"] = SIGNER._sign(header["game_id"], last["seq"], prev[-1], last["at"], None)
    return forged


def _folded(game: Game | None, event: JsonObject) -> Game | None:
    try:
        if game is not None:
            game.apply(from_copy(event))
    except Exception:  # noqa: BLE001 - what the forger did is not a game any more
        return None
    return game


def _value(found: Record, part: str) -> Any:
    return next(event["body"][part] for event in found.copies if part in event["body"])
