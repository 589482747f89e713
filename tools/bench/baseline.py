"""The service's application with a baseline handler, with which the handler of moves is compared.

The baseline does only what any event store behind this API must do. It authenticates, counts the
request, lets other addresses go first, validates the same body, appends as many events of the same
size in one script, and answers. It has no rules and makes no proofs.
"""

import os

from flask import Flask, Response

from service.api.app import create_app
from service.api.http.access import PLAYERS
from service.api.http.context import Caller
from service.api.http.guards import Guard, check_game_id
from service.api.http.operations import Blueprint
from service.api.http.responses import answer
from service.api.schemas import play as shapes
from service.api.wsgi import LazyApplication
from service.runtime import Runtime

SCRIPT = """
local n = redis.call("XLEN", KEYS[1])
for i = 1, tonumber(ARGV[1]) do
  redis.call("XADD", KEYS[1], (n + i) .. "-0", "e", ARGV[2], "p", ARGV[3])
end
return n + ARGV[1]
"""
RECORD, PROOFS = b"e" * 130, b"p" * 64
"""Values instead of an event's state and proofs, of about the size that they have in Santiago de
Cuba.
"""


def create(runtime: Runtime) -> Flask:
    """Return the application with the baseline handler, and one for the process's id."""
    made = create_app(runtime)
    made.register_blueprint(_blueprint(runtime))
    made.get("/process")(lambda: str(os.getpid()))
    return made


def _blueprint(runtime: Runtime) -> Blueprint:
    blueprint = Blueprint("baseline", __name__)
    append = runtime.redis.register_script(SCRIPT)

    @blueprint.operation(
        "POST",
        "/v1/baseline/<game_id>/<int:events>/moves",
        "baseline",
        security=PLAYERS,
        sees=Guard("game_id", check_game_id, parts=("events",)),
        body=True,
    )
    @blueprint.arguments(shapes.MoveRequestSchema)
    @blueprint.response(201, shapes.MoveAnswerSchema, description="Appended.")
    def play_move(_caller: Caller, body: shapes.MoveRequest, game_id: str, events: int) -> Response:
        version = append([f"baseline:{game_id}"], [events, RECORD, PROOFS])
        return answer({"game_id": game_id, "version": version, "seat": body.seat}, 201)

    return blueprint


app = LazyApplication(create)
