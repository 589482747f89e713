"""Servers of buckets for tests: a small one, moto, SeaweedFS; and what is wrong with their answers.

moto and SeaweedFS have an environment of their own (``requirements.lock``), which the campaign
``buckets`` makes: moto needs other versions of packages than the product.
"""
