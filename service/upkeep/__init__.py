"""What operators do with a store: check and repair it, end damaged games, find what is missing."""
