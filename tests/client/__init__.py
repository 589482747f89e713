"""Tests of the client in a real browser, against a real service, by what people see and do."""
