"""Runs commands in this process."""

from tests.service.cli.conftest import lonja

__all__ = ["lonja"]
