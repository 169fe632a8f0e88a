"""How much memory a file may take: in proportion to its size.

A few kilobytes can claim to be, or unpack to, many gigabytes, by mistake or by intent.
"""

from pycdf.files.tables.errors import DataFileError

_ALWAYS_ALLOWED = 2**29  # bytes, whatever the file's size
_RATIO = 200  # zeros and ones in CSV compress by less, as do sparse counts


def limit(size: int) -> int:
    """The bytes that the content of a file of this size may take."""
    return max(_ALWAYS_ALLOWED, _RATIO * size)


def check_size(needed: int, size: int, what: str) -> None:
    """Refuse a file of ``size`` bytes if ``what`` in it takes out of all proportion more."""
    if needed > limit(size):
        raise DataFileError(
            f"{what} would take {needed / 2**30:,.1f} GB, more than {_RATIO} times the size of the "
            "file: it is damaged or made to fill the memory. If it is right, convert it to an "
            "uncompressed CSV file."
        )
