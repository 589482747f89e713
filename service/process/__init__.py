"""The basis of a process: logs, the launcher, memory, disks.

This package knows neither games nor Redis.
"""
