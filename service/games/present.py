"""JSON and words of games, as one viewer may see them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.choices import grouped
from rules.kernel.contract.effects import Effect, can_see
from rules.kernel.contract.labels import Labels
from rules.kernel.contract.move import Move
from rules.kernel.contract.preview import DRAW, Preview
from rules.kernel.contract.published import rules_text
from rules.kernel.contract.refusals import SAYS, WhyNot
from rules.kernel.contract.ruleset import Decision
from rules.kernel.contract.scores import told_standings
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.beacons import round_ms
from rules.kernel.record.budgets import GRACE
from rules.kernel.record.clocks import entropy_deadline, seat_deadline
from rules.kernel.record.events import Event, Proofs, copy_for, proofs_of
from rules.kernel.record.game import HINTS, TAKE_BACK, Game, TableSeat
from rules.kernel.record.instants import from_ms, to_ms
from rules.kernel.record.secrets import Secrets
from rules.kernel.record.signatures import SIGNATURES
from service.catalogue.bots import called
from service.games.guests import Invitation
from service.ledger.damage import Damage
from service.ledger.origin import Origin
from service.ledger.terms import TableTerms, challenges_end, lobby_until
from service.players.players import Player
from service.process.fair_queue import paced

NO_PROOFS: Mapping[int, Proofs] = MappingProxyType({})

# Games


def game_json(
    game: Game,
    players: Mapping[str, Player],
    language: str,
    damage: Damage | None = None,
    bots_wait: int | None = None,
    origin: Origin | None = None,
    table: JsonObject | None = None,
    rated: Sequence[JsonObject] | None = None,
) -> JsonObject:
    """Return the public form of a game, without its state.

    ``players`` are the players whom the game names, by id; a missing one belongs to another
    installation. ``bots_wait`` is the time (ms since 1970) until which the game's bots wait for
    their owner's next budget. ``origin`` is the game's origin if it was imported. ``table`` is the
    result of ``table_json``. ``rated`` has each seat's ratings before and after the game, if the
    game was rated.
    """
    created, awaited = game.created, entropy_deadline(game)
    seats = [seat_json(seat, holding, players) for seat, holding in by_seat(game.seats)]
    for seat, made in zip(seats, rated or (), strict=False):
        seat["rating"] = made
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
        **named_json(players),
        "at": game.at,
        "tournament": game.created_by.get("tournament"),
        "seats": seats,
        "table": table,
        "clock": created["clock"],
        "take_back": TAKE_BACK in created,
        "hints": HINTS in created,
        "signatures": created.get(SIGNATURES),
        "chance": created["chance"],
        "entropy_mode": created["entropy"]["mode"],
        "entropy_seconds": created["entropy"]["seconds"],
        "entropy_until": None if awaited is None else from_ms(awaited),
        "beacon": beacon_json(game),
        "decisions": decisions_json(game, language),
        "budgets": budgets_json(game),
        "bots_wait_until": None if bots_wait is None else from_ms(bots_wait),
        "result": None if game.withheld else game.result,
        "standings": [] if game.withheld else standings_json(game, language),
        "suspended_since": game.suspended_at or None,
        "imported": None if origin is None else origin.to_json(),
        "damaged": damage_json(damage),
    }


def beacon_json(game: Game) -> JsonObject | None:
    """Return the beacon that goes into a game's luck; None if none does."""
    terms = game.created["entropy"]
    if "beacon" not in terms:
        return None
    out = round_ms(terms["beacon"], game.round) if game.round else None
    return {
        **terms["beacon"],
        "late": terms["late"],
        "round": game.round or None,
        "round_at": None if out is None else from_ms(out),
        "drawn": game.randomness is not None,
    }


def standings_json(game: Game, language: str) -> list[JsonObject]:
    """Return the standings of a result in words, best first; empty before the end."""
    if game.result is None:
        return []
    told = told_standings(game.ruleset, game.result, language, game.resigned)
    return [
        {
            "side": standing.side,
            "rank": standing.rank,
            "text": standing.score,
            "parts": [part._asdict() for part in standing.parts],
            "notes": list(standing.notes),
        }
        for standing in told
    ]


def table_json(
    game: Game,
    terms: TableTerms,
    host: str | None,
    rematch: str | None,
    invitations: Iterable[Invitation],
    declined: Mapping[int, str],
) -> JsonObject:
    """Return the table's own fields, for viewers who may see it.

    ``invitations`` are only for the host. ``declined`` has the reasons of declined challenges, by
    seat.
    """
    return {
        "host": host,
        "visibility": terms.visibility,
        "title": terms.title,
        "tags": list(terms.tags),
        "seating": terms.seating,
        "rated": terms.rated,
        "rating_rule": terms.rating_rule,
        "lobby_until": lobby_until(game, terms),
        "reserved": [dict(terms.reserved).get(seat) for seat in range(len(game.seats))]
        if terms.reserved
        else [],
        "challenges": [
            {
                "seat": one.seat,
                "player": one.player,
                "until": from_ms(challenges_end(game, terms)),
                "instead": None if one.instead is None else one.instead["bot"],
                "declined": declined.get(one.seat),
            }
            for one in terms.challenges
        ],
        "invitations": [one.to_json() for one in invitations],
        "rematch_of": terms.rematch_of,
        "rematch": rematch,
    }


def damage_json(damage: Damage | None) -> JsonObject | None:
    """Return the known damage to a game's record; None if there is none."""
    return None if damage is None else damage.to_json()


def named_json(players: Mapping[str, Player]) -> JsonObject:
    """Return the members ``players`` and ``player_kinds``.

    They have the names and the kinds of the players, by player id.
    """
    return {
        "players": {player_id: player.name for player_id, player in players.items()},
        "player_kinds": {player_id: player.kind for player_id, player in players.items()},
    }


def seat_json(seat: Seat, holding: TableSeat, players: Mapping[str, Player]) -> JsonObject:
    """Return the holder of a seat as JSON, in the form in which clients request a seat."""
    holder = holding.holder
    described: JsonObject = {"seat": seat, "holder": "open"}
    if holder is not None and "bot" in holder:
        described.update(holder, holder="bot", name=called(holder["bot"]))
    elif holder is not None:
        described.update(holder="player", **player_json(holder["player"], players))
    described["resigned"] = holding.resigned
    described["entropy"] = {"commitment": holding.entropy_commitment, "revealed": holding.entropy}
    if holding.key:
        described["signing_key"] = holding.key
    return described


def player_json(player_id: str, players: Mapping[str, Player]) -> JsonObject:
    """Return a player as a seat shows it; null for an unknown one."""
    found = players.get(player_id)
    name, kind = (None, None) if found is None else (found.name, found.kind)
    return {"player": player_id, "name": name, "kind": kind}


def player_ids(game: Game) -> list[str]:
    """Return the players at a table, and its opener."""
    sitting = [s.holder["player"] for s in game.seats if s.holder and "player" in s.holder]
    return [*sitting, *actors([game.created_by])]


def actors(by: Iterable[JsonObject]) -> list[str]:
    """Return the ids of players among the actors of events."""
    return [someone["player"] for someone in by if "player" in someone]


def decisions_json(game: Game, language: str, viewer: Seat | None = None) -> list[JsonObject]:
    """Return the open decisions: seat, question, event and deadline of each.

    Of a game that others may not watch yet, only a seat gets them.
    """
    if not game.asked or (game.withheld and viewer is None):
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


def budgets_json(game: Game, viewer: Seat | None = None) -> list[JsonObject]:
    """Return the remaining time budget of each seat that has one, and since when it runs.

    Of a game that others may not watch yet, only a seat gets them.
    """
    if game.withheld and viewer is None:
        return []
    return [budget_json(game, seat) for seat in game.budgets]


def budget_json(game: Game, seat: Seat) -> JsonObject:
    """Return the remaining time budget of a seat, and since when it runs."""
    left, since = game.budgets[seat], None
    if seat in game.asked and not game.seats[seat].automatic:
        falls = to_ms(game.asked_at[seat]) + int(game.created["clock"].get(GRACE, 0))
        if game.suspended_at:
            left = max(0, left - max(0, to_ms(game.suspended_at) - falls))
        else:
            since = from_ms(falls)
    return {"seat": seat, "left_ms": left, "falls_since": since}


def state_json(
    game: Game,
    viewer: Seat | None,
    language: str,
    damage: Damage | None = None,
    bots_wait: int | None = None,
    *,
    written: bool = False,
) -> JsonObject:
    """Return a game as ``viewer`` may see it; ``state`` is null before the start.

    ``bots_wait`` is as in ``game_json``. If ``written`` is true, the member ``state`` is an
    ``orjson.Fragment``: JSON that was encoded once for this viewer and version, and then cached.
    """
    show = _written if written else _shown
    return {
        "game_id": game.id,
        "version": game.version,
        "status": game.status,
        "seat": viewer,
        "decisions": decisions_json(game, language, viewer),
        "budgets": budgets_json(game, viewer) if game.budgets else [],
        "ways_back": [] if viewer is None or game.suspended_at else game.ways_back(viewer),
        "bots_wait_until": None if bots_wait is None else from_ms(bots_wait),
        "suspended_since": game.suspended_at or None,
        "state": None if game.state is None else show(game, game.state, viewer),
        "damaged": damage_json(damage),
    }


def _shown(game: Game, state: Any, viewer: Seat | None) -> JsonObject:
    return {"ruleset": game.ruleset.info.id, **game.ruleset.view(state, viewer)}


def _written(game: Game, state: Any, viewer: Seat | None) -> orjson.Fragment:
    version, found = game.shown.get(viewer, (0, b""))
    if version != game.version:
        found = orjson.dumps(_shown(game, state, viewer))
        game.shown[viewer] = game.version, found
    return orjson.Fragment(found)


def legal_moves_json(game: Game, seat: Seat, language: str, *, group: bool = False) -> JsonObject:
    """Return every legal move of ``seat`` at this version of ``game``, also in words.

    If ``group`` is true, the member ``groups`` has the same moves in groups. People choose from
    these groups step by step.
    """
    moves = legal_moves(game, seat)
    texts = move_labels(game, seat, moves, language)
    listed = {
        "game_id": game.id,
        "version": game.version,
        "seat": seat,
        "moves": [move.to_json() for move in moves],
        "labels": texts,
    }
    if group:
        listed["groups"] = grouped(game.ruleset, game.state, seat, moves, texts, language)
    return listed


def groups_json(game: Game, seat: Seat, language: str) -> list[JsonObject]:
    """Return a seat's legal moves in groups, from which people choose step by step."""
    moves = legal_moves(game, seat)
    texts = move_labels(game, seat, moves, language)
    return grouped(game.ruleset, game.state, seat, moves, texts, language)


def move_labels(game: Game, seat: Seat, moves: Sequence[Move[Any]], language: str) -> list[str]:
    """Return the labels of a seat's moves at this version of ``game``."""
    told = (move.label_in(game.state, seat) for move in moves)
    return [words(game.ruleset.labels, key, language, data) for key, data in paced(told)]


def legal_moves(game: Game, seat: Seat) -> Sequence[Move[Any]]:
    """Return a seat's legal moves: none without a decision, or in a stopped game."""
    free = not game.seats[seat].resigned and not game.suspended_at
    return game.ruleset.legal_moves(game.state, seat) if seat in game.asked and free else ()


def preview_json(game: Game, found: Preview, seat: Seat, language: str) -> JsonObject:
    """Return the preview of a move of ``seat`` at this version of ``game``."""
    effects = [(game.version + 1, effect) for effect in found.effects]
    turn, labels = found.turn, game.ruleset.labels
    asked = draw = None
    if found.stops_at is None and isinstance(turn, Decision):
        label = words(labels, f"decision.{turn.name}", language)
        asked = {"name": turn.name, "label": label, "seats": list(turn.seats)}
    if found.stops_at == DRAW and isinstance(turn, Chance):
        draw = {**asdict(turn), "sizes": list(turn.sizes)}
    return {
        "game_id": game.id,
        "version": game.version,
        "seat": seat,
        "move": found.move,
        "stops_at": found.stops_at,
        "effects": effects_json(effects, game, seat, language),
        "state": None if found.state is None else _shown(game, found.state, seat),
        "next": asked,
        "draw": draw,
        "reveals": [_opened_json(*opened) for opened in found.opens],
        "can_take_back": found.stops_at is None
        and game.can_take_back(seat, game.ruleset.recorded_move(found.move)),
    }


def why_not_json(game: Game, found: WhyNot, seat: Seat, element: str, language: str) -> JsonObject:
    """Return why ``seat`` cannot choose an element at this version of ``game``, also in words."""
    ruleset, move, refusal = game.ruleset, found.move, found.refusal
    told: JsonObject = {"move": move, "what": None, "reason": None, "details": {}, "rules": None}
    if move is None or refusal is None:
        label = SAYS[language][found.answer]
    else:
        label = words(ruleset.labels, f"error.{refusal.code}", language, refusal.said)
        group = f"group.{move['type']}"
        # A move that the rules refuse may have no label of its own, so its group's comes first.
        grouped = group in ruleset.labels.tables[language]
        key, values = (group, {}) if grouped else ruleset.recorded_move(move).label()
        told["what"] = words(ruleset.labels, key, language, values)
        told["reason"], told["details"] = refusal.code, refusal.details
        if rules_text(ruleset, language) is not None:
            told["rules"] = f"move-{move['type']}"
    return {
        "game_id": game.id,
        "version": game.version,
        "seat": seat,
        "element": element,
        "answer": found.answer,
        "label": label,
        **told,
    }


def _opened_json(part: str, name: str, number: int) -> JsonObject:
    """Return a sealed part that an event opens.

    The part is either a seat's moves of one type (``type``, ``seat``), or the picks of a draw
    (``label``, ``n``).
    """
    keys = ("type", "seat") if part == "move" else ("label", "n")
    return {"part": part, **dict(zip(keys, (name, number), strict=True))}


# Events and their effects


def events_json(
    chained: Iterable[tuple[Event, bytes]],
    game: Game,
    secrets: Secrets,
    viewer: Seat | None,
    version: int,
    proofs: Mapping[int, Proofs] = NO_PROOFS,
) -> list[JsonObject]:
    """Return events as ``viewer`` may see them at ``version`` of ``game``.

    ``chained`` has each event with the hash of the event before it. ``proofs`` has, by the event's
    ``seq``, the proofs of its parts, as far as the caller knows them. This function makes any other
    proofs.
    """
    salt, access = secrets.salt, game.access
    return [
        copy_for(viewer, event, prev_hash, salt, access, version, proofs.get(event.seq))
        for event, prev_hash in paced(chained)
    ]


def headers_json(chained: Iterable[tuple[Event, bytes]], salt: bytes) -> list[JsonObject]:
    """Return the headers of events: all that their hashes cover, and nothing of their parts.

    ``chained`` has each event with the hash of the event before it.
    """
    return [
        {
            "seq": event.seq,
            "kind": event.kind,
            "by": event.by,
            "at": event.at,
            "last": event.last,
            "parts": proofs_of(event.seq, event.body, salt, prev_hash).commitments,
            "state_proof": event.state_proof.hex(),
            "hash": event.hash.hex(),
        }
        for event, prev_hash in paced(chained)
    ]


def chain(events: Iterable[Event], prev_hash: bytes) -> list[tuple[Event, bytes]]:
    """Return each event of a batch with the hash of the event before it."""
    chained = []
    for event in events:
        chained.append((event, prev_hash))
        prev_hash = event.hash
    return chained


def effects_json(
    effects: Iterable[tuple[int, Effect]], game: Game, viewer: Seat | None, language: str
) -> list[JsonObject]:
    """Return the effects that ``viewer`` may see at this version of ``game``, also in words."""
    labels = game.ruleset.labels
    return [
        {
            "seq": seq,
            "ruleset": game.ruleset.info.id,
            "type": effect.type,
            "data": effect.data,
            "text": words(labels, f"effect.{effect.type}", language, effect.data),
        }
        for seq, effect in paced(effects)
        if game.access.over is not None or can_see(viewer, effect.audience)
    ]


def words(labels: Labels, key: str, language: str, data: Mapping[str, Any] | None = None) -> str:
    """Fill a label's template. A missing label reads as its key, so that no answer fails."""
    try:
        return labels.text(key, language, **(data or {}))
    except (KeyError, IndexError, ValueError):
        return key
