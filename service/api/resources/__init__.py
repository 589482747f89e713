"""The operations of the API, a file for each resource.

Operations turn requests into commands and results into JSON; they decide nothing.
"""
