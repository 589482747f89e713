"""The shell around the rules: everything that talks to people, clients, stores and processes.

Requests come in through ``cli`` and ``api``; ``runtime`` wires the packages that these two use:
``games`` and ``tournaments``, ``upkeep`` for operators, ``ledger`` (streams of events), ``records``
(files), ``catalogue``, ``redis``, ``process`` and ``settings``. Each package imports only packages
that come after it in this list. No package names a ruleset, and none imports ``workers``.
"""
