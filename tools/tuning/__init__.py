"""Tunes the weights of heuristics, and shows the gain.

``python -m tools.tuning RULESET`` searches for better weights and checks them (``search``);
``python -m tools.tuning.not_worse`` plays today's ``greedy`` against ``greedy@1``.
``tools/played/weights`` has a file for each search or match, with a line for each step or block.
None is played again, so either command can be stopped at any time.
"""
