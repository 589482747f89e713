"""Lists made from the games' streams; each can be made again from them at any time."""
