"""The HTTP API, from a socket to a command and back.

``resources`` has the operations, ``http`` what all of them share, ``schemas`` the shapes of JSON;
``app`` puts them together, ``openapi`` makes openapi.yaml of them, ``gunicorn`` runs them. It
decides nothing about games, and reads and changes them by the rooms below alone.
"""
