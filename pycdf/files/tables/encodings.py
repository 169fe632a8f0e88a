"""Text in any encoding becomes UTF-8."""

import codecs
import re

from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.request import Request
from pycdf.support.options import option

_MARKS = (  # UTF-32 first: its mark begins like that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 4096
# Text has tabs and line ends, and now and then a form feed or an escape, but no other controls.
_CONTROLS = bytes({*range(32)} - {*b"\t\n\v\f\r\x1a\x1b"})


def as_utf8(data: bytes, request: Request) -> bytes:
    """The text of a file in UTF-8, without a byte order mark."""
    encoding = request.options.encoding or _recognised(data)
    if encoding is None:
        return _western(data, request)
    try:
        if codecs.lookup(encoding).name == "utf-8":
            found = data.removeprefix(codecs.BOM_UTF8)
            if not found.isascii():
                found.decode("utf-8")
        else:
            found = data.decode(encoding).removeprefix("\ufeff").encode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise DataFileError(
            f"it is not in the encoding {encoding} (line {line:,}): pass another "
            f"{option('encoding')}."
        ) from None
    except UnicodeEncodeError:
        raise DataFileError(
            f"it is not in the encoding {encoding}: pass another {option('encoding')}."
        ) from None
    if b"\0" in found:
        raise DataFileError("it contains null bytes, so it is not text.")
    return found


def is_binary(data: bytes) -> bool:
    """Whether data can be no text in an encoding that is recognised."""
    sample = data[:_SAMPLE]
    if _recognised(data) in ("utf-16", "utf-32", "utf-16-le", "utf-16-be"):
        return False
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    return controls > len(sample) // 100


def _recognised(data: bytes) -> str | None:
    """The encoding if the data tell it: by a mark, by zero bytes, or because UTF-8 fits."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    sample = data[: _SAMPLE // 2 * 2]
    if b"\0" in sample and len(sample) >= 4:
        # Mostly Latin text in UTF-16: every other byte is zero
        even, odd = sample[::2].count(0), sample[1::2].count(0)
        if odd > 0.4 * len(sample) / 2 and even < 0.05 * len(sample):
            return "utf-16-le"
        if even > 0.4 * len(sample) / 2 and odd < 0.05 * len(sample):
            return "utf-16-be"
    if data.isascii():
        return "utf-8"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return "utf-8"


def _western(data: bytes, request: Request) -> bytes:
    """Read text that is not UTF-8 as Windows-1252, or as Latin-1 if it has other bytes."""
    try:
        encoding, text = "Windows-1252", data.decode("cp1252")
    except UnicodeDecodeError:
        encoding, text = "Latin-1", data.decode("latin-1")
    if "\0" in text:
        raise DataFileError("it contains null bytes, so it is not text.")
    word = re.search(r"[^\s,;|\t\"]*[^\x00-\x7f][^\s,;|\t\"]*", text)
    assert word is not None  # otherwise it is ASCII, which is UTF-8
    request.notes.append(
        f"it is not in UTF-8 and was read as {encoding}, with words such as {word[0][:30]!r}. "
        f"If they are wrong, pass another {option('encoding')}."
    )
    return text.encode("utf-8")
