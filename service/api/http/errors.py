"""Error handlers: every error of a request becomes a problem document."""

from typing import cast

import structlog
from flask import Flask, Response, g, has_request_context, request
from redis.exceptions import RedisError
from werkzeug.exceptions import HTTPException

from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.record.batch import RefusedError
from service.administration.acts import UnknownPlayerError
from service.api.http.context import caller
from service.api.http.requests import shown
from service.api.http.spanish import in_spanish
from service.ledger.damage import GameDamagedError
from service.ledger.idempotency import OvertakenError
from service.ledger.ledger import GameNotFoundError
from service.ledger.repository import ConflictError
from service.ledger.store import TooFewReplicasError
from service.problems import CODES, MEDIA_TYPE, RETRY_AFTER, Problem, encoded
from service.redis.client import is_of_another_type
from service.tournaments.record.export import ReportUnfinishedError
from service.tournaments.tournament import TournamentDamagedError, TournamentNotFoundError

log = structlog.get_logger(__name__)

_BY_STATUS = {
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "unsupported_media_type",
}
_OVERWRITTEN = (
    "something else lies in the place of what is needed for this answer:"
    " whoever runs the service finds it with `lonja ledger check`"
)
_KEPT_HEADERS = ("Allow", "Retry-After", "WWW-Authenticate")


def register(app: Flask) -> None:
    """Make ``app`` answer every error as a problem."""
    app.register_error_handler(Problem, answer_problem)
    app.register_error_handler(RefusedError, _refused)
    app.register_error_handler(GameNotFoundError, _unknown_game)
    app.register_error_handler(TournamentNotFoundError, _unknown_tournament)
    app.register_error_handler(UnknownPlayerError, _unknown_player)
    app.register_error_handler(TournamentDamagedError, _damaged_tournament)
    app.register_error_handler(ReportUnfinishedError, _unfinished)
    app.register_error_handler(UnknownRulesetError, _no_rules)
    app.register_error_handler(ConflictError, _conflict)
    app.register_error_handler(OvertakenError, _conflict)
    app.register_error_handler(GameDamagedError, _damaged)
    app.register_error_handler(TooFewReplicasError, _unconfirmed)
    app.register_error_handler(RedisError, _no_store)
    app.register_error_handler(Exception, _mistake)


def answer_problem(problem: Problem) -> Response:
    """Return the answer to a request that ends with a problem, in the caller's language."""
    request_id, language = None, "en"
    if has_request_context():
        g.problem = problem
        request_id = g.watched.id if "watched" in g else None
        language = caller().language if "caller" in g else language
    document = problem.to_json(request_id)
    if language == "es":
        document = in_spanish(document)
    response = Response(encoded(document), CODES[problem.code].status, mimetype=MEDIA_TYPE)
    response.headers["Content-Language"] = language
    response.headers["Cache-Control"] = "no-store"
    if problem.code in RETRY_AFTER:
        response.headers["Retry-After"] = str(RETRY_AFTER[problem.code])
    response.headers.update(problem.headers)
    return response


def http_problem(error: HTTPException) -> Response:
    """Answer an error of werkzeug's HTTP layer."""
    if error.code is None or error.code < 400:
        return cast(Response, error.get_response())
    code = _BY_STATUS.get(error.code, "bad_request" if error.code < 500 else "internal_error")
    members = {"limit": request.max_content_length} if code == "too_large" else {}
    details = {
        "bad_request": error.description,
        "not_found": f"there is nothing at {shown(request.path)!r}",
        "method_not_allowed": f"this resource has no {request.method}",
    }
    headers = {name: value for name, value in error.get_headers() if name in _KEPT_HEADERS}
    return answer_problem(Problem(code, details.get(code), headers=headers, **members))


def page_or_problem(error: HTTPException, page: Response) -> Response:
    """Answer a request for a wrong path: a browser gets the ``page``, others a problem."""
    told = http_problem(error)
    accepted = request.accept_mimetypes
    if accepted["text/html"] <= accepted[MEDIA_TYPE]:
        told.headers.add("Vary", "Accept")
        return told
    page.status_code = 404
    return page


def _refused(refused: RefusedError) -> Response:
    if refused.code not in CODES:
        return _mistake(refused)
    return answer_problem(Problem(refused.code, refused.message, **refused.details))


def _unknown_game(error: GameNotFoundError) -> Response:
    (game_id,) = error.args
    return answer_problem(Problem("unknown_game", f"there is no game {game_id!r}", game_id=game_id))


def _unknown_tournament(error: TournamentNotFoundError) -> Response:
    (name,) = error.args
    return answer_problem(Problem("unknown_tournament", f"there is no tournament {name!r}"))


def _unknown_player(error: UnknownPlayerError) -> Response:
    (player_id,) = error.args
    return answer_problem(Problem("unknown_player", f"there is no player {player_id!r}"))


def _damaged_tournament(error: TournamentDamagedError) -> Response:
    log.error("tournament_damaged", error=str(error), path=request.path)
    return answer_problem(Problem("tournament_damaged", str(error)))


def _unfinished(error: ReportUnfinishedError) -> Response:
    return answer_problem(Problem("report_unfinished", str(error)))


def _no_rules(error: UnknownRulesetError) -> Response:
    return answer_problem(Problem("rules_version_unavailable", str(error)))


def _conflict(_error: ConflictError | OvertakenError) -> Response:
    return answer_problem(Problem("conflict"))


def _damaged(error: GameDamagedError) -> Response:
    damaged = error.damage.to_json()
    return answer_problem(
        Problem("game_damaged", str(error), game_id=error.game_id, damaged=damaged)
    )


def _unconfirmed(error: TooFewReplicasError) -> Response:
    log.warning("unconfirmed", error=str(error), path=request.path)
    return answer_problem(Problem("unconfirmed", f"what was asked for is stored, but {error}"))


def _no_store(error: RedisError) -> Response:
    log.warning(
        "store_unavailable", error=type(error).__name__, reason=str(error), path=request.path
    )
    detail = _OVERWRITTEN if is_of_another_type(error) else None
    return answer_problem(Problem("store_unavailable", detail))


def _mistake(error: Exception) -> Response:
    log.error("request_failed", path=request.path, method=request.method, exc_info=error)
    return answer_problem(Problem("internal_error"))
