"""``lonja import``: stores games and tournaments that were played elsewhere, once proved."""

from service.cli.importing.records import command

__all__ = ["command"]
