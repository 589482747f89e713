"""Clients that generators make from openapi.yaml, and the programs that play with these clients."""
