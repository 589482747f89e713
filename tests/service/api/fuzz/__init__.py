"""Gives Schemathesis existing objects, keys and links, so that it gets other answers than 404."""
