"""Webhooks: a player's URLs that are told what his stream of notices is told."""
