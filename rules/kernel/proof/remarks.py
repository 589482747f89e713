"""Tells readers of a report, in remarks, what a verified record does not prove."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from rules.kernel.proof.newer import UnknownParts
from rules.kernel.record.beacons import BEACON, BEACON_DRAWN, round_ms
from rules.kernel.record.entropy import Entropy, entropies
from rules.kernel.record.game import ABORTED, ENDED
from rules.kernel.record.instants import from_ms, to_ms

NOT_ENDED = "The game has not ended: only what this viewer was shown was checked."
BACKDATED = (
    "The operator could have dated the closing of the table back, once the round was out, and"
    " whoever has the key of that chain could have chosen the round."
)
FORESEEN = (
    "From that round on, the operator could foresee the dice of this game. Entropy of the players"
    " for each draw, or a key that several operators share, would end that, at a price: each draw"
    " would wait for all of them, and whoever is missing would stop the game."
)
NOBODY_PEEKED = (
    "Nothing can show that nobody peeked, nor who plays under a name: the operator may see hidden"
    " parts, foresee luck, and hold a seat himself."
)
FORGEABLE = (
    "A record alone is consistent at best: whoever wrote it could have forged all of it."
    " A receipt proves it up to the receipt's event."
)


MOST_CODES = 100
"""Maximum number of changes of code that are listed."""


def remarks(
    copies: Sequence[JsonObject],
    status: str,
    codes: Mapping[int, str],
    registry: Registry,
    newer: UnknownParts,
) -> list[str]:
    """Return the remarks on a game's record.

    Each copy must have the shape that its kind of event requires. ``status`` is the status of the
    game. The keys of ``codes`` are the numbers of the events at which the code changed. The values
    are the digests of the new code.
    """
    if newer.since:
        return [FORGEABLE, NOBODY_PEEKED]
    notes = [FORGEABLE]
    if status not in (ENDED, ABORTED):
        notes.append(NOT_ENDED)
    if status == ENDED or any(copy["kind"] == "started" for copy in copies):
        notes += _who_gave_entropy(copies)
    notes += _which_code(copies[0]["body"]["game"], codes, registry)
    notes.append(NOBODY_PEEKED)
    return notes


def _who_gave_entropy(copies: Sequence[JsonObject]) -> Iterator[str]:
    """Yield a remark on what went into the luck; entropy of a bot's seat comes from the operator.

    If a round of a beacon did, whether the seed could have been chosen depends on when the game was
    closed, which its record alone does not show, and on who has the chain's key.
    """
    terms = copies[0]["body"]["game"]["entropy"]
    kinds = (copy for copy in copies if copy["kind"] == BEACON_DRAWN)
    drawn = next(kinds, None) if terms["mode"] == BEACON else None
    if drawn is not None:
        chain, number = terms["beacon"], drawn["body"]["beacon"]["round"]
        out = round_ms(chain, number)
        at = f", of {from_ms(out)}," if out <= to_ms(drawn["at"]) else ""
        yield f"Round {number} of the beacon {chain['chain']}{at} went into the luck."
        yield from (BACKDATED, FORESEEN)
    elif terms["mode"] == BEACON:
        yield "The service says that the beacon was late, and started the game without it."
    brought = entropies(copies)
    given = [entropy for entropy in brought if entropy.opened is not None]
    withheld = [entropy for entropy in brought if entropy.opened is None]
    if withheld:
        yield f"Committed to, and not given in time: the entropy of {_named(withheld)}."
    if not given and drawn is None:
        yield "Nobody gave entropy: the operator could have chosen this seed."
    if not given:
        return
    yield f"Entropy was given by {_named(given)}."
    if drawn is None and not any("player" in entropy.holder for entropy in given):
        yield "No player gave entropy: the operator could have chosen this seed."


def _named(brought: Iterable[Entropy]) -> str:
    return ", ".join(f"seat {entropy.seat} ({_name(entropy.holder)})" for entropy in brought)


def _name(holder: JsonObject) -> str:
    if "player" in holder:
        return f"player {holder['player']}"
    return f"bot {holder['bot']}@{holder['version']}"


def _which_code(pinned: JsonObject, codes: Mapping[int, str], registry: Registry) -> Iterator[str]:
    """Yield a remark on the code that recorded the game, unless it was the installed code."""
    changes = {1: pinned["rules_digest"], **codes}
    try:
        here = registry.digest(pinned["ruleset"])
    except (KeyError, UnknownRulesetError):
        here = "none"
    if {*changes.values()} != {here}:
        named = ", ".join(f"{digest} from event {seq} on" for seq, digest in changes.items())
        yield (
            f"The code for {pinned['ruleset']} {pinned['rules_version']} that recorded the game:"
            f" {named}; installed here: {here}. The version decides what is played, not the digest."
        )
