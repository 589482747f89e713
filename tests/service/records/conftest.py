"""Records are made where tournaments are held."""

from tests.service.tournaments.conftest import check, hall, new_hall

__all__ = ["check", "hall", "new_hall"]
