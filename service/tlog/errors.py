"""The error of everything that reads or checks a transparency log."""


class TlogError(ValueError):
    """A proof, tile, note or checkpoint is wrong; the message names the value."""
