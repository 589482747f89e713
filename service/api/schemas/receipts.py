"""Receipts: the service's signed statements that it has stored an event."""

import marshmallow as ma

from service.api.schemas.base import (
    AT,
    GAME,
    HASH,
    AnswerSchema,
    described,
    text_field,
    version_field,
)


class ReceiptSchema(AnswerSchema):
    """The service's signature under a game's head (/docs/format)."""

    game_id = text_field("The game's id.", example=GAME)
    seq = version_field("The event that is the head.")
    hash = text_field("Its hash.", example=HASH)
    at = text_field("Its time.", example=AT)
    request = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "The hash of the request that it acknowledges; null if it answers none.", example=HASH
        ),
    )
    idempotency_key = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The `Idempotency-Key` of that request, a part of its hash."),
    )
    key_id = text_field(
        "The id of the key that signed, one of `GET /v1/signing_keys`.", example="5f2b51ca2fdc5baa"
    )
    pseudonym_key = ma.fields.String(
        metadata=described(
            "The key of the pseudonym that the game has in the public log (/docs/format), in"
            " hexadecimal; only if the game is not public.",
            example=HASH,
        ),
    )
    sig = text_field("The Ed25519 signature, in hexadecimal.", example=HASH * 2)
    example = {
        "game_id": GAME,
        "seq": 7,
        "hash": HASH,
        "at": AT,
        "request": HASH,
        "idempotency_key": None,
        "key_id": "5f2b51ca2fdc5baa",
        "sig": HASH * 2,
    }
