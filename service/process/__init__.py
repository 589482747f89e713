"""What a process needs to live: logs, the launcher of the others, memory, disks.

It knows neither games nor Redis, and starts only what it is told to.
"""
