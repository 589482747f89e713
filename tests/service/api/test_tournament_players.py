"""Bot accounts in tournaments: they play from elsewhere, by the clock of the plan."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.verify import Report
from rules.kernel.record.events import Event
from service.ledger.store import Store
from service.records import tournament_file
from service.records.game_file import Record
from service.runtime import Runtime
from service.tournaments import unended
from service.tournaments.record import export
from service.tournaments.record.verify import verify_tournament
from service.tournaments.report import report
from service.tournaments.tournament import Tournament
from tests import running
from tests.running import patient_matches, wait_for
from tests.service.api.people import House, Person, data, problem
from tests.service.api.resources.test_bots import made
from tests.service.api.test_notices import opened
from tests.service.api.test_questions import ASKED, answer, asked
from tests.service.api.test_stream import streaming
from tests.service.tournaments.conftest import Hall, failures
from tests.service.tournaments.forging import File, forger_of
from tests.service.tournaments.test_other_verifier import Judge, judge
from tests.service.tournaments.test_sentences import again, by, value
from tests.service.verifier.programs import codes, standing
from workers.process import make
from workers.sweeper import Sweeper

__all__ = ["judge"]
pytestmark = pytest.mark.usefixtures("following")

CUP: JsonObject = {
    "ruleset": "sealed",
    "seats": 2,
    "format": {"type": "round_robin", "games": 4},
}
HASTE = {"decision_seconds": 1, "grace_ms": 1}
Check = Callable[[Iterable[JsonObject]], Report]
Change = Callable[[File], None]


@pytest.fixture
def check(runtime: Runtime, tmp_path: Path) -> Check:
    def check(lines: Iterable[JsonObject]) -> Report:
        path = tmp_path / "t.ndjson"
        tournament_file.write(path, lines)
        with tournament_file.reading(path) as found:
            return verify_tournament(found, runtime.registry)

    return check


class Cup:
    """A tournament that ``host`` opens, and a worker that plays it in this process."""

    def __init__(self, runtime: Runtime, host: Person, *entries: JsonObject, **more: Any) -> None:
        asked_for = {**CUP, **({"entries": entries} if entries else {}), **more}
        self.id: str = data(host.post("/v1/tournaments", asked_for))["id"]
        self.host = host
        self.url = f"/v1/tournaments/{self.id}"
        self.runtime = runtime
        self.matches = patient_matches(runtime)
        self._sweeper = Sweeper(make(runtime))

    def found(self) -> Tournament:
        return self.runtime.director.find(self.id)

    def work(self) -> None:
        """Play all that can be played without the players."""
        self.matches.play(self.id)

    def sweep(self) -> None:
        self._sweeper.sweep()
        self.work()

    def games(self) -> list[str]:
        """Return the games that have begun and are not over."""
        cup = self.found()
        names = [name for block in cup.open_blocks() for name in cup.game_ids(block)]
        newest = self.runtime.ledger.store.newest_events(names)
        over = ("ended", "aborted", "chance_revealed")
        return [
            name
            for name, event in zip(names, newest, strict=True)
            if event is not None and event.kind not in over
        ]

    def finish(self, *bots: Person) -> Tournament:
        """Let the bots answer with their first legal move until the tournament is over."""
        for _ in range(500):
            self.work()
            if self.found().over:
                return self.found()
            for bot in bots:
                self.answer(bot)
        raise AssertionError("it does not end")

    def answer(self, bot: Person) -> None:
        """Answer the questions that are open for a bot now."""
        open_ = [name for name in self.games() if self._asks(name, bot)]
        if open_:
            with streaming(bot, ASKED) as stream:
                for _ in open_:
                    assert answer(bot, asked(stream)["question"]).status_code == 201

    def _asks(self, game_id: str, bot: Person) -> bool:
        game = self.runtime.ledger.table(game_id).game
        return any(game.seats[seat].holder == {"player": bot.id} for seat in game.asked)

    def record(self) -> list[JsonObject]:
        return list(export.lines(self.runtime, self.found()))


def test_a_bot_account_plays_to_the_end_and_the_record_is_verified(
    house: House, runtime: Runtime, check: Check, judge: Judge
) -> None:
    ana = house.player("Ana")
    robbie = made(ana)
    cup = Cup(
        runtime, ana, {"player": robbie.id}, {"bot": "greedy"}, {"bot": "random"},
        format={"type": "round_robin", "games": 6},
    )  # fmt: skip
    plan = data(ana.get(cup.url))["plan"]
    assert plan["entries"][0] == {
        "name": "Robbie", "kind": "player", "player": robbie.id, "owner": ana.id,
        "version": "1.0", "entropy_commitment": None,
    }  # fmt: skip
    assert (plan["luck"], plan["rated"]) == ("game", False)
    assert plan["clock"] == {"decision_seconds": 30, "grace_ms": 2000}
    held = cup.finish(robbie)
    assert held.reason == "completed"
    lines = cup.record()
    proved = check(lines)
    assert proved.ok, failures(proved)
    assert standing(judge(lines)) == "sound"
    games = [line for line in lines if line.get("kind") == "created" and "game" in line["body"]]
    assert {line["body"]["game"]["visibility"] for line in games} == {"seats", "block"}
    rows = {row["entry"]: row for row in report(held)["table"]}
    assert rows["Robbie"]["bot"] == f"{robbie.id}@1.0"
    assert (rows["Robbie"]["player"], rows["Robbie"]["owner"]) == (robbie.id, ana.id)
    assert "owner" not in rows["greedy"]
    assert not data(house.visitor.get("/v1/games"))["games"], "they are no tables"


def test_two_bot_accounts_play_on_budgets_to_the_end(
    house: House, runtime: Runtime, check: Check, judge: Judge
) -> None:
    ana = house.player("Ana")
    robbie, hal = made(ana), made(ana, name="Hal")
    clock = {"budget_seconds": 900, "increment_seconds": 2, "grace_ms": 500}
    entries = {"player": robbie.id}, {"player": hal.id}
    games = {"type": "round_robin", "games": 2}
    cup = Cup(runtime, ana, *entries, format=games, clock=clock)
    held = cup.finish(robbie, hal)
    assert (held.reason, len(held.results)) == ("completed", 1)
    lines = cup.record()
    pinned = [line["body"]["game"] for line in lines if "game" in line.get("body", {})]
    assert [game["clock"] for game in pinned] == [clock] * 2
    proved = check(lines)
    assert proved.ok, failures(proved)
    assert standing(judge(lines)) == "sound"


def test_a_seat_sees_its_own_view_and_others_nothing_before_the_end(
    house: House, runtime: Runtime
) -> None:
    ana = house.player("Ana")
    robbie = made(ana)
    entries = {"player": robbie.id}, {"bot": "random"}
    cup = Cup(runtime, ana, *entries, format={"type": "round_robin", "games": 2})
    cup.work()
    (game,) = cup.games()
    url = f"/v1/games/{game}"
    for looker in (house.visitor, ana):
        for path in ("state", "state?seat=0", "events", "headers", "record"):
            problem(looker.get(f"{url}/{path}"), 409, "game_sealed")
    seat = next(s["seat"] for s in data(ana.get(url))["seats"] if s.get("player") == robbie.id)
    problem(robbie.get(f"{url}/state?seat={1 - seat}"), 409, "game_sealed")
    state = data(robbie.get(f"{url}/state"))
    assert state["seat"] == seat
    assert [decision["seat"] for decision in state["decisions"]] == [seat]
    assert data(ana.get(url))["decisions"] == []
    assert data(robbie.get(f"{url}/events"))["events"]
    assert data(robbie.get(f"{url}/headers"))["events"]
    with streaming(robbie, f"{url}/stream") as stream:
        assert stream.event()["kind"] == "created"
    cup.finish(robbie)
    assert data(house.visitor.get(f"{url}/state"))["state"]


def test_it_plays_as_many_games_at_once_as_it_takes(house: House, runtime: Runtime) -> None:
    ana = house.player("Ana")
    one, three = made(ana, name="One", concurrency=1), made(ana, name="Three", concurrency=3)
    for bot, at_once in ((one, 1), (three, 3)):
        entries = {"player": bot.id}, {"bot": "random"}
        cup = Cup(runtime, ana, *entries, format={"type": "round_robin", "games": 8})
        for _ in range(3):
            cup.work()
            assert len(cup.games()) == at_once
            cup.answer(bot)
        data(ana.post(f"{cup.url}/cancel", {}))
        cup.work()
        assert not list(unended.games(runtime.ledger.store, cup.found()))
        assert not data(bot.get("/v1/games?asked=true"))["games"]


def test_only_games_of_open_blocks_are_read_to_find_who_plays(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = house.player("Ana")
    robbie = made(ana)
    entries = {"player": robbie.id}, {"bot": "random"}
    cup = Cup(runtime, ana, *entries, format={"type": "round_robin", "games": 4})
    store = runtime.ledger.store
    read: list[list[str]] = []

    def newest_events(names: Iterable[str]) -> list[Event | None]:
        read.append(list(names))
        return type(store).newest_events(store, read[-1])

    def is_read() -> int:
        with monkeypatch.context() as patched:
            patched.setattr(store, "newest_events", newest_events)
            unended.games_of_players(store, cup.found())
        return len(read[-1])

    counts = [is_read()]
    while not cup.found().over:
        cup.work()
        cup.answer(robbie)
        counts.append(is_read())
    assert counts == sorted(counts, reverse=True)
    assert (counts[0], counts[-1]) == (4, 0)


def test_a_bot_that_hangs_resigns_and_is_out_by_the_stores_clock(
    house: House, runtime: Runtime, check: Check, judge: Judge
) -> None:
    ana = house.player("Ana")
    robbie = made(ana)
    cup = Cup(
        runtime, ana, {"player": robbie.id}, {"bot": "random"}, {"bot": "greedy"},
        format={"type": "round_robin", "games": 6}, clock=HASTE,
        failures={"disqualify_after": 2},
    )  # fmt: skip

    def is_over() -> bool:
        cup.sweep()
        return cup.found().over

    wait_for(is_over)
    held = cup.found()
    (out,) = held.disqualified.values()
    assert (out.entry, out.reason.split()[0]) == (0, "failed")
    lines = cup.record()
    proved = check(lines)
    assert proved.ok, failures(proved)
    assert standing(judge(lines)) == "sound"
    told = [f for games in held.results.values() for game in games for f in game.failures]
    assert {reason for _seat, _decision, reason in told} == {"timed_out"}
    forge_all(cup, check, judge)


def forge_all(cup: Cup, check: Check, judge: Judge) -> None:
    """Check that both verifiers find what a record with players must not have."""
    forger = forger_of(Hall(cup.runtime, cup.matches), cup.found())

    def plan(name: str, *, value: Any = None) -> Change:
        def change(file: File) -> None:
            told = file.stream[0]["body"]["created"]["plan"]
            told.pop(name) if value is None else told.update({name: value})

        return change

    def nobody_failed(file: File) -> None:
        for result, _game in file.results():
            result["failures"] = []

    def twice(file: File) -> None:
        entries = file.stream[0]["body"]["created"]["plan"]["entries"]
        entries[1] = {**entries[0], "name": "twin"}

    for change, why, code in (
        (plan("clock"), "needs a clock", "players"),
        (plan("luck"), "luck of its own", "players"),
        (plan("rated", value=True), "are rated", "players"),
        (twice, "is entered twice", "players"),
        (nobody_failed, "other bots failed than it says", "game_differs"),
    ):
        file = File.of(cup.record())
        change(file)
        found_in(forger.forge(file).lines(), check, judge, why, code)

    def game(name: str, value: Any) -> Callable[[Record], None]:
        def change(record: Record) -> None:
            pinned = record.copies[0]["body"]["game"]
            if pinned["visibility"] == "seats":
                pinned[name] = value

        return change

    for alter, why in (
        (game("visibility", "block"), "its visibility is not the plan's"),
        (game("clock", {"decision_seconds": 1}), "its clock is not the plan's"),
    ):
        forged = forger.forge_games(File.of(cup.record()), alter).lines()
        found_in(forged, check, judge, why, "game_differs")


def found_in(lines: list[JsonObject], check: Check, judge: Judge, why: str, code: str) -> None:
    said = [text for texts in failures(check(lines)).values() for text in texts]
    assert any(why in text for text in said), (why, said)
    assert code in codes(judge(lines), "failure"), why


def test_a_bot_that_was_late_once_plays_on_if_the_plan_says_so(
    house: House, runtime: Runtime, check: Check, judge: Judge
) -> None:
    ana = house.player("Ana")
    robbie = made(ana)
    cup = Cup(
        runtime, ana, {"player": robbie.id}, {"bot": "random"},
        format={"type": "round_robin", "games": 2},
        clock={**HASTE, "grace_ms": 3_000}, failures={"then": "default_move"},
    )  # fmt: skip
    cup.work()
    (game,) = cup.games()

    def kinds() -> list[str]:
        cup.sweep()
        return running.kinds(runtime, game)

    with streaming(robbie, ASKED) as stream:
        question = asked(stream)["question"]
    assert question["limit"]["wall_ms"] <= 1_000, "without the grace"
    time.sleep(1.2)
    assert answer(robbie, question).status_code == 201, "within the grace"
    wait_for(lambda: "timed_out" in kinds())
    held = cup.finish(robbie)
    lines = cup.record()
    proved = check(lines)
    assert proved.ok, failures(proved)
    assert standing(judge(lines)) == "sound"
    assert "resigned" not in running.kinds(runtime, game)
    assert not held.disqualified


@pytest.mark.parametrize(
    ("entry", "more", "field"),
    [
        ({"player": "p-nobody"}, {}, "entries.0.player"),
        ({"player": "of_bea"}, {}, "entries.0.player"),
        ({"player": "mine", "bot": "random"}, {}, "entries.0"),
        ({"name": "none"}, {}, "entries.0"),
        ({"player": "mine", "settings": {"nodes": 2}}, {}, "entries.0.settings"),
        ({"player": "mine"}, {"seats": 4}, "entries.0.player"),
        ({"player": "mine"}, {"luck": "block"}, "luck"),
        ({"player": "mine"}, {"rated": True}, "entries.0.player"),
        ({"player": "mine"}, {"failures": {"seconds": 3}}, "failures.seconds"),
        ({"player": "mine"}, {"entries": [{"player": "mine"}] * 2}, "entries"),
        ({"bot": "random"}, {"clock": {"decision_seconds": 3}}, "clock"),
    ],
)
def test_a_plan_that_does_not_go_with_players_is_refused(
    house: House, entry: JsonObject, more: JsonObject, field: str
) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    ids = {"mine": made(ana).id, "of_bea": made(bea).id}

    def named(one: JsonObject) -> JsonObject:
        return {**one, "player": ids.get(one["player"], one["player"])} if "player" in one else one

    asked_for = {**CUP, "entries": [entry, {"bot": "random"}], **more}
    asked_for["entries"] = [named(one) for one in asked_for["entries"]]
    found = problem(ana.post("/v1/tournaments", asked_for), 422, "bad_tournament")
    assert [error["field"] for error in found["errors"]] == [field]


OPEN: JsonObject = {**CUP, "entries": [{"bot": "random"}], "places": 3}


def enter(owner: Person, url: str, bot: Person, **more: Any) -> Any:
    return owner.post(f"{url}/entries", {"player": bot.id, **more})


def validated(runtime: Runtime, owner: Person, url: str, bot: Person) -> str:
    """Let a bot play its validation game; return the game's id."""
    turns = make(runtime).turns
    with streaming(bot, ASKED) as stream:
        opened(stream)
        asking = enter(owner, url, bot)
        assert asking.status_code == 202, asking.text
        game = str(data(asking)["game_id"])
        while data(owner.get(f"/v1/games/{game}"))["status"] == "running":
            turns.play(game)
            if running.game(runtime, game).asked:
                assert answer(bot, asked(stream)["question"]).status_code == 201
    return game


def test_owners_enter_their_bots_in_a_tournament_that_is_open_for_them(
    house: House, runtime: Runtime, check: Check, judge: Judge
) -> None:
    ana, bea, eve = (house.player(name) for name in ("Ana", "Bea", "Eve"))
    robbie, hal = made(bea), made(eve, name="random")
    cup = Cup(runtime, ana, **OPEN)
    found = data(ana.get(cup.url))
    assert (found["status"], found["plan"]["places"]) == ("open", 3)
    problem(enter(eve, cup.url, robbie), 404, "no_such_bot")
    problem(enter(bea, cup.url, robbie), 409, "bot_absent")
    game = validated(runtime, bea, cup.url, robbie)
    answered = enter(bea, cup.url, robbie, name="Robbie the First")
    assert (answered.status_code, data(answered)["entry"]) == (201, 1)
    assert (data(answered)["status"], data(answered)["game_id"]) == ("entered", game)
    problem(enter(bea, cup.url, robbie), 409, "entered_already")
    problem(bea.post(f"{cup.url}/start"), 403, "not_your_tournament")
    validated(runtime, eve, cup.url, hal)
    assert enter(eve, cup.url, hal).status_code == 201
    found = data(ana.get(cup.url))
    assert found["status"] == "running", "all places are taken"
    named = [(entry["name"], entry.get("owner")) for entry in found["plan"]["entries"]]
    assert named == [("random", None), ("Robbie the First", bea.id), ("random-2", eve.id)]
    assert (found["players"][bea.id], found["plan"]["rated"]) == ("Bea", False)
    problem(enter(bea, cup.url, made(bea)), 409, "no_place_free")
    problem(bea.post(f"{cup.url}/withdraw", {"entry": 2}), 403, "not_your_tournament")
    assert data(eve.post(f"{cup.url}/withdraw", {"entry": 2}))["disqualified"]
    held = cup.finish(robbie)
    assert held.reason == "completed"
    lines = cup.record()
    proved = check(lines)
    assert proved.ok, failures(proved)
    assert standing(judge(lines)) == "sound"
    entered = next(line for line in lines if line.get("kind") == "entered")
    assert entered["by"] == {"player": bea.id}
    assert entered["body"]["entered"]["validation"]["game_id"] == game


def test_an_owner_withdraws_before_the_start_and_enters_again(
    house: House, runtime: Runtime, check: Check, judge: Judge
) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    robbie = made(bea)
    cup = Cup(runtime, ana, **OPEN)
    validated(runtime, bea, cup.url, robbie)
    assert data(enter(bea, cup.url, robbie))["entry"] == 1
    problem(
        house.player("Eve").post(f"{cup.url}/withdraw", {"entry": 1}), 403, "not_your_tournament"
    )
    out = data(bea.post(f"{cup.url}/withdraw", {"entry": 1}))
    assert (out["status"], out["disqualified"][0]["reason"]) == ("open", "withdrawn")
    problem(ana.post(f"{cup.url}/start"), 409, "too_few_entries")
    assert data(enter(bea, cup.url, robbie))["entry"] == 2
    problem(enter(bea, cup.url, robbie), 409, "entered_already")
    assert data(ana.get(cup.url))["status"] == "open", "two of three places are taken"
    assert data(ana.post(f"{cup.url}/start"))["status"] == "running"
    cup.finish(robbie)
    lines = cup.record()
    proved = check(lines)
    assert proved.ok, failures(proved)
    assert standing(judge(lines)) == "sound"


def test_the_host_starts_with_fewer(
    house: House, runtime: Runtime, check: Check, judge: Judge
) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    robbie = made(bea)
    cup = Cup(runtime, ana, **OPEN)
    problem(ana.post(f"{cup.url}/start"), 409, "too_few_entries")
    validated(runtime, bea, cup.url, robbie)
    assert enter(bea, cup.url, robbie).status_code == 201
    assert data(ana.post(f"{cup.url}/start"))["status"] == "running"
    problem(ana.post(f"{cup.url}/start"), 409, "no_place_free")
    cup.finish(robbie)
    lines = cup.record()
    proved = check(lines)
    assert proved.ok, failures(proved)
    assert standing(judge(lines)) == "sound"


def test_an_open_tournament_can_be_cancelled(house: House, runtime: Runtime, check: Check) -> None:
    cup = Cup(runtime, house.player("Ana"), **OPEN)
    assert data(cup.host.post(f"{cup.url}/cancel", {}))["status"] == "cancelled"
    cup.work()
    assert check(cup.record()).ok


def test_a_bot_that_fails_its_validation_is_not_entered(house: House, runtime: Runtime) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    robbie = made(bea)
    cup = Cup(runtime, ana, **OPEN)
    with streaming(robbie, ASKED) as stream:
        opened(stream)
        first = data(enter(bea, cup.url, robbie))
        assert data(enter(bea, cup.url, robbie)) == first, "one game at a time"
    seat = {"seat": 0}
    assert robbie.post(f"/v1/games/{first['game_id']}/resignations", seat).status_code == 201
    while data(bea.get(f"/v1/games/{first['game_id']}"))["status"] == "running":
        make(runtime).turns.play(first["game_id"])
    told = problem(enter(bea, cup.url, robbie), 409, "validation_failed")
    assert told["game_id"] == first["game_id"]
    game = validated(runtime, bea, cup.url, robbie)
    assert game != first["game_id"]
    data(bea.patch(f"/v1/players/me/bots/{robbie.id}", {"version": "2.0"}))
    assert validated(runtime, bea, cup.url, robbie) != game, "a new version is validated, too"
    assert enter(bea, cup.url, robbie).status_code == 201
    (entry,) = cup.found().plan.players()
    assert entry.version == "2.0"


def test_a_bot_that_is_entered_twice_at_once_plays_no_more_games_than_it_takes(
    house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second request is sent and answered just before the first one's game is stored."""
    bea = house.player("Bea")
    robbie = made(bea, concurrency=1)
    cups = [Cup(runtime, house.player("Ana"), **OPEN) for _ in "12"]
    append, answers = Store.append, []

    def later(*args: Any, **more: Any) -> Any:
        monkeypatch.setattr(Store, "append", append)
        answers.append(enter(bea, cups[1].url, robbie))
        return append(*args, **more)

    with streaming(robbie, ASKED) as stream:
        opened(stream)
        monkeypatch.setattr(Store, "append", later)
        game = data(enter(bea, cups[0].url, robbie))["game_id"]
        problem(answers[0], 409, "bot_busy")
        assert robbie.post(f"/v1/games/{game}/resignations", {"seat": 0}).status_code == 201
        while data(bea.get(f"/v1/games/{game}"))["status"] == "running":
            make(runtime).turns.play(game)
        assert enter(bea, cups[1].url, robbie).status_code == 202, "it is free again"


@pytest.mark.parametrize(
    ("more", "field"),
    [({"places": 1}, "places"), ({"places": 2}, "places"), ({"rated": True}, "places"),
     ({"format": {"type": "compare"}}, "places"), ({"luck": "block"}, "luck")],
)  # fmt: skip
def test_a_plan_that_cannot_be_open_is_refused(house: House, more: JsonObject, field: str) -> None:
    asked_for = {**CUP, "entries": [{"bot": "random"}, {"bot": "greedy"}], "places": 3, **more}
    answered = house.player("Ana").post("/v1/tournaments", asked_for)
    code = "invalid_body" if more == {"places": 1} else "bad_tournament"
    found = problem(answered, 422, code)
    assert [error["field"] for error in found["errors"]] == [field]


def test_forged_entries_fail(house: House, runtime: Runtime, check: Check, judge: Judge) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    robbie = made(bea)
    cup = Cup(runtime, ana, **OPEN)
    validated(runtime, bea, cup.url, robbie)
    assert enter(bea, cup.url, robbie).status_code == 201
    data(ana.post(f"{cup.url}/start"))
    data(ana.post(f"{cup.url}/cancel", {}))
    cup.work()
    record = cup.record()
    entered = next(line for line in record if line.get("kind") == "entered")
    entry = entered["body"]["entered"]["entry"]
    with_entropy = {**entry, "entropy_commitment": "0" * 64}
    bot = record[1]["body"]["created"]["plan"]["entries"][0]

    def full(file: File) -> None:
        plan = file.stream[0]["body"]["created"]["plan"]
        plan["entries"] += [{**bot, "name": "one"}, {**bot, "name": "two"}]

    forger = forger_of(Hall(runtime, cup.matches), cup.found())
    for change, why, code in (
        (full, "do not leave 3 places", "places"),
        (again("entered", "entries_closed"), "is entered already", "entered"),
        (by("entered", {"player": ana.id}), "may not ask for entered", "by"),
        (by("entries_closed", {"player": bea.id}), "may not ask for entries_closed", "by"),
        (again("entries_closed", "entries_closed"), "takes no entries", "no_place_free"),
        (value("entered", "entry", {**bot, "name": "x"}), "players alone", "entered"),
        (value("entered", "entry", with_entropy), "brings no entropy", "entered"),
    ):
        file = File.of(record)
        change(file)
        found_in(forger.forge(file).lines(), check, judge, why, code)


def test_players_are_asked_no_more_in_games_of_an_entry_that_is_out(
    house: House, runtime: Runtime
) -> None:
    ana = house.player("Ana")
    robbie, hal = made(ana), made(ana, name="Hal")
    entries = {"player": robbie.id}, {"player": hal.id}
    cup = Cup(runtime, ana, *entries, {"bot": "random"}, format={"type": "round_robin", "games": 6})
    cup.work()
    begun = cup.games()
    data(ana.post(f"{cup.url}/withdraw", {"entry": 0}))
    cup.work()
    for game in begun:
        found = running.game(runtime, game)
        mine = any(held.holder == {"player": robbie.id} for held in found.seats)
        assert (found.status == "aborted") == mine
    assert not data(robbie.get("/v1/games?asked=true"))["games"]
    assert cup.finish(hal).reason == "completed"
