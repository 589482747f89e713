"""Documents of rulesets: board, words, and rules of play."""

from flask import Response

from rules.kernel.contract.registry import UnknownRulesetError
from service.api.http.access import ANY_CALLER
from service.api.http.context import Caller
from service.api.http.headers import ACCEPT_LANGUAGE, IF_NONE_MATCH
from service.api.http.operations import Blueprint
from service.api.http.responses import FOR_EVER, NO_CACHE, StaticDocument
from service.api.resources.rulesets import RULESET_ID
from service.api.schemas.queries import DocumentQuery, DocumentQuerySchema
from service.catalogue.documents import MARKDOWN, NAMES, RULES, SCRIPT, SVG, rules_in
from service.problems import Problem, field_error, invalid

blueprint = Blueprint(
    "documents", __name__, description="Documents of rulesets: drawings, words and rules."
)

_DOCUMENT = {
    "in": "path",
    "name": "document",
    "description": "The document's name.",
    "schema": {"type": "string", "enum": list(NAMES)},
    "example": NAMES[0],
}


@blueprint.operation(
    "GET",
    "/v1/rulesets/<ruleset_id>/<document>",
    "getDocument",
    security=ANY_CALLER.seated.for_bots,
    problems=["unknown_ruleset", "unknown_document", "invalid_query"],
    headers=[ACCEPT_LANGUAGE, IF_NONE_MATCH],
    path_parameters=[RULESET_ID, _DOCUMENT],
)
@blueprint.arguments(DocumentQuerySchema, location="query")
@blueprint.response(200, {"type": "object", "examples": [{}]}, description="The document.")
@blueprint.alternative(200, {"type": "string", "examples": ["# Rules"]}, MARKDOWN)
@blueprint.alternative(200, {"type": "string", "examples": ["export {};"]}, SCRIPT)
@blueprint.alternative(200, {"type": "string", "examples": ["<svg/>"]}, SVG)
def get_document(caller: Caller, query: DocumentQuery, ruleset_id: str, document: str) -> Response:
    """Read a document of a ruleset.

    `board` describes how to draw the board (its schema is `/docs/board.schema.json`); `labels` are
    the texts, by language and key; `rules` are the rules of play in Markdown; `renderer` is the
    script that draws the board on this service's page; `picture` is the board in the middle of a
    game, as SVG; `first_game` has the steps that lead a newcomer through a first game
    (/docs/games). /docs/api/table defines the other documents.
    """
    try:
        caller.runtime.registry.find(ruleset_id)
    except UnknownRulesetError as error:
        raise Problem("unknown_ruleset", str(error), ruleset=ruleset_id) from None
    name, vary = document, ""
    if document == RULES:
        name, vary = rules_in(query.lang or caller.language), "Accept-Language"
    elif query.lang is not None:
        raise invalid("query", [field_error("lang", "of the rules alone", query.lang)])
    found, wanted = caller.services.published[ruleset_id].get(name), query.digest
    if document not in NAMES:
        text = f"a ruleset has {', '.join(NAMES)}, and no {document!r}"
        raise Problem("unknown_document", text)
    if found is None:
        raise Problem("unknown_document", f"{ruleset_id} has no {name} here")
    if wanted not in (None, found.digest):
        text = f"{ruleset_id} has no {name} with the digest {wanted}"
        raise Problem("unknown_document", text, digest=found.digest)
    kept = caller.services.documents
    if found.digest not in kept:
        kept[found.digest] = StaticDocument(found.body, found.media_type)
    return kept[found.digest].answer(NO_CACHE if wanted is None else FOR_EVER, vary=vary)
