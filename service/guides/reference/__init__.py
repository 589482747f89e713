"""The reference of the API, made from its OpenAPI document: operations, objects and problems.

``document`` reads the document, ``fields`` puts a schema into rows, and ``requests`` writes an
operation's example in several languages.
"""
