"""What a stranger makes sure of in a public log, with a memory of his own.

``state`` is that memory, a SQLite file. ``tree`` follows the log's checkpoints and finds a log that
was forked or went back; ``chains`` follows the leaves of each id; ``evidence`` is what convinces
others. Nothing here asks a service: ``service.cli.audit`` does.
"""
