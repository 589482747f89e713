"""Tunes the weights of games' heuristics, and shows the gain.

``python -m tools.tuning RULESET`` searches for better weights and checks them (``search``);
``python -m tools.tuning.not_worse`` plays today's ``greedy`` against ``greedy@1``. Played games are
kept in ``tools/played/weights``, a file for each search or match and a line for each step or block,
and are never repeated: stop either command whenever you like.
"""
