"""The layout of a state's JSON, declared once."""

from dataclasses import dataclass

from rules.kernel.canonical import encode, encode_known
from rules.kernel.contract.pieces import written
from rules.kernel.toolbox.layout import (
    AS_IT_IS,
    LIST,
    Layout,
    counted,
    listed,
    named,
    one_of,
    owned,
)

NAMES = ("ann", "bob")
CARDS, GOODS, SPACES = ("ace", "king", "queen"), ("oil", "wine"), ("a1", "a2", "b1")
LAYOUT = Layout(
    {
        "round": AS_IT_IS,
        "queue": LIST,
        "dealer": ("dealing", named({-1: None, 0: "ann", 1: "bob"})),
        "trump": one_of(CARDS),
        "discard": listed(one_of(CARDS)),
        "trade": {"price": ("trade_price", AS_IT_IS)},
        "houses": ("house_at", owned(SPACES, one_of(NAMES), 3)),
    },
    {"players": {"coins": AS_IT_IS, "hand": listed(one_of(CARDS), tuple), "goods": counted(GOODS)}},
)


@dataclass
class State:
    round: int
    queue: list[int]
    dealing: int
    trump: int
    discard: list[int]
    trade_price: int
    house_at: list[int]
    coins: list[int]
    hand: list[tuple[int, ...]]
    goods: list[list[int]]


def test_what_is_declared_is_written_and_read_back() -> None:
    state = State(3, [1, 0], 1, -1, [2, 0], 7, [-1, 1, 0], [5, 6], [(0, 1), ()], [[1, 2], [0, 4]])
    found = LAYOUT.write(state)
    assert found == {
        "round": 3,
        "queue": [1, 0],
        "dealer": "bob",
        "trump": None,
        "discard": ["queen", "ace"],
        "trade": {"price": 7},
        "houses": {"a2": "bob", "b1": "ann"},
        "players": [
            {"coins": 5, "hand": ["ace", "king"], "goods": {"oil": 1, "wine": 2}},
            {"coins": 6, "hand": [], "goods": {"oil": 0, "wine": 4}},
        ],
    }
    assert State(**LAYOUT.read(found)) == state
    assert encode_known(LAYOUT.write(state, written)) == encode(found)
    found["queue"].append(1)
    found["players"][0]["hand"].append("queen")
    assert (state.queue, state.hand[0]) == ([1, 0], (0, 1))
    assert LAYOUT.read(LAYOUT.write(state))["queue"] is not state.queue


def test_rows_may_have_no_column_that_stands_as_it_is() -> None:
    layout = Layout(
        {}, {"players": {"hand": listed(one_of(CARDS), tuple), "goods": counted(GOODS)}}
    )
    state = State(3, [], 0, 0, [], 0, [], [], [(0, 1), ()], [[1, 2], [0, 4]])
    assert layout.write(state) == {
        "players": [
            {"hand": ["ace", "king"], "goods": {"oil": 1, "wine": 2}},
            {"hand": [], "goods": {"oil": 0, "wine": 4}},
        ]
    }
    assert encode_known(layout.write(state, written)) == encode(layout.write(state))
