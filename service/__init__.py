"""The shell around the rules: HTTP resources, the ledger, projections and the command line."""
