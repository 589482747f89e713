"""Observations and moves as numbers, for programs that learn (docs/learning.md).

The numbers follow from the schemas of views and the declarations of moves, so they are the same in
every game of the same version of the rules with the same tables. ``flat`` writes a view as a row of
numbers, and ``words`` writes moves as sequences of words. ``choice`` says which words may come
next, and ``numbers`` joins all of these.
"""
