"""Every command that needs no running service."""

import random
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import cycle
from pathlib import Path

import orjson
import pytest

import service.cli
from rules.kernel.contract.labels import Labels
from rules.kernel.contract.phases import Phase
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import GameOver
from rules.kernel.contract.seats import Seat
from rules.manila import RULESET as MANILA
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS, called
from service.cli import simulate
from service.records.game_file import Record, read
from tests.running import ROOT, environment
from tests.sealed import RULESET as SEALED
from tests.service.cli import records
from tests.service.cli.conftest import Lonja
from tests.service.verifier import additions
from tests.service.verifier.honest import INCIDENTS, STAGES, Course, held

Write = Callable[..., Path]


def test_the_project_installs_this_command() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"lonja": "service.cli:main"}


@pytest.mark.parametrize("name", service.cli._COMMANDS)
def test_every_command_explains_itself(lonja: Lonja, name: str) -> None:
    listed = lonja("--help")
    assert name in listed.output
    explained = lonja(name, "--help")
    assert explained.exit_code == 0
    assert len(explained.output) > 100


def test_unknown_commands_are_refused(lonja: Lonja) -> None:
    result = lonja("fly")
    assert result.exit_code == 2
    assert "No such command 'fly'" in result.stderr


# simulate


def test_simulate_counts_and_finds_nothing(lonja: Lonja) -> None:
    result = lonja("simulate", "santiago_de_cuba", "--games", 3, "--seed", 4, "--json")
    assert result.exit_code == 0
    told = orjson.loads(result.stdout)
    assert told["games"] == 3
    assert told["decisions"] > 300
    assert told["decisions_per_second"] > 0
    assert told["violations"] == 0
    again = orjson.loads(
        lonja("simulate", "santiago_de_cuba", "--games", 3, "--seed", 4, "--json").stdout
    )
    assert again["decisions"] == told["decisions"]


def test_simulate_tells_in_words(lonja: Lonja) -> None:
    result = lonja("simulate", "sealed", "--games", 3, "--seats", 3)
    assert result.exit_code == 0
    assert "3 games of sealed" in result.stdout
    assert "No invariant was violated." in result.stdout


def test_simulate_takes_options(lonja: Lonja) -> None:
    short = lonja("simulate", "sealed", "--games", 3, "-O", "rounds=3", "--json")
    long = lonja("simulate", "sealed", "--games", 3, "--json")
    assert short.exit_code == long.exit_code == 0
    assert orjson.loads(short.stdout)["events"] < orjson.loads(long.stdout)["events"]


def test_simulate_bounds_games_with_default_options_alone(
    lonja: Lonja, monkeypatch: pytest.MonkeyPatch
) -> None:
    narrow = replace(SEALED.info, max_decisions=1)
    monkeypatch.setattr(type(SEALED), "info", narrow)
    longer = lonja("simulate", "sealed", "--games", 1, "--option", "rounds=6")
    assert longer.exit_code == 0, longer.output
    bounded = lonja("simulate", "sealed", "--games", 1)
    assert bounded.exit_code == 1
    assert "no end after 1 decisions" in bounded.stderr


def test_simulate_reports_violations_and_fails(
    lonja: Lonja, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(SEALED), "violations", lambda _self, _state: ["a card is lost"])
    result = lonja("simulate", "sealed", "--games", 2, "--json")
    assert result.exit_code == 1
    assert orjson.loads(result.stdout)["violations"] > 2
    told = lonja("simulate", "sealed", "--games", 2, "--seed", "0")
    assert told.exit_code == 1
    assert "VIOLATION game 0/0 with 2 seats, event 0: a card is lost" in told.stderr


@pytest.mark.parametrize(
    ("method", "instead", "told"),
    [
        ("heuristic", None, None),
        ("legal_moves", lambda *_: [], "has no legal move"),
        ("result", lambda *_: 1 / 0, "ZeroDivisionError"),
        ("default_move", lambda *_: SEALED.move_types[-1](99), "VIOLATION game 0/0 with 2 seats"),
        ("to_bytes", lambda *_: b'{"round": 1, "phase": "x"}', "is not what to_json says"),
        ("information", lambda _self, state, _seat: {"hand": str(id(state))}, "Error"),
        ("phases", {"bid": Phase("all", ("bit",), ("end",))}, "phase bid: there is no move 'bit'"),
        ("labels", Labels({"es": {}}), "KeyError: 'en'"),
    ],
)
def test_simulate_survives_rules_that_break(
    lonja: Lonja,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    instead: object,
    told: str | None,
) -> None:
    if instead is None:
        return
    monkeypatch.setattr(type(SEALED), method, instead)
    result = lonja("simulate", "sealed", "--games", 2, "--seed", "0")
    assert result.exit_code == 1
    assert str(told) in result.stderr


def test_simulate_stops_a_game_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    real = type(SEALED).turn

    def turn(self: object, state: object) -> object:
        found = real(SEALED, state)
        return real(SEALED, SEALED.initial(2, OPTIONS)) if isinstance(found, GameOver) else found

    monkeypatch.setattr(type(SEALED), "turn", turn)
    tally = simulate.SimulationTally()
    simulate.play_one(SEALED, 2, OPTIONS, "x", tally)
    assert tally.violations


OPTIONS = SEALED.parse_options(2, {})


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["chess"], "There is no ruleset 'chess'; there are: santiago_de_cuba, "),
        (["sealed", "--seats", "9"], "sealed has 2 to 4 seats, not 9"),
        (["sealed", "-O", "rounds"], "An option is written name=value, not 'rounds'."),
        (["sealed", "-O", "rounds=99"], "option rounds does not take 99"),
        (["sealed", "-O", "colour=red"], "has no option 'colour'"),
        (["sealed", "-O", "round=3"], "Did you mean 'rounds'?"),
        (
            ["seald"],
            "there are: santiago_de_cuba, macao, manila, plus_ultra, ragusa, sealed. Did you",
        ),
        (["sealed", "--games", "0"], "Invalid value for '--games'"),
        ([], "Missing argument 'RULESET'"),
    ],
)
@pytest.mark.parametrize("name", ["simulate", "play"])
def test_bad_arguments_are_told_in_a_sentence(
    lonja: Lonja, name: str, arguments: list[str], told: str
) -> None:
    if name == "play" and ("--games" in arguments or not arguments):
        return
    result = lonja(name, *arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.output


def test_bad_settings_are_told_in_a_sentence(lonja: Lonja, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONJA_WEB_WORKERS", "many")
    result = lonja("simulate", "sealed")
    assert result.exit_code == 2
    assert "LONJA_WEB_WORKERS is 'many'" in result.stderr
    monkeypatch.delenv("LONJA_WEB_WORKERS")
    monkeypatch.setenv("LONJA_EXTRA_RULESETS", "no.such.rules")
    result = lonja("simulate", "sealed")
    assert result.exit_code == 2
    assert "LONJA_EXTRA_RULESETS" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve"],
        ["worker"],
        ["play"],
        ["play", "sealed"],
        ["simulate", "sealed"],
        ["tournament", "run", "--ruleset", "sealed", "--entrants", "greedy,random"],
        ["tournament", "list"],
        ["replay", "game.ndjson"],
        ["export", "g00-aaaaaaaaaaaaaaaaaaaa", "--output", "x"],
        ["verify", "game.ndjson"],
        ["ledger", "check"],
        ["ledger", "repair"],
        ["ledger", "replicas"],
        ["ledger", "end", "g00-aaaaaaaaaaaaaaaaaaaa", "--by", "Ana", "--reason", "lost"],
        ["projections", "rebuild"],
        ["projections", "check"],
    ],
)
@pytest.mark.parametrize("bots", ["no.such.bot", "tests.bots"])
def test_a_list_of_bots_that_cannot_be_used_stops_each_command(
    lonja: Lonja,
    write: Write,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: list[str],
    bots: str,
) -> None:
    write(records.finished("sealed"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LONJA_EXTRA_BOTS", bots)
    result = lonja(*arguments)
    assert result.exit_code == 2
    assert "LONJA_EXTRA_BOTS names what is no bot: " in result.stderr
    assert f"({bots})" in result.stderr
    assert not (tmp_path / "var").exists()


# bots


def test_bots_are_listed_with_their_levels_and_costs(
    lonja: Lonja, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LONJA_EXTRA_BOTS", "tests.bots.crashing")
    head, *rows = lonja("bots").output.splitlines()
    assert head.split() == [
        "Bot",
        "Called",
        "Version",
        "Level",
        "Milliseconds",
        "Queue",
        "Settings",
    ]
    levels = [row.split()[:4:3] for row in rows[:-1]]
    assert levels == [[bot.name, str(level)] for level, bot in enumerate(BOTS.values(), 1)]
    assert rows[-1].split() == ["crashing", "crashing", "1", "live"]
    told = orjson.loads(lonja("bots", "--json").output)["bots"]
    assert [bot["level"] for bot in told] == [1, 2, 3, 4, 5, None]
    assert told[1]["settings"] == {"nodes": 2_000}
    in_manila = orjson.loads(lonja("bots", "--ruleset", "manila", "--json").output)["bots"]
    assert in_manila[3]["settings"] == BOTS["search"].settings_in(MANILA) != told[3]["settings"]
    assert "There is no ruleset 'chess'" in lonja("bots", "--ruleset", "chess").stderr


# play


def test_play_lists_what_can_be_played(lonja: Lonja) -> None:
    assert "santiago_de_cuba  Santiago de Cuba" in lonja("play").output


RULESETS = [*(ruleset.info.id for ruleset in Registry(PACKAGES)), "sealed"]
IN_LANGUAGES = [*zip(RULESETS, cycle(("en", "es"))), *zip(RULESETS, cycle(("es", "en")))]
"""Each ruleset in one of the languages, and then in the other."""


@pytest.mark.parametrize(
    ("ruleset", "language"),
    [
        *IN_LANGUAGES[: len(RULESETS)],
        *(
            pytest.param(*each, marks=pytest.mark.campaign("terminal"))
            for each in IN_LANGUAGES[len(RULESETS) :]
        ),
    ],
)
def test_play_to_the_end(lonja: Lonja, ruleset: str, language: str) -> None:
    result = lonja(
        "play", ruleset, "--seed", "s", "--seats", 3, "--seat", 1, "--lang", language,
        input="\n".join(random.Random(ruleset).choices("123ab<", k=8_000)),
    )  # fmt: skip
    assert result.exit_code == 0
    assert {"en": "The game ends", "es": "Termina la partida"}[language] in result.output
    assert max(map(len, result.output.splitlines())) <= 80


def test_equal_seeds_are_equal_games(lonja: Lonja) -> None:
    one, two, other = (
        lonja("play", "sealed", "--seed", seed, input="1\na\n" * 100).output for seed in "xxy"
    )
    assert one == two
    assert one != other


def test_play_can_be_left(lonja: Lonja) -> None:
    for typed in ("q\n", ""):
        result = lonja("play", "sealed", input=typed)
        assert result.exit_code == 0
        assert "You left the game." in result.output


def test_play_pages_searches_and_refuses(lonja: Lonja, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.cli.terminal.plain.PAGE", 3)
    typed = ["2"] * 3  # scroll to a long list of bids
    result = lonja(
        "play", "sealed", "--seed", "p",
        input="\n".join([*typed, "", "/6", "/nothing", "99", "-1", "x", "b", "q"]),
    )  # fmt: skip
    assert result.exit_code == 0
    assert "more: Enter shows them" in result.output
    assert "99 is neither in the list" in result.output
    assert "Nothing in the list has “nothing” in it." in result.output


def test_play_refuses_seats_that_are_not_there(lonja: Lonja) -> None:
    result = lonja("play", "sealed", "--seat", 2)
    assert result.exit_code == 2
    assert "There is no seat 2: the seats are 0 to 1." in result.stderr


def test_play_refuses_a_bot_that_is_not_there(lonja: Lonja) -> None:
    for arguments in (["play"], ["play", "sealed"]):
        result = lonja(*arguments, "--bot", "genius")
        assert result.exit_code == 2
        assert f"There is no bot 'genius'; there are: {', '.join(BOTS)}." in result.stderr


def test_play_against_a_bot_of_ones_own(lonja: Lonja, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONJA_EXTRA_BOTS", "tests.bots.crashing, tests.bots.cheating")
    for bot in ("crashing", "cheating"):  # the rules answer for a failed bot, as in the service
        result = lonja("play", "sealed", "--bot", bot, "--seed", "s", input="1\na\n" * 100)
        assert result.exit_code == 0
        assert f"is taken by the bot {called(bot)}" in result.output
        assert "by default (the bot failed)" in result.output
        assert "The game ends" in result.output


# replay


def test_replay_tells_a_finished_game(lonja: Lonja, write: Write, finished: Record) -> None:
    told = lonja("replay", write(finished)).output
    assert "The table is opened" in told
    assert "The game ends" in told
    assert "resigns" in told
    assert "by default (out of time)" in told
    assert "'s bot failed" in told
    assert len(told.splitlines()) > finished.header["version"] / 2
    spanish = lonja("replay", write(finished), "--lang", "es").output
    assert "Se abre la mesa" in spanish
    assert "Termina la partida" in spanish


def test_replay_through_a_seats_eyes_hides_what_it_did_not_see(lonja: Lonja, write: Write) -> None:
    record = write(records.finished("sealed"))
    everything, mine, theirs = (
        lonja("replay", record, *seat).output for seat in ([], ["--seat", 0], ["--seat", 1])
    )
    assert "Seat 2: Bid" in everything
    assert "Seat 2: Bid" not in mine
    assert "Seat 2 moves in secret" in mine
    assert "Seat 2: Bid" in theirs


def test_replay_shows_the_board_as_it_was(lonja: Lonja, write: Write, finished: Record) -> None:
    path = write(finished)
    early, late = (
        lonja("replay", path, "--at", at).output for at in (20, finished.header["version"])
    )
    assert early != late
    shown = lonja("replay", path, "--at", 1).output
    assert shown == "This record is proved.\nThe game has not started.\n"
    result = lonja("replay", path, "--at", 99_999)
    assert result.exit_code == 2
    assert "there is no event 99999" in result.stderr


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_replay_of_a_running_game_tells_what_its_viewer_may_know(
    lonja: Lonja, write: Write, viewer: Seat | None
) -> None:
    table = records.played("sealed", moves=8)
    path = write(records.record_of(table, viewer))
    result = lonja("replay", path, *([] if viewer is None else ["--seat", viewer]))
    assert result.exit_code == 0
    assert "The game starts" in result.output
    shown = lonja("replay", path, "--at", table.game.version)
    assert shown.exit_code == 2
    assert "this record of a running game hides what it follows from" in shown.stderr


def test_replay_of_what_is_no_game(
    lonja: Lonja, tmp_path: Path, write: Write, finished: Record
) -> None:
    path = tmp_path / "x"
    path.write_text("x\n")
    assert "is no record of a game" in lonja("replay", path).stderr
    assert "No service runs on" in lonja("replay", "g00-aaaaaaaaaaaaaaaaaaaa").stderr
    finished.copies[3]["kind"] = "flown"
    result = lonja("replay", write(finished))
    finished.copies[3]["kind"] = "seated"
    assert result.exit_code == 2
    assert "lonja verify" in result.stderr
    assert lonja("replay", write(finished), "--seat", 7).exit_code == 2


def test_what_is_newer_is_told_as_far_as_it_is_known(lonja: Lonja, write: Write) -> None:
    table = partial(held, Course("mixed", "by turns", 1, STAGES, tuple(INCIDENTS)))
    honest, *_ = additions.sealed(table)
    added = [*additions.IN_PLACE.items(), *additions.inserted(honest.record)]
    for _name, add in added[::5]:
        newer = honest.with_(add)
        if newer != honest.record:
            path = write(newer)
            told = lonja("replay", path)
            assert told.output.startswith("This record is newer than this program, which does not")
            assert "The table is opened" in told.output
            assert told.exit_code == 0 or " cannot be told (" in told.stderr
            refused = lonja("analyse", path)
            assert refused.exit_code == 2
            assert "is newer than this program: have it analysed by a" in refused.stderr


# others, without a service


@pytest.mark.parametrize(
    "arguments",
    [
        ["export", "g00-aaaaaaaaaaaaaaaaaaaa", "--output", "x"],
        ["ledger", "check"],
        ["ledger", "repair"],
        ["projections", "rebuild"],
        ["projections", "check"],
        ["worker"],
    ],
)
def test_commands_that_need_a_service_say_so(lonja: Lonja, arguments: list[str]) -> None:
    result = lonja(*arguments)
    assert result.exit_code == 2
    assert "No service runs on" in result.stderr
    assert "lonja serve" in result.stderr


def test_records_are_written_whole_or_not_at_all(tmp_path: Path, finished: Record) -> None:
    from service.records import game_file  # noqa: PLC0415

    def breaking() -> object:
        yield finished.copies[0]
        raise KeyboardInterrupt

    path = tmp_path / "game.ndjson"
    path.write_text("before")
    with pytest.raises(KeyboardInterrupt):
        game_file.write(path, finished.header, breaking())  # type: ignore[arg-type]
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
    game_file.write(path, finished.header, finished.copies)
    assert read(path) == finished


def test_openapi_prints_writes_and_checks(lonja: Lonja, tmp_path: Path) -> None:
    path = tmp_path / "openapi.yaml"
    assert "openapi: 3.1" in lonja("openapi").output
    assert lonja("openapi", "--write", "--file", path).exit_code == 0
    assert lonja("openapi", "--check", "--file", path).exit_code == 0
    path.write_text(path.read_text().replace("Lonja", "Bourse", 1))
    stale = lonja("openapi", "--check", "--file", path)
    assert stale.exit_code == 1
    assert "is out of date" in stale.stderr
    assert lonja("openapi", "--check", "--write").exit_code == 2
    assert lonja("openapi", "--check", "--file", tmp_path / "none").exit_code in (1, 2)


class TestTournament:
    """Refusals before any game is played."""

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((), "Name a game and its entrants"),
            (("--ruleset", "sealed", "--entrants", "deep,random"), "entries.0.bot: there is no"),
            (("--ruleset", "chess", "--entrants", "greedy,random"), "ruleset: "),
            (("--ruleset", "seled", "--entrants", "greedy,random"), "Did you mean 'sealed'?"),
            (("--ruleset", "sealed", "--entrants", "gredy,random"), "Did you mean 'greedy'?"),
            (("--ruleset", "sealed", "--entrants", "greedy"), "entries: 2 seats need 2 entries"),
            (
                ("--ruleset", "sealed", "--entrants", "greedy:depth=3,random"),
                "entries.0.settings.depth: greedy has no setting",
            ),
            (("--ruleset", "sealed", "--entrants", "greedy:nodes,random"), "written name=value"),
            (
                ("--ruleset", "sealed", "--entrants", "random,random", "--format", "swiss",
                 "--games", "5"),
                "format.games: swiss has no option",
            ),
            (
                ("--ruleset", "sealed", "--entrants", "random,random", "--name", "x" * 61),
                "name: ",
            ),
            (
                ("--ruleset", "sealed", "--entrants", "random,random", "--output", "cup.pdf"),
                "none of the suffixes",
            ),
            (
                ("--ruleset", "sealed", "--entrants", "random,random", "--output", "/no/cup.csv"),
                "no such folder",
            ),
            (("--ruleset", "sealed", "--entrants", "a,b", "--url", "ftp://x"), "begins with http"),
            (("--ruleset", "s", "--entrants", "a,b", "--url", "http://127.0.0.1:9"), "not answer"),
        ],
    )  # fmt: skip
    def test_a_tournament_that_cannot_be_held(
        self, lonja: Lonja, arguments: tuple[str, ...], message: str
    ) -> None:
        result = lonja("tournament", "run", *arguments)
        assert result.exit_code == 2
        assert message in result.output

    def test_a_file_that_is_no_toml(self, lonja: Lonja, tmp_path: Path) -> None:
        file = tmp_path / "cup.toml"
        file.write_text("name = ")
        result = lonja("tournament", "run", file)
        assert result.exit_code == 2
        assert f"{file} is no TOML file" in result.output

    @pytest.mark.parametrize("verb", ["show", "watch", "pause", "resume", "cancel"])
    def test_a_tournament_that_is_not_there(self, lonja: Lonja, verb: str) -> None:
        result = lonja("tournament", verb, "t07-mfrggzdfmztwq2lknnwg")
        assert result.exit_code == 2
        assert "There is no tournament" in result.output

    def test_there_are_none(self, lonja: Lonja) -> None:
        assert lonja("tournament", "list").output == "There are no tournaments.\n"

    def test_a_record_of_something_else(self, lonja: Lonja, tmp_path: Path) -> None:
        file = tmp_path / "t.ndjson"
        file.write_text('{"export":"lonja-tournament/2"}\n')
        result = lonja("verify", file)
        assert result.exit_code == 2
        assert "no record of a tournament: the header lacks" in result.output


@pytest.mark.parametrize("arguments", [("play",), ("simulate", "sealed", "--games", "1", "--json")])
def test_an_output_on_a_full_disk_is_told_in_a_sentence(arguments: tuple[str, ...]) -> None:
    program = "from service.cli import main; main(prog_name='lonja')"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            env=environment(""),
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert "Error: The output cannot be written: No space left on device." in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode != 0
