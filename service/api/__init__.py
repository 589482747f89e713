"""The HTTP API, which turns requests into calls of the service's other packages.

``resources`` has the operations, ``http`` the parts that they share, ``schemas`` the shapes of
JSON; ``app`` puts them together, ``openapi`` generates openapi.yaml, ``gunicorn`` runs them. The
API decides nothing about games; it reads and changes them only through those packages.
"""
