"""Grow a forest, hold it, ask it."""
