"""Benchmarks (`make bench`): ratios within one run, as medians of alternating rounds."""
