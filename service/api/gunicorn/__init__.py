"""How gunicorn runs the application: its settings, its worker, and its answers as problems.

It knows no operation. Nothing here may import a Redis client while the settings are read: gevent
patches sockets only after that.
"""
