"""Data tables: reading them from files of many formats, and writing them."""
