"""Shapes of what is sent and answered, each with an example that a test validates.

They check form alone: who may do what, and whether a move is legal, is for the rooms below.
"""
