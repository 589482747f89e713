"""An auditor follows honest logs without a word, and finds what false ones do."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from rules.kernel.record.instants import from_ms
from service.auditing import state
from service.auditing.book import Book
from service.auditing.chains import losses
from service.auditing.findings import AuditError
from service.auditing.follow import LogStatus, follow_log
from service.auditing.state import State, StateError
from service.auditing.tree import Tree
from service.records.leaves import ABORTED, ENDED, ForkError, Leaf, follow
from service.records.statements import BEGUN, BEHIND, RESTARTED, Statement
from service.tlog.checkpoints import open_checkpoint
from service.tlog.errors import TlogError
from service.tlog.merkle import leaf_hash, verify_consistency, verify_inclusion
from service.tlog.tiles import Tile
from tests.service.auditing.made import (
    AT,
    KEYS,
    MadeLog,
    created,
    game_id,
    head,
    many,
    pseudonym,
    rewound,
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[State]:
    with state.opened(tmp_path / "memory") as found:
        yield found


class Auditor:
    """Follows a log into one memory; each call is a run."""

    def __init__(self, memory: State) -> None:
        self.memory = memory
        self.book = Book(memory, 0)

    def __call__(self, log: MadeLog) -> LogStatus:
        self.book = Book(self.memory, AT)
        return follow_log(self.memory, log.opened(), log.read, self.book, lambda _done: None)

    @property
    def found(self) -> list[str]:
        return [entry.code for entry in self.book.entries()]


@pytest.fixture
def audit(memory: State) -> Auditor:
    return Auditor(memory)


@pytest.fixture
def log(tmp_path: Path) -> MadeLog:
    return MadeLog(tmp_path / "log")


NEVER = "9999-12-31T23:59:59.999Z"
GAMES = [game_id(number) for number in range(4)]


def test_an_empty_log_and_one_that_grows_are_followed(audit: Auditor, log: MadeLog) -> None:
    log.sign()
    assert audit(log) == LogStatus(0, 0, AT, is_older=False)
    size = 0
    for number, page in enumerate(many(1500, 400)):
        log.add(page)
        log.sign(AT + number)
        assert audit(log) == LogStatus(log.size, log.size - size, AT + number, is_older=False)
        size = log.size
    log.sign(AT + 10_000)  # an idle log tells the time
    assert audit(log) == LogStatus(size, 0, AT + 10_000, is_older=False)
    assert audit.found == []
    tree = Tree(audit.memory)
    assert tree.root(size) == log.opened().checkpoint.root


def test_honest_chains_of_all_shapes(audit: Auditor, log: MadeLog) -> None:
    public, lost, private, empty = GAMES[0], GAMES[1], pseudonym(1), GAMES[2]
    log.add([created(public), head(public, 5), head(public, 9, kind=ENDED)])
    log.add([head(public, 10, kind=ENDED)])  # its seed was opened
    log.add(
        [created(private), head(private, 2), created(GAMES[3]), head(GAMES[3], 2, kind=ABORTED)]
    )
    log.add([created(lost), head(lost, 7), head(lost, 9), rewound(head(lost, 9), head(lost, 7))])
    log.add([head(lost, 8, "again"), head(lost, 12, "again")])
    log.add([rewound(head(lost, 12, "again"), created(lost)), head(lost, 3, "anew")])
    log.add([rewound(head(private, 2), created(private)), head(private, 2, "again", ENDED)])
    log.add([created(empty), rewound(created(empty), None), created(empty, "again")])
    log.add([b'["lonja/2","leaf",{"kind":"later"}]'])  # of a newer release
    log.sign()
    audit(log)
    assert audit.found == []
    told = {(loss.id, loss.seq, loss.to) for loss in losses(audit.memory)}
    assert told == {(lost, 9, 7), (lost, 12, 1), (private, 2, 1), (empty, 1, 0)}
    newest = dict(audit.memory.sql.execute("SELECT id, seq FROM ids"))
    assert newest == {public: 10, private: 2, GAMES[3]: 2, lost: 3, empty: 1}


@pytest.mark.parametrize(
    ("false", "why"),
    [
        ([head(GAMES[0], 5, "other")], "has the hash"),
        ([head(GAMES[0], 4)], "goes back"),
        ([created(GAMES[0], "other")], "second creation"),
        ([head(GAMES[1], 2)], "no `created`"),
        ([rewound(head(GAMES[0], 5, "other"), created(GAMES[0]))], "another head"),
        ([rewound(head(GAMES[0], 5), head(GAMES[0], 3))], "no such head"),
        ([head(GAMES[0], 6, kind=ENDED), head(GAMES[0], 7)], "goes on after"),
        ([created(pseudonym(2)), head(pseudonym(2), 3)], "does not count on"),
        # What a `rewound` took back is no longer there.
        (
            [
                rewound(head(GAMES[0], 5), created(GAMES[0])),
                head(GAMES[0], 9, "again"),
                rewound(head(GAMES[0], 9, "again"), head(GAMES[0], 5)),
            ],
            "no such head",
        ),
    ],
)
def test_two_histories_of_an_id_are_proved(
    audit: Auditor, log: MadeLog, false: list[Leaf], why: str
) -> None:
    log.add([created(GAMES[0]), head(GAMES[0], 5)])
    log.sign()
    audit(log)
    assert audit.found == []
    log.add(false)
    log.add(created(game_id(number)) for number in range(100, 600))
    opened = log.sign(AT + 60)
    audit(log)
    (entry,) = audit.book.entries()
    assert (entry.code, entry.id, entry.is_new) == ("two_histories", false[-1].id, True)
    assert why in entry.why
    assert entry.evidence is not None
    shown = orjson.loads(entry.evidence.read_bytes())
    proved(shown)
    assert shown["checkpoint"].encode() == bytes(opened.note)
    audit(log)
    (entry,) = audit.book.entries()
    assert not entry.is_new


def proved(shown: Any) -> None:
    """Check evidence from leaves as somebody does who has nothing else but the keys."""
    found = open_checkpoint(shown["checkpoint"].encode(), KEYS.verifiers[:1]).checkpoint
    chain: list[Leaf] = []
    for one in shown["leaves"]:
        more = {**one["leaf"]}
        kind, id_, seq, hash_ = (more.pop(name) for name in ("kind", "id", "seq", "hash"))
        leaf = Leaf(kind, id_, seq, hash_, more)
        path = [bytes.fromhex(sibling) for sibling in one["path"]]
        verify_inclusion(leaf_hash(leaf.entry), one["index"], found.size, path, found.root)
        chain.append(leaf)
    with pytest.raises(ForkError):
        fold_chain(chain)


def fold_chain(leaves: list[Leaf]) -> None:
    standing: list[Leaf] = []
    after: Leaf | None = None
    for leaf in leaves:
        by_seq = {one.seq: one for one in standing}
        after = follow(after, leaf, by_seq.get)
        if leaf.kind == "rewound":
            standing = [one for one in standing if one.seq <= leaf.more["to"]]
        else:
            standing.append(leaf)


def test_an_entry_that_is_no_leaf_is_named(audit: Auditor, log: MadeLog) -> None:
    log.add([b"strange", created(GAMES[0])])
    log.sign()
    audit(log)
    audit(log)
    assert audit.found == ["strange_leaf"]


@pytest.mark.parametrize("kind", ["begun", "behind", "restarted", "rewound"])
def test_a_word_of_a_time_after_the_log_was_signed_is_named_and_explains_nothing(
    audit: Auditor, log: MadeLog, kind: str
) -> None:
    one, two = created(GAMES[0]), head(GAMES[0], 5)
    said: dict[str, list[Leaf | Statement]] = {
        "begun": [Statement(BEGUN, NEVER)],
        "behind": [Statement(BEHIND, from_ms(0), NEVER)],
        "restarted": [Statement(RESTARTED, from_ms(0), NEVER)],
        "rewound": [one, two, rewound(two, one)._replace(more={"to": 0, "at": NEVER})],
    }
    log.add(each.entry for each in said[kind])
    log.sign()
    audit(log)
    assert audit.found == ["strange_leaf"]
    assert NEVER in audit.book.entries()[0].why
    assert audit.memory.sql.execute("SELECT COUNT(*) FROM said").fetchone() == (0,)


# Forks of the log


def grown(folder: Path, pages: int, branch: str = "") -> MadeLog:
    """A log of 300 games, and pages in which a few of them move."""
    log = MadeLog(folder)
    log.add(created(game_id(number)) for number in range(300))
    for page in range(pages):
        log.add(head(game_id(number), page + 2, branch if page else "") for number in range(70))
    return log


def test_a_log_that_forks_is_proved_by_two_checkpoints(
    audit: Auditor, tmp_path: Path, log: MadeLog
) -> None:
    for name, pages, others in (("same", 4, 4), ("larger", 4, 9), ("smaller", 9, 4)):
        with state.opened(tmp_path / f"memory {name}") as memory:
            auditor = Auditor(memory)
            ours = grown(tmp_path / f"ours {name}", pages)
            ours.sign()
            auditor(ours)
            theirs = grown(tmp_path / f"theirs {name}", others, "other")
            theirs.sign(AT + 60)
            with pytest.raises(AuditError) as raised:
                auditor(theirs)
            finding = raised.value.finding
            assert finding.code == "forked"
            contradiction(finding.evidence)
            # What others saw of it is compared, too.
            if theirs.size <= ours.size:
                opened = theirs.opened()
                with pytest.raises(AuditError, match="two logs"):
                    Tree(memory).compare(opened.checkpoint, bytes(opened.note))
            auditor(ours)
            assert auditor.found == []


@pytest.mark.parametrize(("common", "ours", "theirs"), [(3, 5, 12), (3, 5, 300), (250, 255, 257)])
def test_a_log_that_forks_in_its_newest_entries(
    audit: Auditor, tmp_path: Path, common: int, ours: int, theirs: int
) -> None:
    logs = []
    for name, size in (("ours", ours), ("theirs", theirs)):
        made = MadeLog(tmp_path / name)
        made.add(created(game_id(number)) for number in range(common))
        made.add(created(game_id(number), name) for number in range(common, size))
        made.sign(AT + size)
        logs.append(made)
    audit(logs[0])
    with pytest.raises(AuditError, match="two logs") as raised:
        audit(logs[1])
    contradiction(raised.value.finding.evidence)


def contradiction(shown: Any) -> None:
    """Check evidence from two checkpoints as somebody does who has nothing else but the keys."""
    old, new = (
        open_checkpoint(note.encode(), KEYS.verifiers[:1]).checkpoint
        for note in shown["checkpoints"]
    )
    head, path = bytes.fromhex(shown["head"]), [bytes.fromhex(one) for one in shown["path"]]
    verify_consistency(old.size, new.size, path, head, new.root)
    assert head != old.root


def test_a_log_that_goes_back_is_told_from_an_old_copy(
    audit: Auditor, log: MadeLog, tmp_path: Path
) -> None:
    log.add(created(game_id(number)) for number in range(600))
    log.sign()
    old = (log.folder / "checkpoint").read_bytes()
    log.add([head(game_id(1), 2)])
    log.sign(AT + 60)
    audit(log)
    (log.folder / "checkpoint").write_bytes(old)
    assert audit(log) == LogStatus(601, 0, AT, is_older=True)
    (log.folder / "checkpoint").write_bytes(KEYS.signed(600, log_root(audit, 600), AT + 120))
    with pytest.raises(AuditError, match="went back") as raised:
        audit(log)
    assert raised.value.finding.evidence is not None


def log_root(audit: Auditor, size: int) -> bytes:
    return Tree(audit.memory).root(size)


# Logs that are not whole


def test_files_that_are_missing_or_damaged_are_named(log: MadeLog, tmp_path: Path) -> None:
    log.add(created(game_id(number)) for number in range(600))
    log.sign()
    times = iter(range(9))

    def spoilt(path: str, data: bytes | None) -> str:
        file = log.folder / path
        kept = file.read_bytes()
        if data is None:
            file.unlink()
        else:
            file.write_bytes(data)
        with state.opened(tmp_path / f"{next(times)}") as memory:
            audit = Auditor(memory)
            with pytest.raises(AuditError, match="not whole") as raised:
                audit(log)
            file.write_bytes(kept)
            audit(log)
            assert audit.found == []
        return raised.value.finding.why

    entries = Tile(0, 1).entries_path
    raw = (log.folder / entries).read_bytes()
    assert entries in spoilt(entries, raw.replace(b"commitment", b"commitmenu", 1))
    assert entries in spoilt(entries, None)
    assert "tiles do not lead" in spoilt(Tile(1, 0, 2).path, bytes(64))
    assert "needs 2" in spoilt(Tile(1, 0, 2).path, bytes(32))
    edge = Tile(0, 2, 88).entries_path
    raw = (log.folder / edge).read_bytes()
    assert "contradict" in spoilt(edge, raw.replace(b"commitment", b"commitmenu", 1))
    assert Tile(0, 2, 88).path in spoilt(Tile(0, 2, 88).path, None)


def test_a_tile_that_nothing_needs_is_compared(audit: Auditor, log: MadeLog) -> None:
    log.add(created(game_id(number)) for number in range(600))
    log.sign()
    (log.folder / Tile(0, 0).path).write_bytes(bytes(256 * 32))
    audit(log)
    assert audit.found == ["damaged"]


# The memory


def test_an_audit_that_was_killed_goes_on(
    audit: Auditor, log: MadeLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.auditing.follow._AT_ONCE", 2)
    log.add(created(game_id(number)) for number in range(2000))
    log.sign()

    def killed(done: int) -> None:
        if done > 600:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        follow_log(audit.memory, log.opened(), log.read, audit.book, killed)
    with pytest.raises(TlogError, match="not read yet"):
        Tree(audit.memory).root(1500)
    log.add([head(game_id(1), 2)])
    log.sign()
    asked: list[str] = []

    def read(name: str, most: int) -> bytes | None:
        asked.append(name)
        return log.read(name, most)

    found = follow_log(audit.memory, log.opened(), read, audit.book, lambda _done: None)
    assert (found.size, found.new) == (2001, 2001 - 1024)
    assert Tile(0, 3).entries_path not in asked
    assert audit.memory.sql.execute("SELECT COUNT(*) FROM leaves").fetchone() == (2001,)
    assert audit.found == []


@pytest.mark.parametrize("forks", [False, True])
def test_an_audit_that_was_killed_meets_an_older_log(
    audit: Auditor, log: MadeLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, forks: bool
) -> None:
    """An older copy is one, and a fork is one, though the leaves there were not read yet."""
    monkeypatch.setattr("service.auditing.follow._AT_ONCE", 1)
    games = [created(game_id(number)) for number in range(2000)]
    old = MadeLog(tmp_path / "old")
    old.add([*games[:1499], created(game_id(1499), "other" if forks else 0)])
    old.sign(AT - 60)
    log.add(games)
    log.sign()

    def killed(_done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        follow_log(audit.memory, log.opened(), log.read, audit.book, killed)

    def follow() -> LogStatus:
        return follow_log(audit.memory, old.opened(), log.read, audit.book, lambda _done: None)

    if forks:
        with pytest.raises(AuditError, match="two logs"):
            follow()
    else:
        assert follow().is_older
    audit(log)
    assert audit.found == []


def test_one_audit_at_a_time_uses_a_memory(memory: State) -> None:
    with pytest.raises(StateError, match="Another audit"), state.opened(memory.folder):
        pass


def test_a_file_that_is_no_memory_is_named(tmp_path: Path) -> None:
    with state.opened(tmp_path) as found:
        found.sql.execute("PRAGMA user_version = 99")
    with pytest.raises(StateError, match="newer release"), state.opened(tmp_path):
        pass
    (tmp_path / "state.sqlite").write_bytes(b"something else" * 100)
    with pytest.raises(StateError, match="cannot be used"), state.opened(tmp_path):
        pass
