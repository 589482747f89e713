"""Schemas of requests and answers, each with an example that a test validates.

The schemas check only the form; other packages check permissions and the legality of moves.
"""
