"""The error that readers and writers of tables raise."""


class DataFileError(ValueError):
    """A file that cannot be read as a table, or a table that cannot be written to a file."""
