"""Reading and writing files: data tables, model files, and atomic replacement of a file."""
