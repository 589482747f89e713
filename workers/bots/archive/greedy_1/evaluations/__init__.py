"""How good states of a game looked to ``greedy@1``; a module is called as the ruleset."""
