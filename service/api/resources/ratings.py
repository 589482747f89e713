"""Ratings of people: rankings of a ruleset, and histories."""

from flask import Response

from rules.kernel.canonical import JsonObject
from service.api.http.access import ANY_CALLER
from service.api.http.context import Caller
from service.api.http.cursors import BadCursorError
from service.api.http.headers import IF_NONE_MATCH, LINK
from service.api.http.operations import Blueprint
from service.api.http.responses import checked, to_next
from service.api.resources.rulesets import RULESET_ID
from service.api.schemas import ratings as shapes
from service.api.schemas.queries import PageQuery, PageQuerySchema, RankingQuery, RankingQuerySchema
from service.problems import Problem
from service.skill.fold import Skill

blueprint = Blueprint("ratings", __name__, description="Ratings of people.")


@blueprint.operation(
    "GET",
    "/v1/rulesets/<ruleset_id>/player_ratings",
    "listPlayerRatings",
    security=ANY_CALLER,
    problems=["unknown_ruleset", "invalid_query", "invalid_cursor"],
    headers=[IF_NONE_MATCH, LINK],
    path_parameters=[RULESET_ID],
)
@blueprint.arguments(RankingQuerySchema, location="query")
@blueprint.response(200, shapes.PlayerRatingListSchema, description="The ratings.")
def list_player_ratings(caller: Caller, query: RankingQuery, ruleset_id: str) -> Response:
    """List the ratings of a ruleset's players.

    Games of rated tables count within seconds after their end.
    """
    _need_ruleset(caller, ruleset_id)
    cursors, scope, after = caller.services.cursors, ["player_ratings", ruleset_id], None
    if query.cursor is not None:
        try:
            after = cursors.read(scope, query.cursor)
        except BadCursorError as error:
            raise Problem("invalid_cursor", str(error)) from None
    page = caller.runtime.player_ratings.page(ruleset_id, query.limit, after)
    cursor = None if page.place is None else cursors.write(scope, page.place)
    told = {
        "ratings": [skill_json(player, ruleset_id, skill) for player, skill in page.players],
        **caller.named(player for player, _skill in page.players),
        "next_cursor": cursor,
    }
    return checked(told, to_next(cursor=cursor))


@blueprint.operation(
    "GET",
    "/v1/players/<player_id>/ratings/<ruleset_id>",
    "getRatingHistory",
    security=ANY_CALLER,
    problems=["unknown_player", "unknown_ruleset"],
    headers=[IF_NONE_MATCH, LINK],
    path_parameters=[RULESET_ID],
)
@blueprint.arguments(PageQuerySchema, location="query")
@blueprint.response(200, shapes.RatingHistorySchema, description="The rating and its games.")
def get_rating_history(
    caller: Caller, query: PageQuery, player_id: str, ruleset_id: str
) -> Response:
    """Read the history of a player's rating.

    The history has each game that counted, and the rating after that game.
    """
    if caller.services.players.by_id(player_id) is None:
        raise Problem("unknown_player", f"there is no player {player_id!r}")
    _need_ruleset(caller, ruleset_id)
    ratings, after = caller.runtime.player_ratings, query.after
    skill = ratings.of(player_id).get(ruleset_id, Skill())
    rows = ratings.history(ruleset_id, player_id, after, query.limit)
    following = after + len(rows) if rows and after + len(rows) < skill.games else None
    told = {
        "rating": skill_json(player_id, ruleset_id, skill),
        "games": rows,
        "next_after": following,
    }
    return checked(told, to_next(after=following))


@blueprint.operation(
    "GET",
    "/v1/rulesets/<ruleset_id>/rated_games",
    "listRatedGames",
    security=ANY_CALLER,
    problems=["unknown_ruleset", "invalid_query"],
    headers=[IF_NONE_MATCH, LINK],
    path_parameters=[RULESET_ID],
)
@blueprint.arguments(PageQuerySchema, location="query")
@blueprint.response(200, shapes.CountedGameListSchema, description="The games.")
def list_rated_games(caller: Caller, query: PageQuery, ruleset_id: str) -> Response:
    """List the rated games of a ruleset in the order in which they counted.

    All ratings of the ruleset can be computed from this list (/docs/api/host).
    """
    _need_ruleset(caller, ruleset_id)
    after = query.after
    games, total = caller.runtime.player_ratings.counted(ruleset_id, after, query.limit)
    following = after + len(games) if games and after + len(games) < total else None
    return checked({"games": games, "next_after": following}, to_next(after=following))


def ratings_of(caller: Caller, player_id: str) -> list[JsonObject]:
    """Return a player's ratings: one for each ruleset of the player's rated games."""
    skills = caller.runtime.player_ratings.of(player_id)
    return [skill_json(player_id, ruleset, skill) for ruleset, skill in skills.items()]


def skill_json(player_id: str, ruleset_id: str, skill: Skill) -> JsonObject:
    """Return the public form of a player's rating."""
    return {"player": player_id, "ruleset": ruleset_id, **skill.to_json()}


def _need_ruleset(caller: Caller, ruleset_id: str) -> None:
    if ruleset_id not in {ruleset.info.id for ruleset in caller.runtime.registry}:
        raise Problem("unknown_ruleset", f"there is no ruleset {ruleset_id!r}")
