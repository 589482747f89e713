"""Commands of who works on the project: what they measure, search and write again."""
