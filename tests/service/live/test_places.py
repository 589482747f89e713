"""The places of streams: who gets one, and who has to give one up."""

import pytest

from service.live.places import Holder, Places, Shares
from service.problems import Problem

ROOMY = Shares(total=100, per_key=3, per_address=5)
FULL_AT_6 = Shares(total=6, per_key=100, per_address=100)


def watcher(address: str, player: str | None = None) -> Holder:
    return Holder(address, player, seated=False)


def seat(address: str, player: str = "p") -> Holder:
    return Holder(address, player, seated=True)


def fill(places: Places[str], shares: Shares, holder: Holder, number: int) -> list[str]:
    """Open several streams of one holder; return their names."""
    names = [f"{holder.address} {holder.seated} {n}" for n in range(number)]
    for name in names:
        assert places.take(name, holder, shares) is None
    return names


def refused(places: Places[str], holder: Holder, shares: Shares, times: int = 1) -> tuple[str, str]:
    with pytest.raises(Problem) as caught:
        places.take("new", holder, shares, times)
    return caught.value.code, caught.value.members.get("scope", "")


def test_a_key_and_an_address_have_a_share_each() -> None:
    places: Places[str] = Places()
    fill(places, ROOMY, watcher("a", "ana"), 3)
    assert refused(places, watcher("a", "ana"), ROOMY) == ("stream_share_used", "key")
    assert refused(places, watcher("b", "ana"), ROOMY) == ("stream_share_used", "key")
    for number in range(2):
        places.take(f"more {number}", watcher("a", f"key {number}"), ROOMY)
    assert refused(places, watcher("a"), ROOMY) == ("stream_share_used", "address")
    assert places.take("elsewhere", watcher("b"), ROOMY) is None
    assert places.take("a host's", watcher("a"), ROOMY, times=2) is None


def test_what_leaves_makes_room_once() -> None:
    places: Places[str] = Places()
    first, *_others = fill(places, ROOMY, watcher("a"), 5)
    places.leave(first)
    places.leave(first)
    assert len(places) == 4
    assert places.take("new", watcher("a"), ROOMY) is None
    assert refused(places, watcher("a"), ROOMY) == ("stream_share_used", "address")


def test_ones_own_seat_comes_before_ones_own_looking_on() -> None:
    places: Places[str] = Places()
    first, *_others = fill(places, ROOMY, watcher("a", "ana"), 3)
    assert places.take("seat", seat("a", "ana"), ROOMY) == first
    assert len(places) == 3
    assert refused(places, watcher("a", "ana"), ROOMY) == ("stream_share_used", "key")


def test_when_all_is_full_a_seat_takes_the_place_of_a_spectator() -> None:
    places: Places[str] = Places()
    fill(places, FULL_AT_6, watcher("few"), 1)
    oldest, *_others = fill(places, FULL_AT_6, watcher("many"), 3)
    fill(places, FULL_AT_6, seat("players"), 2)
    assert places.take("seat", seat("late"), FULL_AT_6) == oldest
    assert len(places) == 6


def test_a_crowd_from_one_address_makes_room_for_others() -> None:
    places: Places[str] = Places()
    crowd = fill(places, FULL_AT_6, watcher("crowd"), 6)
    assert refused(places, watcher("crowd"), FULL_AT_6) == ("too_many_streams", "")
    given_up = [places.take(f"b{n}", watcher("b"), FULL_AT_6) for n in range(3)]
    assert given_up == crowd[:3]
    assert refused(places, watcher("b"), FULL_AT_6) == ("too_many_streams", "")
    assert places.take("c", watcher("c"), FULL_AT_6) in [*crowd[3:], "b0"]


def test_nobody_takes_turns_in_throwing_each_other_out() -> None:
    places: Places[str] = Places()
    fill(places, FULL_AT_6, watcher("a"), 4)
    fill(places, FULL_AT_6, watcher("b"), 2)
    thrown_out = places.take("b3", watcher("b"), FULL_AT_6)
    assert thrown_out == "a False 0"
    assert refused(places, watcher("a"), FULL_AT_6) == ("too_many_streams", "")


def test_invented_seats_of_one_address_do_not_keep_a_player_out() -> None:
    places: Places[str] = Places()
    first, *_others = fill(places, FULL_AT_6, seat("crowd"), 6)
    assert refused(places, watcher("b"), FULL_AT_6) == ("too_many_streams", "")
    assert places.take("seat", seat("b"), FULL_AT_6) == first
