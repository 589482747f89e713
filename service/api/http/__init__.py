"""The parts that every operation of the API shares: requests, responses, errors, limits, callers.

It knows HTTP and callers, but no resource: those are in ``resources``.
"""
