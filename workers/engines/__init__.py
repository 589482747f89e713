"""Bots in processes of their own, which speak lines of JSON (docs/engines.md).

``engine`` is the service's side, which enforces time limits and kills engines; ``protocol`` is the
protocol. ``modules`` has the engines of bots that are Python modules, ``answering`` is their
program.
"""
