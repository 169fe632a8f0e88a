"""Read a caller's data into arrays, and note every change made to them."""
