"""What Schemathesis needs to get further than 404: things that exist, keys, and links."""
