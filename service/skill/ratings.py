"""People's ratings: a fold of all rated games, stored with its position.

Only the games determine the ratings, so they can be lost, derived again and compared (``proof``). A
count of some games writes the new ratings and the position in one transaction, unless another
process has counted meanwhile. So each game counts once, even if processes are killed. If the list
shows that a game was skipped (its end was appended with an earlier time, because the store's clock
was set back; or a counted game was later ended as damaged), all games are counted again from the
first, and the old ratings are shown until then.

Games that have counted may leave the store's list, for packs (``counted_until``). How many there
are is compared, too. Who counts all games again reads those that have left in the index of packs.

What grows with the number of players is in the store: their ratings, and the times of their last
games. What grows with the number of games, the rows of each, is there until games leave (``rows``).
"""

import math
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import structlog
from redis import Redis
from redis.client import Pipeline
from redis.exceptions import WatchError

from rules.kernel.canonical import JsonObject
from service.ledger.unlisting import ArchiveBehindError, PastLists
from service.skill import rated_games, repeats, rows
from service.skill.fold import Skill, Skills, count, place_of
from service.skill.progress import (
    COUNTED,
    PREFIX,
    ROWS,
    ROWS_DONE,
    ROWS_GONE,
    SHOWN,
    CountKeys,
    CountProgress,
    RatingState,
    has_rows,
)
from service.skill.rated_games import RatedGame
from service.skill.repeats import Ends
from service.skill.rows import GameRows, StoreRows

log = structlog.get_logger(__name__)

AT_ONCE = 100
"""Games counted in one transaction."""

_LOOKED_AT = 1000
"""About how many times of alike games are looked at in one transaction."""

T = TypeVar("T")


class RatingPage(NamedTuple):
    """A page of players, best first; ``place`` is where the next page starts, None at the end."""

    players: list[tuple[str, Skill]]
    place: str | None


class PlayerRatings:
    """The ratings of all players of one store."""

    def __init__(self, redis: Redis, past: PastLists, host: GameRows | None = None) -> None:
        """``past`` are the lists of the games that have left the store's.

        ``host`` has the rows of games on this host, if it has an archive.
        """
        self._redis = redis
        self._past = past
        self._host = host

    # Counting

    def catch_up(self, now_ms: int, seconds: float = math.inf) -> bool:
        """Count the games that had ended at ``now_ms`` (the store's time).

        Concurrent processes share the work. Return whether all are counted; False if ``seconds``
        did not suffice.

        Raises:
            ArchiveBehindError: all games have to be counted again, and the index of packs here
                lacks some.
        """
        ends = time.monotonic() + seconds
        while self._count_on(now_ms):
            if time.monotonic() > ends:
                return False
        return True

    def count_again(self) -> None:
        """Delete the stored progress, so that the next ``catch_up`` counts every game again."""
        self._redis.delete(COUNTED)

    def counted_until(self) -> str:
        """Return the place of the last game that has counted; "" while all are counted again.

        Games up to this place may leave the store's list.
        """
        state = RatingState.of(self._redis)
        return state.progress.place if state.progress.number == state.shown else ""

    def let_rows_leave(self) -> None:
        """Delete the rows of all games from the store, for good; hosts have them.

        This may be repeated, also after it was interrupted.
        """
        if self._redis.hget(ROWS, ROWS_GONE) == ROWS_DONE:
            return
        self._redis.hset(ROWS, ROWS_GONE, "begun")  # from now on, no count writes any
        for key in self._redis.scan_iter(match=f"{PREFIX}[0-9]*", count=1000):
            if has_rows(key.decode()):
                self._redis.unlink(key)
        self._redis.hset(ROWS, ROWS_GONE, ROWS_DONE)

    def forget_ends(self) -> None:
        """Delete the times of alike games that can change no weight any more.

        All that are stored otherwise grow with the games that have left. Those of players who play
        on are replaced by each count.
        """
        keys = CountKeys(RatingState.of(self._redis).progress.number)
        cursor: Any = 0
        while True:
            with self._redis.pipeline(transaction=True) as pipe, suppress(WatchError):
                pipe.watch(COUNTED)
                raw: Any = pipe.get(COUNTED)
                page: Any = pipe.hscan(keys.ends, cursor, count=_LOOKED_AT)
                cursor, found = page
                last = CountProgress.load(raw).ended_ms
                over = [n for n, raw in found.items() if repeats.are_over(repeats.load(raw), last)]
                if over:
                    pipe.multi()
                    pipe.hdel(keys.ends, *over)
                    pipe.execute()
            if not cursor:
                return

    def _count_on(self, now_ms: int) -> bool:
        """Count the next games; return whether there may be more to do."""
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.watch(COUNTED, ROWS)
            raw: Any = pipe.get(COUNTED)
            progress, shown = CountProgress.load(raw), self._shown()
            has_left: Any = pipe.hexists(ROWS, ROWS_GONE)
            is_again = shown != progress.number
            if is_again:
                self._past.catch_up()
            past = self._past if is_again else None
            ended = rated_games.ended(self._redis, progress.place, now_ms, AT_ONCE, past)
            before = ended.before + ended.gone + progress.past
            done = False
            pipe.multi()
            if raw is None or before != progress.games:
                if raw is not None:
                    log.warning("rated_game_passed_over", counted=progress.games, of=before)
                progress = CountProgress(max(progress.number, shown) + 1, past=-ended.gone)
            elif ended.places:
                self._count(pipe, CountKeys(progress.number), ended.games, rows_left=has_left)
                progress = progress._replace(
                    games=progress.games + len(ended.places),
                    place=ended.places[-1],
                    past=progress.past + ended.past,
                )
            elif shown != progress.number:
                pipe.set(SHOWN, progress.number)
                done = True
            else:
                return False
            pipe.set(COUNTED, progress.dump())
            try:
                pipe.execute()
            except WatchError:
                return True  # another process has counted them
        if done and progress.number > 1:
            self._forget_before(progress.number)
        return True

    def _count(
        self, pipe: Pipeline, keys: CountKeys, games: Sequence[RatedGame], *, rows_left: bool
    ) -> None:
        """Add the changes of the next games to a transaction."""
        old = self._skills(
            keys, sorted({(game.ruleset, player) for game in games for player in game.players})
        )
        new = dict(old)
        names = sorted({repeats.alike(game) for game in games})
        raws: Any = self._redis.hmget(keys.ends, names) if names else ()
        ends: Ends = dict(zip(names, map(repeats.load, raws), strict=True))
        for game in games:
            counted = count(game, new, ends)
            if not rows_left:
                rows.put(pipe, keys, counted)
        for (ruleset, player), before in old.items():
            skill = new[ruleset, player]
            pipe.zrem(keys.order(ruleset), place_of(player, before))
            pipe.zadd(keys.order(ruleset), {place_of(player, skill): 0})
            pipe.hset(keys.of(player), ruleset, skill.dump())
        for name in names:
            pipe.hset(keys.ends, name, repeats.dump(ends[name]))

    def _forget_before(self, number: int) -> None:
        """Delete the stored data of all computations whose number is below ``number``."""
        for key in self._redis.scan_iter(match=f"{PREFIX}[0-9]*", count=1000):
            if int(key.removeprefix(PREFIX.encode()).partition(b":")[0]) < number:
                self._redis.unlink(key)

    # Reading

    def page(self, ruleset: str, limit: int, after: str | None = None) -> RatingPage:
        """Return up to ``limit`` players of a ruleset, after the place ``after``."""
        keys = CountKeys(self._shown())
        least = "-" if after is None else f"({after}"
        found: Any = self._redis.zrangebylex(keys.order(ruleset), least, "+", 0, limit + 1)
        places = [place.decode() for place in found[:limit]]
        players = [place.partition(":")[2] for place in places]
        skills = self._skills(keys, [(ruleset, player) for player in players])
        return RatingPage(
            [(player, skills[ruleset, player]) for player in players],
            places[-1] if len(found) > limit else None,
        )

    def of(self, player: str) -> dict[str, Skill]:
        """Return a player's skill by ruleset, for rulesets in which he has rated games."""
        found: Any = self._redis.hgetall(CountKeys(self._shown()).of(player))
        return {ruleset.decode(): Skill.load(raw) for ruleset, raw in sorted(found.items())}

    def in_rulesets(self, names: Iterable[tuple[str, str]]) -> Skills:
        """Return the skill of each (ruleset, player); that of a new player if none is known."""
        return self._skills(CountKeys(self._shown()), sorted({*names}))

    def history(self, ruleset: str, player: str, after: int, limit: int) -> list[JsonObject]:
        """Return up to ``limit`` of a player's counted games, skipping the first ``after``.

        Raises:
            ArchiveBehindError: rows have left the store, and this host does not have all of them.
        """
        found = self._ask(lambda one: one.history(ruleset, player, after, limit))
        return [rows.row_json(*row) for row in found]

    def of_game(self, game_id: str) -> list[JsonObject] | None:
        """Return each seat's rating before and after a game; None if the game was not counted.

        Raises ArchiveBehindError as ``history``.
        """
        found = self._ask(lambda one: one.of_game(game_id))
        return None if found is None else [rows.row_json(*row) for row in rows.rows_of(found)]

    def counted(self, ruleset: str, after: int, limit: int) -> tuple[list[JsonObject], int]:
        """Return up to ``limit`` games of a ruleset that counted, skipping the first ``after``.

        The games have the order in which they counted. The second value is the number of all.
        Raises ArchiveBehindError as ``history``.
        """
        found = self._ask(lambda one: one.counted(ruleset, after, limit))
        return [*map(rows.game_json, found.games)], found.total

    def _ask(self, ask: Callable[[GameRows], T]) -> T:
        """Return what the rows say that are shown. Raises ArchiveBehindError."""
        state = RatingState.of(self._redis)
        if not state.rows_gone:
            found = ask(StoreRows(self._redis, CountKeys(state.shown)))
            if not self._redis.hexists(ROWS, ROWS_GONE):  # else some may have left meanwhile
                return found
        if self._host is None:
            raise ArchiveBehindError("games have left the store, and this process has no archive")
        return ask(self._host)

    def _shown(self) -> int:
        found: Any = self._redis.get(SHOWN)
        return int(found or 0)

    def _skills(self, keys: CountKeys, names: Sequence[tuple[str, str]]) -> Skills:
        pipe = self._redis.pipeline(transaction=False)
        for ruleset, player in names:
            pipe.hget(keys.of(player), ruleset)
        return dict(zip(names, map(Skill.load, pipe.execute()), strict=True))
