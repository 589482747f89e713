"""Figures of a tournament: points, ratings, their bands, sequential tests, plots.

Pure functions of the games, below the formats, which use them for pairing.
"""
