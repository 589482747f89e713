"""The operations of the API, a file for each resource.

They turn requests into commands and results into JSON, and decide nothing.
"""
