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


class BeaconChainSchema(AnswerSchema):
    """A chain of drand, as games name it (/docs/format)."""

    chain = text_field("Its hash.", example=HASH)
    scheme = text_field("The scheme of its signatures.", example="bls-unchained-g1-rfc9380")
    public_key = text_field("Its public key, in hex.", example="83cf0f28")
    period = ma.fields.Integer(
        required=True, metadata=described("The seconds between two rounds.", example=3)
    )
    genesis = ma.fields.Integer(
        required=True,
        metadata=described("The time of round 1, in seconds since 1970.", example=1_692_803_367),
    )
    example = {
        "chain": HASH,
        "scheme": "bls-unchained-g1-rfc9380",
        "public_key": "83cf0f28",
        "period": 3,
        "genesis": 1_692_803_367,
    }


class OfferedBeaconsSchema(AnswerSchema):
    """The beacons that tables may let into their luck."""

    beacons = ma.fields.List(
        ma.fields.Nested(BeaconChainSchema),
        required=True,
        metadata=described("The first is that of tables that name none."),
    )
    example = {"beacons": [BeaconChainSchema.example]}
