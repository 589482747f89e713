"""Checks whether this machine has the rules and bots of a plan, and finds their code."""

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import BadOptions
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from service.tournaments.plan import BotEntry, tables_of
from service.tournaments.tournament import Tournament
from workers import bots
from workers.engines import strangers
from workers.engines.strangers import EngineMissingError


def lacking(tournament: Tournament, registry: Registry) -> str | None:
    """Return the name of a ruleset or bot that is needed and that this machine lacks, or None.

    Entries that are out need no bot, and players come by themselves. Only versions matter, not
    digests: other code of the same version may play.
    """
    plan = tournament.plan
    try:
        ruleset = registry.find(plan.ruleset, plan.rules_version)
        options = ruleset.parse_options(plan.seats, plan.options)
        for entry in _playing(tournament):
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


def code_of(tournament: Tournament, registry: Registry) -> JsonObject:
    """Return the code that plays here: ``{"rules_digest", "bots": [{bot, version, digest}]}``.

    The bots of entries that are out are left out.

    Raises:
        UnknownBotError: a bot is not installed.
    """
    plan = tournament.plan
    names = sorted({entry.code for entry in _playing(tournament)})
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


def _playing(tournament: Tournament) -> list[BotEntry]:
    left = [tournament.plan.entries[entry] for entry in tournament.entries_left()]
    return [entry for entry in left if isinstance(entry, BotEntry)]
