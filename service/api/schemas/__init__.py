"""Schemas of requests and answers, each with an example that a test validates.

They check only form; permissions and legality of moves are for the rooms below.
"""
