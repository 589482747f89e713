"""A client of Lonja: tables, moves, streams and proofs of a service, over its HTTP API.

from lonja_client import ME, Client, bot

client, key = Client("http://127.0.0.1:8000").sign_up("Robbie", kind="bot")
table = client.open("macao", [ME, bot("greedy")])
for turn in table.turns():
    turn.play(turn.moves[0])
print(table.game()["result"])
table.check()
"""

from lonja_client.answers import (
    BotAccount,
    Event,
    Game,
    GameState,
    GameSummary,
    LegalMoves,
    Move,
    MoveAnswer,
    Receipt,
)
from lonja_client.client import ME, OPEN, Client, EventStream, bot, challenge
from lonja_client.errors import (
    Changed,
    Conflict,
    Contradiction,
    Forbidden,
    IllegalMove,
    Invalid,
    LonjaError,
    NotFound,
    Refused,
    Rewound,
    ServiceFailed,
    StaleVersion,
    TooMany,
    Unauthorized,
    Unreachable,
)
from lonja_client.messages import Message
from lonja_client.questions import NUMBERS, Question
from lonja_client.receipts import BadSignature, BrokenChain, CheckResult, Receipts
from lonja_client.signing import SigningKey
from lonja_client.tables import SPECTATOR, Table, Turn
from lonja_client.version import VERSION

__all__ = [
    "ME",
    "NUMBERS",
    "OPEN",
    "SPECTATOR",
    "VERSION",
    "BadSignature",
    "BotAccount",
    "BrokenChain",
    "Changed",
    "CheckResult",
    "Client",
    "Conflict",
    "Contradiction",
    "Event",
    "EventStream",
    "Forbidden",
    "Game",
    "GameState",
    "GameSummary",
    "IllegalMove",
    "Invalid",
    "LegalMoves",
    "LonjaError",
    "Message",
    "Move",
    "MoveAnswer",
    "NotFound",
    "Question",
    "Receipt",
    "Receipts",
    "Refused",
    "Rewound",
    "ServiceFailed",
    "SigningKey",
    "StaleVersion",
    "Table",
    "TooMany",
    "Turn",
    "Unauthorized",
    "Unreachable",
    "bot",
    "challenge",
]  # fmt: skip
