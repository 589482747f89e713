"""What players sign: the service takes no signature that its verifiers would refuse."""

from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import Batch, RefusedError
from rules.kernel.record.signatures import KEY, SIGNATURE, key_to_sign, move_to_sign
from service.tlog.signatures import is_signed, is_weak


def need_fit_key(key: str | None) -> None:
    """Raise RefusedError (``signing_key_weak``) if anybody can sign for a key (hex)."""
    if key is not None and is_weak(bytes.fromhex(key)):
        raise RefusedError("signing_key_weak", f"the key {key} is of small order", signing_key=key)


def need_signed_move(batch: Batch, seat: Seat) -> None:
    """Check the signature of the move that a batch has just recorded.

    Raises:
        RefusedError: ``signature_wrong``.
    """
    body = batch.drafts[0].body
    told, head = body[SIGNATURE].value, body["client"].value["expected_head"]
    message = move_to_sign(batch.game.id, seat, told["decision"], head, body["move"].value)
    _need_signed(message, told["sig"], batch.game.seats[seat].key, seat)


def need_signed_key(batch: Batch, seat: Seat, before: str, sig: str, head: str | None) -> None:
    """Check that the key ``before`` has signed the key that a batch has just bound to its seat.

    ``head`` is the head that was signed, according to the caller; it must be the game's newest.

    Raises:
        RefusedError: ``head_missing``, ``stale_head``, ``signature_wrong``.
    """
    if head is None:
        raise RefusedError("head_missing", "the signature covers the newest head", seat=seat)
    draft, newest = batch.drafts[0], batch.base_hash.hex()
    if head != newest:
        raise RefusedError(
            "stale_head", f"the newest head is {newest}, not {head}",
            expected_head=head, head=newest, version=draft.seq - 1,
        )  # fmt: skip
    key = draft.body[KEY].value[KEY]
    _need_signed(key_to_sign(batch.game.id, seat, head, key), sig, before, seat)


def _need_signed(message: bytes, sig: str, key: str, seat: Seat) -> None:
    if not is_signed(message, bytes.fromhex(sig), bytes.fromhex(key)):
        raise RefusedError(
            "signature_wrong", f"the key of seat {seat} did not sign this",
            seat=seat, signing_key=key, signed=message.decode(),
        )  # fmt: skip
