"""Replays a game from its record: every batch must follow from its request.

The first event of a batch is the request. The code that records games records everything after it
anew, and the result must be equal byte for byte. Only draws are taken from the record; another
check shows that they follow from the seed.

In the record of a running game, some parts are hidden from the viewer, and this code guesses them.
Public facts do not depend on hidden parts (``laws/book/guesses.py``), so they can be checked with
guessed parts. The exceptions are a ruleset's ``hidden_errors``: such an error shows that a guess
was wrong, and then the record cannot be followed any further. ``lost`` is the number of that event;
the events from there on get only checks that need no state.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject, decoded, encode, encode_known, mac
from rules.kernel.contract.chance import Chance, Nature
from rules.kernel.contract.effects import PUBLIC
from rules.kernel.contract.errors import BadOptions, IllegalMove
from rules.kernel.contract.move import MalformedMove, Move
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from rules.kernel.contract.seats import Seat
from rules.kernel.proof.outline import Contradiction, contradiction
from rules.kernel.record.batch import Batch, RefusedError
from rules.kernel.record.beacons import BEACON_DRAWN
from rules.kernel.record.bots import CPU, SHORT, BotDecision
from rules.kernel.record.events import Access, Draft
from rules.kernel.record.game import HINTED, UNDONE, Game
from rules.kernel.record.secrets import SECRET_BYTES, Secrets, state_key
from rules.kernel.record.signatures import KEY, KEY_CHANGED, SIGNATURE

Copies = Sequence[JsonObject]


class _HiddenError(Exception):
    """The next state depends on something that the viewer was not shown."""


class _ReenactedBatch(Batch):
    """A batch that may take default moves from the record."""

    defaults: Callable[[Seat], Move[Any] | None]

    def default_move(self, seat: Seat) -> Move[Any]:
        return self.defaults(seat) or super().default_move(seat)


class Reenactment:
    """The game of a record, replayed batch by batch.

    ``salt`` is None until the game has ended, and ``seed`` is None while other games of its chance
    scope are running. Earlier checks must have shown that the parts match the commitments in the
    headers, and that the course is possible (``Outline``). ``guess`` answers
    hidden draws.
    """

    def __init__(
        self,
        game_id: str,
        registry: Registry,
        salt: bytes | None,
        seed: bytes | None,
        guess: Nature,
    ) -> None:
        self.game = Game(game_id, registry)
        self.guessed = 0
        """The first event with a guessed part; 0 if there was none."""
        self.lost = 0
        """The first event that could not be followed; 0 if there was none."""
        self._guess = guess
        self._salt = salt
        nothing = bytes(SECRET_BYTES)
        self._secrets = Secrets(salt or nothing, seed or nothing)
        self._batch: Copies = ()

    def play(
        self, batch: Copies, written: Sequence[Mapping[str, bytes]], prev_hashes: Sequence[bytes]
    ) -> None:
        """Play the next batch.

        For each event, ``written`` has the canonical bytes of its visible parts, and
        ``prev_hashes`` has the hash before the event.

        Raises:
            Contradiction: the batch does not follow from those before; the game is unusable then.
            UnknownRulesetError: no installed rules can play the game.
        """
        if self.lost:
            for copy in batch:
                self._glance(copy)
            return
        self._batch = batch
        first = batch[0]
        again = _ReenactedBatch(
            self.game, self._secrets, first["at"], self._nature, telling=False, fork=False,
            rules_digest=_recorder(self.game, first),
        )  # fmt: skip
        again.defaults = self._defaults
        try:
            self._ask_all(again)
        except _HiddenError:
            self.lost = again.game.version + 1
        self._compare(again.drafts, written, prev_hashes)
        if self.game.access.grown:
            # Forget which parts were revealed, because only copies for viewers depend on that.
            self.game.access = Access()

    def _ask_all(self, again: Batch) -> None:
        """Make the requests that the batch records.

        Raises:
            _HiddenError: the result depends on something that the viewer cannot know.
        """
        first, game = self._batch[0], again.game
        try:
            self._ask(again, first)
            if first["kind"] == "created":
                game.opening = first["last"]
                for copy in self._batch[1:]:
                    if copy["seq"] > game.version:
                        self._ask(again, copy)
        except (RefusedError, IllegalMove) as error:
            if self.guessed and error.code in game.ruleset.hidden_errors:
                raise _HiddenError from None
            seq = game.version + 1
            raise Contradiction(f"event {seq}: {error.code}: {error.message}") from None
        except BadOptions as error:
            raise Contradiction(f"event {first['seq']}: {error}") from None
        except (Contradiction, UnknownRulesetError):
            raise
        except Exception:
            if not self.guessed:
                raise
            raise _HiddenError from None  # a wrong guess led the rules to an impossible position

    def _nature(self, chance: Chance) -> tuple[int, ...]:
        """Return the picks of a draw from the record, or guessed picks if they are hidden."""
        seq = self.game.version + 1
        index = seq - self._batch[0]["seq"]
        copy = self._batch[index] if index < len(self._batch) else None
        if copy is None or copy["kind"] != "chanced":
            raise Contradiction(f"event {seq}: nature was asked for {chance.label}")
        asked = {"label": chance.label, "n": chance.n, "sizes": [*chance.sizes]}
        if copy["body"]["draw"] != asked:
            raise contradiction(copy, f"nature was asked for {asked}")
        if copy["audiences"]["picks"] != chance.audience:
            raise contradiction(copy, f"its picks are for {chance.audience}")
        picks = copy["body"].get("picks")
        if picks is None:
            self.guessed = self.guessed or seq
            picks = self._guess(chance)
        return tuple(picks)

    def _ask(self, batch: Batch, copy: JsonObject) -> None:
        if copy["kind"] == "moved":
            self._move(batch, copy)
        elif copy["kind"] == UNDONE:
            batch.take_back(copy["by"]["seat"], copy["body"]["undo"]["to"], copy["by"])
        elif copy["kind"] == HINTED:
            batch.hint(copy["by"]["seat"], copy["body"]["hint"]["decision"], copy["by"])
        elif copy["kind"] == KEY_CHANGED:
            key = copy["body"][KEY]
            batch.change_key(key["seat"], key[KEY], key["sig"], copy["by"])
        else:
            _ask(batch, copy)

    def _move(self, batch: Batch, copy: JsonObject) -> None:
        body, by = copy["body"], copy["by"]
        move = body.get("move")
        if move is None:
            self.guessed = self.guessed or copy["seq"]
            move = _some_secret(batch.game, copy)
        head = body["client"]["expected_head"] if "client" in body else None
        bot = self._decision(by["seat"], body.get("bot")) if "bot" in copy["parts"] else None
        thoughts = decoded(body.get("thoughts", {})) if "thoughts" in copy["parts"] else None
        signature = body.get(SIGNATURE)
        if SIGNATURE in copy["parts"] and signature is None:  # hidden, as its move
            signature = {"decision": batch.game.asked.get(by["seat"]), "sig": ""}
        batch.move(
            by["seat"], move, by, expected_head=head, bot=bot, thoughts=thoughts,
            signature=signature,
        )  # fmt: skip

    def _decision(self, seat: Seat, part: JsonObject | None) -> BotDecision:
        """Return the decision that a move's part ``bot`` records; an empty one if it is hidden.

        No public fact depends on a hidden one.
        """
        if part is None:
            return BotDecision("", 0, {})
        code = part.get("digest", self.game.seats[seat].code)
        nodes, thoughts, cpu_us = part["nodes"], part["thoughts"], part.get(CPU)
        return BotDecision(code, nodes, thoughts, whole="bot" in part, cpu_us=cpu_us)

    def _defaults(self, seat: Seat) -> Move[Any] | None:
        """Return the secret default move that the record has for a seat.

        Return None if the state is not a guess, if the default move is public, or if the record
        does not show the move.
        """
        if not self.guessed:
            return None
        copy = self._batch[self.game.version + 1 - self._batch[0]["seq"]]
        if copy["kind"] != "defaulted" or copy["audiences"]["move"] == PUBLIC:
            return None  # a public default move is the same in a guess as in the true state
        value = copy["body"].get("move")
        if value is None:
            return None
        return self.game.ruleset.read_move(self.game.state, seat, value)

    def _compare(
        self,
        drafts: Sequence[Draft],
        written: Sequence[Mapping[str, bytes]],
        prev_hashes: Sequence[bytes],
    ) -> None:
        """Compare the events that the rules make with the recorded ones; check state proofs."""
        batch = self._batch
        for draft, copy, parts, prev_hash in zip(drafts, batch, written, prev_hashes, strict=False):
            _compare_event(draft, copy, parts)
            if self._salt is not None:
                key = state_key(self._salt, draft.seq, prev_hash)
                if mac(key, draft.state).hex() != copy["state_proof"]:
                    raise contradiction(copy, "the rules lead to another state than the one proven")
        if self.lost:
            for copy in batch[len(drafts) :]:
                self._glance(copy)
        elif len(drafts) != len(batch):
            raise contradiction(
                batch[0], f"by the rules, {len(drafts)} events follow, not {len(batch)}"
            )

    def _glance(self, copy: JsonObject) -> None:
        """Make the checks of a move that need no state: its form, and its audience."""
        value = copy["body"].get("move")
        if value is None:
            return
        try:
            move = self.game.ruleset.recorded_move(value)
        except (KeyError, MalformedMove) as error:
            raise contradiction(copy, f"there is no such move: {error}") from None
        if move.secret == (copy["audiences"]["move"] == PUBLIC):
            raise contradiction(copy, f"{move.type} is not for {copy['audiences']['move']}")


def _recorder(game: Game, first: JsonObject) -> str | None:
    """Return the digest of the code that recorded a batch, according to the record."""
    if "code" in first["body"]:
        recorded: str = first["body"]["code"]["rules_digest"]
        return recorded
    return game.rules_digest or None


def _ask(batch: Batch, copy: JsonObject) -> None:
    """Make the request that an event records; what is hidden until the end is left empty."""
    value, by = copy["body"], copy["by"]
    match copy["kind"]:
        case "created":
            _expect_pinned(copy, batch.game.registry, value["game"])
            batch.recreate(value["game"], by)
        case "seated":
            seat = value["seat"]
            committed, brought = seat["entropy_commitment"], seat.get("brought", 0)
            batch.sit(
                seat["seat"], seat["holder"], by, committed,
                drawn="brought" in seat, brought=brought, short=SHORT in seat, key=seat.get(KEY),
            )  # fmt: skip
        case "left":
            batch.stand(value["seat"]["seat"], by)
        case "entropy_revealed" | "beacon_drawn" | "started":
            _reveal(batch, copy)
        case "aborted":
            batch.abort(value["aborted"]["reason"], by, value["aborted"]["withheld_by"])
        case "suspended" | "resumed" | "interrupted":
            _pause(batch, copy)
        case "defaulted":
            batch.default(by["seat"], "resigned")
        case "timed_out":
            batch.time_out(value["time_out"]["seat"], value["time_out"].get("fault"))
        case "bot_failed":
            failure = value["failure"]
            error, bot = value.get("error", ""), value.get("bot", {})
            batch.fail_bot(failure["seat"], failure["cause"], error, bot)
        case "chance_revealed":
            batch.reveal_chance()
        case "resigned":
            batch.resign(by["seat"], by)
        case kind:
            raise contradiction(copy, f"nobody can ask for {kind}")


def _reveal(batch: Batch, copy: JsonObject) -> None:
    """Make the request that an event records, if it concerns what goes into the luck."""
    value = copy["body"]
    if copy["kind"] == "started":
        batch.start_without()
    elif copy["kind"] == BEACON_DRAWN:
        batch.draw_beacon(value["beacon"]["signature"])
    else:
        told = value["entropy"]
        batch.reveal_entropy(told["seat"], bytes.fromhex(told["entropy"]), copy["by"])


def _pause(batch: Batch, copy: JsonObject) -> None:
    """Make the request that an event records, if clocks stand still because of it, or go on."""
    if copy["kind"] == "interrupted":
        value = copy["body"]["interruption"]
        batch.interrupt(value["from"], value["to"])
    else:
        (batch.suspend if copy["kind"] == "suspended" else batch.resume)(copy["by"])


def _some_secret(game: Game, copy: JsonObject) -> JsonObject:
    """Return any secret move of the seat.

    It does not matter which one: secret moves of one type have the same public consequences.

    Raises:
        Contradiction: the seat has no secret move.
        _HiddenError: the seat has secret moves of several types, so the consequences are unknown.
    """
    seat = copy["by"]["seat"]
    legal: Sequence[Any] = game.ruleset.legal_moves(game.state, seat)
    secret = [move for move in legal if move.secret]
    if not secret:
        raise contradiction(copy, f"seat {seat} has no secret move")
    if len({move.type for move in secret}) > 1:
        raise _HiddenError
    some: JsonObject = secret[0].to_json()
    return some


def _expect_pinned(copy: JsonObject, registry: Registry, pinned: JsonObject) -> None:
    """Check ``created``, except the facts that only the service knew.

    The digest of published tables may differ, because other code of the same version may have
    published them. Tables that an installation added must be included in full.
    """
    ruleset = registry.pinned(pinned)
    wanted = ruleset.parse_options(pinned["seats"], pinned["options"])
    if encode(pinned["options"]) != encode(wanted):
        raise contradiction(copy, f"the options of such a game are {wanted}")
    edition = ruleset.edition(wanted)
    data, known = pinned["data"], edition.pinned(ruleset.data)
    if "tables" in data or pinned["rules_digest"] == registry.digest(pinned["ruleset"]):
        same = data == known  # ``outline`` also compares digests
    else:
        same = data["edition"] == edition.id and "tables" not in known
    if not same:
        raise contradiction(
            copy, f"the data of such a game is {edition.id}, digest {edition.digest}"
        )


def _compare_event(draft: Draft, copy: JsonObject, written: Mapping[str, bytes]) -> None:
    """Compare an event that follows from the rules with the event in the record.

    Values are compared as bytes, because in Python true equals 1.
    """
    _seq, kind, by, made, _state, opens = draft
    if kind != copy["kind"] or by != copy["by"]:
        raise contradiction(copy, f"by the rules, it is {kind} by {by}, not {copy['kind']}")
    body, audiences = copy["body"], copy["audiences"]
    names = made.keys() | {"opens"} if opens else made.keys()
    if names != audiences.keys():
        raise contradiction(copy, f"the rules give it the parts {sorted(names)}")
    for name, (audience, value) in made.items():
        if audience != audiences[name]:
            raise contradiction(copy, f"its {name} is for {audience}, not {audiences[name]}")
        if name in body and value is not body[name] and encode_known(value) != written[name]:
            raise contradiction(copy, f"by the rules, its {name} is {value}, not {body[name]}")
    if opens:
        opened = [[o["seq"], o["part"], o["value"]] for o in body["opens"]]
        if encode(opened) != encode_known(opens):
            raise contradiction(copy, f"by the rules, it opens {opens}, not {opened}")
