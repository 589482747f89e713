"""Checks whether this machine has the rules and bots of a plan, and finds their code."""

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import BadOptions
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from service.tournaments.plan import Plan, tables_of
from workers import bots
from workers.engines import strangers
from workers.engines.strangers import EngineMissingError


def lacking(plan: Plan, registry: Registry) -> str | None:
    """Return the name of a ruleset or bot that the plan needs and this machine lacks, or None.

    Only versions matter, not digests: other code of the same version may play.
    """
    try:
        ruleset = registry.find(plan.ruleset, plan.rules_version)
        options = ruleset.parse_options(plan.seats, plan.options)
        for entry in plan.entries:
            bots.need(entry.bot, entry.version)
            engine = bots.engine_of(entry.holder())
            if engine is not None:
                strangers.need(engine)
    except (EngineMissingError, UnknownRulesetError, BadOptions, bots.UnknownBotError) as error:
        return str(error)
    offered = ruleset.edition(options) in ruleset.editions()
    if plan.tables != tables_of(ruleset, options) or not offered:
        return f"the tables of the plan are not installed: {plan.tables}"
    return None


def code_of(plan: Plan, registry: Registry) -> JsonObject:
    """Return the code that plays here: ``{"rules_digest", "bots": [{bot, version, digest}]}``.

    Raises:
        UnknownBotError: a bot is not installed.
    """
    names = sorted({(entry.bot, entry.version) for entry in plan.entries})
    return {
        "rules_digest": registry.digest(plan.ruleset),
        "bots": [
            {
                "bot": name,
                "version": version,
                "digest": bots.code_digest(registry, plan.ruleset, name, version),
            }
            for name, version in names
        ],
    }
