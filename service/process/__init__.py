"""What a process needs to live: logs, the launcher of the others, memory, disks."""
