"""Finds the rulesets of an installation by their ids."""

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.edition import BadEditionError
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.digests import heuristic_digest, package_digest, rules_digest


class UnknownRulesetError(LookupError):
    """No installed ruleset has this id, or the installed one cannot play this version."""


class Registry:
    """The rulesets of one process, by id.

    Each package has a ``RULESET``; ids must differ.
    """

    def __init__(self, packages: Iterable[str]) -> None:
        self._packages: dict[str, str] = {}
        self._rulesets: dict[str, Ruleset[Any]] = {}
        for package in packages:
            ruleset: Ruleset[Any] = import_module(package).RULESET
            if ruleset.info.id in self._rulesets:
                raise ValueError(f"two rulesets have the id {ruleset.info.id!r}")
            self._rulesets[ruleset.info.id] = ruleset
            self._packages[ruleset.info.id] = package
            # Hash now, because a file may be edited while this process goes on with the old code.
            rules_digest(package)

    def __iter__(self) -> Any:
        return iter(self._rulesets.values())

    def find(self, ruleset_id: str, version: str | None = None) -> Ruleset[Any]:
        """Return the ruleset ``ruleset_id``, if it can play ``version`` (None: the newest).

        Raises:
            UnknownRulesetError: there is none.

        """
        ruleset = self._rulesets.get(ruleset_id)
        if ruleset is None:
            raise UnknownRulesetError(f"there is no ruleset {ruleset_id!r}")
        if version is not None and version not in ruleset.info.plays:
            raise UnknownRulesetError(
                f"{ruleset_id} {version} cannot be played here, only"
                f" {', '.join(ruleset.info.plays)}"
            )
        return ruleset

    def pinned(self, created: JsonObject) -> Ruleset[Any]:
        """Return the ruleset that ``created`` pins, with the tables that ``created`` includes.

        Raises:
            UnknownRulesetError: there is none, or it cannot play with these tables.
        """
        ruleset = self.find(created["ruleset"], created["rules_version"])
        if "tables" in created["data"]:
            try:
                ruleset.install(created["data"]["tables"], offer=False)
            except BadEditionError as error:
                raise UnknownRulesetError(
                    f"{created['ruleset']} cannot be played here with the tables"
                    f" {created['data']['edition']}: {error}"
                ) from None
        return ruleset

    def digest(self, ruleset_id: str) -> str:
        """Return the hex digest over the code and data on which play of ``ruleset_id`` depends."""
        return rules_digest(self._packages[ruleset_id])

    def package_digest(self, ruleset_id: str) -> str:
        """Return the hex digest over a ruleset's whole package, its words included."""
        return package_digest(self._packages[ruleset_id])

    def heuristic_digest(self, ruleset_id: str) -> str:
        """Return the hex digest over the code and data of the heuristic of ``ruleset_id``."""
        return heuristic_digest(self._packages[ruleset_id])
