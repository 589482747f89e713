"""Bots in processes of their own, which read and write lines of JSON (docs/engines.md).

``engine`` starts engines, enforces time limits and kills engines; ``protocol`` defines the
messages. ``modules`` has the engines of bots that are Python modules, and ``answering`` is the
program of these engines. ``strangers`` has the engines of strangers, and ``sandbox`` keeps these
engines away from everything else. ``pool`` knows all engines of this process.
"""
