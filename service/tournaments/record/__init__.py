"""The record of a tournament: export, import, and verification."""
