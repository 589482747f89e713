"""The standard of tables (`docs/api/table.md`): schemas, vectors, a service of somebody else."""
