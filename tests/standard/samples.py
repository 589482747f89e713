"""A document or answer of each kind, with all possible members."""

import json
from copy import deepcopy

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.schemas import view_schema
from tests.contract.tables import REGISTRY
from tests.running import ROOT
from tests.standard.nim import DOCUMENTS as NIM

_VECTORS = json.loads((ROOT / "docs/table_vectors.json").read_text(encoding="utf-8"))["documents"]
_LEGAL = _VECTORS["legal"]["trade"]
_QUESTION = {"id": 3, "seat": 0, "name": "take", "label": "take a stick", "deadline": None}
_STATE = {"version": 3, "status": "running", "seat": 0, "decisions": [_QUESTION], "state": {"x": 1}}
_EFFECT = {"seq": 3, "type": "taken", "text": "Red takes 1", "data": {"n": 1}}
_EVENT = {
    "seq": 3, "last": 3, "kind": "moved", "by": {"seat": 0}, "effects": [_EFFECT],
    "words": ["Red takes 1"], "state": _STATE, "legal_moves": _LEGAL, "groups": _LEGAL["groups"],
}  # fmt: skip
_STANDING = {"side": "seat:0", "rank": 1, "score": 1, "breakdown": {"sticks": 1}}
_SEATS = [
    {"seat": 0, "holder": "player", "name": "Ana", "player": "p1", "kind": "person"},
    {"seat": 1, "holder": "bot", "bot": "nim"},
]

_SAMPLES: JsonObject = {
    "board": _VECTORS["boards"]["harbour"],
    "labels": _VECTORS["words"],
    "view": view_schema(REGISTRY.find("santiago_de_cuba"), "en"),
    "groups": _LEGAL["groups"],
    "ruleset": NIM["ruleset"],
    "legal_moves": {**_LEGAL, "seat": 0},
    "state": _STATE,
    "event": _EVENT,
    "events": {"events": [_EVENT], "next_after": 3},
    "log": {"effects": [_EFFECT], "version": 3, "next_after": None},
    "game": {
        "id": "g1", "ruleset": "nim", "status": "ended", "version": 4, "seats": _SEATS,
        "decisions": [], "result": {"reason": "empty", "standings": [_STANDING]},
        "standings": [{"side": "seat:0", "rank": 1, "text": "wins", "notes": ["by far"]}],
    },
    "move_request": {"seat": 0, "move": {"type": "take", "amount": 1}, "expected_version": 3},
    "moved": {"version": 4, "receipt": {"seq": 4}, "events": [_EVENT]},
    "preview": {
        "effects": [{"type": "taken", "text": "Red takes 1"}], "state": {"x": 1},
        "stops_at": "draw", "next": {"seats": [0], "label": "take a stick"},
    },
    "refusal": {"answer": "refused", "label": "It is taken.", "what": "Take a stick"},
    "problem": {
        "code": "illegal_move", "detail": "No.", "title": "No", "status": 422, "label": "No.",
        "reason": "not_yours", "errors": [{"field": "move", "message": "is none"}],
    },
    "me": {"id": "p1", "key": {"scope": "seat", "seat": 0}},
}  # fmt: skip
NAMES = [*_SAMPLES]


def sample(name: str) -> JsonObject:
    """Return a copy of a sample, by the name of its schema."""
    return deepcopy(json.loads(json.dumps(_SAMPLES[name])))
