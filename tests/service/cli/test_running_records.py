"""Records of running games, of games by other code, and of damaged games."""

from collections.abc import Callable

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.proof.verdicts import FAILED, NOT_WHOLLY, PROVED
from rules.kernel.record.instants import from_ms, to_ms
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from service.cli import local
from service.cli.verifying import VerifyOptions, verify_game
from service.records.game_file import Record
from tests.sealed import RULESET as SEALED
from tests.service.cli import records
from tests.service.cli.test_forgeries import failing, found
from tests.service.cli.test_verify import nth
from workers.recompute import check_bots

# Running games


def going(ruleset: str, moves: int = 30, viewer: Seat | None = None) -> tuple[Record, bytes]:
    table = records.played(ruleset, moves=moves)
    assert not table.game.over
    return records.alone(records.record_of(table, viewer)), table.secrets.salt


@pytest.mark.parametrize("ruleset", [*(r.info.id for r in Registry(PACKAGES)), "sealed"])
@pytest.mark.parametrize("viewer", [None, 1])
def test_an_honest_game_that_goes_on_is_not_wholly_proved(
    ruleset: str, viewer: Seat | None
) -> None:
    record, salt = going(ruleset, 20 if ruleset == "sealed" else 30, viewer)
    report = found(record)
    assert report.verdict == NOT_WHOLLY, [check.failures for check in report.checks]
    assert [m.split(":")[0] for m in report.missing] == ["commitments", "chance", "play"]
    assert records.forge(record, salt) == record


def illegal_move(record: Record) -> None:
    nth(record, "moved", 3)["body"]["move"] = {"type": "drive_car", "steps": 77}


def no_such_move(record: Record) -> None:
    nth(record, "moved", 3)["body"]["move"] = {"type": "cheat"}


def other_draw(record: Record) -> None:
    nth(record, "chanced", 1)["body"]["draw"]["n"] += 1


def pick_out_of_range(record: Record) -> None:
    draw = nth(record, "chanced", 1)["body"]
    draw["picks"][0] = draw["draw"]["sizes"][0]


def another_mover(record: Record) -> None:
    event = nth(record, "moved", 3)
    event["by"]["seat"] = (event["by"]["seat"] + 1) % 3


def another_bot(record: Record) -> None:
    event = next(e for e in record.copies if e["by"].get("bot"))
    event["by"]["bot"] = "random@1"


def early_time_out(record: Record) -> None:
    late = nth(record, "timed_out")["seq"]
    for event in record.copies[late - 1 :]:
        event["at"] = from_ms(to_ms(event["at"]) - 2)


def decision_of_another(record: Record) -> None:
    nth(record, "timed_out")["body"]["time_out"]["decision"] = 1


def failure_of_another(record: Record) -> None:
    nth(record, "bot_failed")["body"]["failure"]["seat"] = 1


def seat_twice(record: Record) -> None:
    nth(record, "seated", 1)["body"]["seat"]["seat"] = 0


def other_options(record: Record) -> None:
    options = nth(record, "created")["body"]["game"]["options"]
    options[next(iter(options))] = "nonsense"


def strange_field(record: Record) -> None:
    nth(record, "created")["body"]["game"]["o" * 65] = "elsewhere"


def show_move_to_one(record: Record) -> None:
    event = nth(record, "moved", 3)
    event["audiences"]["move"] = f"seat:{event['by']['seat']}"


def hide_what_is_public(record: Record) -> None:
    event = nth(record, "moved", 3)
    del event["body"]["move"], event["nonces"]["move"]


def hide_a_pick(record: Record) -> None:
    event = nth(record, "chanced", 1)
    event["audiences"]["picks"] = "none"
    del event["body"]["picks"], event["nonces"]["picks"]


def no_entropy_time(record: Record) -> None:
    nth(record, "created")["body"]["game"]["entropy"]["seconds"] = 0


def no_clock_time(record: Record) -> None:
    nth(record, "created")["body"]["game"]["clock"]["decision_seconds"] = -60


def end_early(record: Record) -> None:
    record.copies[-1]["kind"] = "ended"


def repeat_the_start(record: Record) -> None:
    started = nth(record, "started")
    records.events(record).append(
        {**started, "seq": len(record.copies) + 1, "last": len(record.copies) + 1}
    )


OPEN = [
    illegal_move, no_such_move, other_draw, pick_out_of_range, another_mover, another_bot,
    early_time_out, decision_of_another, failure_of_another, seat_twice, other_options,
    strange_field, show_move_to_one, hide_what_is_public, hide_a_pick, no_entropy_time,
    no_clock_time, end_early, repeat_the_start,
]  # fmt: skip
HIDDEN = [
    no_such_move, another_bot, early_time_out, decision_of_another, failure_of_another, seat_twice,
    other_options, strange_field, no_entropy_time, no_clock_time, end_early, repeat_the_start,
]  # fmt: skip
"""Forgeries that are found although the state is hidden from the viewer."""


@pytest.mark.parametrize(
    ("ruleset", "tamper"),
    [*(("santiago_de_cuba", tamper) for tamper in OPEN), *(("sealed", t) for t in HIDDEN)],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_what_is_public_of_a_game_that_goes_on_is_checked(
    ruleset: str, tamper: Callable[[Record], None]
) -> None:
    record, salt = going(ruleset, 20 if ruleset == "sealed" else 30)
    tamper(record)
    assert failing(records.forge(record, salt))


# Games that hide something before the first move, so that other viewers never know the state


def public_move(record: Record, type_: str) -> JsonObject:
    """Return the last event with a visible move of this type."""
    return [e for e in record.copies if e["body"].get("move", {}).get("type") == type_][-1]


def too_low_a_bid(record: Record) -> None:
    public_move(record, "bid")["body"]["move"]["amount"] = 1


def house_on_a_house(record: Record) -> None:
    taken = nth(record, "moved", 4)["body"]["move"]["space_id"]
    public_move(record, "place_house")["body"]["move"]["space_id"] = taken


def bid_in_another_phase(record: Record) -> None:
    public_move(record, "place_accomplice")["body"]["move"] = {"type": "bid", "amount": 9}


def tower_in_another_phase(record: Record) -> None:
    public_move(record, "activate_hex")["body"]["move"] = {"type": "build_wall", "wall_id": "w01"}


def last_draw_is_another(record: Record) -> None:
    drawn = [event for event in record.copies if event["kind"] == "chanced"][-1]
    drawn["body"]["draw"]["n"] += 1


def last_draw_is_for_others(record: Record) -> None:
    drawn = [event for event in record.copies if event["kind"] == "chanced"][-1]
    drawn["audiences"]["picks"] = "seat:0" if drawn["audiences"]["picks"] != "seat:0" else "none"


def out_of_turn(record: Record) -> None:
    event = [e for e in record.copies if e["by"].get("bot") and "move" in e["body"]][-1]
    event["by"]["seat"] = 2 - event["by"]["seat"]


def too_late(record: Record) -> None:
    late = [e for e in record.copies if e["by"] == {"seat": 1} and e["kind"] == "moved"][-1]["seq"]
    for event in record.copies[late - 1 :]:
        event["at"] = from_ms(to_ms(event["at"]) + 100_000)


@pytest.mark.parametrize("viewer", [None, 1])
@pytest.mark.parametrize(
    ("ruleset", "moves", "tamper"),
    [
        *[("manila", 34, t) for t in (too_low_a_bid, bid_in_another_phase, out_of_turn, too_late)],
        *[("ragusa", 39, t) for t in (house_on_a_house, tower_in_another_phase, out_of_turn)],
        *[("ragusa", 39, t) for t in (too_late, last_draw_is_another, last_draw_is_for_others)],
        *[("sealed", 14, t) for t in (last_draw_is_another, last_draw_is_for_others)],
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_what_is_public_is_judged_although_the_set_up_is_hidden(
    ruleset: str, moves: int, tamper: Callable[[Record], None], viewer: Seat | None
) -> None:
    record, salt = going(ruleset, moves, viewer)
    tamper(record)
    assert failing(records.forge(record, salt)) & {"play", "shapes"}


@pytest.mark.parametrize("ruleset", ["manila", "ragusa", "plus_ultra", "sealed"])
def test_no_honest_game_fails_wherever_it_stands(ruleset: str) -> None:
    for moves in range(1, 12) if ruleset == "sealed" else range(4, 130, 9):
        table = records.played(ruleset, f"at {moves}", moves)
        for viewer in (None, Seat(1)):
            report = found(records.alone(records.record_of(table, viewer)))
            assert report.ok, [check.failures for check in report.checks]


def test_who_has_resigned_plays_no_more() -> None:
    table = records.with_entropy()
    while table.game.question != "bid":
        records.move(table, min(table.game.asked))
    for seat in all_seats(2):
        records.move(table, seat)
    table.change(lambda batch: batch.resign(Seat(0), {"seat": 0}))
    while 0 not in table.game.asked:
        records.move(table, min(table.game.asked))
    table.change(lambda batch: batch.default(Seat(0), "resigned"))
    record = records.alone(records.record_of(table))
    assert found(record).verdict == NOT_WHOLLY
    played = [e for e in record.copies if e["kind"] == "defaulted"][-1]
    played["kind"], played["by"] = "moved", {"seat": 0}
    assert "table" in failing(records.forge(record, table.secrets.salt))


# Other code


class OtherCode(Registry):
    """The same rules with another digest, as after a change of a comment."""

    code = "ab" * 32

    def digest(self, ruleset_id: str) -> str:
        super().digest(ruleset_id)
        return self.code


@pytest.fixture
def mixed() -> local.LocalGame:
    """Return a game that other code recorded, then this code, then other code again."""
    other = OtherCode((*PACKAGES, "tests.sealed"))
    holders = [{"player": "p-x"}, BOTS["greedy"].holder(SEALED)]
    table = local.start(other, "sealed", holders, {}, "mixed")
    for moves, registry in ((4, other), (4, records.REGISTRY), (1_000, other)):
        table.game.registry = registry
        for _ in range(moves):
            if not table.game.over:
                records.move(table, min(table.game.asked))
    return table


def test_another_digest_of_the_same_version_fails_nothing(mixed: local.LocalGame) -> None:
    record = records.alone(records.record_of(mixed))
    here = records.REGISTRY.digest("sealed")
    assert [e["body"]["code"]["rules_digest"] for e in record.copies if "code" in e["parts"]] == [
        here, OtherCode.code,
    ]  # fmt: skip
    report = found(record)
    assert report.verdict == PROVED, [check.failures for check in report.checks]
    (note,) = [note for note in report.notes if "recorded the game" in note]
    assert OtherCode.code in note
    assert here in note
    report = verify_game(record, VerifyOptions(), OtherCode((*PACKAGES, "tests.sealed")))
    assert report.verdict == PROVED


def test_code_is_named_where_it_changed_and_nowhere_else(mixed: local.LocalGame) -> None:
    honest = records.alone(records.record_of(mixed))
    changes = [e["seq"] for e in honest.copies if "code" in e["parts"]]
    again = records.alone(honest)
    again.copies[changes[0] - 1]["body"]["code"]["rules_digest"] = OtherCode.code
    assert "play" in failing(records.forge(again))
    inside = records.alone(honest)
    last = inside.copies[-1]
    last["body"]["code"], last["audiences"]["code"] = {"rules_digest": "cd" * 32}, "public"
    assert "table" in failing(records.forge(inside))


def test_bots_are_asked_again_by_other_code_too_which_proves_nothing(
    mixed: local.LocalGame,
) -> None:
    record = records.alone(records.record_of(mixed))
    some = check_bots(record.game_id, record.copies, records.REGISTRY)
    assert some.checked
    assert (some.ok, some.not_here) == (True, True)
    (other,) = some.other_code.values()
    assert some.skipped == f"greedy@2: {other.same} decisions the same, by other code"
    asked = some.checked + other.same
    for event in record.copies:
        if "nodes" in event["body"].get("bot", ()):
            event["body"]["bot"]["nodes"] += 1
            if "digest" in event["body"]["bot"]:
                event["body"]["bot"]["digest"] = "cd" * 32
    none = check_bots(record.game_id, records.forge(record).copies, records.REGISTRY)
    assert (none.ok, none.not_here, none.checked) == (True, True, 0)
    (other,) = none.other_code.values()
    assert (other.same, other.differing) == (0, asked)
    assert f"{other.differing} decisions differ, by other code" in none.skipped


def test_rules_that_are_not_here_leave_the_rest_to_check() -> None:
    record = records.finished("sealed")
    here = Registry(PACKAGES)
    report = verify_game(record, VerifyOptions(), here)
    assert report.verdict == NOT_WHOLLY
    assert [check.name for check in report.checks if check.not_here] == ["play"]
    resigned = nth(record, "resigned")["seq"]
    moved = next(e for e in record.copies[resigned:] if e["kind"] == "defaulted")
    moved["kind"], moved["by"] = "moved", {"seat": 1}
    assert verify_game(records.forge(record), VerifyOptions(), here).verdict == FAILED


# Damaged games


def damaged(sound: int = 0, *, broken: bool = True) -> Record:
    """Return a game with a foreign event in its stream, which an operator has ended.

    ``sound`` shifts the event that is recorded as the last sound one.
    """
    table = records.played("santiago_de_cuba", moves=12)
    table.change(lambda batch: batch.abort("damaged", {"admin": "ops"}))
    record = records.alone(records.record_of(table))
    move = [event for event in record.copies if event["kind"] == "moved"][-1]
    last = record.copies[move["seq"] - 2 + sound]
    if broken:
        move["body"]["move"] = {"type": "drive_car", "steps": 77}
    nth(record, "aborted")["body"]["aborted"]["sound"] = {"seq": last["seq"], "hash": last["hash"]}
    return records.forge(record)


def test_a_damaged_game_is_never_proved() -> None:
    report = found(damaged())
    assert report.verdict == NOT_WHOLLY, [check.failures for check in report.checks]
    assert any("damaged" in missing for missing in report.missing)


def test_damage_is_not_just_claimed() -> None:
    assert "play" in failing(damaged(broken=False))
    assert "play" in failing(damaged(-2))  # events before it are recorded as damaged, too
    assert "shapes" in failing(damaged(1))
    proofs = damaged()
    aborted = nth(proofs, "aborted")
    aborted["body"]["aborted"]["reason"] = "cancelled"
    del aborted["body"]["aborted"]["sound"]
    assert failing(records.forge(proofs))


def test_what_was_before_the_damage_is_proved() -> None:
    changed = damaged()
    first = nth(changed, "moved")
    first["body"]["move"] = {"type": "drive_car", "steps": 78}
    assert "play" in failing(records.forge(changed))
