"""Tables that waited for a beacon: whether somebody saw that before the round was out."""

from collections.abc import Mapping, Sequence

from rules.kernel.canonical import JsonObject
from rules.kernel.record.beacons import BEACON, BEACON_DRAWN, round_ms
from rules.kernel.record.instants import from_ms
from service.beacons.chains import QUICKNET
from service.tlog.keys import VerifierKey
from service.tlog.policies import TrustPolicy


def waiting_heads(copies: Sequence[JsonObject]) -> Mapping[str, int]:
    """Return the events at which a game waited for its beacon: ``seq`` by hash.

    They are those from ``closed`` on, before ``beacon_drawn``; none of a game without a beacon.
    """
    if _terms(copies) is None:
        return {}
    found: dict[str, int] = {}
    for copy in copies:
        if copy["kind"] == BEACON_DRAWN:
            break
        if found or copy["kind"] == "closed":
            found[copy["hash"]] = copy["seq"]
    return found


def unchosen(
    copies: Sequence[JsonObject],
    seen: Mapping[VerifierKey, int],
    policy: TrustPolicy | None,
    *,
    is_public: bool,
) -> str | None:
    """Return the remark that nobody chose a game's seed; None if no witness saw it wait in time.

    Of a game that is not public, strangers cannot know that: nothing shows how many tables with its
    id the log has, under pseudonyms, and the operator could have chosen among them.

    ``seen`` has their times (s since 1970). By the ``policy`` its quorum has to have seen it;
    without one, any of them. The events have to have the shapes that their kinds require.
    """
    terms = _terms(copies)
    drawn = next((copy for copy in copies if copy["kind"] == BEACON_DRAWN), None)
    if terms is None or drawn is None:
        return None
    out = round_ms(terms["beacon"], drawn["body"]["beacon"]["round"])
    early = {key: at for key, at in seen.items() if 1000 * at < out}
    is_enough = policy is None or policy.is_met(early)
    if not early or not is_enough:
        return None
    told = " and ".join(f"{key.name} at {from_ms(1000 * at)}" for key, at in early.items())
    who = (
        "Nobody" if terms["beacon"]["chain"] == QUICKNET.hash
        else "Nobody but whoever has the key of that chain"
    )  # fmt: skip
    if not is_public:
        return (
            f"{who} chose the seed if you had a receipt of this table before its round was out,"
            f" which was at {from_ms(out)}: {told} had seen it closed. Without one, the operator"
            " could have prepared several tables, and chosen one then, for the log has this one"
            " under a pseudonym."
        )
    return (
        f"{who} chose the seed: the table was closed before the round was out, which was at"
        f" {from_ms(out)}, and {told} had seen that."
    )


def _terms(copies: Sequence[JsonObject]) -> JsonObject | None:
    """Return the terms of entropy of a game that waits for a beacon; None of others."""
    game = copies[0].get("body", {}).get("game")
    terms = game.get("entropy") if type(game) is dict else None
    is_one = type(terms) is dict and terms.get("mode") == BEACON
    return terms if is_one else None
