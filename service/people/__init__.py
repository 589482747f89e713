"""People's control over their stored data: export, and leaving."""
