"""Installed rulesets, and editions of their tables."""

from pathlib import Path

import orjson

import rules.registry
from rules.kernel.contract.edition import BadEditionError
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from service.settings import Settings, SettingsError


def open_registry(settings: Settings) -> Registry:
    """Return the rulesets that ``settings`` install, with their editions.

    Raises:
        SettingsError: a name is not the name of a ruleset, or a file is not an edition. The
            message has the name or the file, and the reason.
    """
    try:
        registry = Registry((*rules.registry.PACKAGES, *settings.extra_rulesets))
    except (ImportError, AttributeError, ValueError) as error:
        told = f"LONJA_EXTRA_RULESETS names what is no ruleset: {error}{_cure(error, settings)}"
        raise SettingsError(told) from None
    for file in settings.editions:
        try:
            _install(registry, file)
        except (OSError, ValueError, UnknownRulesetError) as error:
            raise SettingsError(
                f"LONJA_EDITIONS names what is no edition: {file}: {error}"
            ) from None
    return registry


def _cure(error: Exception, settings: Settings) -> str:
    """Return the remedy for a package that is not installed; empty if it is installed but fails."""
    named = {name.partition(".")[0] for name in settings.extra_rulesets}
    if not isinstance(error, ModuleNotFoundError) or error.name not in named:
        return ""
    return "; run `pip install -e .` in its project, or name that folder in PYTHONPATH"


def _install(registry: Registry, file: Path) -> None:
    """Install one file: it has an edition's tables, and the id of their ruleset as ``ruleset``."""
    data = orjson.loads(file.read_bytes())
    if not isinstance(data, dict) or type(data.get("ruleset")) is not str:
        raise BadEditionError("it does not say which ruleset it is for")
    tables = {name: value for name, value in data.items() if name != "ruleset"}
    registry.find(data["ruleset"]).install(tables)
