"""The laws that every ruleset keeps, and what finds out whether it does (``lonja check``).

``law`` says what a law is, ``book`` has them all, room by room. ``tables`` and ``games`` make the
random games that they are held to, ``streams`` records these, ``judging`` holds a ruleset to the
laws, and ``shrinking`` looks for the smallest position that breaks one. Laws know the rules alone:
neither the service nor its workers.
"""
