"""The error of a log that must not go on."""


class UnfitError(Exception):
    """The folder of the log and the store do not fit; the message says what to do."""
