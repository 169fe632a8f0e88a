"""A report on a fitted forest as a single HTML page."""
