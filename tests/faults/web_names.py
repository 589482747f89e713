"""What ``web_app`` and those who ask it agree on; importing that one patches the process."""

POINTS_HEADER = "X-Crash-Points"
