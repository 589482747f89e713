"""``greedy@1``, as release 0.2.0 had it."""
