"""Tunes the numbers by which games' states are judged, and shows what that gained.

``python -m tools.tuning RULESET`` searches for better weights and checks them (``search``);
``python -m tools.tuning.not_worse`` plays today's ``greedy`` against ``greedy@1``. What was played
lies in ``tools/played/weights``, a file for each search or match and a line for each step or
block, and is never played again: stop either command whenever you like.
"""
