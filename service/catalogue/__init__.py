"""The catalogue: installed rulesets and bots. It finds and describes them, and runs neither."""
