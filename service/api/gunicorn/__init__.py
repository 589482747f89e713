"""How gunicorn runs the application: its settings, its worker, and its answers as problems."""
