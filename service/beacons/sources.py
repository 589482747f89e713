"""The chains that the service offers to its tables, and the relays that serve their rounds."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from rules.kernel.contract.errors import shown
from service.beacons.chains import Chain, ChainError
from service.outbound.targets import ANYWHERE, Target, target_of

MOST_CHAINS, MOST_RELAYS = 10, 10
"""Maximum number of chains, and of relays of one chain."""


class OfferedChain(NamedTuple):
    """A chain, and the addresses of its relays, in the order in which they are asked."""

    chain: Chain
    relays: tuple[Target, ...]


def read_sources(path: Path) -> Mapping[str, OfferedChain]:
    """Return the sources that a file names, by the hash of the chain.

    The file is a JSON list with objects {``info``, ``relays``}: what a relay serves at
    ``/CHAIN/info``, and URLs of relays.

    Raises:
        ChainError: the file cannot be read, or names no such sources; the message says why.
    """
    try:
        found = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise ChainError(f"it is no JSON file: {error}") from None
    if type(found) is not list or not 0 < len(found) <= MOST_CHAINS:
        raise ChainError(f"it is no list of 1 to {MOST_CHAINS} chains")
    sources = [_source(number, value) for number, value in enumerate(found, 1)]
    by_hash = {source.chain.hash: source for source in sources}
    if len(by_hash) < len(sources):
        raise ChainError("it names a chain twice")
    return by_hash


def _source(number: int, value: Any) -> OfferedChain:
    if type(value) is not dict or value.keys() != {"info", "relays"}:
        raise ChainError(f"chain {number} is no object with info and relays")
    relays = value["relays"]
    if type(relays) is not list or not 0 < len(relays) <= MOST_RELAYS:
        raise ChainError(f"chain {number} has no list of 1 to {MOST_RELAYS} relays")
    try:
        chain = Chain.of_info(value["info"])
    except ChainError as error:
        raise ChainError(f"chain {number}: {error}") from None
    return OfferedChain(chain, tuple(_target(number, url) for url in relays))


def _target(number: int, url: Any) -> Target:
    try:
        target = target_of(str(url), ANYWHERE)
    except ValueError as error:
        raise ChainError(f"chain {number}: the relay {shown(url)} has to be {error}") from None
    if "?" in target.path:
        raise ChainError(f"chain {number}: the relay {shown(url)} has to be a URL without a query")
    return target
