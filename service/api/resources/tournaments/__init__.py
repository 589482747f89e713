"""Tournaments: create and control them, enter bots in them, and read their figures."""

from service.api.resources.tournaments import creating, entering, hosting, reading
from service.api.resources.tournaments.common import blueprint

__all__ = ["blueprint", "creating", "entering", "hosting", "reading"]
