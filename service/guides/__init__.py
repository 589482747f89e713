"""The guides: ``docs/`` as a site, which the service serves at ``/docs`` and ``make site`` writes.

``arrangement`` lists the pages by purpose, ``markdown`` makes HTML of them, and ``site`` puts each
page into its frame (head, navigation and foot).
"""
