"""Requests to strangers' servers: permitted addresses, bounded connections.

All requests to addresses that others name, such as webhooks' URLs, are made here.
"""
