"""Bots in processes of their own, which speak lines of JSON (docs/engines.md).

``engine`` is our side, which enforces time limits and kills them; ``protocol`` is the protocol.
``modules`` has the engines of bots that are Python modules, ``answering`` is the program of those.
"""
