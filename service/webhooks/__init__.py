"""Webhooks and push subscriptions: URLs of a player that receive the player's notices."""
