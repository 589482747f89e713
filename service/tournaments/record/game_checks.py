"""Checks the games of a tournament's record, each by itself and against its tournament."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

import orjson

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from rules.kernel.proof.newer import UnknownParts
from rules.kernel.proof.shapes import CHANCE, pinned_by
from rules.kernel.proof.verify import Check, NotARecordError, verify
from rules.kernel.record.batch import MISSING, STOPPED, TOO_SLOW
from rules.kernel.record.bots import CPU, without_form
from rules.kernel.record.game import BLOCK, SEATS
from rules.kernel.record.instants import to_ms
from service.clock import TOLERANCE_MS
from service.records import checks
from service.records.decisions import DecisionsCheck
from service.records.game_file import Record
from service.tournaments.budgets import DECIDED, Budgets
from service.tournaments.course import luck_of
from service.tournaments.plan import OF_BLOCK, RESIGN
from service.tournaments.record.course_checks import Course
from service.tournaments.tournament import (
    ENTROPY,
    Block,
    GameResult,
    chance_scope,
    failure_of,
    game_id,
    ranks_and_scores,
)

_KINDS = (
    "created", "seated", "started", "moved", "chanced", "defaulted", "bot_failed", "timed_out",
    "resigned", "interrupted", "ended", "chance_revealed",
)  # fmt: skip
"""The kinds of events in a tournament's games, which have no entropy of seats."""

_NO_FAILURES = (MISSING, STOPPED)
"""Failures of bots that a tournament does not count."""

SLACK_MS = 2 * TOLERANCE_MS
"""Tolerated difference between the times of two streams. Both times may be inexact."""

MOST_FAILURES = 100
"""Number of failures after which checking stops, because more cannot change the verdict."""


class GamesReader:
    """The games of a record, read one after the other.

    ``check`` has the findings about the games. ``bots`` has the findings of the function
    ``check_bots``, which replays the decisions of a game's bots; if ``check_bots`` is None, no
    decisions are replayed. Unknown parts are added to ``newer``. If the tournament's stream has
    unknown parts, each game is checked only by itself.
    """

    def __init__(
        self,
        course: Course,
        registry: Registry,
        public_key: str,
        check_bots: Callable[[Record], DecisionsCheck] | None,
        newer: UnknownParts,
    ) -> None:
        self.check, self.bots = Check("games"), DecisionsCheck()
        self._newer = newer
        self.rules_digests: set[str] = set()
        self.too_slow = 0
        """Number of recorded failures because a bot took too long."""
        self._tournament = course.tournament
        self._declared = course.declared
        self._held = course.held
        self._registry = registry
        self._public_key = public_key
        self._check_bots = check_bots
        self._lacking: dict[str, None] = {}
        self._commitments: dict[int, str] = {}

    def judge(self, games: Iterable[Record]) -> None:
        """Check that the games are those of the tournament, in their order, and verify each one."""
        if self._newer.since:
            self._judge_alone(games)
            return
        named = self._named()
        for game in games:
            place = next(named, None)
            if place is None:
                self._fail(game.game_id, "the tournament does not name this game here")
                continue
            block, rotation = place
            wanted = self._id(block, rotation)
            where = f"block {block}, rotation {rotation}"
            if self.check.expect(
                game.game_id == wanted, f"{where}: the record lacks game {wanted}"
            ):
                self._judge(game, block, rotation)
            if len(self.check.failures) > MOST_FAILURES:
                return
        for block, rotation in named:
            wanted = self._id(block, rotation)
            self._fail(wanted, f"block {block}, rotation {rotation}: the record lacks this game")
            if len(self.check.failures) > MOST_FAILURES:
                return

    def _id(self, block: int, rotation: int) -> str:
        unknown = Block(block, 0, ())  # a forged stream may lack the block
        named = self._tournament.blocks.get(block, unknown)
        return game_id(self._tournament.id, named, rotation)

    def _named(self) -> Iterator[tuple[int, int]]:
        results = self._tournament.results
        for number in sorted(results):
            for rotation in range(len(results[number])):
                yield number, rotation

    def _judge_alone(self, games: Iterable[Record]) -> None:
        for game in games:
            self._judge_by_itself(game, UnknownParts(game.game_id))
            if len(self.check.failures) > MOST_FAILURES:
                return
        self._lack(f"which games belong to it, {self._newer.why()}")

    def _judge(self, game: Record, block: int, rotation: int) -> None:
        newer = UnknownParts(game.game_id)
        self._judge_by_itself(game, newer)
        self._guarded(game.game_id, lambda: self._compare(game, block, rotation, newer))

    def _judge_by_itself(self, game: Record, newer: UnknownParts) -> None:
        self._guarded(game.game_id, lambda: self._sound(game, newer))
        self._newer.take(newer)
        if newer.since:
            self._lack("what follows from what this program does not know")
        elif self._check_bots is not None:
            self._guarded(game.game_id, lambda: self._more(game), self.bots)

    def _fail(self, where: str, failure: str, check: Check | None = None) -> None:
        (check or self.check).expect(False, f"{where}: {failure}")  # noqa: FBT003 - the failing fact

    def _guarded(self, where: str, do: Callable[[], None], check: Check | None = None) -> None:
        """Run a check of untrusted JSON; any exception counts as a failure of the game."""
        try:
            do()
        except UnknownRulesetError as error:
            self._lack(str(error), here=False)
        except Exception as error:  # noqa: BLE001 - see above
            self._fail(where, f"it is not readable: {type(error).__name__} {error}", check)

    def _lack(self, reason: str, *, here: bool = True) -> None:
        """Note that a part of the record is not checked, with the ``reason``.

        ``here`` is false if the part cannot be checked only because this machine lacks rules or
        bots; another machine may check it. ``here`` is true if the reason lies in the record, so
        that no machine can check the part with this program.
        """
        self._lacking[reason] = None
        self.check.skipped = "; ".join(self._lacking)
        self.check.not_here = self.check.not_here or not here

    # By itself

    def _sound(self, game: Record, newer: UnknownParts) -> None:
        """Check a game as if it belonged to no tournament, with its header and its signature."""
        name = game.game_id
        try:
            made = verify(name, game.copies, self._registry, newer).checks
        except NotARecordError as error:
            self._fail(name, str(error))
            return
        made += [
            checks.check_lines(game),
            checks.check_header(game, newer),
            checks.check_viewer(game, newer),
        ]
        for found in made:
            self._add(name, found, newer)
        same_key = game.header["public_key"] == self._public_key
        self.check.expect(same_key, f"{name}: it is signed with another key")

    def _more(self, game: Record) -> None:
        assert self._check_bots is not None  # noqa: S101 - asked by the caller
        self.bots.add(game.game_id, self._check_bots(game))

    def _add(self, name: str, found: Check, newer: UnknownParts) -> None:
        """Add the findings about one game.

        The game is over, so every check must be complete, unless this machine lacks the rules or
        the record has unknown parts.
        """
        self.check.checked += found.checked
        self.check.failures += [f"{name}: {failure}" for failure in found.failures]
        if found.skipped and found.not_here:
            self._lack(found.skipped, here=False)
        elif found.skipped and not (newer.since or self._newer.since):
            self._fail(name, f"{found.name} cannot be checked: {found.skipped}")

    # Against its tournament

    def _compare(self, game: Record, block: int, rotation: int, newer: UnknownParts) -> None:
        """Check a game against the tournament: it must be the planned game, with the noted result.

        The plan says which game is played in this ``block`` with this ``rotation``. If the game has
        unknown parts, only its id and its luck are checked.
        """
        where, copies = f"block {block}, rotation {rotation}", game.copies
        result = self._tournament.results[block][rotation]
        self._expect(
            where,
            (result.version, result.head) == (len(copies), copies[-1]["hash"]),
            "the tournament names another head",
        )
        self._compare_times(where, copies, block)
        self._compare_luck(where, copies, block, rotation, newer)
        if newer.since:
            return
        strange = sorted({copy["kind"] for copy in copies}.difference(_KINDS))
        self._expect(where, not strange, f"{', '.join(strange)} does not happen in such a game")
        self._compare_plan(where, copies, block, rotation)
        self._compare_result(where, copies, result)
        self._compare_failures(where, copies, result)
        self._compare_code(where, copies, block)
        self._compare_budgets(where, copies)

    def _expect(self, where: str, good: bool, failure: str) -> None:  # noqa: FBT001 - reads as a sentence
        self.check.expect(good, f"{where}: {failure}")

    def _compare_times(self, where: str, copies: Sequence[JsonObject], block: int) -> None:
        """Check that a game was played between the pairing and the end of its block."""
        paired, ended = self._held[block]
        began, last = copies[0]["at"], copies[-1]["at"]
        self._expect(
            where,
            to_ms(began) >= to_ms(paired) - SLACK_MS,
            f"it began at {began}, and its block was paired at {paired}",
        )
        self._expect(
            where,
            to_ms(last) <= to_ms(ended) + SLACK_MS,
            f"it went on until {last}, and its block ended at {ended}",
        )

    def _compare_plan(
        self, where: str, copies: Sequence[JsonObject], block: int, rotation: int
    ) -> None:
        tournament, plan = self._tournament, self._tournament.plan
        pinned = copies[0]["body"]["game"]
        seating = tournament.blocks[block].seatings(plan.rotations)[rotation]
        remote = plan.has_players(seating)
        wanted = {
            "ruleset": plan.ruleset, "rules_version": plan.rules_version, "options": plan.options,
            "seats": plan.seats, "clock": plan.clock if remote else None,
            "entropy": ENTROPY, "visibility": SEATS if remote else BLOCK,
        }  # fmt: skip
        for name, value in wanted.items():
            self._expect(where, _same(pinned[name], value), f"its {name} is not the plan's")
        data = pinned["data"]
        tables = None
        if "tables" in data:
            tables = {"edition": data["edition"], "digest": digest(encode(data["tables"])).hex()}
        self._expect(where, _same(tables, plan.tables), "it was played with other tables")
        by = {"tournament": tournament.id}
        seated = [copy for copy in copies if copy["kind"] == "seated"]
        self._expect(
            where,
            all(copy["by"] == by for copy in (copies[0], *seated)),
            "somebody else opened it, or put its players there",
        )
        holders = [
            {"seat": seat, "holder": plan.entries[entry].holder(), "entropy_commitment": None}
            for seat, entry in enumerate(seating)
        ]
        self._expect(
            where,
            _same([without_form(copy["body"]["seat"]) for copy in seated], holders),
            "others sat there than were paired",
        )

    def _compare_luck(
        self,
        where: str,
        copies: Sequence[JsonObject],
        block: int,
        rotation: int,
        newer: UnknownParts,
    ) -> None:
        tournament = self._tournament
        chance = pinned_by(copies[0]).get("chance", {})
        if CHANCE.fits(chance, 0):
            scope = chance_scope(tournament, tournament.blocks[block], rotation)
            shared = tournament.plan.luck == OF_BLOCK
            same = not shared or chance["commitment"] == self._commitments.setdefault(
                block, chance["commitment"]
            )
            whose = "its block" if shared else "the plan gives it"
            self._expect(
                where,
                chance["scope"] == scope and same,
                f"the game has other luck than {whose}",
            )
        opened = [*_opened(copies, ("ended",), "salt", "salt_secret")]
        seeds = [*_opened(copies, ("chance_revealed",), "chance", "chance_seed")]
        self._expect(
            where,
            len(opened) == len(seeds) == 1 or bool(newer.since),
            "its block was played, and its luck is not open",
        )
        if tournament.seed is not None:
            luck = luck_of(tournament, tournament.seed)
            secrets = luck.secrets(tournament.blocks[block], rotation)
            self._expect(
                where,
                {*opened} <= {secrets.salt.hex()},
                "the salt is not the tournament's",
            )
            self._expect(
                where, {*seeds} <= {secrets.chance_seed.hex()}, "the luck is not the tournament's"
            )

    def _compare_result(self, where: str, copies: Sequence[JsonObject], result: GameResult) -> None:
        results = [copy["body"]["result"] for copy in copies if copy["kind"] == "ended"]
        self._expect(where, len(results) == 1, "it did not end")
        for ended in results:
            ranks, scores = ranks_and_scores(ended, self._tournament.plan.seats)
            self._expect(
                where,
                _same(result.ranks, ranks) and _same(result.scores, scores),
                "the tournament says that it ended otherwise",
            )

    def _compare_failures(
        self, where: str, copies: Sequence[JsonObject], result: GameResult
    ) -> None:
        """Check the failures of bots in a game.

        The tournament must name the same failures. After a failure, a bot must resign if the policy
        of the tournament's plan demands it, and nobody else may resign.
        """
        failed = [
            (copy, failure)
            for copy in copies
            if (failure := failure_of(copy["kind"], copy["body"])) is not None
        ]
        told = [failure for _copy, failure in failed]
        self._expect(where, _same(result.failures, told), "other bots failed than it says")
        failures = [copy for copy in copies if copy["kind"] == "bot_failed"]
        self._expect(
            where,
            all(copy["body"]["failure"]["cause"] not in _NO_FAILURES for copy in failures),
            "a bot that is missing is waited for, and of one that was stopped the block is played"
            " again",
        )
        self.too_slow += sum(copy["body"]["failure"]["cause"] == TOO_SLOW for copy in failures)
        resigns = self._tournament.plan.failures.then == RESIGN
        wanted = [
            (copy["last"] + 1, failure[0])
            for copy, failure in failed
            if resigns and not _ends(copies, copy)
        ]
        players = {
            seat["seat"]
            for copy in copies
            if copy["kind"] == "seated" and "player" in (seat := copy["body"]["seat"])["holder"]
        }
        found = [(copy["seq"], copy["by"]["seat"]) for copy in copies if copy["kind"] == "resigned"]
        # A player may resign at any time.
        found = [one for one in found if one in wanted or one[1] not in players]
        self._expect(
            where, _same(found, wanted), "somebody resigned, or did not, against the plan's policy"
        )

    def _compare_code(self, where: str, copies: Sequence[JsonObject], block: int) -> None:
        """Check that the tournament declared the code of its bots; note the code of the rules."""
        declared = self._declared.get(block, ())
        holders: dict[int, JsonObject] = {}
        for copy in copies:
            body = copy["body"]
            if copy["kind"] == "seated":
                holders[body["seat"]["seat"]] = body["seat"]["holder"]
            if copy["kind"] in ("moved", "bot_failed") and "digest" in body.get("bot", {}):
                told = body["bot"]
                named = told if "bot" in told else holders[copy["by"]["seat"]]
                code = {
                    "bot": named["bot"], "version": named["version"], "digest": told["digest"],
                }  # fmt: skip
                self._expect(
                    where,
                    code in declared,
                    f"event {copy['seq']}: {code['bot']}@{code['version']} is code that the"
                    f" tournament did not declare: digest {code['digest']}",
                )
            if copy["kind"] == "created":
                self.rules_digests.add(body["game"]["rules_digest"])
            if "code" in body:
                self.rules_digests.add(body["code"]["rules_digest"])

    def _compare_budgets(self, where: str, copies: Sequence[JsonObject]) -> None:
        """Check that bots decided within their budgets, and that no time is told without any."""
        plan = self._tournament.plan
        budgets = Budgets.of(plan.failures, plan.seats)
        told = [copy for copy in copies if copy["kind"] in DECIDED and "bot" in copy["body"]]
        wrong = [copy["seq"] for copy in told if (CPU in copy["body"]["bot"]) == (budgets is None)]
        self._expect(
            where,
            not wrong,
            f"events {wrong}: the time of a decision is told if it counts against a budget",
        )
        if budgets is None or wrong:
            return
        for copy in told:
            if copy["kind"] == "moved" and budgets.left_us(copy["by"]["seat"]) == 0:
                self._fail(where, f"event {copy['seq']}: a bot moved with its budget used up")
            budgets.take(copy["kind"], copy["by"], copy["body"])


def _opened(
    copies: Sequence[JsonObject], kinds: Collection[str], part: str, secret: str
) -> Iterator[str]:
    """Yield the secrets that events reveal."""
    for copy in copies:
        value = copy["body"].get(part) if copy["kind"] in kinds else None
        if type(value) is dict and secret in value:
            yield value[secret]


def _ends(copies: Sequence[JsonObject], event: JsonObject) -> bool:
    """Whether the game ended in the batch of an event."""
    return any(copy["kind"] == "ended" for copy in copies[event["seq"] - 1 : event["last"]])


def _same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal; 1 and true are not."""
    return orjson.dumps(one, option=orjson.OPT_SORT_KEYS) == orjson.dumps(
        other, option=orjson.OPT_SORT_KEYS
    )
