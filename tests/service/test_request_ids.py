"""A request id is in the logs of all processes, and in no record."""

from pathlib import Path

import orjson

from tests.running import environment, process, wait_for
from tests.service.api.people import Json
from tests.service.api.test_gunicorn import Service

OPEN, MOVE = "trace-me.1", "trace-me.2"


def lines(log: Path, request_id: str) -> list[Json]:
    """Return the lines of the logs with the id."""
    found = [line for line in log.read_text().splitlines() if f'"{request_id}"' in line]
    return [orjson.loads(line) for line in found]


def test_a_request_is_followed_to_the_turn_of_the_worker(
    tmp_path: Path, redis_binary: Path | None
) -> None:
    told = {"LONJA_LOG_FORMAT": "json", "LONJA_LOG_LEVEL": "info"}
    web_log, worker_log = tmp_path / "web.log", tmp_path / "worker.log"
    with Service(tmp_path / "redis", redis_binary, log=web_log, **told) as service:
        ana = service.call("POST", "/v1/players", body={"name": "Ana"}).json
        key = ana["key"]
        seats = [{"holder": "me"}, {"holder": "bot", "bot": "greedy"}]
        body = {"ruleset": "sealed", "seats": seats}
        with process(
            "-m", "workers.worker", env=environment(service.redis.url, **told), log=worker_log
        ):
            game = service.call("POST", "/v1/games", key, body, X_Request_Id=OPEN).json
            path = f"/v1/games/{game['id']}"
            asked = wait_for(lambda: legal(service, path, key)) or {}
            form = {"seat": 0, "move": asked["moves"][0], "expected_version": asked["version"]}
            moved = service.call("POST", f"{path}/moves", key, form, X_Request_Id=MOVE)
            assert moved.status == 201
            wait_for(lambda: any(line["event"] == "turn" for line in lines(worker_log, MOVE)))
            service.call("GET", path, key)
        opened = lines(web_log, OPEN)
        assert [line["event"] for line in opened] == ["appended", "request"]
        assert opened[0]["game"] == game["id"]
        assert (opened[0]["first"], opened[0]["last"]) == (1, game["version"])
        (second,) = (line for line in lines(web_log, MOVE) if line["event"] == "appended")
        assert second["first"] > game["version"]
        (turn, *_) = (line for line in lines(worker_log, MOVE) if line["event"] == "turn")
        assert turn["thing"] == game["id"]
        assert turn["queue"] == "live"
        answered = [line for line in lines(worker_log, MOVE) if line["event"] == "appended"]
        assert answered[0]["game"] == game["id"]
        others = [line for line in web_log.read_text().splitlines() if f'"{path}"' in line]
        assert OPEN not in others[-1], "a connection keeps no id of an earlier request"
        events = service.call("GET", f"{path}/events?limit=500", key).json["events"]
        assert "trace-me" not in orjson.dumps(events).decode()


def legal(service: Service, path: str, key: str) -> Json | None:
    found = service.call("GET", f"{path}/legal_moves", key).json
    return found if found["moves"] else None
