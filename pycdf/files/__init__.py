"""Bytes on disk: data tables, model files, and writing a file whole or not at all."""
