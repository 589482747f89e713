"""Asking strangers' servers: which address may be asked, over a connection that is bounded.

What others name, such as the URL of a webhook, is asked from here alone.
"""
