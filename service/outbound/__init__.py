"""Requests to strangers' servers, with permitted addresses and bounded connections.

All requests to addresses that users provide, such as webhooks' URLs, are made here.
"""
