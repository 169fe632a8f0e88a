"""What the content of a file is, by its first bytes, if it is no table that pycdf reads."""

import re

_STATA = "in Python, pandas.read_stata() reads it; save it with to_csv()"
_SAS_HOW = "in Python, pandas.read_sas() reads it; save it with to_csv()"
_SPSS = "in R, haven::read_sav() reads it; save it with write.csv()"
_FIRST = (
    (b"%PDF", "a PDF document", "copy its table into a spreadsheet and save that"),
    (b"\x89PNG", "a picture (PNG)", ""),
    (b"\xff\xd8\xff", "a picture (JPEG)", ""),
    (b"GIF8", "a picture (GIF)", ""),
    (b"II*\0", "a picture (TIFF)", ""),
    (b"MM\0*", "a picture (TIFF)", ""),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel workbook (.xls) or Office document",
     "open it and save it as .xlsx"),
    (b"$FL2", "an SPSS file", _SPSS),
    (b"$FL3", "an SPSS file", _SPSS),
    (b"<stata_dta>", "a Stata file", _STATA),
    (b"HEADER RECORD*******", "a SAS transport file",
     _SAS_HOW),
    (b"\x93NUMPY", "a NumPy array", "save it with a header, by pandas.DataFrame(...).to_csv()"),
    (b"SQLite format 3\0", "an SQLite database", "export the table"),
    (b"MATLAB 5.0 MAT-file", "a MATLAB file", "in MATLAB, save it with writetable()"),
    (b"Obj\x01", "an Avro file", ""),
    (b"ORC", "an ORC file", ""),
    (b"Rar!", "a RAR archive", "unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "unpack it first"),
    (b"{\\rtf", "an RTF document", "copy its table into a spreadsheet and save that"),
    (b"\x7fELF", "a program", ""),
    (b"MZ", "a program", ""),
)  # fmt: skip
_SAS = bytes.fromhex("c2ea8160b31411cfbd92080009c7318c")
_PICKLE = re.compile(rb"\x80[\x02-\x05](\x95|[cC}\]()Xqj])", re.DOTALL)
_MARKUP = re.compile(rb"<(!doctype html|html|head|body|table|\?xml|div|script)\b", re.IGNORECASE)
_DTA = re.compile(rb"[\x6e-\x77][\x01\x02]\x01\x00")
_ADVICE = "save it as CSV or .xlsx"


def foreign_kind(data: bytes) -> str | None:
    """A sentence on what the data are and what to do, or None if they may be text."""
    found = next(((what, how) for first, what, how in _FIRST if data.startswith(first)), None)
    start = data[:1024].removeprefix(b"\xef\xbb\xbf").lstrip()
    if found is not None:
        pass
    elif data[16:32] == _SAS or data[12:28] == _SAS:
        found = "a SAS file", _SAS_HOW
    elif data[257:262] == b"ustar":
        found = "a tar archive", "unpack it first"
    elif _PICKLE.match(data):
        found = (
            "a Python pickle, which is not opened because it can run any code",
            "save the table with to_csv() or to_parquet()",
        )
    elif _DTA.match(data):
        found = "a Stata file", _STATA
    elif markup := _MARKUP.match(start):
        if markup[1].lower() == b"?xml" and not _MARKUP.search(start, 5):
            found = "an XML file", _ADVICE
        else:
            found = (
                "a web page (HTML), whatever its name",
                ("download the table itself, or open it in a spreadsheet and save it as CSV"),
            )
    elif re.match(rb'(\{\s*"|\[\s*[\[{])', start) and b"\n@" not in start:
        found = "JSON", "in Python, pandas.read_json() may read it; save it with to_csv()"
    if found is None:
        return None
    what, how = found
    return f"it is {what}: {how or _ADVICE}."
