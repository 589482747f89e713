"""``lonja audit``: what a stranger makes sure of in the public log of a service."""

from service.cli.audit.command import command

__all__ = ["command"]
