"""Shapes of what is sent and answered, each with an example that a test validates."""
