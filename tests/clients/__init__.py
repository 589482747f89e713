"""Clients that strangers generate from openapi.yaml, and the programs that play by them."""
