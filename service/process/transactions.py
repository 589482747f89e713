"""Transactions of SQLite files that several processes may use."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def writing(database: sqlite3.Connection) -> Iterator[None]:
    """Return the context of a transaction; no other process writes meanwhile.

    An error in it takes everything back. The connection has no ``isolation_level``.

    Raises:
        sqlite3.Error: it cannot begin or end.
    """
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if database.in_transaction:  # else SQLite has taken it back, because the disk is full
            database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def run_each(database: sqlite3.Connection, statements: str) -> None:
    """Run statements that end with semicolons, within the transaction that is open.

    The connection's own ``executescript`` would end that transaction first. Raises sqlite3.Error.
    """
    for statement in filter(str.strip, statements.split(";")):
        database.execute(statement)
