"""Puts games into JSON and into words, as one viewer may see them."""

from collections.abc import Iterable, Mapping
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import Effect, can_see
from rules.kernel.contract.labels import Labels
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.clocks import seat_deadline
from rules.kernel.record.events import Event, copy_for
from rules.kernel.record.game import Game, Holding
from rules.kernel.record.instants import from_ms
from rules.kernel.record.secrets import Secrets
from service.games.guests import Invitation
from service.games.players import Player
from service.ledger.damage import Damage
from service.ledger.origin import Origin
from service.ledger.terms import Terms, lobby_until

# Games


def game_json(
    game: Game,
    names: Mapping[str, Player],
    language: str,
    damage: Damage | None = None,
    bots_wait: int | None = None,
    origin: Origin | None = None,
    table: JsonObject | None = None,
) -> JsonObject:
    """Return what everybody may know of a game, except its state.

    ``bots_wait`` is until when (ms since 1970) its bots wait for their owner's next budget;
    ``origin`` is where it came from, if it was not played here. ``table`` is as ``table_json``.
    """
    created = game.created
    return {
        "id": game.id,
        "ruleset": created["ruleset"],
        "rules_version": created["rules_version"],
        "rules_digest": created["rules_digest"],
        "options": created["options"],
        "status": game.status,
        "version": game.version,
        "head": game.head.hex(),
        "created_at": game.created_at,
        "created_by": game.created_by.get("player"),
        "at": game.at,
        "seats": [seat_json(seat, holding, names) for seat, holding in by_seat(game.seats)],
        "table": table,
        "clock": created["clock"],
        "chance": created["chance"],
        "entropy_seconds": created["entropy"]["seconds"],
        "decisions": decisions_json(game, language),
        "bots_wait_until": None if bots_wait is None else from_ms(bots_wait),
        "result": None if game.withheld else game.result,
        "suspended_since": game.suspended_at or None,
        "imported": None if origin is None else origin.to_json(),
        "damaged": damage_json(damage),
    }


def table_json(
    game: Game,
    terms: Terms,
    host: str | None,
    rematch: str | None,
    invitations: Iterable[Invitation],
) -> JsonObject:
    """Return what a table is besides its game, for those who may see it.

    ``invitations`` are for the host alone.
    """
    return {
        "host": host,
        "visibility": terms.visibility,
        "title": terms.title,
        "tags": list(terms.tags),
        "seating": terms.seating,
        "lobby_until": lobby_until(game, terms),
        "reserved": [dict(terms.reserved).get(seat) for seat in range(len(game.seats))]
        if terms.reserved
        else [],
        "invitations": [one.to_json() for one in invitations],
        "rematch_of": terms.rematch_of,
        "rematch": rematch,
    }


def damage_json(damage: Damage | None) -> JsonObject | None:
    """Return what is wrong with a game's record, None if nothing is known to be."""
    return None if damage is None else damage.to_json()


def seat_json(seat: Seat, holding: Holding, names: Mapping[str, Player]) -> JsonObject:
    """Return who holds a seat, in the words in which seats are asked for."""
    holder = holding.holder
    described: JsonObject = {"seat": seat, "holder": "open"}
    if holder is not None and "bot" in holder:
        described.update(holder, holder="bot")
    elif holder is not None:
        player = names.get(holder["player"])
        described.update(
            holder="player",
            player=holder["player"],
            name=None if player is None else player.name,
        )
    described["resigned"] = holding.resigned
    described["entropy"] = {"commitment": holding.entropy_commitment, "revealed": holding.entropy}
    return described


def player_ids(game: Game) -> list[str]:
    """Return the players at a table."""
    return [s.holder["player"] for s in game.seats if s.holder and "player" in s.holder]


def decisions_json(game: Game, language: str) -> list[JsonObject]:
    """Return the open decisions: who is asked what, since which event, and until when."""
    if not game.asked or game.withheld:
        return []
    label = words(game.ruleset.labels, f"decision.{game.question}", language)
    found = []
    for seat in sorted(game.asked):
        ends = seat_deadline(game, seat)
        found.append(
            {
                "id": game.asked[seat],
                "seat": seat,
                "name": game.question,
                "label": label,
                "asked_at": game.asked_at[seat],
                "deadline": None if ends is None else from_ms(ends),
            }
        )
    return found


def state_json(
    game: Game,
    viewer: Seat | None,
    language: str,
    damage: Damage | None = None,
    bots_wait: int | None = None,
) -> JsonObject:
    """Return a game as ``viewer`` is shown it; ``state`` is null before the start.

    ``bots_wait`` is as in ``game_json``.
    """
    return {
        "game_id": game.id,
        "version": game.version,
        "status": game.status,
        "seat": viewer,
        "decisions": decisions_json(game, language),
        "bots_wait_until": None if bots_wait is None else from_ms(bots_wait),
        "suspended_since": game.suspended_at or None,
        "state": None if game.state is None else _view(game, viewer),
        "damaged": damage_json(damage),
    }


def _view(game: Game, viewer: Seat | None) -> JsonObject:
    return {"ruleset": game.ruleset.info.id, **game.ruleset.view(game.state, viewer)}


# Events and what they did


def events_json(
    chained: Iterable[tuple[Event, bytes]],
    game: Game,
    secrets: Secrets,
    viewer: Seat | None,
    version: int,
) -> list[JsonObject]:
    """Return the copies of events that ``viewer`` gets at ``version`` of ``game``.

    Each event comes with the hash before it.
    """
    return [
        copy_for(viewer, event, prev_hash, secrets.salt, game.access, version)
        for event, prev_hash in chained
    ]


def chain(events: Iterable[Event], prev_hash: bytes) -> Iterable[tuple[Event, bytes]]:
    """Yield each event of a batch with the hash before it."""
    for event in events:
        yield event, prev_hash
        prev_hash = event.hash


def effects_json(
    effects: Iterable[tuple[int, Effect]], game: Game, viewer: Seat | None, language: str
) -> list[JsonObject]:
    """Return the effects that ``viewer`` may see at this version of ``game``, in words too."""
    labels = game.ruleset.labels
    return [
        {
            "seq": seq,
            "ruleset": game.ruleset.info.id,
            "type": effect.type,
            "data": effect.data,
            "text": words(labels, f"effect.{effect.type}", language, effect.data),
        }
        for seq, effect in effects
        if game.access.over is not None or can_see(viewer, effect.audience)
    ]


def words(labels: Labels, key: str, language: str, data: Mapping[str, Any] | None = None) -> str:
    """Fill a label; one that is missing reads as its own key, so that no answer fails by it."""
    try:
        return labels.text(key, language, **(data or {}))
    except (KeyError, IndexError, ValueError):
        return key
