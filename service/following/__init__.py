"""What follows from appends, made from the shards' feeds: at least once, whatever is killed.

An append touches its shard and nothing else. Whatever lies elsewhere and follows from it is a
``Consumer`` (``consumer``): it takes what the feeds tell, in the order of each shard, and may be
told the same again, about a second of it, which must change nothing. ``follower`` is the one
mechanism for all of them: of many processes one leads (``lease``), it goes on where the last one
stopped (``cursors``), and what a feed has dropped it has told from the streams themselves.
``telling`` is the consumer that writes the notices of players. Web processes run it
(``service.api.wsgi``).
"""
