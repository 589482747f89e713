"""The contract that every ruleset fulfils, and the game aggregate that plays it.

Read in this order: ``ruleset`` (the contract), ``move`` and ``chance`` (what happens),
``effects`` (what it did), ``events`` and ``game`` (how it is recorded), ``batch`` (how one
request becomes events), ``verify`` (how anybody checks the record).
"""
