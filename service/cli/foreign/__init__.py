"""Rulesets that are not installed here: what a service publishes of them (docs/api/table.md)."""
