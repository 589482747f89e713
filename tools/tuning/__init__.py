"""Tunes the weights of games' heuristics, and shows the gain.

``python -m tools.tuning RULESET`` searches for better weights and checks them (``search``);
``python -m tools.tuning.not_worse`` plays today's ``greedy`` against ``greedy@1``. Games are kept
in ``tools/played/weights``, in a file for each search or match with a line for each step or block,
and are never played again: either command can be stopped at any time.
"""
