"""Public beacons: the chains that a service offers, and the one of a game."""

import marshmallow as ma

from rules.kernel.record.beacons import ABORT, LATE
from service.api.schemas.base import HASH, TIME, AnswerSchema, described, text_field


class BeaconChainSchema(AnswerSchema):
    """A chain of drand, as games name it (/docs/format)."""

    chain = text_field("The hash of the chain.", example=HASH)
    scheme = text_field("The scheme of its signatures.", example="bls-unchained-g1-rfc9380")
    public_key = text_field("The chain's public key, in hex.", example="83cf0f28")
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


class BeaconSchema(BeaconChainSchema):
    """The beacon that goes into a game's luck (/docs/format)."""

    late = text_field(
        "What becomes of the game if the round is late.",
        enum=list(LATE),
        example=ABORT,
    )
    round = ma.fields.Integer(
        required=True,
        allow_none=True,
        metadata=described("The round; null until all seats are held.", example=24_216_540),
    )
    round_at = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("When the round is published; null until all seats are held.", **TIME),
    )
    drawn = ma.fields.Boolean(
        required=True,
        metadata=described("Whether the round is there and has started the game.", example=False),
    )
    example = {
        **BeaconChainSchema.example,
        "late": ABORT,
        "round": None,
        "round_at": None,
        "drawn": False,
    }


class OfferedBeaconsSchema(AnswerSchema):
    """The beacons that tables may let into their luck."""

    beacons = ma.fields.List(
        ma.fields.Nested(BeaconChainSchema),
        required=True,
        metadata=described("The first is that of tables that name none."),
    )
    example = {"beacons": [BeaconChainSchema.example]}
