"""Bots' turns: obligations, scheduling, and the queues of workers.

``queue`` wakes workers. ``schedule`` picks the next turn, and treats all addresses fairly.
``watch`` finds overdue turns. This package does not know how a bot plays.
"""
