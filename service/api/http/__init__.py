"""The parts that every operation of the API shares: requests, responses, errors, limits, callers.

This package knows HTTP and callers. The resources are in ``service.api.resources``.
"""
