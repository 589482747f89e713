"""The HTTP API: one module a resource, and what they share.

``context`` says who asks and in which language, ``body`` reads what was sent, ``blueprint``
declares operations, ``answers`` sends JSON and ETags, ``present`` puts games into words,
``document`` makes openapi.yaml of all this.
"""
