"""A table that waits for a beacon is in the public log at once, before its round is out."""

from pathlib import Path

import pytest
from redis import Redis

from service.publishing.marker import DUE
from service.records.leaves import CREATED, HEAD
from service.redis.server import RedisServer
from service.runtime import Runtime
from tests import running
from tests.running import ME
from tests.service.publishing import logs
from tests.service.publishing.closed import NEVER, close, lobby, look, reveal, standing
from tests.service.publishing.logs import Builder

VISIBILITIES = "public", "private"


@pytest.fixture
def runtime(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    return running.runtime_on(redis_server.url)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_it_has_a_checkpoint_of_its_own(runtime: Runtime, path: Path, visibility: str) -> None:
    known = lobby(runtime, visibility)
    with standing(runtime, path) as builder:
        before = logs.leaves(path)
        running.open_game(runtime, "sealed", ME, ME)  # this one waits for the minute
        look(builder)
        assert logs.leaves(path) == before
        close(runtime, known)
        head = running.game(runtime, known).head.hex()
        look(builder)
        (leaf,) = logs.leaves(path)[len(before) :]
        assert (leaf.kind, leaf.hash, leaf.id) == (HEAD, head, before[-1].id)
        assert builder.is_behind  # of the other game
        reveal(runtime, known)
        look(builder)
        assert len(logs.leaves(path)) == len(before) + 1
    logs.build(runtime.ledger.store, path)
    found = [one for one in logs.leaves(path) if one.id == leaf.id]
    assert len(found) == (2 if visibility == "private" else 4)
    assert (runtime.redis.zscore(DUE, known) is not None) == (visibility == "private")


@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_the_log_may_not_know_it_yet(runtime: Runtime, path: Path, visibility: str) -> None:
    """The log has not its creation; and the seat may give entropy before the log looks."""
    with standing(runtime, path) as builder:
        before = len(logs.leaves(path))
        game_id = lobby(runtime, visibility)
        close(runtime, game_id)
        reveal(runtime, game_id)
        look(builder)
        created, head = logs.leaves(path)[before:]
        assert (created.kind, head.kind, head.id) == (CREATED, HEAD, created.id)
        assert head.hash == running.game(runtime, game_id).head.hex()
        assert (head.id == game_id) == (visibility == "public")


def test_a_builder_that_was_killed_makes_it_once(runtime: Runtime, path: Path) -> None:
    """The next process reads the feeds again, from before the leaf."""
    game_id = lobby(runtime, "private")
    with standing(runtime, path) as builder:
        running.open_game(runtime, "sealed", ME, ME)
        close(runtime, game_id)
        look(builder)
        size = len(logs.leaves(path))
        reveal(runtime, game_id)
    again = Builder.open(runtime.ledger.store, path, interval_ms=NEVER)
    look(again)
    assert len(logs.leaves(path)) == size
    again.die()


@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_nothing_that_is_hidden_changes_its_leaves(
    runtime: Runtime, path: Path, visibility: str
) -> None:
    """Twins: other seeds; entropy is promised or not, and given before the log looks or not."""
    with standing(runtime, path) as builder:

        def new(before: int) -> list[str]:
            look(builder)
            return [leaf.kind for leaf in logs.leaves(path)[before:]]

        for gives in ("at once", "later", "never"):
            size = len(logs.leaves(path))
            game_id = lobby(runtime, visibility, gives=gives != "never")
            assert new(size) == []
            close(runtime, game_id)
            if gives == "at once":
                reveal(runtime, game_id)
            assert new(size) == [CREATED, HEAD]
            if gives == "later":
                reveal(runtime, game_id)
            assert new(size) == [CREATED, HEAD]
