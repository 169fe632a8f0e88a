"""The same calls in R and in pycdf, compared bit for bit. Needs R; see r_reference/README.md."""
