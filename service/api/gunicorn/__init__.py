"""How gunicorn runs the application: its settings, its worker, and its own error answers.

The error answers of gunicorn are problem documents (RFC 9457). This package knows no operation.
None of its modules may import a Redis client while gunicorn reads its settings: gevent patches
sockets only afterwards.
"""
