"""General-purpose helpers that know nothing about forests."""
