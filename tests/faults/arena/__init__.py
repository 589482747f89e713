"""Bots of strangers, sound and faulty ones, that play at a service and are killed."""
