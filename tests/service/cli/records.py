"""Makes records of games, and forges them with the knowledge of all secrets."""

import copy
from functools import cache
from typing import Any

import orjson
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rules.kernel.canonical import JsonObject, encode, mac
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.record.batch import LENIENT, TOO_SLOW, Batch, entropy_terms
from rules.kernel.record.events import event_hash, from_copy, genesis
from rules.kernel.record.game import DAMAGED, Game
from rules.kernel.record.instants import from_ms, to_ms
from rules.kernel.record.secrets import entropy_commitment, part_commitment, part_nonce, state_key
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from service.cli import local
from service.games.seating import make_room
from service.records import game_file
from service.records.game_file import Record
from service.records.receipts import Signer
from tests.sealed import RULESET as SEALED
from tests.signing import SeatKey
from workers.deciding import decide

REGISTRY = Registry((*PACKAGES, "tests.sealed", "tests.pig"))
CODE = {"bot": "greedy", "version": "2", "digest": "0" * 64}
SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(b"\x01" * 32))


def move(table: local.LocalGame, seat: Seat) -> None:
    """Let a bot choose, or a player play the last legal move, with ``expected_head``."""
    holder = table.game.seats[seat].holder
    assert holder is not None
    if "player" in holder:
        legal = table.game.ruleset.legal_moves(table.game.state, seat)
        head = table.game.head.hex()
        table.change(lambda batch: batch.move(seat, legal[-1].to_json(), {}, expected_head=head))
        return
    table.change(decide(table.game, seat, table.secrets.salt).record)


def played(ruleset: str, seed: str = "record", moves: int = 10_000) -> local.LocalGame:
    """Play a game with moves, failures of bots, resignations and time-outs."""
    holders = [BOTS["greedy"].holder(SEALED), {"player": "p-x"}, BOTS["greedy"].holder(SEALED)]
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
            late = from_ms(to_ms(game.asked_at[seat]) + 60_001)
            table.now = lambda late=late: late  # type: ignore[misc]
            table.change(lambda batch, seat=seat: batch.time_out(seat))  # type: ignore[misc]
        elif "fail_bot" in todo and not person and number > 1:
            todo.remove("fail_bot")
            table.change(lambda batch, seat=seat: batch.fail_bot(seat, TOO_SLOW, "no idea", CODE))  # type: ignore[misc]
        elif "resign" in todo and number > moves_before_resigning(ruleset):
            todo.remove("resign")
            table.change(lambda batch: batch.resign(Seat(1), {}))
        elif game.seats[seat].resigned:
            table.change(lambda batch, seat=seat: batch.default(seat, "resigned"))  # type: ignore[misc]
        else:
            move(table, seat)
    return table


def moves_before_resigning(ruleset: str) -> int:
    """The number of moves before a resignation, so that the player has moved."""
    return 12 if ruleset == "sealed" else 40


def events(found: Record) -> list[JsonObject]:
    """Return the events of a record in memory, which may be changed."""
    assert isinstance(found.copies, list)
    return found.copies


def record_of(table: local.LocalGame, viewer: Seat | None = None) -> Record:
    """Return the record as a service would export it."""
    game = table.game
    header = game_file.header(
        game.id,
        game.created,
        game.version,
        game.status,
        None if game.over else viewer,
        SIGNER.head(game),
        SIGNER.public_key.hex(),
    )
    return Record(header, table.copies(viewer))


def alone(found: Record) -> Record:
    """Return an equal record without shared values, as if read from a file."""
    return Record(
        orjson.loads(orjson.dumps(found.header)), orjson.loads(orjson.dumps(found.copies))
    )


@cache
def _finished(ruleset: str) -> Record:
    return record_of(played(ruleset))


def finished(ruleset: str) -> Record:
    """Return the record of a finished game; the caller may change it."""
    return alone(_finished(ruleset))


def with_entropy(*seats: int, reveal: bool = True, bots: bool = False) -> local.LocalGame:
    """Open a table of ``sealed`` for two players; those on ``seats`` give entropy.

    Another player sat down before and left again.
    """
    table = local.LocalGame(REGISTRY, "entropy")
    holders = [BOTS["greedy"].holder(SEALED) if bots else {"player": f"p-{n}"} for n in range(2)]
    by: JsonObject = {"player": "p-host"}
    guest: JsonObject = {"player": "p-guest"}
    table.change(lambda batch: batch.create("sealed", 2, {}, by))
    table.change(lambda batch: batch.sit(Seat(1), guest, guest))
    table.change(lambda batch: batch.stand(Seat(1), guest))
    for seat, holder in enumerate(holders):
        commitment = None
        if seat in seats:
            commitment = entropy_commitment(table.game.id, seat, bytes([seat] * 32)).hex()
        table.change(
            lambda batch, s=seat, h=holder, c=commitment: batch.sit(s, h, by if bots else h, c)  # type: ignore[misc]
        )
    for seat in seats if reveal else seats[:-1]:
        table.change(
            lambda batch, s=seat: batch.reveal_entropy(s, bytes([s] * 32), holders[s])  # type: ignore[misc]
        )
    return table


def lenient(*give: int, starts: bool = True, late_ms: int = 1) -> local.LocalGame:
    """Open a lenient table that is suspended for an hour; of two committed seats, some ``give``.

    It starts ``starts`` milliseconds after the time limit of a minute.
    """
    table = local.LocalGame(REGISTRY, "lenient")
    holders: list[JsonObject] = [{"player": f"p-{seat}"} for seat in range(2)]
    mode = entropy_terms(LENIENT)

    def opens(batch: Batch) -> None:
        batch.create("sealed", 2, {}, holders[0], entropy=mode)
        batch.sit(Seat(0), holders[0], holders[0], committed(None, 0, 0))

    table.change(opens)
    table.change(
        lambda batch: batch.sit(Seat(1), holders[1], holders[1], committed(table.game.id, 1, 1))
    )
    table.change(lambda batch: batch.suspend(ADMIN))
    resumed = from_ms(to_ms(table.game.at) + HOUR_MS)
    table.now = lambda: resumed
    table.change(lambda batch: batch.resume(ADMIN))
    for seat in give:
        table.change(
            lambda batch, s=seat: batch.reveal_entropy(Seat(s), bytes([s] * 32), holders[s])  # type: ignore[misc]
        )
    if starts and table.game.state is None:
        started = from_ms(to_ms(table.game.closed_at) + 60_000 + late_ms)
        table.now = lambda: started
        table.change(lambda batch: batch.start_without())
    return table


def committed(game_id: str | None, seat: int | None, who: int) -> str:
    """Return the commitment of a seat whose entropy is its number in 32 bytes."""
    return entropy_commitment(game_id, seat, bytes([who] * 32)).hex()


def drawn() -> local.LocalGame:
    """Open a table with drawn seats: two players who brought entropy swap seats."""
    table = local.LocalGame(REGISTRY, "drawn")
    who: list[JsonObject] = [{"player": f"p-{n}"} for n in range(3)]

    def opens(batch: Batch) -> None:
        batch.create("sealed", 3, {}, who[0], entropy=entropy_terms(LENIENT))
        batch.sit(Seat(0), who[0], who[0], committed(None, None, 0), drawn=True)

    table.change(opens)
    here = committed(table.game.id, None, 1)
    table.change(lambda batch: batch.sit(Seat(1), who[1], who[1], here, drawn=True))
    order = [who[1], who[0], who[2]]
    for act in make_room(table.game, who[2], order):
        table.change(act)
    table.change(lambda batch: batch.sit(Seat(2), who[2], who[2], drawn=True))
    for seat, n in ((0, 1), (1, 0)):
        table.change(
            lambda batch, s=seat, n=n: batch.reveal_entropy(Seat(s), bytes([n] * 32), who[n])  # type: ignore[misc]
        )
    return table


def play_on(table: local.LocalGame) -> local.LocalGame:
    """Play to the end; players make the default moves."""
    while not table.game.over:
        move(table, min(table.game.asked))
    return table


ADMIN: JsonObject = {"admin": "ana"}
HOUR_MS = 3_600_000


def suspended() -> local.LocalGame:
    """Play a game that is suspended for an hour while a player has a minute for a decision."""
    holders = [{"player": "p-x"}, BOTS["greedy"].holder(SEALED)]
    table = local.start(REGISTRY, "sealed", holders, {}, "still", clock={"decision_seconds": 60})
    while 0 not in table.game.asked:
        move(table, Seat(1))
    table.change(lambda batch: batch.suspend(ADMIN))
    later = from_ms(to_ms(table.game.at) + HOUR_MS)
    table.now = lambda: later
    table.change(lambda batch: batch.resume(ADMIN))
    move(table, Seat(0))
    return table


def late(table: local.LocalGame) -> local.LocalGame:
    """Let the player's next minute pass, so that the record has a time-out."""
    while 0 not in table.game.asked:
        move(table, Seat(1))
    later = from_ms(to_ms(table.game.at) + 61_000)
    table.now = lambda: later
    table.change(lambda batch: batch.time_out(Seat(0)))
    return table


def of_a_block(*, open_luck: bool = True) -> local.LocalGame:
    """Play a game of a tournament's block, whose seed the tournament reveals."""
    table = local.LocalGame(REGISTRY, "block")
    by: JsonObject = {"tournament": "t00-cup"}

    def act(batch: Batch) -> None:
        batch.create("sealed", 2, {}, by, scope="t00-cup/1")
        for seat in all_seats(2):
            batch.sit(seat, BOTS["greedy"].holder(SEALED), by)

    table.change(act)
    play_on(table)
    if open_luck:
        table.change(lambda batch: batch.reveal_chance())
    return table


def forge(original: Record, salt: bytes | None = None, signer: Signer = SIGNER) -> Record:
    """Return the record with all commitments, hashes, proofs and signatures computed again.

    The forger knows the salt (even of a running game) and the service's key, folds as many events
    as possible, and puts the new hashes into ``expected_head``. So only contradictions with the
    rules, the seed, or within the record remain.
    """
    forged = copy.deepcopy(original)
    before: dict[object, int] = {
        event["hash"]: number for number, event in enumerate(forged.copies, 1)
    }
    if salt is None:
        salt = bytes.fromhex(_value(forged, "salt")["salt_secret"])
    prev = [genesis(forged.game_id)]
    game: Game | None = Game(forged.game_id, REGISTRY)
    over = False  # in a damaged game there is no state any more
    keys: dict[int, str] = {}
    for event in forged.copies:
        seq = event["seq"]
        if client := event["body"].get("client"):
            known = before.get(client["expected_head"], len(forged.copies))
            if known < len(prev):
                client["expected_head"] = prev[known].hex()
        _sign_again(forged.game_id, event, prev[-1].hex(), keys)
        if sound := event["body"].get("aborted", {}).get("sound"):
            sound["hash"] = prev[min(sound["seq"], len(prev) - 1)].hex()
        for name, value in event["body"].items():
            if name == "opens":
                for opened in (o for o in value if o["seq"] <= len(prev)):
                    nonce = part_nonce(salt, opened["seq"], opened["part"], prev[opened["seq"] - 1])
                    opened["nonce"] = nonce.hex()
            nonce = part_nonce(salt, seq, name, prev[-1])
            event["nonces"][name] = nonce.hex()
            event["parts"][name] = part_commitment(nonce, value).hex()
        game = _folded(game, event)
        over = over or event["body"].get("aborted", {}).get("reason") == DAMAGED
        if game is not None or over:
            state = None if game is None or game.state is None or over else _state(game)
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
    header["public_key"] = signer.public_key.hex()
    header["receipt"] = signer._sign(header["game_id"], last["seq"], prev[-1], last["at"], None)
    return forged


UNSIGNED = 64 * "00"
"""A signature that ``forge`` leaves as it is."""
_PRIVATE = {key.public: key for key in map(SeatKey.of, range(256))}


def _sign_again(game_id: str, event: JsonObject, head: str, keys: dict[int, str]) -> None:
    """Let a seat sign again what ``forge`` has changed; ``keys`` are the seats' keys so far."""
    body = event["body"]
    if "seat" in body:
        keys[body["seat"]["seat"]] = body["seat"].get("key", "")
    told = body.get("signature")
    whole = told and told["sig"] != UNSIGNED and body.keys() >= {"client", "move"}
    if whole and (own := _PRIVATE.get(keys.get(event["by"].get("seat"), ""))):
        asked = event["by"]["seat"], told["decision"], body["client"]["expected_head"]
        body["signature"] = own.move(game_id, *asked, body["move"])
    if "key" in body:
        seat, new = body["key"]["seat"], body["key"]["key"]
        if body["key"]["sig"] not in (None, UNSIGNED) and (own := _PRIVATE.get(keys.get(seat, ""))):
            body["key"]["sig"] = own.key(game_id, seat, head, new)
        keys[seat] = new


def _state(game: Game) -> JsonObject:
    return game.ruleset.to_json(game.state)


def _folded(game: Game | None, event: JsonObject) -> Game | None:
    try:
        if game is not None:
            game.apply(from_copy(event))
    except Exception:  # noqa: BLE001 - what the forger did is not a game any more
        return None
    return game


def _value(found: Record, part: str) -> Any:
    return next(event["body"][part] for event in found.copies if part in event["body"])
