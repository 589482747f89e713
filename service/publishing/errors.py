"""The errors of a log that must not go on, or not yet."""

from redis.exceptions import RedisError

from service.following.consumer import StandsStillError


class UnfitError(StandsStillError):
    """The folder of the log and the store do not fit; the message says what to do."""


class NotOnDiskError(RedisError):
    """Nothing says that the store's disk holds what a checkpoint would cover."""
