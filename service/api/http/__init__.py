"""What every operation of the API shares: requests, responses, errors, limits, callers.

It knows HTTP and the callers; what a resource means is for ``resources``.
"""
