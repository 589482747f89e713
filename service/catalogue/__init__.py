"""The catalogue: finds and describes installed rulesets and bots, but does not run them."""
