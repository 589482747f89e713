"""The campaign ``fairness``: what one address can take of a web process from the others.

It is told no path: ``requests`` makes of the API's description what each operation takes and
refuses, and makes it dearer; ``crowd`` sends it on many connections; ``costs`` reads the process's
processor clock.
"""
