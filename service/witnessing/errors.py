"""The errors that stop a witness."""


class UnusableError(Exception):
    """A file of the witness cannot be used; the message says what to do."""


class OldStateError(Exception):
    """The state is older than what this witness has co-signed; the message says what to do."""
