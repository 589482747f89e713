"""A ruleset for a terminal, made of a service's answers: its words, and a drawing of any view."""

from typing import Any

from lonja_client import Client, NotFound

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.labels import LANGUAGES, Labels
from rules.kernel.contract.published import TABLE_VERSION
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from rules.kernel.contract.ruleset import Ruleset, RulesetInfo
from service.cli.common import Failure, find_ruleset


def ruleset_of(client: Client, registry: Registry, name: str) -> Ruleset[Any]:
    """Return a ruleset of a service: the installed one, or what the service publishes.

    Raises:
        Refused, Unreachable: as ``Client.get``.
        Failure: the service has no such ruleset, or its documents have a version that is not known
            here.
    """
    try:
        return registry.find(name)
    except UnknownRulesetError:
        try:
            told = client.get(f"/rulesets/{name}")
        except NotFound:
            return find_ruleset(registry, name)  # its Failure names the nearest one
    if (version := told.get("table_version", TABLE_VERSION)) != TABLE_VERSION:
        raise Failure(
            f"{name} has documents of version {version}; this program knows version"
            f" {TABLE_VERSION} (docs/api/table.md). A newer one may know them."
        )
    return _made(told, client.get(f"/rulesets/{name}/labels"))


def _made(told: JsonObject, words: dict[str, dict[str, str]]) -> Ruleset[Any]:
    titles = told["titles"]
    other = words[LANGUAGES[0] if LANGUAGES[0] in words else next(iter(words))]
    info = RulesetInfo(
        id=told["id"],
        version=told.get("version", ""),
        plays=(),
        title={tongue: titles.get(tongue, told["title"]) for tongue in LANGUAGES},
        designer="",
        year=0,
        min_seats=told["min_seats"],
        max_seats=told["max_seats"],
        max_decisions=0,
        max_events=0,
    )
    labels = Labels({tongue: words.get(tongue, other) for tongue in LANGUAGES})
    parts = {
        "__module__": __name__,
        "info": info,
        "labels": labels,
        "move_types": (),
        "view_schema": told["view"],
    }
    made: type[_PublishedRuleset] = type("PublishedRuleset", (_PublishedRuleset,), parts)
    return made()


class _PublishedRuleset(Ruleset[Any]):
    """A ruleset that can be shown, and not played."""

    def initial(self, seats: int, options: JsonObject) -> Any:
        raise NotImplementedError

    def default_move(self, state: Any, seat: int) -> Any:
        raise NotImplementedError
