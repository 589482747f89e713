"""Loaded by Schemathesis: what it cannot read from the description, and a check of our own."""

import os
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import schemathesis

from service.api.http.spanish import SENTENCES

MALFORMED = {"not_json", "invalid_body", "invalid_query", "invalid_header"}
CANNOT_BE_SAID = (
    r"^U\+[0-9A-F]{4,}|^it shows nothing",  # characters that names may have
    r"bot's seat names|only your own seat|seats are drawn|kept for bots",
    r" has \d+ to \d+ seats",  # which the ruleset says
    r"somebody could hold the game for ever",  # public tables without a clock
    r"LONJA_\w+ is|\(LONJA_\w+\)$",  # settings of the operator
    r"^a rated table |at least `min_rating`|programs have no ratings",  # follow from several fields
    r"must be (https|a URL|the URL)",  # where messages may be sent, which the operator decides too
    r"only with the entropy_mode",
    r"not after `from`|only the games that wait for you|you hold several seats",
    r"a point of P-256",
    r"is not a key of|has no canonical form|in size$|bytes; at most \d+ are kept",  # canonical JSON
    r"to confirm it",  # the id of whoever leaves
    r"of the rules alone",  # `lang` of other documents
    # Messages to send again: what was sent, and is kept.
    r"still kept|was not sent yet|older than `first`|a type that the webhook gets",
    r"messages: at most",
)
"""Messages about values that fit the schemas but break rules that schemas cannot express."""
IN_SPANISH = tuple(
    re.escape(spanish).replace(r"\{\}", ".*")
    for english, spanish in SENTENCES.items()
    if any(re.search(reason, english) for reason in CANNOT_BE_SAID)
)
"""The same in Spanish, for those that are said in Spanish."""

GAME = {"path.game_id": "$request.path.game_id"}
MADE_GAME = {"path.game_id": "$response.body#/id"}
MADE_CUP = {"path.tournament_id": "$response.body#/id"}
MADE_KEY = {"path.key_id": "$response.body#/id"}
A_MOVE = {
    "seat": "$response.body#/seat",
    "expected_version": "$response.body#/version",
    "move": "$response.body#/moves/0",
}
"""Links to the first of the listed moves."""
AS_SAID = {"x-schemathesis": {"merge_body": False}}
"""Makes schemathesis send the body of a link unchanged, without generated members."""
RUNNING = os.environ["RUNNING"].split(",")
"""Games that wait for the caller's moves."""
LINKS: dict[str, dict[str, Any]] = {
    "getMe": {
        f"listLegalMoves {game}": {"parameters": {"path.game_id": game, "query.seat": "0"}}
        for game in RUNNING
    },
    "listLegalMoves": {
        "explainRefusal": {"parameters": {**GAME, "query.seat": "$response.body#/seat"}},
        "playMove": {"parameters": GAME, "requestBody": A_MOVE, **AS_SAID},
        "previewMove": {"parameters": GAME, "requestBody": A_MOVE, **AS_SAID},
    },
    # With a seat that every game has: another one is not found, and is not lost either.
    "createGame": {
        "cancelGame": {"parameters": MADE_GAME},
        "invite": {"parameters": MADE_GAME, "requestBody": {"seat": 1}},
        "listLegalMoves": {"parameters": {**MADE_GAME, "query.seat": "1"}},
        "takeSeat": {"parameters": {**MADE_GAME, "path.seat": 1}},
        "leaveSeat": {"parameters": {**MADE_GAME, "path.seat": 1}},
    },
    "createSeek": {
        name: {"parameters": {"path.seek_id": "$response.body#/id"}}
        for name in ("getSeek", "cancelSeek")
    },
    "createTournament": {
        name: {"parameters": MADE_CUP}
        for name in ("pauseTournament", "extendTournament", "withdrawEntry", "cancelTournament")
    },
    "pauseTournament": {
        "resumeTournament": {"parameters": {"path.tournament_id": "$request.path.tournament_id"}}
    },
    "createKey": {name: {"parameters": MADE_KEY} for name in ("rotateKey", "revokeKey")},
    "invite": {
        "revokeInvitation": {
            "parameters": {**GAME, "path.invitation_id": "$response.body#/id"},
        },
        "takeSeat": {
            "parameters": {**GAME, "path.seat": 1},
            "requestBody": {"holder": "me", "invitation": "$response.body#/token"},
        },
    },
}
"""For each operation, the operations that follow from it; a second word distinguishes links to the
same operation."""

MESSAGES = {
    "streamEvents": {"$ref": "#/components/schemas/Event"},
    "streamTournament": {"$ref": "#/components/schemas/Event"},
}
"""The schema of the data of each stream's messages."""
NOTICE = {
    "type": "object",
    "required": ["event", "data"],
    "properties": {
        "event": {
            "enum": [
                "started",
                "asked",
                "clock_low",
                "declined",
                "ended",
                "resync",
                "displaced",
                "revoked",
            ]
        },
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"type": "object"},
        },
    },
}
CLOSING = ["end", "rewound", "displaced", "revoked"]
LAST = {"type": "object", "properties": {"version": {"type": "integer"}}, "required": ["version"]}


@schemathesis.hook
def before_load_schema(_context: Any, raw_schema: dict[str, Any]) -> None:
    """Say which operation leads to which, and what messages are in the words of OpenAPI 3.2."""
    for item in raw_schema["paths"].values():
        for operation in item.values():
            name = operation.get("operationId") if isinstance(operation, dict) else None
            if name in LINKS:
                for status in operation["responses"].keys() & {"200", "201"}:
                    answer = _own(raw_schema, operation["responses"], status)
                    answer["links"] = {
                        link.replace(" ", "_"): {
                            "operationId": link.partition(" ")[0],
                            **LINKS[name][link],
                        }
                        for link in LINKS[name]
                    }
            if name in MESSAGES:
                content = operation["responses"]["200"]["content"]
                content["text/event-stream"] = {"itemSchema": _message(MESSAGES[name])}
            if name == "streamNotices":
                content = operation["responses"]["200"]["content"]
                content["text/event-stream"] = {"itemSchema": NOTICE}


def _own(document: dict[str, Any], responses: dict[str, Any], status: str) -> dict[str, Any]:
    """Return an answer that is of this operation alone."""
    if reference := responses[status].get("$ref"):
        shared = document["components"]["responses"][reference.rpartition("/")[2]]
        responses[status] = {**shared}
    answer: dict[str, Any] = responses[status]
    return answer


def _message(data: dict[str, Any]) -> dict[str, Any]:
    told = {"type": "string", "contentMediaType": "application/json"}
    return {
        "type": "object",
        "required": ["event", "data"],
        "oneOf": [
            {
                "properties": {
                    "event": {"const": "message"},
                    "data": {**told, "contentSchema": data},
                }
            },
            {
                "properties": {
                    "event": {"enum": ["end", "rewound", "displaced", "revoked"]},
                    "data": {**told, "contentSchema": LAST},
                }
            },
        ],
    }


@schemathesis.hook
def before_call(_context: Any, case: Any, _kwargs: Any) -> None:
    """Have no two requests that fit share a key: the second would be taken for the first."""
    if _fits(case) and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = uuid4().hex


def _fits(case: Any) -> bool:
    return case.meta is not None and case.meta.generation.mode.is_positive


@schemathesis.check
def is_noted(_context: Any, response: Any, case: Any) -> None:
    """Hold of every answer, and note it: the operation and the status."""
    name = case.operation.definition.raw.get("operationId")
    with Path(os.environ["ANSWERS"]).open("a") as answers:
        answers.write(f"{name} {response.status_code}\n")


@schemathesis.check
def what_fits_is_not_malformed(_context: Any, response: Any, case: Any) -> None:
    """What fits the description may be refused for what it asks, not for how it is written."""
    if _fits(case) and response.status_code in {400, 422}:
        told = response.json()
        for error in told.get("errors", [{"message": told["detail"]}]):
            # In Spanish, it may be that only the detail says what is wrong, in English.
            said = f"{error['message']}\n{told['detail'].partition(': ')[2]}"
            reasons = CANNOT_BE_SAID + IN_SPANISH
            excused = any(re.search(reason, said, re.MULTILINE) for reason in reasons)
            assert excused or told["code"] not in MALFORMED, f"{told['code']}: {error}"
