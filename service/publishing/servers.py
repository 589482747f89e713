"""Whether the store is still the one that the log was built from.

A store that was restarted, or whose primary is another server, may have lost events that the log
had not yet. Nobody can say which, so the log says when: then receipts of these events are no proof
of a second history.
"""

from rules.kernel.record.instants import from_ms
from service.publishing.folder import KnownServer, LogFolder, Server
from service.records.promises import SECONDS
from service.records.statements import RESTARTED, Statement


class StoreServers:
    """The memory of which server of the store a log was built from, in the folder of the log."""

    def __init__(self, folder: LogFolder) -> None:
        self._folder = folder
        self._known = folder.server()

    def notice(self, server: Server, logged_ms: int) -> None:
        """Note which server answers now, before anything is built from it.

        ``logged_ms`` is the time of the newest checkpoint (ms since 1970), 0 if there is none.
        Raises OSError.
        """
        if self._known is not None and self._known.server != server:
            self.went_back(logged_ms)
            self._keep(self._known._replace(server=server))
        elif self._known is None:
            self._keep(KnownServer(server, logged_ms or None))

    def went_back(self, to_ms: int) -> None:
        """Note that the store may lack what came after a time. Raises OSError."""
        if self._known is not None:
            known = self._known.lacking_ms
            self._keep(self._known._replace(lacking_ms=min(to_ms, known or to_ms)))

    def statements(self, now: int) -> list[Statement]:
        """Return the statement of a restart that the log lacks at ``now``; empty if it has all."""
        lacking = None if self._known is None else self._known.lacking_ms
        if lacking is None:
            return []
        until = max(now, lacking)  # the clock of another server may be behind
        return [Statement(RESTARTED, from_ms(lacking - 1000 * SECONDS), from_ms(until))]

    def have_said(self) -> None:
        """Note that the log has the statement. Raises OSError."""
        if self._known is not None and self._known.lacking_ms is not None:
            self._keep(self._known._replace(lacking_ms=None))

    def _keep(self, known: KnownServer) -> None:
        if known != self._known:
            self._folder.note_server(known)
            self._known = known
