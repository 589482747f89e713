"""``lonja import``: verifies and stores games and tournaments of other installations."""

from service.cli.importing.records import command

__all__ = ["command"]
