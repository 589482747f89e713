"""The service itself: health and signing keys."""

import marshmallow as ma

from service.api.schemas.base import HASH, AnswerSchema, described, text_field


class HealthSchema(AnswerSchema):
    """The health of the service."""

    status = text_field("`ok`.", example="ok")
    version = text_field("The service's version.", example="0.2.0")
    note = ma.fields.String(
        metadata=described(
            "`storage_nearly_full`: nothing new can be created, and play goes on.",
            enum=["storage_nearly_full"],
            example="storage_nearly_full",
        )
    )
    example = {"status": "ok", "version": "0.2.0"}


class SigningKeySchema(AnswerSchema):
    """A key that signs receipts."""

    key_id = text_field("The key's id in receipts.", example="5f2b51ca2fdc5baa")
    algorithm = text_field("The signature scheme.", example="Ed25519")
    public_key = text_field("The public key, 32 bytes in hexadecimal.", example=HASH)
    example = {"key_id": "5f2b51ca2fdc5baa", "algorithm": "Ed25519", "public_key": HASH}


class SigningKeysSchema(AnswerSchema):
    """All keys that sign or have signed receipts."""

    keys = ma.fields.List(
        ma.fields.Nested(SigningKeySchema), required=True, metadata=described("The newest first.")
    )
    example = {"keys": [SigningKeySchema.example]}
