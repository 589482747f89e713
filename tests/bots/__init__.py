"""Bots that misbehave, installed by ``LONJA_EXTRA_BOTS``: each in the way that its name says."""
