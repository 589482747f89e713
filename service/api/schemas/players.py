"""Players, their keys and tickets."""

import marshmallow as ma

from service.api.schemas.base import AT, PLAYER, TIME, Answer, Request, Text, described, text_field

MAX_NAME = 60


class PlayerRequest(Request):
    """A player to be."""

    name = Text(
        MAX_NAME,
        required=True,
        metadata=described(
            "What others see. It is kept in the form NFC, with single spaces; nothing invisible is"
            " allowed in it (docs/api.md).",
            example="Ana",
        ),
    )
    example = {"name": "Ana"}


class Player(Answer):
    """An identity; a program may be a player like any other."""

    id = text_field("The player's id.", example=PLAYER)
    name = text_field("What others see.", example="Ana")
    created_at = text_field("When the player was made.", **TIME)
    example = {"id": PLAYER, "name": "Ana", "created_at": AT}


class NewPlayer(Player):
    """A new player, and the key that is told this once."""

    key = text_field(
        "Send it as `Authorization: Bearer <key>`. Only its hash is stored: keep it safe.",
        example="lk_Zm9yIGRvY3VtZW50YXRpb24gb25seSwgbm8ga2V5",
    )
    example = {**Player.example, "key": "lk_Zm9yIGRvY3VtZW50YXRpb24gb25seSwgbm8ga2V5"}


class StreamTicket(Answer):
    """Opens one stream where no header can be sent, as in browsers."""

    id = text_field("The ticket's id, which opens nothing.", example="k-mfrggzdfmztwq2lk")
    ticket = text_field(
        "Send it as `?ticket=`; it works once.", example="lt_c29tZSByYW5kb20gYnl0ZXM"
    )
    expires_in = ma.fields.Integer(
        required=True, metadata=described("For how many seconds it is good.", example=60)
    )
    example = {
        "id": "k-mfrggzdfmztwq2lk", "ticket": "lt_c29tZSByYW5kb20gYnl0ZXM", "expires_in": 60,
    }  # fmt: skip
