"""The functions that queues name (``service.jobs``). They get ids, and answer nothing."""

from workers import process


def play_automatic_seats(game_id: str) -> None:
    """Play a game on until a person is asked or it ends."""
    process.current().turns.play(game_id)


def play_tournament(tournament_id: str) -> None:
    """Play blocks of a tournament for a while."""
    process.current().matches.play(tournament_id)
