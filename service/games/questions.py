"""Questions: all that a bot needs to decide for a seat.

docs/engines.md defines the members of a question. There are two kinds of questions. A worker sends
one kind to an engine, and a player's stream sends the other kind to the player's program. Most
members are in both kinds, and a few are in only one of them.
"""

from collections.abc import Collection, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.edition import Edition
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from rules.kernel.numbering.numbers import Numbers
from rules.kernel.record.budgets import GRACE
from rules.kernel.record.clocks import seat_deadline
from rules.kernel.record.events import Event
from rules.kernel.record.game import Game
from rules.kernel.record.instants import to_ms
from service.games.present import legal_moves, move_labels
from service.ledger.ledger import Ledger
from service.process.fair_queue import paced

WORDS, OBSERVATION, MASK, ACTIONS = "words", "observation", "mask", "actions"
INCLUDED = (WORDS, OBSERVATION, MASK, ACTIONS)
"""The members of a question to a player that are sent only on request."""
MOST_SINCE = 200
"""Maximum number of events in a question: the newest."""


def question(game: Game, seat: Seat, legal: Sequence[Move[Any]]) -> JsonObject:
    """Return the question for a deciding ``seat``; ``legal`` are all its legal moves."""
    ruleset, created = game.ruleset, game.created
    return {
        "game": game.id,
        "version": game.version,
        "ruleset": created["ruleset"],
        "rules_version": created["rules_version"],
        "options": created["options"],
        "seats": len(game.seats),
        "seat": seat,
        "decision": game.asked[seat],
        "view": ruleset.view(game.state, seat),
        "information": ruleset.information(game.state, seat),
        "legal": [move.to_json() for move in legal],
    }


def question_to_player(
    ledger: Ledger, game: Game, seat: Seat, now: str, language: str, include: Collection[str] = ()
) -> JsonObject | None:
    """Return the question for a seat of a player; None if the seat has no legal move now.

    The question has the time left at ``now``, and the events since the seat's last answer. It also
    has the optional members that are listed in ``include``; all of these are in ``INCLUDED``.
    Raises the errors of ``Ledger.history``.
    """
    legal = legal_moves(game, seat)
    if not legal:
        return None
    deadline = seat_deadline(game, seat)
    left = {}
    if deadline is not None:  # the grace is for the way of the answer alone
        grace_ms = game.created["clock"].get(GRACE, 0)
        left = {"wall_ms": max(0, deadline - grace_ms - to_ms(now))}
    answered = game.last_by_seat.get(seat, 0)
    after = max(answered - 1, game.version - MOST_SINCE, 0)
    asked = {
        **question(game, seat, legal),
        "head": game.head.hex(),
        "limit": left,
        "since": since(game, seat, [event for event, _ in ledger.history(game, after, MOST_SINCE)]),
    }
    return {**asked, **optional_members(game, asked, legal, language, include)}


def optional_members(
    game: Game,
    asked: JsonObject,
    legal: Sequence[Move[Any]],
    language: str,
    include: Collection[str],
) -> JsonObject:
    """Return those members of the question ``asked`` that are listed in ``include``."""
    members: JsonObject = {}
    if WORDS in include:
        members[WORDS] = move_labels(game, asked["seat"], legal, language)
    if not {OBSERVATION, MASK, ACTIONS}.isdisjoint(include):
        numbers = _numbers(game.ruleset, game.ruleset.edition(game.created["options"]))
        choice = numbers.choice(legal)
        if OBSERVATION in include:
            members[OBSERVATION] = numbers.observation(asked["view"], choice).tolist()
        if MASK in include:
            members[MASK] = numbers.mask(choice).tolist()
        if ACTIONS in include:
            members[ACTIONS] = [list(numbers.vocabulary.spell(move)) for move in legal]
    return members


_made: dict[tuple[Ruleset[Any], str], Numbers] = {}


def _numbers(ruleset: Ruleset[Any], edition: Edition) -> Numbers:
    """Return the ``Numbers`` of a ruleset in an edition. The object is made once, and then cached.

    ``Numbers`` turns views and legal moves into arrays of integers for bots.
    """
    found = _made.get((ruleset, edition.id))
    if found is None:
        found = _made[ruleset, edition.id] = Numbers(ruleset, edition)
    return found


def since(game: Game, seat: Seat, events: Sequence[Event]) -> list[JsonObject]:
    """Return what the seat may see of events, without those before the start.

    Events before the start have texts that other people chose. In a compressed stream these must
    not stand beside secrets of the seat.
    """
    begun = next((n for n, event in enumerate(events, 1) if event.kind == "started"), 0)
    return [
        {
            "seq": event.seq,
            "kind": event.kind,
            "by": event.by,
            "at": event.at,
            "body": {
                name: part.value
                for name, part in event.body.items()
                if game.access.sees(seat, event.seq, name, part.audience, game.version)
            },
        }
        for event in paced(events[begun:])
    ]
