"""Jobs that run outside the web processes: bot turns, clocks, tournaments and projections."""
