"""What games of a tournament come to: points, ratings, their bands, sequential tests, plots.

Pure functions of what was played, below the formats, which pair by them.
"""
