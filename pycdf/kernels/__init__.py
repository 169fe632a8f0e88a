"""Everything that numba compiles, and nothing else. Imports nothing outside this folder."""
