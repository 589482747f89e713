"""The guides: ``docs/`` as a site, which the service serves at ``/docs`` and ``make site`` writes.

``arrangement`` says which pages there are and for what need, ``markdown`` makes HTML of them, and
``site`` puts each into its frame.
"""
