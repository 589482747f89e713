"""The service itself: its health, its signing keys, and the beacons that it offers."""

from flask import Response
from redis.exceptions import RedisError

from service.api.http.access import ANY_CALLER, PROBE
from service.api.http.context import Caller
from service.api.http.headers import IF_NONE_MATCH
from service.api.http.operations import Blueprint
from service.api.http.responses import answer, checked
from service.api.schemas import meta as shapes
from service.api.schemas.beacons import OfferedBeaconsSchema
from service.problems import Problem
from service.redis.health import trouble
from service.version import VERSION

blueprint = Blueprint("service", __name__, description="The service itself.")


@blueprint.operation("GET", "/healthz", "checkHealth", security=PROBE)
@blueprint.response(200, shapes.HealthSchema, description="The process answers.")
def check_health(_caller: Caller) -> Response:
    """Check that the process is alive.

    A process may be alive without reaching its Redis; see `checkReadiness`.
    """
    return answer({"status": "ok", "version": VERSION})


@blueprint.operation("GET", "/readyz", "checkReadiness", problems=["stopping"], security=PROBE)
@blueprint.response(200, shapes.HealthSchema, description="The service can be used.")
def check_readiness(caller: Caller) -> Response:
    """Check that the service can be used.

    The service can be used if its Redis answers, takes writes and keeps them durably. A process
    that is shutting down answers `stopping`. A `note` names a limitation.
    """
    runtime = caller.runtime
    try:
        runtime.redis.ping()
    except RedisError as error:
        raise Problem("store_unavailable", trouble(error)) from None
    if complaint := runtime.health.complaint():
        raise Problem("store_unavailable", complaint)
    noted = {} if runtime.health.nearly_full() is None else {"note": "storage_nearly_full"}
    return answer({"status": "ok", "version": VERSION, **noted})


@blueprint.operation(
    "GET",
    "/v1/signing_keys",
    "listSigningKeys",
    security=ANY_CALLER.seated.for_bots,
    headers=[IF_NONE_MATCH],
)
@blueprint.response(200, shapes.SigningKeysSchema, description="The keys.")
def list_signing_keys(caller: Caller) -> Response:
    """List the keys that sign receipts.

    A receipt's signature is Ed25519 over its canonical JSON (/docs/format).
    """
    runtime = caller.runtime
    signer = runtime.signer
    signer.look_again(runtime.redis)
    key = {
        "key_id": signer.key_id,
        "algorithm": "Ed25519",
        "public_key": signer.public_key.hex(),
    }
    return checked({"keys": [key]})


@blueprint.operation(
    "GET", "/v1/beacons", "listBeacons", security=ANY_CALLER.for_bots, headers=[IF_NONE_MATCH]
)
@blueprint.response(200, OfferedBeaconsSchema, description="The beacons.")
def list_beacons(caller: Caller) -> Response:
    """List the beacons that tables may let into their luck.

    A table that names none has the first of them. Where there are none, no table can have one.
    """
    offered = caller.runtime.beacons.values()
    return checked({"beacons": [source.chain.pinned() for source in offered]})
