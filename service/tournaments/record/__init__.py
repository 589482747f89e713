"""The record of a tournament: how it is written, taken in from elsewhere, and proved."""
