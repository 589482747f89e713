"""The two pilots, and the pirates, who board or plunder a punt."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Choice, EffectLog, Integer, Maybe, MaybeRefusal, Move, Seat, param
from rules.manila import data, effects, fields, play
from rules.manila.data import CAPACITY, PIRATE, Ware
from rules.manila.errors import Error
from rules.manila.state import State, ware_ids


@dataclass(frozen=True, slots=True)
class PilotMove(Move[State], type="pilot_move"):
    """Move punts at sea: the small pilot moves one by 1, the big one moves one by 2 or two by 1."""

    moves: fields.Numbers = param(
        fields.Steps(),
        "which punts move how far; below 0 is back",
        refused=Error.ILLEGAL_PILOT_MOVE,
    )

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> "Sequence[PilotMove]":
        # If the big pilot's moves were checked for the small one, too, random play would be 1.06
        # times slower.
        return cls.pool() if state.phase == play.BIG_PILOT else _SMALL

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        reach = data.BIG_REACH if state.phase == play.BIG_PILOT else data.SMALL_REACH
        for ware, delta in self.moves:
            reach -= abs(delta)
            within = 0 <= state.position[ware] + delta <= data.ARRIVED  # R47
            if reach < 0 or ware not in state.at_sea or not within:
                return Error.ILLEGAL_PILOT_MOVE
        return None

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        effects.PILOT_MOVED.tell(log, seat=seat, pilot=state.phase)
        for ware, delta in self.moves:
            play.move_punt(state, ware, delta, log)
            if state.position[ware] == data.ARRIVED:
                play.leave_sea(state, ware, data.PORT, log)  # R48
        play.after_pilot(state, log)

    def label(self) -> tuple[str, JsonObject]:
        (ware, delta), *others = self.moves
        said = {"ware": data.WARES[ware], "delta": delta}
        if not others:
            return f"move.{self.type}", said
        ware_2, delta_2 = others[0]
        return f"move.{self.type}.two", {**said, "ware_2": data.WARES[ware_2], "delta_2": delta_2}


_SMALL = [
    move for move in PilotMove.pool() if sum(abs(d) for _, d in move.moves) <= data.SMALL_REACH
]


class PilotSkip(Move[State], type="pilot_skip"):
    """Leave the punts where they are."""

    says = ("pilot_skipped",)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        effects.PILOT_SKIPPED.tell(log, seat=seat, pilot=state.phase)
        play.after_pilot(state, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"pilot": state.phase}


# Pirates


@dataclass(frozen=True, slots=True)
class BoardPunt(Move[State], type="board_punt"):
    """Board a punt on space 13 and be an ordinary accomplice of it from now on."""

    says = ("pirate_boarded",)
    ware: Ware = param(data.WARE, "whose punt you board", refused=Error.PUNT_NOT_BOARDABLE)
    displace_seat: int | None = param(
        Maybe(Integer(0, max(CAPACITY) - 1)),
        "the seat that you take from somebody, if that is allowed; null for an empty one",
        default=None,
    )

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        ware, place = self.ware, self.displace_seat
        if place is not None and not state.pirates_displace:
            return Error.DISPLACEMENT_NOT_ALLOWED
        vacant = play.vacant(state)
        if ware not in (play.stranded(state) if state.pirates_displace else vacant):
            return Error.PUNT_NOT_BOARDABLE
        if vacant:
            empty = place is None and ware in vacant
            return None if empty else Error.FILL_VACANCY_FIRST.of(vacant=ware_ids(vacant))
        places = range(CAPACITY[ware])
        if place not in places:
            return Error.MALFORMED_ACTION.of(given=place, expected=[*places])
        return Error.SEAT_PROTECTED if (ware, place) in state.boarded else None

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        crew, place, displaced = state.crews[self.ware], self.displace_seat, None
        del state.crews[PIRATE][-state.to_board]
        state.to_board -= 1
        if place is None:
            place = len(crew)  # R38
            crew.append(seat)
        else:
            displaced = crew[place]
            crew[place] = seat
            state.in_hand[displaced] += 1
        state.boarded.append((self.ware, place))
        effects.PIRATE_BOARDED.tell(log, seat=seat, ware=self.ware, displaced=displaced)
        play.next_pirate(state, log)

    def label(self) -> tuple[str, JsonObject]:
        ware = data.WARES[self.ware]
        if self.displace_seat is None:
            return f"move.{self.type}", {"ware": ware}
        return f"move.{self.type}.displace", {"ware": ware, "place": self.displace_seat + 1}

    def details(self, state: State, seat: Seat) -> JsonObject:
        if self.displace_seat is None:
            return {}
        return {"displaced": state.crews[self.ware][self.displace_seat]}


class StayOnPirateBoat(Move[State], type="stay_on_pirate_boat"):
    """Board no punt, and wait for one to plunder."""

    says = ("pirate_stayed",)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.to_board -= 1
        effects.PIRATE_STAYED.tell(log, seat=seat)
        play.next_pirate(state, log)


@dataclass(frozen=True, slots=True)
class SendPlundered(Move[State], type="send_plundered"):
    """Send a plundered punt to a port or to a shipyard."""

    ware: Ware = param(data.WARE, "the punt that is being decided on")
    destination: str = param(
        Choice(data.BERTHS), "where it goes", refused=Error.INVALID_DESTINATION
    )

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        first = state.plunder_queue[0]
        if self.ware == first:
            return None
        return Error.MALFORMED_ACTION.of(given=data.WARES[self.ware], expected=data.WARES[first])

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.leave_sea(state, state.plunder_queue.pop(0), self.destination, log)
        play.next_plunder(state, log)
