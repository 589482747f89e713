"""Requests to strangers' servers: only to permitted addresses, over limited connections.

All requests to addresses that users provide, such as webhooks' URLs, are made here. The URLs of
buckets, which operators provide, are read here; obstore asks these (``service.archive.objects``).
"""
