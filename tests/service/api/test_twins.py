"""Two games with the same ids, times and secrets differ only in one hidden fact, which never shows.

All answers to viewers who must not know the fact are compared, byte by byte.
"""

import importlib
import math
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import mean, variance
from typing import Any

import orjson
import pytest
from redis import Redis
from werkzeug.test import TestResponse

from laws import streams
from laws.book.previews import elements
from laws.book.taking_back import go_back
from laws.games import move_pool, sampled
from laws.streams import SECRETS, Stream, batches
from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import Batch
from rules.kernel.record.events import dump
from rules.kernel.record.game import Game
from rules.registry import PACKAGES
from service import clock
from service.api.app import create_app
from service.api.http import limits
from service.games.questions import INCLUDED as IN_QUESTIONS
from service.games.questions import question_to_player
from service.live.frames import INCLUDED
from service.players.keys import SEAT, KeyDraft, PlayerKeys
from service.process import fair_queue
from service.redis.client import make_client
from service.redis.keys import game_key
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import load
from tests.campaigns import Figure
from tests.contract.tables import REGISTRY
from tests.contract.twins import Twins
from tests.service.api.people import House, Person
from tests.signing import SeatKey

GAME_ID = "g07-" + "twin" * 5
FUTURE_MS = 4_102_444_800_000  # 2100
"""The time at which the games begin; the recorded time then stays the same."""
LATER = "2100-01-02T00:00:00.000Z"
HASHES = {"parts", "state_proof", "hash", "sig", "nonce", "nonces", "expected_head"}
"""Fields that depend on everything before them; a nonce also on the hash before it. The newest
hash of a game is called ``head``."""
RATE = ("RateLimit", "X-RateLimit")
"""Headers that count the caller's requests by the wall clock."""
OPEN_GAMES = {"santiago_de_cuba"}
"""Games that hide nothing from a perfect memory."""
OFTEN = 0.15
"""The share of moves that are taken back, and played again."""
SMALL = "sealed"
"""The game whose pages cost little."""
KEYS = [SeatKey.of(seat + 1) for seat in range(8)]
"""The keys with which players sign."""
TIMES = 100
UNIT_NS = limits.UNIT_NS
"""The real unit of cost; other tests set a longer one."""
Dear = list[tuple[str, Callable[[], TestResponse]]]
"""The most expensive requests: a name, and a function that sends the request."""


def _every_pair() -> Iterator[Twins]:
    for package in PACKAGES:
        name = package.rpartition(".")[2]
        if name not in OPEN_GAMES:
            yield from importlib.import_module(f"tests.rules.{name}.twins").every()
    yield from importlib.import_module("tests.sealed.twins").every()


PAIRS = list(_every_pair())
FEWEST = {
    (twins.table.ruleset.info.id, twins.name.rstrip("0123456789")): twins
    for twins in sorted(PAIRS, key=lambda twins: -twins.table.seats)
}
"""The twins of each fact with the fewest seats."""
LONGEST = {
    twins.table.ruleset.info.id: twins
    for twins in sorted(PAIRS, key=lambda twins: len(twins.courses[0]))
}
"""The longest twins of each game."""


@pytest.mark.parametrize(
    ("twins", "bound", "everywhere", "signs"),
    [
        *(pytest.param(twins, False, False, False, id=str(twins)) for twins in FEWEST.values()),
        *(
            pytest.param(
                twins,
                False,
                True,
                False,
                id=f"{twins}, all at each position",
                marks=pytest.mark.campaign("fairness"),
            )
            for twins in PAIRS
        ),
        *(
            pytest.param(twins, bound, True, not bound, id=f"{twins} {how}")
            for twins in PAIRS
            if twins.table.ruleset.info.id == SMALL
            for bound, how in ((True, "by keys for seats"), (False, "with signed moves"))
        ),
    ],
)
def test_twins_look_the_same(
    twins: Twins,
    bound: bool,  # noqa: FBT001 - whether seats are looked through with keys for these alone
    everywhere: bool,  # noqa: FBT001 - whether every blind viewer looks at every position
    signs: bool,  # noqa: FBT001 - whether players sign their moves
    redis_server: RedisServer,
    redis_client: Redis,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Unless all look ``everywhere``, one of the blind viewers looks at each position."""
    monkeypatch.setattr(clock, "now", lambda: LATER)
    monkeypatch.setattr(streams, "START_MS", FUTURE_MS)
    runtime = _runtime(redis_server)
    people = [House(create_app(runtime)).player(f"P{n}") for n in range(twins.table.seats)]
    eyes = [_bound(runtime, who, Seat(n)) if bound else who for n, who in enumerate(people)]
    kept: dict[Any, Any] = {key: redis_client.dump(key) for key in redis_client.scan_iter()}
    told = []
    for course in twins.courses:
        redis_client.flushall()
        for key, value in kept.items():
            redis_client.restore(key, 0, value)
        runtime = _runtime(redis_server)
        keys = KEYS if signs else []
        _store(runtime, twins, course, [person.id for person in people], keys)
        told.append(list(_everything(runtime, twins, eyes, keys, everywhere=everywhere)))
    assert len(told[0]) == len(told[1]) > 0
    for (asked, *one), (asked_too, *other) in zip(*told, strict=True):
        assert asked == asked_too
        assert one == other, f"{twins}: {asked} tells"


def _bound(runtime: Runtime, of: Person, seat: Seat) -> Person:
    """Return a client with a seat key of a player, for the game that follows."""
    keys = PlayerKeys(runtime.redis, runtime.ledger.store.clock.now_ms)
    asking = keys.find(of.key)
    assert asking is not None
    _made, text = keys.make(asking, KeyDraft("page", SEAT, None, GAME_ID, seat), None)
    return Person(of.house, {"Authorization": f"Bearer {text}"}, of.id, text)


@pytest.fixture
def pair(twins: Twins, redis_binary: Path | None, tmp_path: Path) -> Iterator[list[Dear]]:
    """Both games, each in its own store, with the most expensive requests."""
    with ExitStack() as stack:
        servers = [
            stack.enter_context(RedisServer(tmp_path / name, "everysec", binary=redis_binary))
            for name in "ab"
        ]
        one, other = (make_client(server.url) for server in servers)
        house = House(create_app(_runtime(servers[0])))
        people = [house.player(f"P{n}") for n in range(twins.table.seats)]
        for key in one.scan_iter():
            kept: Any = one.dump(key)
            other.restore(key, 0, kept)
        yield [
            _dear(server, twins, course, people)
            for server, course in zip(servers, twins.courses, strict=True)
        ]


@pytest.mark.parametrize(
    "twins",
    [
        pytest.param(twins, marks=() if name == SMALL else pytest.mark.campaign("fairness"))
        for name, twins in LONGEST.items()
    ],
    ids=str,
)
def test_twins_are_as_much_work(pair: list[Dear], monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers show the cost of the request, which must not depend on hidden facts."""
    monkeypatch.setattr(fair_queue, "STRETCH_NS", 10**15)  # pauses are no work
    for (path, one), (path_too, other) in zip(*pair, strict=True):
        assert path == path_too
        calls = _calls(one), _calls(other)
        assert max(calls) - min(calls) <= max(calls) / 100, (path, calls)


@pytest.mark.campaign("fairness")
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "twins", [twins for name, twins in LONGEST.items() if name != SMALL], ids=str
)
def test_twins_are_told_as_many_units(
    pair: list[Dear], monkeypatch: pytest.MonkeyPatch, record_property: Figure
) -> None:
    """The requests alternate, so that the machine's load is the same for both games."""
    monkeypatch.setattr(limits, "UNIT_NS", UNIT_NS)
    rng, most = random.Random(1), 0.0
    for (path, one), (_path, other) in zip(*pair, strict=True):
        told: tuple[list[int], list[int]] = ([], [])
        for _ in range(TIMES):
            for which in rng.sample((0, 1), 2):
                answer = (one, other)[which]()
                told[which].append(int(answer.headers["Server-Timing"].rpartition("=")[2][1:-1]))
        first, second = mean(told[0]), mean(told[1])
        by_chance = math.sqrt((variance(told[0]) + variance(told[1])) / TIMES)
        assert abs(first - second) <= 4.5 * by_chance, (path, first, second)
        most = max(most, first)
        record_property("answers of twins with as many units", 2 * TIMES)
    assert most > 1, "something costs more than what anything counts"


def _calls(ask: Callable[[], TestResponse]) -> int:
    """Return the number of function calls for a request that was sent before."""
    count = 0

    def note(_frame: object, what: str, _argument: object) -> None:
        nonlocal count
        count += what in {"call", "c_call"}

    ask()
    sys.setprofile(note)
    try:
        ask()
    finally:
        sys.setprofile(None)
    return count


def _dear(server: RedisServer, twins: Twins, course: Any, people: list[Person]) -> Dear:
    """Return the requests for the longest pages of a game, for each blind viewer."""
    runtime = _runtime(server)
    _store(runtime, twins, course, [person.id for person in people])
    house, url = House(create_app(runtime)), f"/v1/games/{GAME_ID}"
    found: Dear = []
    for seat in twins.blind[:1]:
        eyes = "spectator" if seat is None else str(seat)
        who = Person(house, {} if seat is None else people[seat].headers)
        for page in (
            f"events?limit=1000&include={','.join(INCLUDED)}&seat={eyes}",
            f"log?limit=1000&seat={eyes}",
            f"record?seat={eyes}",
        ):
            found.append((page, partial(_read, who, f"{url}/{page}")))
    return found


def _read(who: Person, path: str) -> TestResponse:
    answer = who.get(path)
    assert answer.status_code == 200, answer.text
    answer.close()
    return answer


def _runtime(server: RedisServer) -> Runtime:
    settings = load({"REDIS_URL": server.url, "LONJA_EXTRA_RULESETS": "tests.sealed"})
    return open_runtime(settings, announce=False)


def _store(
    runtime: Runtime,
    twins: Twins,
    course: Any,
    players: list[str],
    keys: Sequence[SeatKey] = (),
) -> None:
    """Store the game as a restore does, because events of the future cannot be appended."""
    stream, rng = Stream(Game(GAME_ID, REGISTRY)), random.Random("taken back")
    for batch in batches(
        twins.table, course, stream, players, take_back=True, hints=True, keys=keys
    ):
        stream.append(batch)
        if stream.game.asked and rng.random() < OFTEN:
            _ask_for_hint(stream, rng.choice(sorted(stream.game.asked)))
        if stream.game.points and rng.random() < OFTEN:
            go_back(stream, rng.choice(stream.game.points), keys)
    salt, seed = (b"\0" + secret for secret in SECRETS)  # not wrapped
    runtime.redis.hset(game_key(GAME_ID, "secrets"), mapping={"salt": salt, "chance_seed": seed})
    for event in stream.events:
        record, proofs = dump(event)
        fields: Any = {"e": record, "p": proofs}
        runtime.redis.xadd(game_key(GAME_ID, "events"), fields, id=f"{event.seq}-0")


def _ask_for_hint(stream: Stream, seat: Seat) -> None:
    game = stream.game
    if (seat, game.asked[seat]) not in game.hinted and not game.seats[seat].resigned:
        asked = Batch(game, SECRETS, game.at)
        asked.hint(seat, game.asked[seat], {"seat": seat})
        stream.append(asked)


def _everything(
    runtime: Runtime,
    twins: Twins,
    people: list[Person],
    keys: Sequence[SeatKey],
    *,
    everywhere: bool,
) -> Iterator[tuple[str, int, Any, int, Any]]:
    """Send all requests for each blind viewer; at last, play on with the blind seats."""
    house = House(create_app(runtime))
    url = f"/v1/games/{GAME_ID}"
    game = runtime.ledger.table(GAME_ID).game
    rng = random.Random(str(twins))
    looks = {at: rng.choice(twins.blind) for at in range(3, game.version + 1)}
    for seat in twins.blind:
        who = Person(house, {} if seat is None else people[seat].headers)
        eyes = "spectator" if seat is None else str(seat)
        positions = [at for at, viewer in looks.items() if everywhere or viewer == seat]
        for path in _reads(url, eyes, game.version, positions):
            yield _told(f"{seat} GET {path}", who.get(path, X_Request_Id="same"))
        for language in ("en", "es"):
            path = f"{url}/log?seat={eyes}&limit=1000"
            answer = who.get(path, Accept_Language=language, X_Request_Id="same")
            yield _told(f"{seat} GET {path} {language}", answer)
        for more in ("", f"&last=20&include={','.join(INCLUDED)}"):
            path = f"{url}/stream?seat={eyes}{more}"
            yield f"{seat} GET {path}", 200, {}, 0, _streamed(who, path, game)
        if seat is not None and seat in game.asked:
            question = question_to_player(runtime.ledger, game, seat, LATER, "en", IN_QUESTIONS)
            size = len(orjson.dumps(question))
            yield f"{seat} is asked", 200, {}, size, _shape(question)
    for seat in twins.blind:
        if seat is not None:
            person = Person(house, people[seat].headers)
            key = keys[seat] if keys else None
            yield from _moves(person, url, seat, runtime, key, opens_next=twins.opens_next)


def _reads(url: str, eyes: str, version: int, positions: Iterable[int]) -> Iterator[str]:
    yield "/v1/games"
    yield url
    yield f"{url}/head"
    yield f"{url}/record?seat={eyes}"
    for at in positions:
        yield f"{url}/state?seat={eyes}&at={at}"
    for after in range(0, version, 200):
        yield f"{url}/events?seat={eyes}&limit=200&after={after}"
        yield f"{url}/events?seat={eyes}&limit=200&after={after}&format=ndjson"
    if eyes != "spectator":
        yield f"{url}/legal_moves?seat={eyes}"


def _moves(
    who: Person,
    url: str,
    seat: Seat,
    runtime: Runtime,
    key: SeatKey | None,
    *,
    opens_next: bool,
) -> Iterator[tuple[str, int, Any, int, Any]]:
    """Preview some moves, ask for a hint, try illegal moves, play the first legal one, take back.

    Stale moves are refused before the rules are asked, so one move of each type is enough.
    """
    game = runtime.ledger.table(GAME_ID).game
    legal = [move.to_json() for move in game.ruleset.legal_moves(game.state, seat)]
    asked = seat in game.asked
    for move in legal[:5] if asked else ():
        body = {"seat": seat, "move": move, "expected_version": game.version}
        answer = who.post(f"{url}/preview", body, X_Request_Id="same")
        yield _told(f"{seat} previews {move}", answer)
    for element in _elements(game, seat) if asked else ():
        answer = who.get(f"{url}/refusal?seat={seat}&element={element}", X_Request_Id="same")
        yield _told(f"{seat} asks why not {element}", answer)
    answer = who.post(f"{url}/hint", {"seat": seat}, X_Request_Id="same")
    told = {name: value for name, value in orjson.loads(answer.data).items() if name != "asked_at"}
    yield f"{seat} asks for a hint", answer.status_code, {}, 0, _shape(told)
    pool = [move for move in move_pool(game.ruleset) if not asked or move not in legal]
    refused = [*pool, {}, {"type": "nothing"}]
    one_of_each_type = {move.get("type"): move for move in refused}.values()
    played = legal[:1] if asked and not opens_next else []
    now, stale = game.version, 0
    tried = [
        *((move, now) for move in refused),
        *((move, stale) for move in one_of_each_type),
        *((move, version) for move in played for version in (now, stale)),
    ]
    for move, version in tried:
        body = {"seat": seat, "move": move, "expected_version": version}
        hashes = HASHES
        if key is not None:
            hashes = HASHES | {"request"}  # of the newest head
            decision, head = game.asked.get(seat, 1), game.head.hex()
            signature = key.move(GAME_ID, seat, decision, head, move)
            body |= {"expected_head": head, "signature": signature}
        answer = who.post(f"{url}/moves", body, X_Request_Id="same")
        if move in played and version == now:
            assert answer.status_code == 201, answer.text
        yield _told(f"{seat} plays {move} at {version}", answer, hashes)
    for to in (now, now - 1, now - 2):
        body = {"seat": seat, "to": to}
        answer = who.post(f"{url}/take_backs", body, X_Request_Id="same")
        yield _told(f"{seat} takes back to {to}", answer)


def _elements(game: Game, seat: Seat) -> list[str]:
    """Return elements of the board: some of those to which moves refer, and one that is none."""
    named = elements(game.ruleset, game.state, seat)
    return ["place:none", *sampled(named, 6, random.Random(game.version))]


def _told(
    asked: str, answer: TestResponse, hashes: set[str] = HASHES
) -> tuple[str, int, Any, int, Any]:
    lines = answer.data.splitlines()
    body = [_shape(orjson.loads(line), hashes=hashes) for line in lines]
    headers = {n: v for n, v in answer.headers.items() if not n.startswith(RATE)}
    return asked, answer.status_code, headers, len(answer.data), body


def _streamed(who: Person, url: str, game: Game) -> Any:
    answer = who.get(url)
    seen: list[Any] = []
    for chunk in answer.iter_encoded():
        for line in chunk.split(b"\n"):
            json = line.startswith(b"data: ")
            seen.append((len(line), _shape(orjson.loads(line[6:])) if json else line))
        if any(isinstance(s, dict) and s.get("seq") == game.version for _, s in seen):
            break
    answer.close()
    return seen


def _shape(value: Any, name: str = "", hashes: set[str] = HASHES) -> Any:
    """Replace hashes by their lengths; keep everything else."""
    if isinstance(value, dict):
        assert "signature" not in value or "move" in value, "a signature tells the move"
        return {n: _shape(v, name if name in hashes else n, hashes) for n, v in value.items()}
    if isinstance(value, list):
        return [_shape(item, name, hashes) for item in value]
    return len(value) if name in hashes | {"head"} and isinstance(value, str) else value
