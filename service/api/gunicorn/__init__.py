"""How gunicorn runs the application: its settings, its worker, and its answers as problems.

This package knows no operation. None of its modules may import a Redis client while gunicorn reads
its settings: gevent patches sockets only afterwards.
"""
