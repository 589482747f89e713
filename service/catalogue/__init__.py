"""What is installed: rulesets and bots."""
