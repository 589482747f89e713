"""The standard of tables (`docs/api/table.md`): schemas, vectors, an independent service."""
