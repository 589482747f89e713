"""How a process that keeps thousands of games folded collects garbage."""

import gc


def collect_less() -> None:
    """Ignore what was made at the start, and look at the rest less often.

    Cached games live long and have no cycles: the default would go through all of them many times
    a second, which costs a tenth of the moves and stops them for longest.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
