"""Make the tables in tests/data/tables that openpyxl, LibreOffice and anndata write.

``python tests/data/make_tables.py`` needs these programs; `r_reference/record_tables.R` makes the
others. tests/files/test_other_programs.py says what is in them.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

import anndata
import numpy as np
import openpyxl
import pandas as pd
from scipy import sparse

FOLDER = Path(__file__).parent / "tables"
ROWS = [
    ["id", "x", "share", "ok", "day", "word"],
    ["p1", 0.1, "=B2*2", True, pd.Timestamp("2020-01-31").to_pydatetime(), "Größe"],
    ["p2", None, "=1/0", False, None, "two  blanks"],
    ["p3", -2, "=B4*2", True, None, "01"],
]


def spreadsheets():
    """A workbook, computed and saved by LibreOffice in its formats."""
    book = openpyxl.Workbook()
    book.active.title = "data"
    for row in ROWS:
        book.active.append(row)
    book.create_sheet("notes").append(["nothing"])
    with tempfile.TemporaryDirectory() as folder:
        book.save(Path(folder) / "libreoffice.xlsx")
        made = Path(folder) / "made"
        for form in ("xlsx:Calc MS Excel 2007 XML", "ods", "xls", "csv"):
            subprocess.run(
                ["soffice", "--headless", "--convert-to", form, "--outdir", made,
                 Path(folder) / "libreoffice.xlsx"],
                check=True, capture_output=True,
            )  # fmt: skip
        for path in made.iterdir():
            shutil.copy(path, FOLDER / path.name)


def annotated():
    """Three cells and two genes, dense and sparse."""
    anndata.settings.allow_write_nullable_strings = True
    cells = pd.Index(["c1", "c2", "c3"], dtype=object)
    obs = pd.DataFrame(
        {
            "kind": pd.Categorical(["T", "B", None]),
            "depth": [10, 20, 30],
            "ok": [True, False, True],
            "batch": pd.Series(["u", "v", "u"], dtype=object, index=cells),
            "score": pd.array([1, None, 3], dtype="Int64"),
        },
        index=cells,
    )
    X = np.array([[0.0, 1.5], [2.0, 0.0], [0.0, 0.0]])
    for name, matrix in {
        "dense": X,
        "csr": sparse.csr_matrix(X),
        "csc": sparse.csc_matrix(X),
    }.items():
        var = pd.DataFrame(index=pd.Index(["g1", "g2"], dtype=object))
        data = anndata.AnnData(matrix, obs=obs.copy(), var=var, layers={"counts": 10 * X})
        data.write_h5ad(FOLDER / f"{name}.h5ad", compression="gzip" if name == "csr" else None)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    spreadsheets()
    annotated()
