"""The site of guides and references, which the service has at ``/docs`` and ``make site`` writes.

``arrangement`` lists the guides of ``docs/`` by purpose, ``markdown`` makes HTML of them, and
``reference`` reads operations and objects from the API's description. ``names`` finds the page that
explains a name, and ``site`` puts each page into its frame (head, navigation and foot).
"""
