"""Requests to strangers' servers: only to permitted addresses, over limited connections.

All requests to addresses that users provide, such as webhooks' URLs, are made here.
"""
