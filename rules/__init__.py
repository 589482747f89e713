"""The rules of every game: pure code, no I/O, no clock, no random source of its own."""
