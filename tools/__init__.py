"""Commands for developers, which measure, tune, and generate files again."""
