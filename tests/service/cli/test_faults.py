"""Authors' typical faults, put into ``sealed`` one at a time: ``lonja check`` finds each.

Each fault is a replacement in the package's code, with the first law that finds it. No law can find
a wrong order of refusals, or a refusal that no position reaches; the report lists the latter as
never seen.
"""

import json
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.campaigns import Figure
from tests.running import ROOT
from tests.service.cli.conftest import Lonja

SEALED = ROOT / "tests" / "sealed"


class Fault(NamedTuple):
    """The original code, the replacement, and the law that must find it.

    With ``alone``, only this law is held, because another one finds the fault in an earlier game.
    """

    old: str
    new: str
    law: str
    file: str = "__init__.py"
    alone: bool = False


BID = "    def refusal(self, state: State, seat: contract.Seat) -> Error | None:\n"
LISTING = "    @classmethod\n    def {}(cls, state: State, seat: contract.Seat) -> Any:\n"
FAULTS = {
    "a view shows a hand to the leader": Fault(
        "if over or viewer in seen[c]", 'if over or viewer in {state["leader"], *seen[c]}',
        "what_happens_looks_the_same",
    ),
    "an effect tells all what one has drawn": Fault(
        "CARD_SEEN.tell(log, seat_audience(leader), ", 'CARD_SEEN.tell(log, "public", ',
        "what_is_told_is_remembered",
    ),
    "a draw is of the process's own luck": Fault(
        'card = state["pile"].draw(pick)',
        'card = state["pile"].draw(__import__("random").randrange(state["pile"].size))',
        "replay_equals_play",
    ),
    "what is read back has forgotten a field": Fault(
        "return deepcopy(data) | {", 'return deepcopy(data) | {"resigned": [], ',
        "replay_equals_play",
    ),
    "a copy shares its lists": Fault(
        "    def copy(self, state: State) -> State:\n        return deepcopy(state)",
        "    def copy(self, state: State) -> State:\n        return dict(state)",
        "copies_are_complete",
    ),
    "a legal move is not listed": Fault(
        BID, LISTING.format("legal") +
        '        return [cls(amount) for amount in range(max(1, state["coins"][seat]))]\n\n' + BID,
        "nothing_but_legal_moves_is_accepted",
    ),
    "a listed move is refused": Fault(
        BID, LISTING.format("legal") +
        "        return [cls(amount) for amount in range(COINS + 1)]\n\n" + BID,
        "nothing_but_legal_moves_is_accepted",
    ),
    "a refusal tells what is hidden": Fault(
        'if self.amount > state["coins"][seat] else None',
        'if self.amount > state["coins"][seat] or self.amount == 1 in state["bids"] else None',
        "a_guess_looks_the_same",
    ),
    "a guess forgets what its seat knows": Fault(
        "[TILES[rng.randrange(len(TILES))] if t == HIDDEN else t for t in tiles]",
        "[TILES[rng.randrange(len(TILES))] for t in tiles]",
        "a_guess_keeps_the_information",
    ),
    "a guess cannot be the truth": Fault(
        "left.pop(rng.randrange(len(left)))", "left.pop()", "a_guess_can_be_the_truth"
    ),
    "information has the others' bids": Fault(
        "return self.view(state, seat)  #",
        'return {**self.view(state, seat), "bids": [*state["bids"]]}  #',
        "what_is_sealed_shows_nowhere",
    ),
    "ranks leave no place free": Fault(
        "standings.ranks(scores)",
        "[sorted({*scores}, reverse=True).index(score) + 1 for score in scores]",
        "results_rank_every_side",
    ),
    "the least points win": Fault(
        "standings.ranks(scores)", "standings.ranks([-score for score in scores])",
        "results_rank_every_side",
    ),
    "an answer counts for nothing": Fault(
        '        state["bids"][seat] = self.amount\n', "", "games_can_be_played"
    ),
    "who has resigned is not asked, and all wait": Fault(
        'for seat in asked if state["bids"][seat] is None)',
        'for seat in asked if state["bids"][seat] is None and seat not in state["resigned"])',
        "games_can_be_played",
    ),
    "a word is missing": Fault(
        '"error.not_your_coins"', '"error.not_my_coins"',
        "errors_options_and_reasons_have_words", "aids/labels.json",
    ),
    "moves come out of a set": Fault(
        BID, LISTING.format("candidates") +
        '        return [cls(int(n)) for n in {*map(str, range(state["coins"][seat] + 1))}]\n\n'
        + BID,
        "processes_agree",
    ),
    "an evaluation has fractions": Fault(
        "[1000 * (3", "[1000.0 * (3", "heuristics_are_integers"
    ),
    "the size of a draw tells what is hidden": Fault(
        '(state["pile"].size,), NOBODY_SEES',
        '(max(1, state["pile"].size - (state["sunk"] == [1])),), NOBODY_SEES',
        "a_guess_looks_the_same",
    ),
    "a pick is shown to the leader": Fault(
        '(state["pile"].size,), NOBODY_SEES',
        '(state["pile"].size,), seat_audience(contract.Seat(state["leader"]))',
        "what_happens_looks_the_same",
    ),
    "two draws have one name": Fault(
        'Chance("tile", dealt + 1, ', 'Chance("tile", n, ', "a_draw_has_a_name_of_its_own"
    ),
    "the game goes on when it is over": Fault(
        'if state["reason"]:', 'if state["reason"] == "rounds_played":', "games_can_be_played"
    ),
    "a seat forgets a card that it saw": Fault(
        'sorted({leader, *state["seen"][card]})', "[leader]", "what_a_seat_saw_alone_is_remembered"
    ),
    "a card is lost": Fault(
        'state["pile"].put_under(state["hands"][seat].pop())', 'state["hands"][seat].pop()',
        "invariants_hold",
    ),
    "a part of the state is kept in the module": Fault(
        'state["bids"][seat] = self.amount\n',
        'state["bids"][seat] = self.amount if not MADE else min(self.amount, len(MADE) % 2)\n'
        "        MADE.append(seat)\n",
        "replay_equals_play",
    ),
    "a draw has more answers than there are": Fault(
        "(len(TILES),)", "(len(TILES) + 1,)", "games_can_be_played"
    ),
    "the default move is illegal": Fault(
        "return self.legal_moves(state, seat)[0]", "return Bid(COINS)", "games_can_be_played"
    ),
    "a bid of nothing is shown": Fault(
        "[v if o else HIDDEN for v", "[v if o or v == 0 else HIDDEN for v",
        "a_guess_keeps_the_information",
    ),
    "a draw is opened again": Fault(
        'if state["round"] == TURN_AFTER', 'if state["round"] >= TURN_AFTER',
        "only_what_is_sealed_is_opened",
    ),
    "what all are told is not opened": Fault(
        "log.open_move(bidder, self.type)", "pass", "what_happens_looks_the_same"
    ),
    "a move that can be taken back tells what one holds": Fault(
        "CARD_STORED.tell(log, seat=seat, under=self.under)",
        'CARD_STORED.tell(log, seat=seat, under=(state["hands"][seat] or [0])[-1] > 3)',
        "what_can_be_taken_back_showed_nothing",
    ),
    "what was taken back is still counted": Fault(
        '        state["bids"][seat] = self.amount\n',
        "        MADE.append(seat)\n"
        '        state["bids"][seat] = min(self.amount, len(MADE) % 3)\n',
        "what_is_taken_back_did_not_happen", alone=True,
    ),
}  # fmt: skip
FEW = (
    "a copy shares its lists",
    "a draw is of the process's own luck",
    "the game goes on when it is over",
)
"""The faults that every run of the tests tries; a campaign tries all."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in FEW else pytest.mark.campaign("faults"))
        for name in FAULTS
    ],
)
def test_a_fault_is_named_by_its_law(
    name: str,
    lonja: Lonja,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Figure,
) -> None:
    fault = FAULTS[name]
    package = f"faulty_{[*FAULTS].index(name)}"
    shutil.copytree(SEALED, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    file = tmp_path / package / fault.file
    text = file.read_text()
    assert fault.old in text
    file.write_text(text.replace(fault.old, fault.new))
    if "MADE" in fault.new:
        module = file.read_text().replace("State = Any", "MADE: list[int] = []\nState = Any")
        file.write_text(module)
    monkeypatch.chdir(tmp_path)
    laws = ("--law", fault.law) if fault.alone else ()
    result = lonja("check", package, "--json", *laws)
    assert result.exit_code == 1, result.output
    broken = [law["law"] for law in json.loads(result.stdout)["broken"]]
    assert fault.law in broken
    record_property("faults", 1)
    record_property("faults by the fitting law first", int(broken[0] == fault.law))
