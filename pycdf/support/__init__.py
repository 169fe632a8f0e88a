"""Tools that know nothing about forests."""
