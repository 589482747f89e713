"""Uses the fixtures of the ledger's tests."""

from tests.service.ledger.conftest import new_ledger, store, tables

__all__ = ["new_ledger", "store", "tables"]
