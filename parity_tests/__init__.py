"""The same calls in R and here, compared to the last bit. Needs R; see r_reference/README.md."""
