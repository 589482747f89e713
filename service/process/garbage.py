"""Garbage collection in a process that caches thousands of games."""

import gc


def collect_less() -> None:
    """Exclude the objects that exist now, and collect the others less often.

    Cached games live long and have no cycles: the default would scan them many times a second,
    which costs a tenth of the moves and causes the longest pauses.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
