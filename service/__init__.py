"""The shell around the rules: what speaks to people, clients, stores and processes.

Doors are ``cli`` and ``api``; ``runtime`` wires what they use: ``games`` and ``tournaments``,
``upkeep`` for operators, ``ledger`` (streams of events), ``records`` (files), ``catalogue``,
``redis``, ``process`` and ``settings``. A room imports what stands after it here, never what stands
before. None names a ruleset, and none imports ``workers``.
"""
