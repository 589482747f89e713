"""Observations and moves as numbers, for programs that learn (docs/learning.md).

The numbers follow from the schemas of views and the declarations of moves, so they are the same in
every game of the same version of the rules with the same tables. ``numbers`` puts together
``flat``, which makes a row of numbers of a view, and ``words``, of which moves consist; ``choice``
says which words may come next.
"""
