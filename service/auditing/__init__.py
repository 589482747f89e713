"""Audits of public logs by strangers, with a memory of their own.

``state`` is that memory, a SQLite file. ``tree`` follows the log's checkpoints and finds a log that
was forked or went back; ``chains`` follows the leaves of each id; ``evidence`` makes the files that
convince others; ``dates`` finds events that are dated back, ``witnesses`` who has seen what.
Nothing here asks a service: ``service.cli.audit`` does.
"""
