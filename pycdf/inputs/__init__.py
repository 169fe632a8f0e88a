"""A caller's data become arrays, with notes of what was changed."""
