"""The remarks of a report about facts that no check can prove."""

from typing import Any

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.proof.newer import UnknownParts
from rules.kernel.proof.remarks import remarks
from rules.kernel.record.game import ENDED

REGISTRY = Registry(("tests.sealed",))
PLAYER, BOT = {"player": "p-0"}, {"bot": "greedy", "version": "1"}
CHOSEN = "No player gave entropy: the operator could have chosen this seed."


def told(*holders: JsonObject) -> list[str]:
    """Return the remarks on a game with these holders, all of whom gave entropy."""
    info = REGISTRY.find("sealed").info
    pinned = {
        "ruleset": info.id, "rules_version": info.version, "rules_digest": REGISTRY.digest(info.id),
        "entropy": {"mode": "reveal", "seconds": 60},
    }  # fmt: skip
    parts: list[tuple[str, Any]] = [("created", {"game": pinned})]
    parts += [
        ("seated", {"seat": {"seat": seat, "holder": holder, "entropy_commitment": "00" * 32}})
        for seat, holder in enumerate(holders)
    ]
    parts += [
        ("entropy_revealed", {"entropy": {"seat": seat, "entropy": "00" * 32}})
        for seat in range(len(holders))
    ]
    copies = [
        {"kind": kind, "seq": seq, "last": 1, "body": body}
        for seq, (kind, body) in enumerate([*parts, ("started", {})], 1)
    ]
    return remarks(copies, ENDED, {}, REGISTRY, UnknownParts("g-1"))


@pytest.mark.parametrize("holders", [[PLAYER], [PLAYER, BOT], [BOT, PLAYER]])
def test_one_player_beside_bots_is_enough_for_luck_that_nobody_chose(
    holders: list[JsonObject],
) -> None:
    assert CHOSEN not in told(*holders)


def test_entropy_of_bots_alone_is_the_operators() -> None:
    assert CHOSEN in told(BOT, BOT)
    assert "Nobody gave entropy: the operator could have chosen this seed." in told()
