"""An independent service with Nim, made with docs/api/table.md and the standard library only."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Condition
from typing import Any, ClassVar
from urllib.parse import parse_qsl

DOCUMENTS = json.loads(Path(__file__).with_suffix(".json").read_text())
KEYS, NAMES = {"Bearer red": 0, "Bearer black": 1}, ("Red", "Black")
ALLOWED = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID"


class Nim(BaseHTTPRequestHandler):
    events: ClassVar[list[Any]] = [DOCUMENTS["started"]]
    news = Condition()

    def do_GET(self) -> None:
        path, _, query = self.path.removeprefix("/v1/").partition("?")
        asked, seat = dict(parse_qsl(query)), KEYS.get(self.headers["Authorization"])
        seen = [self.seen(event, None if "spectator" in asked else seat) for event in self.events]
        first = len(seen) - 1 if "last" in asked else asked.get("after", 0)
        after = int(self.headers["Last-Event-ID"] or first)
        if path == "games/nim/stream":
            return self.stream(seen[0]["state"]["seat"], after)
        answers = {
            **{f"rulesets/nim/{name}": (200, DOCUMENTS[name]) for name in ("board", "labels")},
            "rulesets/nim": (200, DOCUMENTS["ruleset"]),
            "games/nim": (200, {**DOCUMENTS["game"], **seen[-1]["state"], **self.result()}),
            "games/nim/state": (200, seen[-1]["state"]),
            "games/nim/legal_moves": (200, seen[-1]["legal_moves"]),
            "games/nim/events": (200, {"events": seen[after:], "next_after": None}),
        }
        return self.answer(*answers.get(path, (404, DOCUMENTS["problems"]["missing"])))

    def do_POST(self) -> None:
        form = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.news:
            self.answer(*self.play(self.events[-1], form["move"], form["expected_version"]))
            self.news.notify_all()

    def do_OPTIONS(self) -> None:
        self.answer(200, {})

    def seen(self, event: Any, seat: int | None) -> Any:
        seq, left, mover = event["seq"], event["left"], (event["seq"] - 1) % 2
        many = range(1, min(3, left) + 1) if seat == mover else ()
        asks = [{**DOCUMENTS["question"], "id": seq, "seat": mover}] if left else []
        state = {"version": seq, "status": "running" if left else "ended", "seat": seat,
                 "decisions": asks, "state": {"sticks": [*range(1, left + 1)]}}  # fmt: skip
        field = {**DOCUMENTS["field"], "choices": [{"value": n, "label": f"{n}"} for n in many]}
        groups = [{**DOCUMENTS["group"], "count": len(many), "choices": field}] if many else []
        legal = {"version": seq, "moves": [{"type": "take", "amount": n} for n in many],
                 "labels": [f"Take {n}" for n in many], "groups": groups}  # fmt: skip
        return {**event, "state": state, "legal_moves": legal, "groups": groups}

    def result(self) -> Any:
        won, over = self.events[-1]["by"].get("seat", 0), self.events[-1]["kind"] == "ended"
        first, second = DOCUMENTS["standings"]
        ranks = [{**first, "side": f"seat:{won}"}, {**second, "side": f"seat:{1 - won}"}]
        result = {"result": {"reason": "empty", "standings": ranks}, "standings": ranks}
        return result if over else {"result": None, "standings": []}

    def play(self, now: Any, move: Any, expected_version: int) -> tuple[int, Any]:
        seat, seq = KEYS.get(self.headers["Authorization"]), now["seq"] + 1
        if self.path != "/v1/games/nim/moves":
            return 404, DOCUMENTS["problems"]["missing"]
        if expected_version != now["seq"]:
            return 409, DOCUMENTS["problems"]["stale"]
        if seat is None or move not in self.seen(now, seat)["legal_moves"]["moves"]:
            return 422, DOCUMENTS["problems"]["illegal"]
        left, text = now["left"] - move["amount"], f"{NAMES[seat]} takes {move['amount']}"
        event = {"seq": seq, "last": seq, "kind": "moved" if left else "ended", "left": left}
        effects, by = [{"seq": seq, "type": "taken", "text": text}], {"seat": seat}
        self.events.append({**event, "by": by, "effects": effects, "words": [text]})
        return 200, {"version": seq}

    def stream(self, seat: int | None, after: int) -> None:
        self.answer(200, None, "text/event-stream")
        while after < 1 or self.events[after - 1]["kind"] != "ended":
            with self.news:
                self.news.wait(12 if len(self.events) == after else 0)
            told = [self.seen(event, seat) for event in self.events[after:]]
            lines = [f"id: {each['seq']}\ndata: {json.dumps(each)}\n\n" for each in told]
            self.wfile.write("".join(lines or [":\n\n"]).encode())
            after += len(lines)
        self.wfile.write(b"event: end\ndata: {}\n\n")

    def answer(self, status: int, body: Any, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Access-Control-Allow-Headers", ALLOWED)
        self.end_headers()
        self.wfile.write(b"" if body is None else json.dumps(body).encode())


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", 8123), Nim).serve_forever()
