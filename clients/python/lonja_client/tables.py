"""A game of the service: its seats, moves and stream, and your receipts of it."""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import quote

from lonja_client.answers import (
    Event,
    Game,
    GameState,
    Hint,
    Invitation,
    LegalMoves,
    Move,
    MoveAnswer,
    NewKey,
    Preview,
    Receipt,
    WhyNot,
)
from lonja_client.errors import Conflict, NotFound, Refused, Rewound, StaleVersion
from lonja_client.receipts import CheckResult, Receipts
from lonja_client.signing import SigningKey, signing_field

if TYPE_CHECKING:
    from lonja_client.client import Client

PAGE, LARGE_PAGE = 200, 50
"""Number of events in one request: usually, and if the events include states or legal moves."""
_LARGE = frozenset(("state", "patch", "legal_moves", "groups"))
SPECTATOR = "spectator"
"""The viewer who sees only what everybody sees."""
GONE = ("stale_version", "not_your_turn", "too_late", "game_over", "seat_resigned")
"""Codes with which a move is refused when its decision is not open any more."""


class Turn(NamedTuple):
    """A decision of your seat: ``moves`` with their ``labels``, in the ``state`` at ``version``.

    ``state`` is a ``GameState``: the seat's view, and the decisions that are open.
    """

    table: "Table"
    seat: int
    version: int
    state: GameState
    moves: Sequence[Move]
    labels: Sequence[str]

    def play(self, choice: Move | int) -> MoveAnswer | None:
        """Make a move; ``choice`` is the move or its index in ``moves``.

        Return None if the decision is no longer open: take the next turn then.

        Raises IllegalMove, and the other errors of ``Table.move``.
        """
        signs = self.table.client.signing_key is not None
        move = self.moves[choice] if signs and isinstance(choice, int) else choice
        open_ = [one["id"] for one in self.state["decisions"] if one["seat"] == self.seat]
        try:
            return self.table.move(
                move, seat=self.seat, expected_version=self.version,
                decision=open_[0] if open_ else None,
            )  # fmt: skip
        except Rewound:
            return None
        except Conflict as refused:
            if refused.code not in GONE:
                raise
            return None


class Table:
    """A game of a service, as the client's player or a spectator sees it.

    Every method raises ``Refused`` and ``Unreachable``; ``id`` is the game's id.
    """

    def __init__(self, client: "Client", game_id: str) -> None:
        self.client = client
        self.id = game_id
        self.path = f"/games/{quote(game_id, safe='')}"
        name = f"{quote(game_id, safe='')}.ndjson"
        folder = client.folder
        file = None if folder is None else folder / "receipts" / name
        self.receipts = Receipts(game_id, file, client.warn)
        """One's own receipts, each kept when it arrives."""
        self._answered = 0
        self._signs: bool | None = None

    def __repr__(self) -> str:
        return f"Table({self.client!r}, {self.id!r})"

    # Reading

    def game(self) -> Game:
        """Return the game: its seats, status and result."""
        return cast("Game", self.client.get(self.path))

    def own_seats(self) -> list[int]:
        """Return the seats that the client's player holds."""
        return self._own(self.game())

    def state(self, seat: int | str | None = None, at: int | None = None) -> GameState:
        """Return the state as seen by a seat or by ``SPECTATOR``, at version ``at`` or now."""
        return cast("GameState", self.client.get(f"{self.path}/state", **_viewer(seat), at=at))

    def legal_moves(self, seat: int | None = None, *, group: bool = False) -> LegalMoves:
        """Return all legal moves of your seat; ``seat`` may be left out if you hold only one."""
        asked = {"seat": seat, "group": "true" if group else None}
        return cast("LegalMoves", self.client.get(f"{self.path}/legal_moves", **asked))

    def preview(self, move: Move, *, seat: int, expected_version: int) -> Preview:
        """Return the effects of a move without making it. Raises IllegalMove."""
        form = {"seat": seat, "move": move, "expected_version": expected_version}
        return cast("Preview", self.client.post(f"{self.path}/preview", form))

    def why_not(self, element: str, *, seat: int | None = None) -> WhyNot:
        """Return why your seat cannot choose an element of the board, such as ``place:row_3``.

        ``seat`` may be left out if you hold only one; it must have an open decision.
        """
        return cast("WhyNot", self.client.get(f"{self.path}/refusal", seat=seat, element=element))

    def events(
        self, after: int = 0, *, seat: int | str | None = None, include: Sequence[str] = ()
    ) -> Iterator[Event]:
        """Yield the events after number ``after``, up to now; compare each with your receipts.

        ``include`` is as for ``follow``. Raises Contradiction.
        """
        limit = LARGE_PAGE if _LARGE.intersection(include) else PAGE
        at: int | None = after
        while at is not None:
            query = {"after": at, "limit": limit, "include": _listed(include)}
            page = self.client.get(f"{self.path}/events", **query, **_viewer(seat))
            for event in page["events"]:
                self.receipts.compare(event)
                yield event
            at = page["next_after"]

    def head(self) -> Receipt:
        """Return the newest event's head, signed by the service. Raises Contradiction."""
        found = cast("Receipt", self.client.get(f"{self.path}/head"))
        self.receipts.compare(found)
        return found

    def follow(
        self,
        after: int = 0,
        *,
        last: int | None = None,
        seat: int | str | None = None,
        include: Sequence[str] = (),
    ) -> Iterator[Event]:
        """Yield every event after number ``after``, each once and in order, until the game is over.

        With ``last=1``, it begins with the newest event. ``include`` names additions to each event:
        ``effects``, ``words``, ``state``, ``patch``, ``legal_moves``, ``groups``. If the connection
        breaks, a new one continues, and no event is missed.

        Raises:
            Contradiction: an event does not fit its receipt.
            Rewound: the service has lost events that it had sent.
            Refused, Unreachable: the stream cannot be opened; passing errors are retried first.
        """
        query = {
            "after": after or None, "last": last, "include": _listed(include), **_viewer(seat),
        }  # fmt: skip
        for message in self.client.stream(f"{self.path}/stream", query):
            if message.event == "message":
                self.receipts.compare(message.data)
                yield message.data
            elif message.event == "end":
                return
            elif message.event == "rewound":
                version: int = message.data["version"]
                raise Rewound(self.id, version, self.receipts.rewind(version))

    def turns(self, seat: int | None = None) -> Iterator[Turn]:
        """Yield each decision of your seat until the game is over; ``turn.play`` answers it.

        ``seat`` may be left out if you hold only one. Entropy is revealed when the game waits for
        it. If the service has lost events, the next turn is the decision that is open now.

        Raises ValueError: ``seat`` is left out, and you hold no seat or several.
        """
        if seat is None:
            own = self.own_seats()
            if len(own) != 1:
                raise ValueError(f"name the seat: your seats at {self.id} are {own}")
            (seat,) = own
        while True:
            try:
                yield from self._turns(seat)
            except Rewound:
                self._answered = 0
            else:
                return

    def _turns(self, seat: int) -> Iterator[Turn]:
        self.reveal()
        for event in self.follow(last=1, seat=seat, include=("state", "legal_moves")):
            if event["kind"] in ("closed", "resumed"):
                self.reveal()
            legal = event["legal_moves"]
            if legal and legal["moves"] and event["seq"] >= self._answered:
                state, moves, labels = event["state"], legal["moves"], legal["labels"]
                yield Turn(self, seat, event["seq"], state, moves, labels)

    # Playing

    def move(
        self,
        choice: Move | int,
        *,
        seat: int,
        expected_version: int,
        expected_head: str | None = None,
        thoughts: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        decision: int | None = None,
    ) -> MoveAnswer:
        """Make a move, which counts once even if it is sent again; keep its receipt.

        ``choice`` is a move, or an index into the legal moves at ``expected_version``, the version
        of the state for which the move was chosen. ``expected_head`` goes into the record, and is
        the hash of an event that you have seen; left out, the newest one that came with ``follow``,
        ``turns``, ``events``, ``head`` or an answer. So a service that tells you another history
        than others has to do it in every move. ``thoughts`` of your program (at most 4,096 bytes of
        canonical JSON) are in the record, and everybody sees them when the game is over. With an
        ``idempotency_key`` of your own, another process may repeat the request, and nothing is
        added to it. At a table with ``signatures``, the client signs the move with its
        ``signing_key``; ``choice`` must then be a move as the service lists it, or an index. It
        signs that this answers the ``decision`` (its id); left out, the service is asked for it.

        Raises:
            ValueError: players sign at this table, and the client has no ``signing_key``.
            StaleVersion: the game went on, and the decision is no longer open.
            IllegalMove: the rules refuse the move.
            Contradiction: the receipt does not fit the events that came with it.
            Rewound: the game has no such event any more, or never had it.
        """
        name = "index" if isinstance(choice, int) else "move"
        form: dict[str, Any] = {"seat": seat, name: choice, "expected_version": expected_version}
        head = expected_head
        signs = self._is_signing()
        if head is None and (signs or idempotency_key is None):
            head = self.receipts.head or (self.head()["hash"] if signs else None)
        if head is not None:
            form["expected_head"] = head
        if thoughts:
            form["thoughts"] = thoughts
        if signs and head is not None:
            move = self._chosen(choice, seat, expected_version)
            form["signature"] = self._signature(move, seat, head, decision)
        try:
            answer = cast(
                "MoveAnswer",
                self.client.post(f"{self.path}/moves", form, idempotency_key=idempotency_key),
            )
        except Refused as refused:
            if refused.code == "stale_head" and expected_head is None:
                # Another program has taken back a move of this seat, which the caller has seen.
                return self.move(
                    choice, seat=seat, expected_version=expected_version,
                    expected_head=self.head()["hash"], thoughts=thoughts,
                    idempotency_key=idempotency_key, decision=decision,
                )  # fmt: skip
            if refused.code != "unknown_head":
                raise
            version = refused.problem["version"]
            raise Rewound(self.id, version, self.receipts.rewind(version)) from refused
        self._keep(answer)
        self._answered = answer["version"]
        return answer

    def _is_signing(self) -> bool:
        """Whether the client signs its moves at this table; only who has a key asks the service.

        Raises ValueError: as ``move``.
        """
        if self._signs is None:
            if self.client.signing_key is None:
                return False
            self._signs = self.game().get("signatures") is not None
        return self._signs

    def _chosen(self, choice: Move | int, seat: int, expected_version: int) -> Move:
        """Return the move of a choice, which is signed in full. Raises StaleVersion."""
        if not isinstance(choice, int):
            return choice
        legal = self.legal_moves(seat)
        if legal["version"] != expected_version:
            raise _stale(f"the game is at version {legal['version']}, not at {expected_version}")
        return legal["moves"][choice]

    def _signature(
        self, move: Move, seat: int, head: str, decision: int | None
    ) -> Mapping[str, Any]:
        """Return the field ``signature`` of a move. Raises StaleVersion: the seat is not asked."""
        key = self.client.signing_key
        assert key is not None  # noqa: S101 - see _is_signing
        if decision is None:
            found = [one["id"] for one in self.game()["decisions"] if one["seat"] == seat]
            if not found:
                raise _stale(f"seat {seat} is not asked")
            (decision,) = found
        return key.move(self.id, seat, decision, head, move)

    def change_signing_key(
        self, seat: int, key: SigningKey, *, before: SigningKey | None = None
    ) -> Game:
        """Bind another key to your seat; the client signs with it from now on.

        ``before`` is the key that the seat has; left out, that of the client. It signs the new one.
        If it is lost, make the client without a ``signing_key``: then the record says for good that
        from here on the service alone says who this is.
        """
        own = before or self.client.signing_key
        while True:
            form: dict[str, Any] = signing_field(key)
            if own is not None:
                head = self.head()["hash"]
                form |= {"sig": own.key(self.id, seat, head, key), "expected_head": head}
            try:
                changed = self._changed("POST", f"/seats/{seat}/signing_key", form)
            except Refused as refused:
                if refused.code != "stale_head":
                    raise
            else:
                self.client.signing_key = key
                return changed

    def take_back(self, to: int, *, seat: int, idempotency_key: str | None = None) -> MoveAnswer:
        """Take back all moves of your seat after the event with the number ``to``.

        ``to`` must be in the state's ``ways_back``.

        Raises:
            Refused: ``no_take_back``, ``not_to_take_back``, ``taken_back_often``, ``too_late``.
            Contradiction: the receipt does not fit the events that came with it.
        """
        answer = cast(
            "MoveAnswer",
            self.client.post(
                f"{self.path}/take_backs",
                {"seat": seat, "to": to},
                idempotency_key=idempotency_key,
            ),
        )
        self._keep(answer)
        self._answered = answer["version"]
        return answer

    def ask_hint(self, seat: int, *, idempotency_key: str | None = None) -> Hint:
        """Ask what a bot would do for your seat's open decision; read the answer with ``hint``.

        At a table with ``hints``, everybody sees that you have asked.

        Raises:
            Refused: ``no_hints``, ``too_many_hints``, ``not_your_turn``, ``too_late``.
        """
        asked = cast(
            "Hint",
            self.client.post(f"{self.path}/hint", {"seat": seat}, idempotency_key=idempotency_key),
        )
        self._keep(asked)
        return asked

    def hint(self, seat: int, decision: int) -> Hint:
        """Return the hint for a decision of your seat, as far as it is made.

        Raises:
            Refused: ``no_hint``: you have not asked for it.
        """
        return cast("Hint", self.client.get(f"{self.path}/hint", seat=seat, decision=decision))

    def sit(self, seat: int, *, invitation: str | None = None) -> Game:
        """Take a seat that you do not hold yet; contribute entropy if a game can begin without.

        Entropy is written to the client's folder before its commitment is sent; without a folder,
        the player contributes none.
        """
        guest = {} if invitation is None else {"Invitation": invitation}
        game = cast("Game", self.client.request("GET", self.path, headers=guest))
        if seat in self._own(game):
            return game
        form = {} if invitation is None else {"invitation": invitation}
        if game.get("signatures") is not None:
            form |= signing_field(self.client.signing_key)
        if game.get("entropy_mode") in {"lenient", "beacon"} and self.client.entropies is not None:
            is_drawn = game["table"]["seating"] == "random"
            form |= self.client.entropies.bring(self.id, None if is_drawn else seat)
        return self._changed("PUT", f"/seats/{seat}", {"holder": "me", **form})

    def seat_bot(self, seat: int, bot: Mapping[str, Any]) -> Game:
        """Give an open seat to a bot (see ``lonja_client.bot``); only the host may."""
        return self._changed("PUT", f"/seats/{seat}", bot)

    def stand(self, seat: int) -> Game:
        """Leave a seat before the start; the host may also remove other players."""
        return self._changed("DELETE", f"/seats/{seat}")

    def reveal(self) -> None:
        """Reveal the entropy that the game waits for from your seats.

        Only entropy that is in the client's folder can be revealed.
        """
        entropies = self.client.entropies
        if entropies is None:
            return
        game = self.game()
        due = entropies.due(game)
        own = self._own(game) if due else []
        for seat, entropy, commitment in due:
            if seat not in own:  # another player uses the same folder
                continue
            try:
                told = {"entropy": entropy}
                key = f"reveal-{commitment}"
                self._changed("POST", f"/seats/{seat}/entropy", told, idempotency_key=key)
            except Refused as error:
                if error.passing or error.status == 429:
                    raise
                if error.code == "game_suspended":
                    continue
            entropies.forget(commitment)

    def resign(self, seat: int) -> Game:
        """Resign a seat; from now on, the rules decide for it."""
        return self._changed("POST", "/resignations", {"seat": seat})

    def cancel(self) -> Game:
        """End the game, before its start or if only bots hold seats; only the host may."""
        return self._changed("DELETE", "")

    def invite(self, seat: int | None = None, **fields: int) -> Invitation:
        """Make an invitation, and return it with its ``token``; no later answer has the token.

        ``fields`` may be ``uses`` (a number) and ``expires_in`` (seconds).
        """
        form = {**fields, **({} if seat is None else {"seat": seat})}
        return cast("Invitation", self.client.post(f"{self.path}/invitations", form))

    def seat_key(self, seat: int, name: str, *, days: int | None = None) -> NewKey:
        """Make a key that can read and move for one of your seats.

        The key works until the seat resigns or the game ends. It is for a page or a program that
        should have access to nothing else. The key is listed among your own keys, and can be
        revoked there. Only this method returns the text of the key (``key``);
        ``client.with_key(text)`` uses it.
        """
        form = {"name": name, **({} if days is None else {"days": days})}
        try:
            made = self.client.post(f"{self.path}/seats/{seat}/keys", form)
        except Refused as refused:
            if refused.code != "already_answered":
                raise
            made_id = quote(refused.problem["id"], safe="")  # the first answer was lost
            made = self.client.post(f"/players/me/keys/{made_id}/rotate")
        return cast("NewKey", made)

    # Proof

    def check(self, trusted: Mapping[str, str] | None = None) -> CheckResult:
        """Compare the whole log with your receipts, and each event with the one before.

        ``trusted`` maps the ids of the service's public keys to the keys, both in hex. The keys
        must come from a source that you trust. If ``trusted`` is given, signatures are checked,
        too; this needs the package ``cryptography``. ``lonja verify`` checks the rest: the content
        of events, and the legality of moves.

        Raises Contradiction, BrokenChain, BadSignature.
        """
        head = self.head()
        return self.receipts.check(self.events(), head, trusted)

    def record(self, seat: int | str | None = None) -> Iterator[bytes]:
        """Yield the record of the game in pieces (see ``Client.download``). Raises Changed."""
        return self.client.download(f"{self.path}/record", _viewer(seat))

    def save_record(self, file: str | Path, seat: int | str | None = None) -> None:
        """Write the record to a file; the file appears when it is complete.

        Raises the errors of ``record``, and OSError.
        """
        whole = Path(file)
        part = whole.with_name(f"{whole.name}.part")
        try:
            with part.open("wb") as written:
                for piece in self.record(seat):
                    written.write(piece)
            part.replace(whole)
        finally:
            part.unlink(missing_ok=True)

    # Helpers

    def _own(self, game: Game) -> list[int]:
        if self.client.key is None:
            return []
        try:
            me, bound = self.client.player_id, self.client.bound_seat
        except NotFound:  # no /players/me: take the seat whose view the key gets
            seen = self.state()["seat"]
            return [] if seen is None else [seen]
        own = [seat["seat"] for seat in game["seats"] if seat.get("player") == me]
        return own if bound is None else [seat for seat in own if seat == bound]

    def _changed(
        self, method: str, path: str, form: Any = None, *, idempotency_key: str | None = None
    ) -> Game:
        answer = self.client.request(
            method, f"{self.path}{path}", form, idempotency_key=idempotency_key
        )
        self._keep(answer)
        return cast("Game", answer)

    def _keep(self, answer: Mapping[str, Any]) -> None:
        """Keep the receipt of an answer, and compare it with the events in the answer."""
        receipt = answer.get("receipt")
        if receipt is not None:
            self.receipts.keep(receipt)
            for event in answer.get("events", ()):
                self.receipts.compare(event)


def _stale(detail: str) -> StaleVersion:
    return StaleVersion(HTTPStatus.CONFLICT, {"code": "stale_version", "detail": detail})


def _viewer(seat: int | str | None) -> dict[str, int | str | None]:
    """Return the query parameters that name a viewer: ``seat`` or ``spectator``."""
    return {"spectator": "true"} if seat == SPECTATOR else {"seat": seat}


def _listed(include: Sequence[str]) -> str | None:
    return ",".join(include) or None
