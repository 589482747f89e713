"""Derived SQLite files stay as they are if something cannot be written into them."""

import sqlite3
from pathlib import Path

import pytest

from service.process.database import Database
from service.process.transactions import writing


def put(database: Database, *values: str, pages: int = 1_000) -> None:
    """Write in one transaction, on a disk that has room for so many pages of the file."""
    with database.opened(1) as file:
        file.execute(f"PRAGMA max_page_count = {pages}")
        with writing(file):
            for value in values:
                file.execute(f"INSERT INTO kept VALUES ({value})")


def test_a_full_disk_takes_one_transaction_back_and_damages_nothing(tmp_path: Path) -> None:
    """SQLite has then taken it back by itself, and there is no transaction to take back."""
    database = Database(tmp_path / "some.db", "CREATE TABLE kept (word TEXT)")
    put(database, "'before'")
    with pytest.raises(sqlite3.OperationalError, match="disk is full"):
        put(database, "'lost'", "zeroblob(100000)", pages=1)
    kept = database.read(lambda file: file.execute("SELECT * FROM kept").fetchall())
    assert kept == [("before",)]
