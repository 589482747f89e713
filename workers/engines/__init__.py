"""Bots that run in processes of their own, and are asked in lines of JSON (docs/engines.md).

``engine`` is our side, which judges them by how they pass their time and ends them; ``protocol``
is what both say. ``modules`` has the engines of bots that are modules of Python, ``answering`` is
what runs in those.
"""
