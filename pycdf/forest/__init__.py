"""Grow a forest, store it, and compute its votes."""
