"""Gives a log new keys, which the old ones bind (``service.tlog.rotations``).

Nobody may build meanwhile. It can be repeated after a kill at any point: the new keys are on disk
before anything is signed with them, and become the log's keys last.
"""

from service.publishing import tree
from service.publishing.errors import UnfitError
from service.publishing.folder import LogFolder
from service.publishing.keys import LogKeys
from service.tlog.checkpoints import Checkpoint
from service.tlog.keys import Signature
from service.tlog.notes import Note
from service.tlog.rotations import Rotation, extensions


def rotate(folder: LogFolder, now: int) -> Rotation:
    """Replace the keys of the log in a folder, at the time ``now`` (seconds since 1970).

    The newest checkpoint gets the signatures of old and new keys, besides those of witnesses.

    Raises:
        UnfitError: the log has no checkpoint yet, or more than it has published; or it is damaged.
        OSError: the folder cannot be written.
    """
    known = tree.published(folder)
    if known is None or folder.has_pending:
        raise UnfitError(
            f"{folder.path} has no checkpoint, or one that is not published yet: let the log be"
            " built until it has, and stop it then."
        )
    old, new = folder.signer, folder.next_keys()
    at = max(known.at + 1, now)
    lines = extensions(old.verifiers, new.verifiers)
    bound = Checkpoint(old.origin, known.size, known.root, lines).text
    note = Note(bound, (*old.signatures(bound, at), *new.signatures(bound, at)))
    folder.add_rotation(bytes(note))
    folder.publish((), _signed_by_both(folder, old, new, at))
    folder.take_next_keys()
    return Rotation(old.verifiers, new.verifiers)


def _signed_by_both(folder: LogFolder, old: LogKeys, new: LogKeys, at: int) -> bytes:
    """Return the newest checkpoint with the signatures of both, and those that others made."""
    note = Note.parse(folder.checkpoint() or b"")
    names = {key.name for key in old.verifiers}
    others = (one for one in note.signatures if one.name not in names)
    own: tuple[Signature, ...] = (
        *old.signatures(note.text, at),
        *new.signatures(note.text, at),
    )
    return bytes(Note(note.text, (*own, *others)))
