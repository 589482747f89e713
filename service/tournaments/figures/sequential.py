"""A sequential test of the mean of bounded observations; it is valid whenever it is stopped.

Testing by betting: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
betting", JRSS B 86(1), 2024. Two gamblers bet against two claims. Against a true claim the expected
capital of a fair bet does not grow, so by Ville's inequality the probability that the capital
reaches 1/alpha at any time is at most alpha. The test needs no normal approximation, no fixed
number of games, and no penalty for early looks.
"""

from dataclasses import dataclass, field

BETTER, NOT_BETTER = "better", "not_better"
BOLDNESS = 0.5
"""The share of its capital that a gambler may lose on one observation."""


@dataclass
class Gambler:
    """Bets that observations in [0, 1] have a mean above ``claim``.

    The stakes depend only on earlier observations (aGRAPA, section 5 of the paper).
    """

    claim: float
    capital: float = 1.0
    _count: int = 0
    _sum: float = 0.5
    _squares: float = 0.25

    def observe(self, value: float) -> None:
        """Settle the bet on one observation."""
        mean = self._sum / (self._count + 1)
        variance = self._squares / (self._count + 1)
        edge = mean - self.claim
        stake = max(0.0, min(edge / (variance + edge * edge), BOLDNESS / self.claim))
        self.capital *= 1 + stake * (value - self.claim)
        self._count += 1
        self._sum += value
        self._squares += (value - self._sum / (self._count + 1)) ** 2


@dataclass
class SequentialTest:
    """Tests whether a mean is above ``claim`` or below ``claim + margin``.

    Each of its verdicts is wrong with probability ``alpha`` (``better``) or ``beta``
    (``not_better``) at most, for any distribution of the observations.
    """

    claim: float
    margin: float
    alpha: float
    beta: float
    verdict: str | None = None
    after_block: int = 0
    blocks: int = 0
    mean: float = 0.0
    _above: Gambler = field(init=False)
    _below: Gambler = field(init=False)

    def __post_init__(self) -> None:
        self._above = Gambler(self.claim)
        self._below = Gambler(1 - min(self.claim + self.margin, 0.99))

    def observe(self, block: int, value: float) -> None:
        """Add the next block's observation, 0 to 1."""
        self.blocks += 1
        self.after_block = block
        self.mean += (value - self.mean) / self.blocks
        self._above.observe(value)
        self._below.observe(1 - value)
        if self._above.capital >= 1 / self.alpha:
            self.verdict = BETTER
        elif self._below.capital >= 1 / self.beta:
            self.verdict = NOT_BETTER

    @property
    def evidence(self) -> tuple[float, float]:
        """The capital of two gamblers: the one for ``better``, and the one for ``not_better``."""
        return self._above.capital, self._below.capital
