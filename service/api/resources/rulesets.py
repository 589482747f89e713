"""Rulesets: all that a client needs to play any of them."""

from collections.abc import Callable
from typing import Any

from flask import Response

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import published
from rules.kernel.contract.edition import Edition
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.schemas import effect_schemas, view_schema
from service.api.http.access import ANY_CALLER
from service.api.http.context import Caller
from service.api.http.headers import ACCEPT_LANGUAGE, IF_NONE_MATCH
from service.api.http.operations import Blueprint, path_parameter
from service.api.http.responses import FOR_MINUTES, JSON, StaticDocument, encode, etag_of
from service.api.schemas import rulesets as shapes
from service.api.schemas.base import RULESET
from service.api.schemas.queries import RulesetQuery, RulesetQuerySchema
from service.catalogue.bots import playing
from service.catalogue.documents import BOARD, FIRST_GAME, LABELS, PICTURE, RENDERER, rules_in
from service.problems import Problem

blueprint = Blueprint("rulesets", __name__, description="Rulesets that can be played.")

_READS = [ACCEPT_LANGUAGE, IF_NONE_MATCH]
RULESET_ID = path_parameter("ruleset_id", "The id of a ruleset.", RULESET, {"type": "string"})


@blueprint.operation(
    "GET", "/v1/rulesets", "listRulesets", security=ANY_CALLER.for_bots, headers=_READS
)
@blueprint.response(200, shapes.RulesetListSchema, description="The rulesets.")
def list_rulesets(caller: Caller) -> Response:
    """List the rulesets.

    Each ruleset has a version, which a game keeps until its end, and a digest of the code
    and data that determine the course of play.
    """
    registry, tongue = caller.runtime.registry, caller.language
    found = sorted(registry, key=lambda ruleset: str(ruleset.info.id))
    etag = etag_of(tongue, [registry.package_digest(ruleset.info.id) for ruleset in found])
    return _answer(
        caller,
        etag,
        lambda: {"rulesets": [_summary(caller, ruleset, tongue) for ruleset in found]},
    )


@blueprint.operation(
    "GET",
    "/v1/rulesets/<ruleset_id>",
    "getRuleset",
    security=ANY_CALLER.seated.for_bots,
    problems=["unknown_ruleset", "unknown_edition", "invalid_query"],
    headers=_READS,
    path_parameters=[RULESET_ID],
)
@blueprint.arguments(RulesetQuerySchema, location="query")
@blueprint.response(200, shapes.RulesetSchema, description="The ruleset.")
def get_ruleset(caller: Caller, query: RulesetQuery, ruleset_id: str) -> Response:
    """Read a ruleset.

    It has the options, move schemas, words and data tables that a client needs to set up and show a
    game. Labels and titles are in the language of `lang`, or else of `Accept-Language`.
    """
    registry, tongue = caller.runtime.registry, caller.language
    try:
        ruleset = registry.find(ruleset_id)
    except UnknownRulesetError as error:
        raise Problem("unknown_ruleset", str(error), ruleset=ruleset_id) from None
    offered = {edition.id: edition for edition in ruleset.editions()}
    wanted = ruleset.data.id if query.edition is None else query.edition
    if wanted not in offered:
        raise Problem("unknown_edition", f"{ruleset_id} has no edition {wanted!r} here")
    documents = _documents(caller, ruleset_id)
    etag = etag_of(
        tongue,
        registry.package_digest(ruleset_id),
        documents,
        wanted,
        [*offered],
        [bot.to_json(ruleset) for bot in playing(caller.runtime.bots, ruleset_id)],
    )
    return _answer(
        caller,
        etag,
        lambda: {
            **_whole(caller, ruleset, tongue, offered[wanted]),
            "documents": documents,
        },
    )


def _answer(caller: Caller, etag: str, make: Callable[[], JsonObject]) -> Response:
    """Answer with a document that is the same for everybody; it is made and compressed once."""
    kept = caller.services.documents
    if etag not in kept:
        kept[etag] = StaticDocument(encode(make()), JSON)
    return kept[etag].answer(FOR_MINUTES, vary="Accept-Language")


def _documents(caller: Caller, ruleset_id: str) -> JsonObject:
    """Return the digests of a ruleset's documents, None for a document that it does not have."""
    digests = {name: found.digest for name, found in caller.services.published[ruleset_id].items()}
    return {
        "board": digests.get(BOARD),
        "first_game": digests.get(FIRST_GAME),
        "labels": digests[LABELS],
        "picture": digests.get(PICTURE),
        "renderer": digests.get(RENDERER),
        "rules": {tongue: digests.get(rules_in(tongue)) for tongue in LANGUAGES},
    }


def _summary(caller: Caller, ruleset: Ruleset[Any], tongue: str) -> JsonObject:
    info, about = ruleset.info, published.about(ruleset)
    least, most = about.get("minutes", (None, None))
    documents = caller.services.published[info.id]
    drawing, led = documents.get(PICTURE), documents.get(FIRST_GAME)
    return {
        "id": info.id,
        "version": info.version,
        "title": info.title[tongue],
        "titles": dict(info.title),
        "designer": info.designer,
        "year": info.year,
        "min_seats": info.min_seats,
        "max_seats": info.max_seats,
        "stage": info.stage,
        "digest": caller.runtime.registry.digest(info.id),
        "about": about.get("text", {}).get(tongue),
        "min_minutes": least,
        "max_minutes": most,
        "weight": about.get("weight"),
        "picture": None if drawing is None else drawing.digest,
        "first_game": None if led is None else led.digest,
    }


def _whole(caller: Caller, ruleset: Ruleset[Any], tongue: str, edition: Edition) -> JsonObject:
    info = ruleset.info
    return {
        **_summary(caller, ruleset, tongue),
        "table_version": published.TABLE_VERSION,
        "versions": list(info.plays),
        "languages": list(LANGUAGES),
        "max_decisions": info.max_decisions,
        "max_events": info.max_events,
        "options": {option.name: option.schema() for option in info.options},
        "moves": {
            type_.type: {**type_.schema(), "secret": type_.secret} for type_ in ruleset.move_types
        },
        "effects": effect_schemas(ruleset, tongue),
        "view": view_schema(ruleset, tongue, edition),
        "error_codes": list(ruleset.error_codes),
        "end_reasons": list(ruleset.end_reasons),
        "bots": [bot.to_json(ruleset) for bot in playing(caller.runtime.bots, info.id)],
        "lead_scale": published.leads(ruleset),
        "labels": ruleset.labels.tables[tongue],
        "editions": [offered.id for offered in ruleset.editions()],
        "data": {"edition": edition.id, "digest": edition.digest, "tables": edition.tables},
    }
