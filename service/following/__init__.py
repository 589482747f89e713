"""Derived data in other cluster slots than the events, updated from the shards' feeds.

An append touches only its own shard. Data elsewhere that follows from it is written by a
``Consumer`` (``consumer``): it processes the feeds' entries, in order within each shard. Each entry
is processed at least once, even if processes are killed; about a second of entries may be repeated,
and a repetition must change nothing. ``follower`` is the one mechanism for all consumers: one of
many processes leads (``lease``), continues where the last leader stopped (``cursors``), and reads
from the streams the events that a feed has dropped. ``telling`` is the consumer that writes
players' notices. Web processes run it (``service.api.wsgi``).
"""
