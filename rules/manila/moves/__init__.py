"""The sixteen types of move, with their parameters, refusals and effects."""

from rules.kernel.contract import Move
from rules.manila.moves import accomplices, auction, loans, pilots_and_pirates
from rules.manila.state import State

MOVE_TYPES: tuple[type[Move[State]], ...] = (
    auction.Bid, auction.PassAuction, auction.BuyShare, auction.SkipShare, auction.LoadWares,
    auction.PlacePunts, accomplices.PlaceAccomplice, accomplices.Abstain,
    pilots_and_pirates.PilotMove, pilots_and_pirates.PilotSkip, auction.ChooseArrivalOrder,
    pilots_and_pirates.BoardPunt, pilots_and_pirates.StayOnPirateBoat,
    pilots_and_pirates.SendPlundered, loans.TakeLoan, loans.RedeemShare,
)  # fmt: skip
