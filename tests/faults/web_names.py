"""Names shared by ``web_app``, which patches its process at import, and its clients."""

POINTS_HEADER = "X-Crash-Points"
