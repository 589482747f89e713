"""The laws that every ruleset must keep, and their checks (``lonja check``).

``law`` defines laws, and ``book`` contains all of them, by subject. ``tables`` and ``games`` make
the random games to check, ``streams`` records them, ``judging`` checks a ruleset, and ``shrinking``
looks for the smallest position that breaks a law. Laws know only the rules: neither the service nor
its workers.
"""
