"""The sentences of both verifiers about faults of games, files and receipts.

Sentences that other tests produce are not here. ``tests/sentences.py`` finds those that no test
produces.
"""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rules.kernel.canonical import FORMAT, JsonObject, digest, encode, mac
from rules.kernel.proof.steps import batches_of
from rules.kernel.proof.verify import NotARecordError, verify
from rules.kernel.record.events import event_hash
from rules.kernel.record.secrets import state_key
from service.cli.local import LocalGame
from service.cli.verifying import VerifyOptions, verify_file
from service.records.game_file import Record
from tests.service.cli import records
from tests.service.cli.records import UNSIGNED
from tests.service.cli.test_verify import nth
from tests.service.verifier.honest import (
    ADMIN,
    CLOCK,
    GREEDY,
    HOST,
    Course,
    Table,
    held,
    of_a_block,
)
from tests.service.verifier.programs import codes, reports, text_of
from tests.service.verifier.splices import Game, in_order

Batches = list[list[JsonObject]]


def told_by_both(folder: Path, text: bytes, *, receipt: Any = None) -> tuple[str, set[str]]:
    """Return the failures of a file by `lonja verify`, and the codes of `verify.mjs`."""
    more: list[str] = []
    if receipt is not None:
        (folder / "receipt").write_text(json.dumps(receipt))
        more = ["--receipt", str(folder / "receipt")]
    (theirs,) = reports(folder, [text], *more)
    return ours_of(theirs["file"], VerifyOptions(receipt)), codes(theirs)


def told_of_all(folder: Path, texts: Iterable[bytes]) -> Iterator[tuple[str, set[str]]]:
    """Yield the failures of each of many files, in the form of ``told_by_both``."""
    for theirs in reports(folder, texts):
        yield ours_of(theirs["file"], VerifyOptions()), codes(theirs)


def ours_of(file: str, asked: VerifyOptions) -> str:
    ours = verify_file(file, asked, records.REGISTRY)
    if ours.report is None:
        return ours.error
    assert ours.verdict
    failed = [failure for check in ours.report.checks for failure in check.failures]
    return "\n".join(failed)


# Games


def forged_game(table: LocalGame) -> Game:
    return Game(records.alone(records.record_of(table)), table.secrets.salt)


def event(kind: str, by: JsonObject, **body: Any) -> JsonObject:
    """Return an event to insert into a record; its hashes are computed later."""
    public = dict.fromkeys(body, "public")
    return {
        "seq": 10_000, "kind": kind, "by": by, "at": "2026-11-20T21:29:00.000Z", "last": 10_000,
        "parts": {}, "state_proof": "0" * 64, "hash": "0" * 64, "body": body, "nonces": {},
        "audiences": public,
    }  # fmt: skip


def course(**what: Any) -> Callable[[], Table]:
    return lambda: held(Course(**what))


RULES: JsonObject = {"service": "rules"}
ENDED, GOES_ON = course(), course(end="goes on")
WAITING = course(holders="people", giving=2, end="waits for entropy")
LOBBY = course(holders="mixed", end="waits for players")


def after(*more: JsonObject) -> Callable[[Batches], Batches]:
    """Append a batch."""
    return lambda batches: [*batches, [*more]]


def first_again(batches: Batches) -> Batches:
    return [batches[0], batches[0][:1], *batches[1:]]


def end_by_itself(batches: Batches) -> Batches:
    return [*batches[:-1], batches[-1][:-2], batches[-1][-2:]]


def code_in_between(batches: Batches) -> Batches:
    started = batches[0][-1]
    started["body"]["code"], started["audiences"]["code"] = {"rules_digest": "c0" * 32}, "public"
    return batches


def reveal_again(batches: Batches) -> Batches:
    revealed = {"seat": 0, "entropy": "01" * 32}
    return [*batches, *[[event("entropy_revealed", {"player": "p-ana"}, entropy=revealed)]] * 2]


def bot_resigns(batches: Batches) -> Batches:
    (first, *_rest) = next(b for b in batches if "bot" in b[0]["by"])
    return [*batches, [event("resigned", first["by"])]]


def luck_in_between(batches: Batches) -> Batches:
    return [batches[0], batches[-1], *batches[1:]]


def no_default(batches: Batches) -> Batches:
    place = next(n for n, batch in enumerate(batches) if batch[0]["kind"] == "timed_out")
    return [*batches[:place], batches[place][:1], *batches[place + 1 :]]


def another_draw(batches: Batches) -> Batches:
    drawn = next(e for batch in batches for e in batch if e["kind"] == "chanced")
    return [*batches[:-1], [*batches[-1], {**drawn, "seq": 9_999}]]


def nothing_before(batches: Batches) -> Batches:
    return batches[1:]


NO_NAME = 65 * "n"
"""A text longer than any name, so that it cannot be a name of a later release."""


def another_part(batches: Batches) -> Batches:
    batches[0][0]["body"][NO_NAME], batches[0][0]["audiences"][NO_NAME] = "x", "public"
    return batches


def opens_nothing(batches: Batches) -> Batches:
    opening = next(e for batch in batches for e in batch if "opens" in e["body"])
    opening["body"]["opens"] = []
    return batches


def tables(batches: Batches) -> Batches:
    batches[0][0]["body"]["game"]["data"]["tables"] = {"a": 1}
    return batches


def call_off(batches: Batches) -> Batches:
    told = {"reason": "cancelled", "withheld_by": []}
    luck = {"scope": batches[0][0]["body"]["game"]["chance"]["scope"], "chance_seed": "01" * 32}
    salt = {"salt_secret": "01" * 32}
    aborted = event("aborted", HOST, aborted=told, salt=salt)
    return [*batches, [aborted, event("chance_revealed", RULES, chance=luck)]]


def a_scope(batches: Batches) -> Batches:
    for each in (batches[0][0]["body"]["game"]["chance"], batches[-1][-1]["body"]["chance"]):
        each["scope"] = "t00-other/1"
    return batches


def ranks_apart(batches: Batches) -> Batches:
    ended = next(e for batch in batches for e in batch if e["kind"] == "ended")
    for rank, standing in enumerate(ended["body"]["result"]["standings"]):
        standing["rank"] = 1 + 2 * rank
    return batches


def sound_is_another(batches: Batches) -> Batches:
    aborted = batches[-1][0]
    aborted["body"]["aborted"]["sound"]["seq"] = aborted["seq"] - 1
    return batches


def sound_in_a_batch(batches: Batches) -> Batches:
    batches[-1][0]["body"]["aborted"]["sound"]["seq"] = 1
    return batches


def a_bot_gave(batches: Batches) -> Batches:
    seated = next(e for batch in batches for e in batch if e["kind"] == "seated")
    seated["body"]["seat"]["holder"] = GREEDY
    return batches


def brought_by_nobody(batches: Batches) -> Batches:
    _first, _again, last = seats_taken(batches)
    last["body"]["seat"]["brought"] = 1
    return batches


def seats_taken(batches: Batches) -> list[JsonObject]:
    return [e for batch in batches for e in batch if e["kind"] == "seated"]


def brought_by_another(batches: Batches) -> Batches:
    _first, again, last = seats_taken(batches)
    last["by"] = again["by"]
    last["body"]["seat"] = {**again["body"]["seat"], "seat": 1}
    return batches


def too_early(batches: Batches) -> Batches:
    place = next(n for n, batch in enumerate(batches) if batch[0]["kind"] == "timed_out")
    for event in batches[place]:
        event["at"] = batches[place - 1][0]["at"]
    return batches


def moves(batches: Batches, of: str) -> JsonObject:
    """Return the first move of a bot's, or of a player's, seat."""
    moved = (e for batch in batches for e in batch if e["kind"] == "moved")
    return next(e for e in moved if ("bot" in e["body"]) == (of == "bot"))


def a_player_thinks(batches: Batches) -> Batches:
    thoughts, move = moves(batches, "bot")["body"]["bot"], moves(batches, "player")
    move["body"]["bot"], move["audiences"]["bot"] = thoughts, "none"
    return batches


def a_player_thinks_much(batches: Batches) -> Batches:
    move = moves(batches, "player")
    move["body"]["thoughts"], move["audiences"]["thoughts"] = {"t": "x" * 4_089}, "none"
    return batches


def a_bot_thinks_aloud(batches: Batches) -> Batches:
    move = moves(batches, "bot")
    move["body"]["thoughts"], move["audiences"]["thoughts"] = {}, "none"
    return batches


def all_see_thoughts(batches: Batches) -> Batches:
    move = moves(batches, "player")
    move["body"]["thoughts"], move["audiences"]["thoughts"] = {}, "public"
    return batches


def moves_of_bots(batches: Batches) -> list[JsonObject]:
    moved = [e for batch in batches for e in batch if e["kind"] == "moved" and "bot" in e["body"]]
    return [e["body"]["bot"] for e in moved]


def the_digest_again(batches: Batches) -> Batches:
    first, second, *_ = moves_of_bots(batches)
    second["digest"] = first["digest"]
    return batches


def no_digest(batches: Batches) -> Batches:
    del moves_of_bots(batches)[0]["digest"]
    return batches


def all_of_it_again(batches: Batches) -> Batches:
    moves_of_bots(batches)[1].update(bot="greedy", version="2", settings="ab" * 32, budget=0)
    moves_of_bots(batches)[1]["digest"] = "ab" * 32
    return batches


def no_short(batches: Batches) -> Batches:
    for seated in seats_taken(batches):
        seated["body"]["seat"].pop("short", None)
    return batches


def a_short_player(batches: Batches) -> Batches:
    seats_taken(batches)[0]["body"]["seat"]["short"] = True
    return batches


def another_moves(batches: Batches) -> Batches:
    moves(batches, "player")["by"] = {"seat": 0, "player": "p-else"}
    return batches


def undone(to: int, seat: int = 0, **more: object) -> JsonObject:
    return event("undone", {"seat": seat, **more}, undo={"to": to})


def back_again(batches: Batches) -> Batches:
    """Play again and again what was taken back: it is too often if a fourth time follows."""
    place = next(n for n, batch in enumerate(batches) if batch[0]["kind"] == "undone")
    moved, back = batches[place - 1 : place + 1]
    to = back[0]["body"]["undo"]["to"]
    return [*batches[: place + 1], *[[*moved], [undone(to, back[0]["by"]["seat"])]] * 4]


def back_where_none_can(batches: Batches) -> Batches:
    del batches[0][0]["body"]["game"]["take_back"]
    return batches


def back_in_a_block(batches: Batches) -> Batches:
    batches[0][0]["body"]["game"]["take_back"] = True
    return batches


def hinted(decision: int, by: JsonObject) -> JsonObject:
    return event("hinted", by, hint={"decision": decision})


def hinted_again(batches: Batches) -> Batches:
    place = next(n for n, batch in enumerate(batches) if batch[0]["kind"] == "hinted")
    return [*batches[: place + 1], [{**batches[place][0]}], *batches[place + 1 :]]


def a_hint_for(decision: int, batches: Batches) -> Batches:
    """Have a seat ask for a hint for the decision of another event."""
    place = next(n for n, batch in enumerate(batches) if batch[0]["kind"] == "hinted")
    batches[place][0]["body"]["hint"]["decision"] = decision
    return batches


def hinted_where_none_is(batches: Batches) -> Batches:
    del batches[0][0]["body"]["game"]["hints"]
    return batches


def a_bot_hinted(batches: Batches) -> Batches:
    """Have a bot ask for a hint at its turn."""
    place = next(n for n, batch in enumerate(batches) if "bot" in batch[0]["by"])
    asked = batches[place - 1][-1]["seq"]
    return [*batches[:place], [hinted(asked, {"seat": batches[place][0]["by"]["seat"]})]]


def hints_in_a_block(batches: Batches) -> Batches:
    batches[0][0]["body"]["game"]["hints"] = True
    return batches


def a_time_out_before(batches: Batches) -> Batches:
    """Have a seat's time run out for a decision that it has taken back."""
    place = max(n for n, batch in enumerate(batches) if batch[0]["kind"] == "undone")
    (back,) = batches[place]
    late = {**back, "at": "2027-11-20T21:29:00.000Z"}
    told = {"seat": back["by"]["seat"], "decision": back["seq"] - 1}
    timed_out = {**event("timed_out", CLOCK, time_out=told), "at": late["at"]}
    by = {"seat": told["seat"], "service": "timed_out"}
    defaulted = {**event("defaulted", by, move={"type": "bid"}), "at": late["at"]}
    return [*batches[: place + 1], [timed_out, defaulted]]


def timed(batches: Batches) -> Batches:
    moves_of_bots(batches)[0]["cpu_us"] = 1_000
    return batches


def no_clock(batches: Batches) -> Batches:
    batches[0][0]["body"]["game"]["clock"] = None
    return batches


def moves_signed(batches: Batches) -> list[JsonObject]:
    return [each for batch in batches for each in batch if "signature" in each["body"]]


def forget(name: str, batches: Batches) -> Batches:
    """Omit a part of the first move that is signed."""
    (first, *_) = moves_signed(batches)
    for member in ("body", "parts", "nonces", "audiences"):
        del first[member][name]
    return batches


def unsigned(batches: Batches) -> Batches:
    moves_signed(batches)[0]["body"]["signature"]["sig"] = UNSIGNED
    return batches


def signed_before(batches: Batches) -> Batches:
    """Sign a move after a seat took back its moves with what it had signed for one of these."""
    place = min(n for n, batch in enumerate(batches) if batch[0]["kind"] == "undone")
    new = moves_signed(batches[place:])[0]
    told = [move["body"] for move in moves_signed(batches[:place])]
    decision = new["body"]["signature"]["decision"]
    new["body"] = next(old for old in told if old["signature"]["decision"] == decision)
    return batches


def signed_for_others(batches: Batches) -> Batches:
    """Show a signature to others than its move."""
    secret = next(each for each in moves_signed(batches) if each["audiences"]["move"] != "public")
    secret["audiences"]["signature"] = "public"
    return batches


def signed_to(decision: int, batches: Batches) -> Batches:
    """Sign the answer to another decision."""
    moves_signed(batches)[-1]["body"]["signature"]["decision"] = decision
    return batches


def a_bot_signs(batches: Batches) -> Batches:
    moved = next(b[0] for b in batches if "bot" in b[0]["by"])
    moved["body"]["signature"] = {"decision": moved["seq"] - 1, "sig": UNSIGNED}
    moved["audiences"]["signature"] = moved["audiences"]["move"]
    return batches


def new_key(batches: Batches) -> JsonObject:
    (event, *_) = [b[0] for b in batches if b[0]["kind"] == "key_changed"]
    return event


def a_key_of_nobody(batches: Batches) -> Batches:
    new_key(batches)["body"]["key"]["sig"] = UNSIGNED
    return batches


def a_key_by_another(batches: Batches) -> Batches:
    new_key(batches)["by"] = HOST
    return batches


def a_seat_with(key: str | None, batches: Batches) -> Batches:
    """Give the first seat of the table this key, or none."""
    seat = batches[0][1]["body"]["seat"]
    if key is None:
        del seat["key"]
    else:
        seat["key"] = key
    return batches


def signatures_in_a_block(batches: Batches) -> Batches:
    batches[0][0]["body"]["game"]["signatures"] = "required"
    return batches


def a_key_where_nobody_signs(batches: Batches) -> Batches:
    value = {"seat": 0, "key": "0f" * 32, "sig": None}
    return [*batches, [event("key_changed", {"player": "p-ana"}, key=value)]]


def a_key_of_who_resigned(batches: Batches) -> Batches:
    resigned = next(b[0]["by"]["seat"] for b in batches if b[0]["kind"] == "resigned")
    value = {"seat": resigned, "key": "0f" * 32, "sig": None}
    by = batches[0][1 + resigned]["body"]["seat"]["holder"]
    return [*batches, [event("key_changed", by, key=value)]]


SIGNED = course(holders="mixed", end="goes on", signs=True)
SIGNED_AGAIN = course(holders="people", incidents=("taking back",), signs=True)
TAKEN_BACK = course(holders="people", incidents=("taking back",), end="goes on")
HINTED = course(holders="people", incidents=("hints",), end="goes on")
STOOD_STILL = course(holders="people", incidents=("outage",), end="goes on")
BY_LOT = course(holders="people", fills="by lot", giving=2, end="waits for entropy")


GAMES: Sequence[tuple[Callable[[], Table], Callable[[Batches], Batches], str, str]] = [
    (ENDED, first_again, "a game is created once", "phase"),
    (ENDED, end_by_itself, "nobody can ask for ended", "batch_first"),
    (ENDED, code_in_between, "only a batch begins with other code", "code"),
    (WAITING, reveal_again, "owes no entropy", "entropy_owed"),
    (WAITING, after(event("started", CLOCK)), "waits for all of it", "started_without"),
    (course(holders="people", giving=2, end="is called off when closed and lenient"),
     lambda b: [*b[:-1], [event("started", CLOCK)]],
     "the time for entropy is not up", "started_without"),
    (GOES_ON, after(event("resumed", ADMIN)), "the game is not suspended", "resumed"),
    (GOES_ON, after(event("defaulted", {"seat": 0, "service": "resigned"}, move={"type": "bid"})),
     "seat 0 has not resigned", "defaulted"),
    (GOES_ON, call_off, "cannot end it as 'cancelled' now", "aborted"),
    (GOES_ON, bot_resigns, "a bot gives up only in a tournament", "by"),
    (of_a_block, lambda b: [b[0], [event("suspended", ADMIN)], *b[1:]],
     "paused with its tournament", "suspended"),
    (of_a_block, a_scope, "is no block or game of", "scope"),
    (of_a_block, luck_in_between, "luck is opened before the end", "phase"),
    (lambda: of_a_block(open_luck=False), lambda b: [b[0], [event(
        "chance_revealed", RULES, chance={"scope": "t00-cup/1", "chance_seed": "01" * 32})]],
     "luck is opened before the end", "phase"),
    (course(incidents=("time-out",)), no_default, "the batch ends where defaulted", "must_follow"),
    (GOES_ON, another_draw, "events follow, not", "draw_again"),
    (ENDED, nothing_before, "a game begins with created", "first"),
    (ENDED, another_part, "has no part 'nnn", "shape"),
    (ENDED, opens_nothing, "it opens nothing", "shape"),
    (ENDED, tables, "", "data_digest"),
    (ENDED, ranks_apart, "", "result_ranks"),
    (course(holders="people", giving=1), a_bot_gave, "may not do that", "no_player_entropy"),
    (TAKEN_BACK, back_again, "goes back to event", "take_back_often"),
    (TAKEN_BACK, back_where_none_can, "no move is taken back at this table", "take_back_off"),
    (TAKEN_BACK, lambda b: [*b, [undone(1)]], "cannot go back to event 1", "take_back_to"),
    (TAKEN_BACK, lambda b: [*b[:-1], [*b[-1], undone(1)]], "does not follow", "batch_follows"),
    (TAKEN_BACK, a_time_out_before, "has no decision", "decision"),
    (of_a_block, back_in_a_block, "whose luck is not its own", "take_back_scope"),
    (HINTED, hinted_again, "has a hint for decision", "hint_twice"),
    (HINTED, partial(a_hint_for, 1), "has no decision 1 to answer", "decision"),
    (HINTED, partial(a_hint_for, 99), "has no decision 99 to answer", "decision"),
    (HINTED, hinted_where_none_is, "nobody gets hints at this table", "hints_off"),
    (GOES_ON, a_bot_hinted, "does not hold the seat", "hint_by_bot"),
    (of_a_block, hints_in_a_block, "nobody gets hints", "hints_scope"),
    (SIGNED, partial(forget, "signature"), "has not signed its move", "sign_missing"),
    (SIGNED, partial(forget, "client"), "has signed no head with its move", "sign_no_head"),
    (SIGNED, unsigned, "did not sign this move with its key", "sign_move"),
    (SIGNED_AGAIN, signed_before, "has taken back moves since the head", "sign_old_head"),
    (course(holders="people", signs=True), signed_for_others, "not for those who see its move",
     "sign_audience"),
    (SIGNED, partial(signed_to, 1), "has no decision 1 to answer", "decision"),
    (SIGNED, a_bot_signs, "signs nothing", "sign_nothing"),
    (SIGNED, a_key_of_nobody, "did not sign its new one", "sign_new_key"),
    (SIGNED, a_key_by_another, "may not do that", "by"),
    (SIGNED, partial(a_seat_with, None), "has no key to sign its moves with", "sign_no_key"),
    (GOES_ON, partial(a_seat_with, "0f" * 32), "has a key, and signs nothing", "sign_key"),
    (GOES_ON, a_key_where_nobody_signs, "nobody signs at this table", "sign_off"),
    (course(holders="people", incidents=("resignation",), end="goes on", signs=True),
     a_key_of_who_resigned, "has resigned", "by"),
    (of_a_block, signatures_in_a_block, "nobody signs", "sign_scope"),
    (STOOD_STILL, no_clock, "the game has no clock to stand still", "interrupted"),
    (ENDED, timed, "only tournaments have budgets", "timed"),
    (BY_LOT, brought_by_nobody, "event 1 did not bring that entropy", "brought"),
    (BY_LOT, brought_by_another, "takes another's entropy", "brought"),
    (LOBBY, after(event("closed", RULES)), "nobody can ask for closed", "closed"),
    (LOBBY, after(event("suspended", ADMIN), event("resumed", ADMIN)), "does not follow",
     "batch_alone"),
    (course(incidents=("time-out",)), too_early, "", "timed_out_early"),
    (ENDED, a_player_thinks, "bots say what they thought, and only they", "bot_part"),
    (ENDED, a_player_thinks_much, "an object of at most 4096 bytes", "shape"),
    (ENDED, a_bot_thinks_aloud, "tells what it thought in `bot`", "bot_thoughts"),
    (ENDED, all_see_thoughts, "", "shape"),
    (ENDED, the_digest_again, "is said first, and where it changes", "bot_digest"),
    (ENDED, no_digest, "is said first, and where it changes", "bot_digest"),
    (ENDED, all_of_it_again, "another bot thought than holds", "bot_other"),
    (ENDED, no_short, "leaves out what its seat does not say", "bot_form"),
    (ENDED, a_short_player, "only a bot's moves", "short"),
    (ENDED, another_moves, "does not hold the seat", "by"),
    (GOES_ON, after(event("started", CLOCK)), "the game is running, not closed", "phase"),
    (course(end="is damaged"), sound_is_another, "followed by a damaged one", "damaged_sound"),
    (course(end="is damaged"), sound_in_a_batch, "followed by a damaged one", "damaged_sound"),
]  # fmt: skip


def test_games(tmp_path: Path) -> None:
    forged = []
    for made, change, _sentence, _code in GAMES:
        game = forged_game(made())
        forged.append(in_order(game, change([*batches_of(game.record.copies)])))
    told = told_of_all(tmp_path, map(text_of, forged))
    for (_made, change, sentence, code), (ours, theirs) in zip(GAMES, told, strict=True):
        assert ours, change
        assert sentence in ours, change
        assert code in theirs, change


def test_each_part_that_is_shown_has_its_nonce(tmp_path: Path) -> None:
    record = records.alone(records.finished("pig"))
    record.copies[3]["nonces"].popitem()
    ours, theirs = told_by_both(tmp_path, text_of(record))
    assert "event 4: its parts, their proofs and audiences differ" in ours
    assert "parts_nonces" in theirs


def test_a_damaged_game_has_no_state_any_more(tmp_path: Path) -> None:
    game = forged_game(held(Course(end="is damaged")))
    forged = records.alone(game.record)
    last, before = forged.copies[-1], bytes.fromhex(forged.copies[-2]["hash"])
    proof = mac(state_key(game.salt, last["seq"], before), encode({"silver": 99}))
    head = event_hash(
        before, last["seq"], last["kind"], last["by"], last["at"], last["last"], last["parts"],
        proof,
    )  # fmt: skip
    last["state_proof"], last["hash"] = proof.hex(), head.hex()
    forged.header["receipt"] = receipt_of(forged, last["seq"])
    ours, theirs = told_by_both(tmp_path, text_of(forged))
    assert "a state is proven of a game that has none any more" in ours
    assert "state_proof" in theirs


@pytest.mark.parametrize("hash_", [7, "zz", None])
def test_the_hash_of_a_lost_event_is_no_hash(tmp_path: Path, hash_: object) -> None:
    forged = records.alone(records.record_of(held(Course(end="is damaged"))))
    lost, aborted, *_ = forged.copies[-3:]
    lost["hash"] = hash_
    ours, theirs = told_by_both(tmp_path, text_of(forged))
    assert f"event {aborted['seq']}: the header does not hash to" in ours
    assert "chain_hash" in theirs


def test_a_game_that_is_over_does_not_go_on(tmp_path: Path) -> None:
    record = records.finished("pig")
    *batches, last = batches_of(record.copies)
    moved, (ended, luck) = last[:-2], last[-2:]
    drawn = nth(record, "chanced")
    drawn = {**drawn, "body": {**drawn["body"], "draw": {**drawn["body"]["draw"], "n": 77}}}
    told = {"reason": "ended_by_operator", "withheld_by": []}
    aborted = event("aborted", ADMIN, aborted=told, salt=ended["body"]["salt"])
    aborted["at"] = ended["at"]
    game = Game(record, bytes.fromhex(ended["body"]["salt"]["salt_secret"]))
    forged = in_order(game, [*batches, [*moved, {**drawn, "seq": 9_999}], [aborted, luck]])
    ours, _theirs = told_by_both(tmp_path, text_of(forged))
    assert "by the rules, it is ended by" in ours


def test_who_may_see_a_move_follows_from_the_rules(tmp_path: Path) -> None:
    record = records.finished("sealed")
    shown = next(c for c in record.copies if c["audiences"].get("move") == "public")
    shown["audiences"]["move"] = f"seat:{shown['by']['seat']}"
    ours, _theirs = told_by_both(tmp_path, text_of(records.forge(record)))
    assert "its move is for public, not seat:" in ours


def test_a_move_is_hidden_only_if_it_is_secret(tmp_path: Path) -> None:
    game = forged_game(records.played("santiago_de_cuba", moves=20))
    shown = [copy for copy in game.record.copies if copy["kind"] == "moved"][-1]
    del shown["body"]["move"], shown["nonces"]["move"]
    shown["audiences"]["move"] = f"seat:{shown['by']['seat']}"
    ours, _theirs = told_by_both(tmp_path, text_of(records.forge(game.record, game.salt)))
    assert "has no secret move" in ours


def test_a_move_is_one_even_where_the_state_cannot_be_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rules.kernel.proof.verify.GUESSES", 1)
    game = forged_game(records.played("plus_ultra", "s0", 20))
    shown = [copy for copy in game.record.copies if "move" in copy["body"]][-1]
    shown["body"]["move"]["type"] = "no_such_move"
    ours, _theirs = told_by_both(tmp_path, text_of(records.forge(game.record, game.salt)))
    assert "there is no such move" in ours


def test_a_record_has_events() -> None:
    with pytest.raises(NotARecordError, match="it has no events"):
        verify("g00-none", [], records.REGISTRY)


def test_the_options_are_those_that_the_rules_make_of_them(tmp_path: Path) -> None:
    changed = records.finished("pig")
    options = changed.copies[0]["body"]["game"]["options"]
    del options[min(options)]
    ours, _theirs = told_by_both(tmp_path, text_of(records.forge(changed)))
    assert "the options of such a game are" in ours


def test_the_tables_are_those_of_the_edition_that_the_options_name(tmp_path: Path) -> None:
    game = forged_game(records.played("macao", moves=2))
    tables = {"edition": "unnamed/1"}
    told = {"edition": "unnamed/1", "digest": digest(encode(tables)).hex(), "tables": tables}
    game.record.copies[0]["body"]["game"]["data"] = told
    ours, _theirs = told_by_both(tmp_path, text_of(records.forge(game.record, game.salt)))
    assert "the data of such a game is" in ours


def test_headers_alone_are_no_record(tmp_path: Path) -> None:
    record = records.alone(records.record_of(of_a_block(open_luck=False)))
    for copy in record.copies:
        copy["body"], copy["nonces"] = {}, {}
    ours, theirs = told_by_both(tmp_path, text_of(record))
    assert "event 33: result is public, and is left out" in ours
    assert "shape" in theirs


# Headers and receipts


def with_header(**changed: Any) -> bytes:
    record = records.finished("sealed")
    record.header.update(changed)
    return text_of(record)


def receipt_of(record: Record, seq: int, **more: Any) -> JsonObject:
    """Return a receipt with any contents, signed with the service's key."""
    copy = record.copies[seq - 1]
    receipt: JsonObject = {
        "game_id": record.game_id, "seq": seq, "hash": copy["hash"], "at": copy["at"],
        "request": None, "idempotency_key": None, "key_id": records.SIGNER.key_id, **more,
    }  # fmt: skip
    signed = records.SIGNER._key.sign(encode([FORMAT, "receipt", receipt]))
    return {**receipt, "sig": signed.hex()}


HEADERS: Sequence[tuple[JsonObject, str, str]] = [
    ({NO_NAME: 1}, "there is no field 'nnn", "header"),
    ({"version": 9}, "the header tells of 9 events", "lines_after"),
    ({"viewer": 7}, "seat 7 looked on", "header_viewer"),
    ({"version": "9"}, "the header's version cannot be '9'", "header"),
    ({"version": 0}, "the header's version cannot be 0", "header"),
    ({"public_key": "x"}, "is not 64 hexadecimal digits", "header"),
]


def test_headers(tmp_path: Path) -> None:
    told = told_of_all(tmp_path, (with_header(**changed) for changed, *_ in HEADERS))
    for (changed, sentence, code), (ours, theirs) in zip(HEADERS, told, strict=True):
        assert sentence in ours, changed
        assert code in theirs, changed


@pytest.mark.parametrize(
    ("more", "sentence", "code"),
    [
        ({"key_id": "0" * 16}, "names another key", "receipt_key"),
        ({"request": "00" * 32}, "answers no request", "receipt_head"),
    ],
)
def test_the_headers_receipt(more: JsonObject, sentence: str, code: str, tmp_path: Path) -> None:
    record = records.finished("sealed")
    receipt = receipt_of(record, len(record.copies), **more)
    ours, theirs = told_by_both(tmp_path, with_header(receipt=receipt))
    assert sentence in ours
    assert code in theirs


@pytest.mark.parametrize(
    ("kind", "more", "sentence", "code"),
    [
        ("moved", {"idempotency_key": "k"}, "a head answers no request", "receipt_request"),
        ("timed_out", {"request": "00" * 32}, "is no request", "receipt_request"),
        ("seated", {"request": "00" * 32}, "no request is answered", "receipt_inside"),
    ],
)
def test_kept_receipts(
    kind: str, more: JsonObject, sentence: str, code: str, tmp_path: Path
) -> None:
    record = records.finished("sealed")
    seq = nth(record, kind)["seq" if kind == "seated" else "last"]
    receipt = receipt_of(record, seq, **more)
    ours, theirs = told_by_both(tmp_path, text_of(record), receipt=receipt)
    assert sentence in ours
    assert code in theirs


def test_receipts_of_what_is_not_shown(tmp_path: Path) -> None:
    whole = records.record_of(records.played("sealed"))
    seen, hidden = next(
        (seen, copy)
        for seen in (records.record_of(records.played("sealed", moves=n)) for n in range(4, 20))
        for copy in seen.copies
        if copy["kind"] == "moved" and "move" not in copy["body"]
    )
    receipt = receipt_of(seen, hidden["last"], request="00" * 32)
    assert "receipt_hidden" in told_by_both(tmp_path, text_of(seen), receipt=receipt)[1]
    later = receipt_of(whole, len(whole.copies))
    ours, theirs = told_by_both(tmp_path, text_of(seen), receipt=later)
    assert "the record ends at" in ours
    assert "receipt_later" in theirs


def test_a_receipt_of_what_is_damaged(tmp_path: Path) -> None:
    """It is for an event that no longer counts, so it does not contradict the record."""
    record = records.record_of(held(Course(end="is damaged")))
    receipt = receipt_of(record, record.copies[-1]["seq"] - 2, request="00" * 32)
    ours, theirs = told_by_both(tmp_path, text_of(record), receipt=receipt)
    assert ours == ""
    assert "receipt_damaged" in theirs


# Files


def text() -> bytes:
    return text_of(records.finished("sealed"))


def second_line(change: Callable[[bytes], bytes]) -> Callable[[], bytes]:
    def changed() -> bytes:
        header, line, *rest = text().splitlines(keepends=True)
        return b"".join([header, change(line), *rest])

    return changed


DEEP = b'{"a":' * 300 + b"1" + b"}" * 300
FILES: Sequence[tuple[Callable[[], bytes], str, str]] = [
    (lambda: gzip.compress(text())[:-300], "what is compressed is damaged or cut", "file_read"),
    (lambda: gzip.compress(text() + b" " * 3_000_000), "it unpacks to more than", "file_unpacked"),
    (second_line(lambda line: b'{"a":"' + b"x" * 5_000_000 + b'"}\n'), "longer than", "line_size"),
    (second_line(lambda line: b" " + line), "is not as canonical JSON", "json_space"),
    (second_line(lambda line: line.replace(b'"seq":1', b'"seq":1.0')), "", "json_number"),
    (second_line(lambda line: line.replace(b'"created"', b'"\\u0063reated"')), "", "json_string"),
    (second_line(lambda line: line.replace(b'"seq":1', b'"seq":1,"seq":1')), "", "json_twice"),
    (second_line(lambda line: line.replace(b'"seats":3', b'"seats":' + DEEP)), "", "json_depth"),
    (lambda: b'{"export":"lonja-tournament/2"}\n', "the header lacks", "header"),
    (lambda: b'{"export":"lonja-tournament/1"}\n', "ended before the first release", "header"),
    (lambda: b'{"export":"lonja/1"}\n', "ended before the first release", "header"),
]  # fmt: skip


def test_files(tmp_path: Path) -> None:
    told = told_of_all(tmp_path, (made() for made, *_ in FILES))
    for number, ((_made, sentence, code), (ours, theirs)) in enumerate(
        zip(FILES, told, strict=True)
    ):
        assert ours, number
        assert sentence in ours, number
        assert code in theirs, number
