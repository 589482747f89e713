"""Servers of buckets for tests, and what is wrong with their answers.

Besides a small one, these are moto and SeaweedFS (S3), Azurite (Azure) and fake-gcs-server
(Google), which the campaign ``buckets`` installs by ``requirements.lock`` and
``azurite/package-lock.json``. They have an environment of their own: moto needs other versions of
packages than the product.
"""
