"""The record of a tournament: every change is found, even those by a forger with all secrets."""

import contextlib
import copy
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import commitment
from rules.kernel.proof.verdicts import NEWER
from rules.kernel.proof.verify import Report
from rules.kernel.record.secrets import entropy_commitment
from service import cli
from service.cli.common import Failure
from service.cli.tournament.hosts import LocalHost
from service.ledger.damage import Damage, GameDamagedError
from service.records import tournament_file
from service.records.game_file import RecordError
from service.tournaments.record import export
from service.tournaments.record.verify import verify_tournament
from service.tournaments.tournament import Tournament
from tests.service.tournaments.conftest import HOST, Check, Hall, failures
from tests.service.tournaments.forging import File, Lines, forger_of
from workers.recompute import check_bots


@pytest.fixture
def held(hall: Hall) -> Tournament:
    return hall.hold(
        entries=[{"bot": "greedy"}, {"bot": "random"}, {"bot": "crashing"}],
        failures={"disqualify_after": 4},
    )


@pytest.fixture
def lines(hall: Hall, held: Tournament) -> Lines:
    return list(export.lines(hall.runtime, held))


def games(lines: Lines) -> Iterator[int]:
    """Yield the line of each game's header."""
    for index, line in enumerate(lines):
        if line.get("export") == "lonja/2":
            yield index


class TestHonest:
    def test_everything_is_proven_the_bots_moves_too(
        self, hall: Hall, lines: Lines, tmp_path: Path
    ) -> None:
        for name in ("t.ndjson", "t.ndjson.gz"):
            path = tmp_path / name
            tournament_file.write(path, lines)
            assert tournament_file.is_one(path)
            with tournament_file.reading(path) as found:
                proven = verify_tournament(
                    found,
                    hall.runtime.registry,
                    check_bots=lambda g: check_bots(g.game_id, g.copies, hall.runtime.registry),
                )
            assert proven.ok, failures(proven)
            assert not [check.name for check in proven.checks if check.skipped]
            assert {check.name for check in proven.checks} == {
                "lines", "header", "shapes", "chain", "batches", "parts", "course", "games", "bots",
                "report",
            }  # fmt: skip

    def test_one_that_is_not_over_is_proven_as_far_as_it_goes(
        self, hall: Hall, check: Check
    ) -> None:
        tournament = hall.open(seed=None, format={"type": "round_robin", "games": 60})
        block = tournament.blocks[1]
        hall.matches._play_block(tournament, block)
        found = check(list(export.lines(hall.runtime, hall.find(tournament))))
        assert found.ok, failures(found)
        assert not found.complete
        assert [c.name for c in found.checks if c.skipped] == ["course"]

    @pytest.mark.parametrize(
        "format_",
        [
            {"type": "gauntlet", "games": 4},
            {"type": "swiss", "rounds": 2},
            {"type": "knockout"},
            {"type": "ladder", "rounds": 3},
        ],
    )
    def test_every_format_is_proven(self, hall: Hall, check: Check, format_: JsonObject) -> None:
        entries = [{"bot": "random"}, {"bot": "crashing"}, {"bot": "random"}]
        held = hall.hold(
            seed=None, entries=entries, format=format_, rotations="all",
            failures={"then": "default_move", "disqualify_after": 2},
        )  # fmt: skip
        found = check(list(export.lines(hall.runtime, held)))
        assert found.ok, failures(found)
        assert found.complete

    def test_whatever_hosts_do_is_proven(self, hall: Hall, check: Check) -> None:
        entropy = bytes(32)
        committed = entropy_commitment(None, 1, entropy).hex()
        entries = [{"bot": "random"}, {"bot": "random", "entropy_commitment": committed}]
        tournament = hall.open(seed=None, entries=entries)
        director = hall.runtime.director

        def proven() -> Report:
            found = check(list(export.lines(hall.runtime, hall.find(tournament))))
            assert found.ok, failures(found)
            return found

        assert not proven().complete
        director.reveal_entropy(tournament.id, 1, entropy, HOST)
        director.extend(tournament.id, 4, HOST)
        hall.matches._play_on(tournament.id)
        director.pause(tournament.id, HOST)
        assert not proven().complete
        director.resume(tournament.id, HOST)
        hall.matches._play_on(tournament.id)
        director.cancel(tournament.id, "enough", HOST)
        assert proven().complete
        assert any("Entropy came from random-2, by the host" in note for note in proven().notes)

    def test_it_says_who_could_have_known_the_luck(self, hall: Hall, check: Check) -> None:
        seeded = check(list(export.lines(hall.runtime, hall.hold(seed="mine"))))
        drawn = check(list(export.lines(hall.runtime, hall.hold(seed=None))))
        assert any("The host gave the seed" in note for note in seeded.notes)
        assert any("Nobody gave entropy" in note for note in drawn.notes)

    def test_whoever_watches_sees_how_many_games_are_verified(
        self, lines: Lines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tournament_file.write(path := tmp_path / "t.ndjson", lines)
        drawn = StringIO()
        monkeypatch.setattr(drawn, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(sys, "stderr", drawn)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("LONJA_EXTRA_RULESETS", "tests.sealed")
        with pytest.raises(SystemExit) as ended:
            cli.main(["verify", str(path)], standalone_mode=False)
        assert ended.value.code == 0
        count = len(list(games(lines)))
        assert "Games" in drawn.getvalue()
        assert f"{count}/{count}" in drawn.getvalue()

    def test_it_names_the_code_that_played(self, hall: Hall, check: Check) -> None:
        held = hall.hold(
            format={"type": "round_robin", "games": 2}, entries=[{"bot": "random"}] * 2
        )
        notes = check(list(export.lines(hall.runtime, held))).notes
        (code,) = held.declared_bots()
        rules = hall.runtime.registry.digest("sealed")
        assert any(note.endswith(f" was played by the code {rules}.") for note in notes)
        assert f"random@1 played by the code {code['digest']}." in notes


def test_the_head_of_a_damaged_game_is_signed_no_more(hall: Hall, held: Tournament) -> None:
    name, store = held.game_ids(held.blocks[1])[0], hall.runtime.ledger.store
    events = [event for event, _retry in store.read_all(name)]
    store.note_damage(name, Damage.at("gap", events[-1].seq, name, events))  # most checks pass
    lines = export.lines(hall.runtime, held)
    sound = [next(lines) for _ in range(1 + held.version)]
    assert [line["receipt"]["game_id"] for line in sound if "receipt" in line] == [held.id]
    with pytest.raises(GameDamagedError, match=name):
        next(lines)
    with pytest.raises(Failure, match="Nobody signs the record"):
        list(LocalHost(hall.runtime).record(held.id))


class TestChanged:
    """Edits of the file without secrets."""

    def test_a_figure_of_the_table(self, lines: Lines, check: Check) -> None:
        row = lines[0]["report"]["table"][0]
        row["rating"] = round(row["rating"] + 0.0001, 4)
        assert list(failures(check(lines))) == ["report"]

    @pytest.mark.parametrize("name", ["cross_table", "seats", "rating_curve", "measured", "games"])
    def test_any_other_figure(self, lines: Lines, check: Check, name: str) -> None:
        lines[0]["report"][name] = None
        assert list(failures(check(lines))) == ["report"]

    def test_figures_of_a_kind_that_nobody_writes(self, lines: Lines, check: Check) -> None:
        lines[0]["report"]["figures"] = 0
        assert failures(check(lines))["report"] == ["there are no figures of kind 0"]
        lines[0]["report"]["figures"] = 3
        later = check(lines)
        assert later.verdict == NEWER
        assert later.newer.told() == ["report.figures 3"]

    def test_a_result(self, lines: Lines, check: Check) -> None:
        event = next(line for line in lines if line.get("kind") == "block_ended")
        event["body"]["block_ended"]["games"][0]["ranks"].reverse()
        assert {"parts", "games"} <= failures(check(lines)).keys()

    def test_a_game_is_left_out(self, lines: Lines, check: Check) -> None:
        first, second, *_ = games(lines)
        shorter = lines[:first] + lines[second:]
        shorter[0]["games"] -= 1
        assert "lacks game" in failures(check(shorter))["games"][0]

    def test_a_game_is_added(self, lines: Lines, check: Check) -> None:
        first, second, *_ = games(lines)
        lines[0]["games"] += 1
        longer = lines + copy.deepcopy(lines[first:second])
        assert any("does not name" in text for text in failures(check(longer))["games"])

    def test_two_games_change_places(self, lines: Lines, check: Check) -> None:
        first, second, third, *_ = games(lines)
        swapped = lines[:first] + lines[second:third] + lines[first:second] + lines[third:]
        assert "games" in failures(check(swapped))

    def test_a_move_of_a_game(self, lines: Lines, check: Check) -> None:
        moved = next(line for line in lines if line.get("kind") == "moved")
        moved["at"] = "2020-01-01T00:00:00.000Z"
        assert "games" in failures(check(lines))

    def test_the_file_is_cut(self, lines: Lines, check: Check) -> None:
        with pytest.raises(RecordError, match="cut"):
            check(lines[:-1])

    def test_there_is_more(self, lines: Lines, check: Check) -> None:
        with pytest.raises(RecordError, match="more after"):
            check([*lines, {"more": 1}])

    @pytest.mark.parametrize("field", ["version", "games", "receipt", "report", "tournament_id"])
    def test_the_header_lacks_a_field(self, lines: Lines, check: Check, field: str) -> None:
        del lines[0][field]
        with pytest.raises(RecordError, match=field):
            check(lines)

    def test_another_tournament_s_id(self, lines: Lines, check: Check) -> None:
        lines[0]["tournament_id"] = "t07-mfrggzdfmztwq2lknnwg"
        assert {"header", "chain"} <= failures(check(lines)).keys()

    @pytest.mark.parametrize("junk", [None, 7, "x", [], {}, {"table": 1, "samples": "many"}])
    def test_junk_is_a_failure_and_no_crash(self, lines: Lines, check: Check, junk: Any) -> None:
        for index in range(1, 6):
            broken = copy.deepcopy(lines)
            broken[index]["body"] = junk
            if broken != lines:
                with contextlib.suppress(RecordError, ValueError):
                    assert not check(broken).ok


class TestForged:
    """Forgeries by the operator, who has all secrets and computes all hashes again."""

    @staticmethod
    def forge(
        hall: Hall, held: Tournament, lines: Lines, change: Callable[[str, JsonObject], None]
    ) -> Lines:
        """Return the record with changed events of the tournament, chained and signed again."""
        file = File.of(lines)
        for event in file.stream:
            for name, value in event["body"].items():
                change(name, value)
        return forger_of(hall, held).forge(file).lines()

    def test_forging_nothing_is_not_found(
        self, hall: Hall, held: Tournament, lines: Lines, check: Check
    ) -> None:
        forged = self.forge(hall, held, lines, lambda _name, _value: None)
        assert forged == lines
        assert check(forged).ok

    def test_another_winner(self, hall: Hall, held: Tournament, lines: Lines, check: Check) -> None:
        def change(name: str, value: JsonObject) -> None:
            if name == "block_ended" and value["block"] == 1:
                value["games"][0]["ranks"].reverse()
                value["games"][0]["scores"].reverse()

        found = failures(check(self.forge(hall, held, lines, change)))
        assert list(found) == ["games"]
        assert "ended otherwise" in found["games"][0]

    def test_another_pairing(
        self, hall: Hall, held: Tournament, lines: Lines, check: Check
    ) -> None:
        def change(name: str, value: JsonObject) -> None:
            if name == "paired" and value["round"] == 1:
                value["lineups"][0].reverse()

        found = failures(check(self.forge(hall, held, lines, change)))
        assert "course" in found

    def test_another_seed(self, hall: Hall, held: Tournament, lines: Lines, check: Check) -> None:
        other = bytes(32)

        def change(name: str, value: JsonObject) -> None:
            if name == "ended":
                value["seed"] = other.hex()
            if name == "created":
                scope = value["chance"]["scope"]
                value["chance"]["commitment"] = commitment(scope, other).hex()

        found = failures(check(self.forge(hall, held, lines, change)))
        assert {"course", "games"} <= found.keys()

    def test_another_plan(self, hall: Hall, held: Tournament, lines: Lines, check: Check) -> None:
        def change(name: str, value: JsonObject) -> None:
            if name == "created":
                value["plan"]["entries"][0]["settings"]["nodes"] = 1

        found = failures(check(self.forge(hall, held, lines, change)))
        assert any("others sat there" in text for text in found["games"])

    def test_a_failure_that_is_kept_quiet(
        self, hall: Hall, held: Tournament, lines: Lines, check: Check
    ) -> None:
        failing = {number for number, g in held.results.items() if any(r.failures for r in g)}
        assert failing

        def change(name: str, value: JsonObject) -> None:
            if name == "block_ended":
                for game in value["games"]:
                    game["failures"] = []

        found = failures(check(self.forge(hall, held, lines, change)))
        assert any("other bots failed" in text for text in found["games"])

    def test_an_earlier_end(self, hall: Hall, held: Tournament, lines: Lines, check: Check) -> None:
        def change(name: str, value: JsonObject) -> None:
            if name == "ended":
                value["after_block"] = 1

        assert "course" in failures(check(self.forge(hall, held, lines, change)))
