"""A game of the service: its seats, its moves, its stream, and one's receipts of it."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import quote

from lonja_client.answers import (
    Event,
    Game,
    GameState,
    Invitation,
    LegalMoves,
    Move,
    MoveAnswer,
    NewKey,
    Preview,
    Receipt,
)
from lonja_client.errors import Conflict, Refused, Rewound
from lonja_client.receipts import CheckResult, Receipts

if TYPE_CHECKING:
    from lonja_client.client import Client

PAGE, LARGE_PAGE = 200, 50
"""So many events are asked for at once; the second where each comes with what makes it large."""
_LARGE = frozenset(("state", "patch", "legal_moves", "groups"))
SPECTATOR = "spectator"
"""The eyes that everybody has."""
_GONE = ("stale_version", "not_your_turn", "too_late", "game_over", "seat_resigned")
"""How a move is refused whose question is not open any more."""


class Turn(NamedTuple):
    """A decision of one's seat: ``moves`` with their ``labels``, in the ``state`` at ``version``.

    ``state`` is as ``GameState`` has it: what the seat may see, and who else is asked.
    """

    table: "Table"
    seat: int
    version: int
    state: GameState
    moves: Sequence[Move]
    labels: Sequence[str]

    def play(self, move: Move) -> MoveAnswer | None:
        """Make a move; None: nothing is asked any more, and the next turn shows what now.

        Raises IllegalMove, and what else ``Table.move`` raises.
        """
        try:
            return self.table.move(move, seat=self.seat, expected_version=self.version)
        except Conflict as refused:
            if refused.code not in _GONE:
                raise
            return None


class Table:
    """A game of a service, as a client's player sees it or as a spectator does.

    Every method raises ``Refused`` and ``Unreachable``; ``id`` is the game's.
    """

    def __init__(self, client: "Client", game_id: str) -> None:
        self.client = client
        self.id = game_id
        self.path = f"/games/{quote(game_id, safe='')}"
        name = f"{quote(game_id, safe='')}.ndjson"
        folder = client.folder
        file = None if folder is None else folder / "receipts" / name
        self.receipts = Receipts(game_id, file, client.warn)
        """One's own receipts, each kept as it comes."""
        self._answered = 0

    def __repr__(self) -> str:
        return f"Table({self.client!r}, {self.id!r})"

    # Looking

    def game(self) -> Game:
        """Return the game: its seats, status and result."""
        return cast("Game", self.client.get(self.path))

    def own_seats(self) -> list[int]:
        """Return the seats that the client's player holds."""
        return self._own(self.game())

    def state(self, seat: int | str | None = None, at: int | None = None) -> GameState:
        """Return the view of a seat, or of ``SPECTATOR``, at a version or now."""
        return cast("GameState", self.client.get(f"{self.path}/state", seat=seat, at=at))

    def legal_moves(self, seat: int | None = None, *, group: bool = False) -> LegalMoves:
        """Return all moves of one's seat, which may be left out if there is one alone."""
        asked = {"seat": seat, "group": "true" if group else None}
        return cast("LegalMoves", self.client.get(f"{self.path}/legal_moves", **asked))

    def preview(self, move: Move, *, seat: int, expected_version: int) -> Preview:
        """Return the effects of a move without making it. Raises IllegalMove."""
        form = {"seat": seat, "move": move, "expected_version": expected_version}
        return cast("Preview", self.client.post(f"{self.path}/preview", form))

    def events(
        self, after: int = 0, *, seat: int | str | None = None, include: Sequence[str] = ()
    ) -> Iterator[Event]:
        """Yield the events after one, up to now, each held against one's receipts.

        ``include`` is as for ``follow``. Raises Contradiction.
        """
        limit = LARGE_PAGE if _LARGE.intersection(include) else PAGE
        at: int | None = after
        while at is not None:
            query = {"after": at, "limit": limit, "seat": seat, "include": _listed(include)}
            page = self.client.get(f"{self.path}/events", **query)
            for event in page["events"]:
                self.receipts.compare(event)
                yield event
            at = page["next_after"]

    def head(self) -> Receipt:
        """Return the service's signature under the newest event. Raises Contradiction."""
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
        """Yield every event after one, each once and in order, until the game is over.

        With ``last=1`` it begins with the newest event. ``include`` names what comes with each:
        ``effects``, ``words``, ``state``, ``patch``, ``legal_moves``, ``groups``. A connection that
        breaks is mended, and nothing is missed.

        Raises:
            Contradiction: an event is not that of a receipt.
            Rewound: the service has lost events that it had told.
            Refused, Unreachable: the stream cannot be had; of what passes, after some patience.

        """
        query = {
            "after": after or None, "last": last, "seat": seat, "include": _listed(include),
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
        """Yield each decision of one's seat until the game is over; ``turn.play`` answers it.

        The seat may be left out if one holds one alone. Entropy is revealed when it is awaited;
        if the service has lost events, what is asked now comes next.

        Raises ValueError: one holds no seat, or several.
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
        move: Move,
        *,
        seat: int,
        expected_version: int,
        expected_head: str | None = None,
        idempotency_key: str | None = None,
    ) -> MoveAnswer:
        """Make a move, which counts once however often it has to be sent; keep its receipt.

        ``expected_version`` is that of the state in which it was chosen. With an
        ``idempotency_key`` of one's own another process may send it again.

        Raises:
            StaleVersion: the game went on, and something else is asked, or nothing.
            IllegalMove: the rules refuse it.
            Contradiction: the receipt is not of the events that came with it.

        """
        form: dict[str, Any] = {"seat": seat, "move": move, "expected_version": expected_version}
        if expected_head is not None:
            form["expected_head"] = expected_head
        answer = cast(
            "MoveAnswer",
            self.client.post(f"{self.path}/moves", form, idempotency_key=idempotency_key),
        )
        self._keep(answer)
        self._answered = answer["version"]
        return answer

    def sit(self, seat: int, *, invitation: str | None = None) -> Game:
        """Take a seat, unless it is one's own, with entropy if the game can do without in the end.

        Entropy is kept in the client's folder before it is promised; without one, none is.
        """
        guest = {} if invitation is None else {"Invitation": invitation}
        game = cast("Game", self.client.request("GET", self.path, headers=guest))
        if seat in self._own(game):
            return game
        form = {} if invitation is None else {"invitation": invitation}
        if game.get("entropy_mode") == "lenient" and self.client.entropies is not None:
            is_drawn = game["table"]["seating"] == "random"
            form |= self.client.entropies.bring(self.id, None if is_drawn else seat)
        return self._changed("PUT", f"/seats/{seat}", {"holder": "me", **form})

    def seat_bot(self, seat: int, bot: Mapping[str, Any]) -> Game:
        """Give an open seat to a bot, as ``bot`` makes it; for the host."""
        return self._changed("PUT", f"/seats/{seat}", bot)

    def stand(self, seat: int) -> Game:
        """Leave a seat before the start; the host may send others away."""
        return self._changed("DELETE", f"/seats/{seat}")

    def reveal(self) -> None:
        """Reveal the entropy of one's own seats that the game waits for, if it is kept here."""
        entropies = self.client.entropies
        if entropies is None:
            return
        game = self.game()
        due = entropies.due(game)
        own = self._own(game) if due else []
        for seat, entropy, commitment in due:
            if seat not in own:  # that of somebody else on this machine
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
        """Resign a seat: the rules answer for it from now on."""
        return self._changed("POST", "/resignations", {"seat": seat})

    def cancel(self) -> Game:
        """End the game, before its start or if only bots sit there; for the host."""
        return self._changed("DELETE", "")

    def invite(self, seat: int | None = None, **fields: int) -> Invitation:
        """Make an invitation, whose ``token`` is told once; fields are ``uses``, ``expires_in``."""
        form = {**fields, **({} if seat is None else {"seat": seat})}
        return cast("Invitation", self.client.post(f"{self.path}/invitations", form))

    def seat_key(self, seat: int, name: str, *, days: int | None = None) -> NewKey:
        """Make a key that looks and moves as one of one's seats, until the game is over for it.

        It is what a page or a helper is given: it opens nothing else, and is listed with one's own
        keys and revoked there. Its text, ``key``, is told once: ``client.with_key(text)`` uses it.
        """
        form = {"name": name, **({} if days is None else {"days": days})}
        try:
            made = self.client.post(f"{self.path}/seats/{seat}/keys", form)
        except Refused as refused:
            if refused.code != "already_answered":
                raise
            made_id = quote(refused.problem["id"], safe="")  # the answer with its text was lost
            made = self.client.post(f"/players/me/keys/{made_id}/rotate")
        return cast("NewKey", made)

    # Proof

    def check(self, trusted: Mapping[str, str] | None = None) -> CheckResult:
        """Hold the whole log against one's receipts, and each event against the one before.

        ``trusted`` are the service's public keys by their ids, from a source that one trusts; then
        signatures are checked, too, which takes ``cryptography``. What an event holds, and whether
        it was legal, is for ``lonja verify`` to say.

        Raises Contradiction, BrokenChain, BadSignature.
        """
        head = self.head()
        return self.receipts.check(self.events(), head, trusted)

    def record(self, seat: int | str | None = None) -> Iterator[bytes]:
        """Yield the record of the game, in pieces; one that is cut goes on. Raises Changed."""
        return self.client.download(f"{self.path}/record", {"seat": seat})

    def save_record(self, file: str | Path, seat: int | str | None = None) -> None:
        """Write the record to a file, which appears when it is complete. Raises OSError too."""
        whole = Path(file)
        part = whole.with_name(f"{whole.name}.part")
        try:
            with part.open("wb") as written:
                for piece in self.record(seat):
                    written.write(piece)
            part.replace(whole)
        finally:
            part.unlink(missing_ok=True)

    # Between

    def _own(self, game: Game) -> list[int]:
        if self.client.key is None:
            return []
        me, bound = self.client.player_id, self.client.bound_seat
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
        """Keep the receipt of an answer, held against the events that came with it."""
        receipt = answer.get("receipt")
        if receipt is not None:
            self.receipts.keep(receipt)
            for event in answer.get("events", ()):
                self.receipts.compare(event)


def _listed(include: Sequence[str]) -> str | None:
    return ",".join(include) or None
