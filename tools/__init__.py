"""Commands for developers: measuring, tuning, and regenerating files."""
