"""The basis of a process: logs, the launcher, memory, disks.

It knows neither games nor Redis.
"""
