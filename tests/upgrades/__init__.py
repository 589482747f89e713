"""Tests with the data of earlier releases; this folder has the wheel of each."""
