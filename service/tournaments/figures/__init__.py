"""Figures of a tournament: points, ratings, their bands, sequential tests, plots.

They are pure functions of the games. The formats use them for pairing.
"""
