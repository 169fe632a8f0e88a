"""Excel workbooks (.xlsx, .xlsm), which need openpyxl."""

import io
import re
import warnings
import zipfile
from importlib import import_module
from typing import Any

import pandas as pd

from pycdf.files.tables.columns import table_of_rows
from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.request import Request
from pycdf.support.options import option
from pycdf.support.wording import as_escape, few

_SHEETS = "xl/worksheets/"
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # not in XML


def read_excel(data: bytes, archive: zipfile.ZipFile, request: Request) -> pd.DataFrame:
    """Read a sheet of a workbook: the one that is asked for, or the first one."""
    try:
        cells, formulas = _load(data, values=True), None
        if any(
            b"<f" in archive.read(name) for name in archive.namelist() if name.startswith(_SHEETS)
        ):
            formulas = _load(data, values=False)
        title = choose_sheet(cells.sheetnames, request)
        rows = _rows(cells[title])
        if formulas is not None:
            _check_computed(rows, _rows(formulas[title]))
    except DataFileError:
        raise
    except Exception as error:  # openpyxl lets any error of zip, XML and its own types through
        raise DataFileError(f"it is a damaged Excel workbook: {_first_line(error)}.") from None
    return table_of_rows(rows, request)


def write_excel(frame: pd.DataFrame) -> bytes:
    """The bytes of a workbook with one sheet."""
    library = openpyxl_for("writing")
    book = library.Workbook(write_only=True)
    sheet = book.create_sheet("Sheet1")

    def written(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        cell = library.cell.WriteOnlyCell(sheet, _CONTROL.sub(as_escape, value))
        cell.data_type = "s"  # also if it begins with "=", as a formula does
        return cell

    sheet.append([written(str(name)) for name in frame.columns])
    for row in frame.itertuples(index=False, name=None):
        sheet.append([None if pd.isna(cell) else written(_plain(cell)) for cell in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def choose_sheet(names: list[str], request: Request) -> str:
    """The sheet that is asked for by name or number; otherwise the first one, with a note."""
    wanted = request.options.sheet
    if not names:
        raise DataFileError("the workbook has no sheets.")
    if wanted is None:
        if len(names) > 1:
            request.notes.append(
                f"its first sheet, {names[0]!r}, was read. It also has {few(names[1:])}: pass "
                f"{option('sheet', names[1])} for the second."
            )
        return names[0]
    if wanted in names:
        return wanted
    if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return names[int(wanted) - 1]
    raise DataFileError(f"it has no sheet {wanted!r}; it has {few(names, 6)}.")


def openpyxl_for(doing: str) -> Any:
    """Return ``openpyxl``, or raise an error that says what to install for ``doing``."""
    try:
        return import_module("openpyxl")
    except ImportError:
        raise DataFileError(
            f"{doing} Excel workbooks needs openpyxl: pip install openpyxl (or use CSV)."
        ) from None


def _load(data: bytes, values: bool) -> Any:
    library = openpyxl_for("reading")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about styles and extensions, which do not matter here
        return library.load_workbook(
            io.BytesIO(data), read_only=True, data_only=values, keep_links=False
        )


def _rows(sheet: Any) -> list[tuple[Any, ...]]:
    if not hasattr(sheet, "iter_rows"):
        raise DataFileError("the sheet is a chart, without cells.")
    sheet.reset_dimensions()  # what a file says of its size may be wrong
    return list(sheet.iter_rows(values_only=True))


def _check_computed(values: list[tuple[Any, ...]], formulas: list[tuple[Any, ...]]) -> None:
    """Refuse formulas that no spreadsheet has computed: they have no values."""
    for i, (row, other) in enumerate(zip(values, formulas, strict=True)):
        for value, formula in zip(row, other, strict=True):
            if value is None and isinstance(formula, str) and formula.startswith("="):
                raise DataFileError(
                    f"row {i + 1:,} has a formula without a value ({formula[:40]}): open the "
                    "workbook in a spreadsheet program, which computes it, and save it."
                )


def _plain(cell: Any) -> Any:
    cell = cell.item() if hasattr(cell, "item") else cell
    return cell if isinstance(cell, bool | int | float | str) else str(cell)


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")[:200]
