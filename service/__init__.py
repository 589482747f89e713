"""The shell around the rules: everything that talks to people, clients, stores and processes.

The doors are ``cli`` and ``api``; ``runtime`` wires the parts that they use: ``games`` and
``tournaments``, ``upkeep`` for operators, ``ledger`` (streams of events), ``records`` (files),
``catalogue``, ``redis``, ``process`` and ``settings``. A room imports only rooms named after it
here. No room names a ruleset, and none imports ``workers``.
"""
