"""The laws that every ruleset must keep, and their checks (``lonja check``).

``law`` defines what a law is, and ``book`` contains all laws, by subject. ``tables`` and ``games``
make the random games to check, ``streams`` records them, ``judging`` checks a ruleset, and
``shrinking`` looks for the smallest position that breaks a law. Laws depend only on the rules.
They do not depend on the service or on its workers.
"""
