"""The campaign ``fairness``: how much one address can slow a web process down for others.

No path is given: ``requests`` makes valid and invalid requests for each operation of the API's
description, and changes them so that they cost more; ``crowd`` sends them on many connections;
``costs`` reads the processor clock of the web process.
"""
