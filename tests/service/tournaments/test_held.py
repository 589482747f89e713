"""Tournaments on a real store: they are played and disturbed, and give always the same table."""

from collections.abc import Callable
from typing import Any

import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.record.batch import RefusedError
from rules.kernel.record.events import Draft, dump, public, seal
from rules.kernel.record.instants import from_ms, to_ms
from rules.kernel.record.secrets import entropy_commitment
from service.ids import shard_of
from service.ledger.damage import Damage
from service.ledger.repository import ConflictError
from service.ledger.store import Retry
from service.redis.keys import game_key, shard_key
from service.tournaments.report import report
from service.tournaments.tournament import Tournament, TournamentNotFoundError
from service.turns.queue import TOURNAMENTS
from service.upkeep import maintenance
from tests.running import forget_jobs
from tests.service.tournaments.conftest import HOST, SMALL, Hall
from workers import bots, leases, process
from workers.leases import Leases
from workers.match import Match
from workers.sweeper import Sweeper

NewHall = Callable[[], Hall]


def figures(tournament: Tournament) -> JsonObject:
    """Return the parts of a report that must be the same for the same seed."""
    found = report(tournament)
    for name in ("id", "version", "head", "created_at", "at", "measured", "blocks"):
        del found[name]
    return found


def test_a_tournament_is_played_to_its_end(hall: Hall) -> None:
    tournament = hall.hold()
    assert (tournament.status, tournament.reason) == ("ended", "completed")
    assert sum(1 for _ in tournament.outcomes()) == 12
    for block in tournament.blocks.values():
        for name, result in zip(
            tournament.game_ids(block), tournament.results[block.number], strict=True
        ):
            game = hall.runtime.ledger.game_at(name, None)
            assert (game.status, game.version, game.head.hex()) == (
                "ended", result.version, result.head,
            )  # fmt: skip
            assert game.chance_open
            assert not game.withheld


def test_the_ledger_agrees_with_itself_and_nothing_is_left_to_do(hall: Hall) -> None:
    hall.hold()
    store = hall.runtime.ledger.store
    assert [f for f in maintenance.check(store, hall.runtime.registry) if f] == []


def test_games_and_their_block_keep_their_order_though_the_clock_fell(hall: Hall) -> None:
    """The tournament was paired by a clock that was an hour ahead of the present one."""
    tournament = hall.open().fork()
    block, paired_at = tournament.blocks[1], from_ms(to_ms(tournament.at) + 3_600_000)
    tournament.at = paired_at
    hall.matches._play_block(tournament, block)
    played = [hall.runtime.ledger.game_at(name, None) for name in tournament.game_ids(block)]
    assert [game.created_at for game in played] == [paired_at] * len(played)
    assert hall.find(tournament).at >= max(game.at for game in played)


def test_equal_seeds_are_equal_tournaments_for_whoever_holds_them(hall: Hall) -> None:
    one, again = hall.hold(key="a"), hall.hold(key="b")
    other = hall.hold(seed="another")
    assert one.id != again.id
    assert figures(one) == figures(again)
    assert figures(one)["table"] != figures(other)["table"]


def test_the_same_key_is_the_same_tournament(hall: Hall) -> None:
    one = hall.open(key="k")
    assert hall.open(key="k").id == one.id
    with pytest.raises(RefusedError, match="another request"):
        hall.open(key="k", name="something else")
    with pytest.raises(RefusedError, match="another request"):
        hall.open(key="k", seed="another")


def test_games_of_a_block_meet_the_same_luck_and_stay_sealed_until_it_ends(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[bool, bool]] = []
    record = hall.runtime.director.record_block

    def look(tournament_id: str, block: Any, games: Any, at: str) -> Tournament:
        found = [hall.runtime.ledger.game_at(n, None) for n in tournament.game_ids(block)]
        seen.extend((game.over, game.withheld) for game in found)
        return record(tournament_id, block, games, at)

    play = Match.play

    def look_first(self: Match) -> None:
        play(self)
        game = self._run.game
        assert game.over
        assert game.withheld

    monkeypatch.setattr(Match, "play", look_first)
    monkeypatch.setattr(hall.runtime.director, "record_block", look)
    tournament = hall.open()
    hall.finish(tournament)
    tournament = hall.find(tournament)
    assert set(seen) == {(True, False)}
    block = tournament.blocks[1]
    games = [hall.runtime.ledger.game_at(name, None) for name in tournament.game_ids(block)]
    commitments = {game.created["chance"]["commitment"] for game in games}
    assert len(commitments) == 1
    assert {game.scope for game in games} == {f"{tournament.scope}/1"}


class Killed(BaseException):
    """The process has been killed."""


@pytest.mark.parametrize("number", range(1, 60, 7))
def test_a_worker_that_dies_after_any_append_changes_nothing(
    hall: Hall, new_hall: NewHall, redis_client: Redis, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    undisturbed = figures(hall.hold(key="undisturbed"))
    tournament = hall.open(key="disturbed")
    monkeypatch.setattr("service.ledger.run.FLUSH_EVENTS", 8)
    appends = 0
    for hit in range(number, 10_000, 23):
        victim = new_hall()
        append = victim.runtime.ledger.store.append

        def dying(*args: Any, hit: int = hit, append: Any = append, **kwargs: Any) -> Any:
            nonlocal appends
            appends += 1
            done = append(*args, **kwargs)
            if appends >= hit:
                raise Killed
            return done

        monkeypatch.setattr(victim.runtime.ledger.store, "append", dying)
        try:
            victim.finish(tournament)
        except Killed:
            for key in redis_client.scan_iter("*lease*"):
                redis_client.delete(key)  # time passes
            continue
        break
    ended = hall.find(tournament)
    assert ended.status == "ended"
    assert figures(ended) == undisturbed


def test_two_workers_never_play_one_block(hall: Hall, new_hall: NewHall) -> None:
    tournament = hall.open()
    one, other = Leases(hall.runtime.redis), Leases(new_hall().runtime.redis)
    first, second = one.take_one(tournament), other.take_one(tournament)
    assert first is not None
    assert second is not None
    assert first.number != second.number
    one.give_back()
    third = Leases(hall.runtime.redis).take_one(tournament)
    assert third is not None
    assert third.number == first.number


def test_a_lease_runs_out_unless_it_is_kept(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "LEASE_MS", 60_000)
    tournament = hall.open()
    lease = Leases(hall.runtime.redis)
    block = lease.take_one(tournament)
    assert block is not None
    key = next(iter(hall.runtime.redis.scan_iter("*lease*")))
    assert 0 < hall.runtime.redis.pttl(key) <= 60_000
    monkeypatch.setattr(leases, "LEASE_MS", 600_000)
    lease.renew()
    assert 60_000 < hall.runtime.redis.pttl(key) <= 600_000


def test_who_could_not_give_a_lease_back_has_it_still(hall: Hall) -> None:
    tournament = hall.open()
    first, other = Leases(hall.runtime.redis), Leases(hall.runtime.redis)
    assert first.take(tournament.id, "1")  # then the store becomes unavailable
    assert not other.take(tournament.id, "1")
    assert first.take(tournament.id, "1")


def test_who_gives_a_lease_back_late_does_not_take_it_from_another(hall: Hall) -> None:
    tournament = hall.open()
    late, other = Leases(hall.runtime.redis), Leases(hall.runtime.redis)
    block = late.take_one(tournament)
    assert block is not None
    for key in hall.runtime.redis.scan_iter("*lease*"):
        hall.runtime.redis.delete(key)
    taken = other.take_one(tournament)
    assert taken is not None
    assert taken.number == block.number
    late.give_back()
    assert list(hall.runtime.redis.scan_iter("*lease*"))


def test_two_who_play_one_block_all_the_same_come_to_one_result(
    hall: Hall, new_hall: NewHall
) -> None:
    """As if a lease had expired while its worker was still alive."""
    undisturbed = figures(hall.hold(key="undisturbed"))
    tournament = hall.open(key="disturbed")
    block = tournament.blocks[1]
    luck = hall.runtime.director.luck(tournament.id)
    slow = [
        Match(hall.matches.is_over, hall.runtime, tournament, luck, block, rotation, seating)
        for rotation, seating in enumerate(block.seatings("cyclic"))
    ]
    other = new_hall()
    other.matches.play(tournament.id)
    with pytest.raises(ConflictError):
        slow[0].play()
    assert figures(hall.finish(tournament)) == undisturbed


class TestBotsThatFail:
    def hold(self, hall: Hall, bot: str, **failures: Any) -> Tournament:
        return hall.hold(
            entries=[{"bot": "random"}, {"bot": bot}], failures={"processor_seconds": 1, **failures}
        )

    @pytest.mark.parametrize(
        ("bot", "reason"),
        [
            ("crashing", "ZeroDivisionError: a bot's own mistake"),
            ("stalling", "TookTooLongError: no answer within 1 s of processor time"),
            ("cheating", "IllegalMove: "),
        ],
    )
    def test_lose_the_game_and_their_owner_can_read_why(
        self, hall: Hall, bot: str, reason: str
    ) -> None:
        tournament = self.hold(hall, bot, disqualify_after=1)
        failed = [o for o in tournament.outcomes() if o.result.failures]
        assert failed
        for outcome in failed:
            ((seat, _decision, why),) = outcome.result.failures
            assert outcome.seating[seat] == 1
            assert why.startswith(reason)
            assert outcome.result.ranks[seat] == 2
            game = hall.runtime.ledger.game_at(
                tournament.game_ids(tournament.blocks[outcome.block])[outcome.rotation], None
            )
            assert game.seats[seat].resigned
            assert game.result is not None

    def test_are_out_after_as_many_failures_as_declared(self, hall: Hall) -> None:
        tournament = self.hold(hall, "cheating", disqualify_after=2)
        (out,) = tournament.disqualified.values()
        assert (out.entry, out.block, out.reason) == (1, 1, "failed 2 times")
        assert tournament.reason == "too_few_entries"
        rows = report(tournament)["table"]
        assert [(row["entry"], row["disqualified"], row["failures"]) for row in rows] == [
            ("random", False, 0),
            ("cheating", True, 2),
        ]

    def test_play_on_by_default_moves_if_that_is_declared(self, hall: Hall) -> None:
        tournament = self.hold(hall, "cheating", then="default_move", disqualify_after=0)
        assert tournament.reason == "completed"
        outcomes = list(tournament.outcomes())
        assert len(outcomes) == 12
        assert all(len(outcome.result.failures) > 1 for outcome in outcomes)
        names = [n for b in tournament.blocks.values() for n in tournament.game_ids(b)]
        games = [hall.runtime.ledger.game_at(name, None) for name in names]
        assert not any(seat.resigned for game in games for seat in game.seats)

    def test_stop_nobody_else(self, hall: Hall) -> None:
        tournament = hall.hold(
            entries=[{"bot": "random"}, {"bot": "crashing"}, {"bot": "greedy"}],
            failures={"disqualify_after": 1},
        )
        assert tournament.reason == "completed"
        assert {o.block for o in tournament.outcomes() if 1 not in o.seating} == {
            block.number for block in tournament.blocks.values() if 1 not in block.lineup
        }


class TestWhatHostsDo:
    def test_a_pause_begins_no_more_blocks_until_it_is_resumed(self, hall: Hall) -> None:
        undisturbed = figures(hall.hold(key="undisturbed"))
        tournament = hall.open(key="paused")
        director = hall.runtime.director
        director.pause(tournament.id, HOST)
        hall.matches.play(tournament.id)
        assert hall.find(tournament).results == {}
        with pytest.raises(RefusedError, match="is paused, not running"):
            director.pause(tournament.id, HOST)
        director.resume(tournament.id, HOST)
        assert figures(hall.finish(tournament)) == undisturbed

    def test_a_block_that_is_being_played_ends_in_a_pause(
        self, hall: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tournament = hall.open()
        play = Match.play

        def pause(self: Match) -> None:
            if hall.find(tournament).status == "running":
                hall.runtime.director.pause(tournament.id, HOST)
            play(self)

        monkeypatch.setattr(Match, "play", pause)
        hall.matches.play(tournament.id)
        assert set(hall.find(tournament).results) == {1}

    def test_cancelling_ends_it_and_the_games_that_had_begun(
        self, hall: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tournament = hall.open()
        play = Match.play
        begun: list[str] = []

        def cancel_in_the_second_block(self: Match) -> None:
            if self._block.number == 2:
                self._run.record(self._open)
                self._run.flush()
                begun.append(self._run.game.id)
                raise Killed
            play(self)

        monkeypatch.setattr(Match, "play", cancel_in_the_second_block)
        with pytest.raises(Killed):
            hall.finish(tournament)
        cancelled = hall.runtime.director.cancel(tournament.id, "enough", HOST).tournament
        assert (cancelled.status, cancelled.reason) == ("cancelled", "enough")
        hall.matches.play(tournament.id)
        game = hall.runtime.ledger.game_at(begun[0], None)
        assert game.status == "aborted"
        assert not game.withheld
        assert {outcome.block for outcome in cancelled.outcomes()} == {1}
        with pytest.raises(RefusedError, match="is cancelled"):
            hall.runtime.director.cancel(tournament.id, "again", HOST)

    @pytest.fixture
    def left(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> tuple[Tournament, str]:
        """Return a cancelled tournament, and the id of an unended game of it."""
        tournament = hall.open()
        block = tournament.open_blocks()[0]

        def begin(self: Match) -> None:
            self._run.record(self._open)
            self._run.flush()
            raise Killed

        with monkeypatch.context() as patched:
            patched.setattr(Match, "play", begin)
            with pytest.raises(Killed):
                hall.matches.play(tournament.id)
        hall.runtime.director.cancel(tournament.id, "enough", HOST)
        return hall.find(tournament), tournament.game_ids(block)[0]

    def test_a_cancelled_one_ends_its_games_as_soon_as_its_version_is_there_again(
        self, hall: Hall, left: tuple[Tournament, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tournament, name = left
        runtime = hall.runtime
        due = shard_key(shard_of(tournament.id), "due")

        def swept() -> bool:
            """Sweep much later; return whether a job for the tournament was queued."""
            forget_jobs(runtime)
            if runtime.redis.zscore(due, tournament.id) is not None:
                runtime.redis.zadd(due, {tournament.id: 0})
            Sweeper(process.make(runtime)).sweep()
            return runtime.jobs.waiting(TOURNAMENTS) > 0

        with monkeypatch.context() as patched:
            patched.delitem(bots.FUNCTIONS, ("greedy", "2"))
            hall.matches.play(tournament.id)
            assert runtime.ledger.game_at(name, None).status == "running"
            assert runtime.reports.kept(tournament.id)  # which needs neither rules nor bots
            assert swept()
            assert TestTheLedger.findings(hall) == []
        assert swept()
        hall.matches.play(tournament.id)
        assert runtime.ledger.game_at(name, None).status == "aborted"
        assert not swept()
        assert TestTheLedger.findings(hall) == []

    def test_a_cancelled_one_is_looked_after_as_long_as_somebody_plays_it(
        self, hall: Hall, new_hall: NewHall
    ) -> None:
        tournament = hall.open()
        due = shard_key(shard_of(tournament.id), "due")
        other = Leases(new_hall().runtime.redis)
        assert other.take_one(tournament)
        hall.runtime.director.cancel(tournament.id, "enough", HOST)
        hall.matches.play(tournament.id)
        assert hall.runtime.redis.zscore(due, tournament.id)
        other.give_back()
        hall.matches.play(tournament.id)
        assert hall.runtime.redis.zscore(due, tournament.id) is None

    def test_a_damaged_game_keeps_no_other_from_its_end(
        self, hall: Hall, left: tuple[Tournament, str]
    ) -> None:
        tournament, name = left
        runtime, block = hall.runtime, tournament.blocks[1]
        other = tournament.game_ids(block)[1]
        luck = runtime.director.luck(tournament.id)
        match = Match(hall.matches.is_over, runtime, tournament, luck, block, 1, block.lineup)
        match._run.record(match._open)
        match._run.flush()
        store = runtime.ledger.store
        store.note_damage(name, Damage.at("gap", 3, name, [e for e, _ in store.read_all(name)]))
        hall.matches.play(tournament.id)
        assert runtime.ledger.game_at(other, None).status == "aborted"
        assert runtime.redis.zscore(shard_key(shard_of(tournament.id), "due"), tournament.id)

    def test_more_games_are_the_games_of_a_longer_tournament(self, hall: Hall) -> None:
        longer = hall.hold(key="longer", format={"type": "round_robin", "games": 24})
        tournament = hall.open(key="shorter")
        hall.runtime.director.extend(tournament.id, 12, HOST)
        extended = hall.finish(tournament)
        assert [o.result.ranks for o in extended.outcomes()] == [
            o.result.ranks for o in longer.outcomes()
        ]
        with pytest.raises(RefusedError, match="is ended"):
            hall.runtime.director.extend(tournament.id, 12, HOST)

    def test_a_format_of_fixed_length_takes_no_more(self, hall: Hall) -> None:
        tournament = hall.open(format={"type": "swiss"})
        with pytest.raises(RefusedError, match="has its number of games"):
            hall.runtime.director.extend(tournament.id, 12, HOST)

    def test_there_is_no_such_tournament(self, hall: Hall) -> None:
        with pytest.raises(TournamentNotFoundError):
            hall.runtime.director.find("t07-mfrggzdfmztwq2lknnwg")


class TestEntropy:
    E = (b"\x11" * 32, b"\x22" * 32)

    def open(self, hall: Hall, key: str) -> Tournament:
        entries = [
            {
                "bot": "random",
                "entropy_commitment": entropy_commitment(None, number, entropy).hex(),
            }
            for number, entropy in enumerate(self.E)
        ]
        return hall.open(key=key, entries=entries)

    def test_is_awaited_checked_and_mixed_in(self, hall: Hall) -> None:
        tournament = self.open(hall, "e")
        director = hall.runtime.director
        assert tournament.status == "open"
        hall.matches.play(tournament.id)
        with pytest.raises(RefusedError) as refused:
            director.reveal_entropy(tournament.id, 0, self.E[1], HOST)
        assert refused.value.code == "entropy_mismatch"
        director.reveal_entropy(tournament.id, 0, self.E[0], HOST)
        with pytest.raises(RefusedError) as refused:
            director.reveal_entropy(tournament.id, 0, self.E[0], HOST)
        assert refused.value.code == "no_entropy_expected"
        started = director.reveal_entropy(tournament.id, 1, self.E[1], HOST).tournament
        assert started.status == "running"
        assert hall.finish(tournament).reason == "completed"


class TestTheSeed:
    def test_is_committed_to_before_and_opens_at_the_end(self, hall: Hall) -> None:
        tournament = hall.open(seed=None)
        assert tournament.seed is None
        ended = hall.finish(tournament)
        assert ended.seed is not None
        assert ended.commitment == (
            digest(encode(["lonja/2", "chance", ended.id, ended.seed.hex()])).hex()
        )

    def test_is_in_no_event_before_the_end(self, hall: Hall) -> None:
        tournament = hall.open(seed=None)
        secrets = hall.runtime.ledger.store.secrets(tournament.id)
        assert secrets is not None
        copies = list(hall.runtime.director.copies(tournament.id, 0, tournament.version))
        text = encode(copies).decode()
        assert secrets.chance_seed.hex() not in text
        assert secrets.salt.hex() not in text


def test_every_game_can_be_held(hall: Hall) -> None:
    for ruleset in hall.runtime.registry:
        tournament = hall.hold(
            ruleset=ruleset.info.id,
            seats=max(2, ruleset.info.min_seats),
            entries=SMALL["entries"],
            format={"type": "round_robin", "games": 2},
        )
        assert tournament.reason == "completed", ruleset.info.id


class TestTheLedger:
    """``lonja ledger check`` and ``repair`` for tournaments."""

    @staticmethod
    def findings(hall: Hall) -> list[str]:
        found = maintenance.check(hall.runtime.ledger.store, hall.runtime.registry)
        return [finding.problem for finding in found if finding]

    def test_finds_nothing_in_one_that_is_running(self, hall: Hall) -> None:
        hall.open()
        assert self.findings(hall) == []

    def test_finds_and_repairs_a_lost_obligation(self, hall: Hall) -> None:
        tournament = hall.open()
        key = shard_key(shard_of(tournament.id), "due")
        hall.runtime.redis.zrem(key, tournament.id)
        assert self.findings(hall) == ["wrong_due"]
        list(maintenance.repair(hall.runtime.ledger.store, hall.runtime.registry))
        assert self.findings(hall) == []

    def test_finds_and_repairs_a_lost_index(self, hall: Hall) -> None:
        tournament, retry = hall.open(), Retry.of("p-x", "k", b"f" * 16)
        hall.runtime.director.extend(tournament.id, 12, HOST, retry)
        hall.runtime.redis.delete(game_key(tournament.id, "index"))
        assert self.findings(hall) == ["wrong_index"]
        list(maintenance.repair(hall.runtime.ledger.store, hall.runtime.registry))
        assert self.findings(hall) == []
        assert hall.runtime.director.extend(tournament.id, 12, HOST, retry).replayed

    def test_finds_an_event_that_is_missing(self, hall: Hall) -> None:
        tournament = hall.hold()
        key = game_key(tournament.id, "events")
        hall.runtime.redis.xdel(key, "3-0")
        assert self.findings(hall) == ["gap"]


def test_a_tournament_that_cannot_be_folded_is_found_and_the_others_are_checked(hall: Hall) -> None:
    """As if a process with another history had written an event: it fits only the chain."""
    wrong, sound = hall.open(), hall.open(key="other")
    store = hall.runtime.ledger.store
    secrets = store.secrets(wrong.id)
    assert secrets is not None
    body = {"block_ended": public({"games": []})}
    by = {"service": "tournaments"}
    draft = Draft(wrong.version + 1, "block_ended", by, body, encode(None), ())
    (event,) = seal([draft], {}, wrong.head, secrets.salt, wrong.at)
    record, proofs = dump(event)
    fields: Any = {"e": record, "p": proofs}
    store.redis.xadd(game_key(wrong.id, "events"), fields, id=f"{event.seq}-0")
    found = [f for f in maintenance.check(store, hall.runtime.registry) if f]
    assert [(f.game_id, f.problem, f.seq) for f in found] == [
        (wrong.id, "not_applicable", event.seq)
    ]
    assert not maintenance.check_stream(store, hall.runtime.registry, sound.id)
