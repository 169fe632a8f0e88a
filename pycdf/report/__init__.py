"""One HTML page about a fit."""
