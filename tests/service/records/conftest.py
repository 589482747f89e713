"""Uses the fixtures of tournaments to make records."""

from tests.service.tournaments.conftest import check, hall, new_hall

__all__ = ["check", "hall", "new_hall"]
