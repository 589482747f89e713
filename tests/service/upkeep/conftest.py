"""What the ledger's tests have is looked after here."""

from tests.service.ledger.conftest import new_ledger, store, tables

__all__ = ["new_ledger", "store", "tables"]
