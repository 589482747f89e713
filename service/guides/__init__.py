"""The site of guides and references.

The service shows the site at ``/docs``, and ``make site`` writes it to files.

``arrangement`` lists the guides of ``docs/`` by purpose, ``markdown`` makes HTML of them, and
``reference`` reads operations and objects from the API's description. ``names`` finds the page that
explains a name, and ``site`` puts each page into its frame (head, navigation and foot).
"""
