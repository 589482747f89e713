"""The client in a real browser, against a real service: played and judged as people would."""
