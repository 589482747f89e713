"""Benchmarks: ratios measured in one run, medians of alternating rounds (`make bench`)."""
