"""How gunicorn runs the application: its settings, its worker, and its answers as problems.

It knows no operation. Nothing here may import a client of Redis while the settings are read, for
sockets wait for greenlets only after that.
"""
