"""The command `pycdf report`; :mod:`pycdf.cli.report` declares its options."""

import shlex
from pathlib import Path
from typing import Any

import click

from pycdf.cli.console import kept_notes, say
from pycdf.cli.labelled_rows import check_label, in_file_words, read_labelled_rows
from pycdf.cli.table_input import check_folder, shown_name
from pycdf.files.atomic import write_whole
from pycdf.files.model import load_model
from pycdf.report.html import today, write_page
from pycdf.report.inputs import GivenRows, Origin, read_inputs


def report(model: str, output: str, **given: Any) -> None:
    """Write a report."""
    check_folder(output)
    check_label(given)
    loaded = load_model(model)
    with kept_notes() as notes:
        data, test = (read_labelled_rows(loaded, table, given) for table in ("data", "test"))
    command = ["pycdf", *click.get_current_context().find_root().obj]
    origin = Origin(
        Path(model).name, today(), shlex.join(command), tuple(notes),
        shown_name(given["test"] or ""),
    )  # fmt: skip
    with in_file_words(given):
        page = write_page(
            read_inputs(
                loaded,
                GivenRows(*(data or ())),
                GivenRows(*(test or ())),
                given["seed"],
                origin,
            )
        )
    content = page.encode()
    write_whole(output, content)
    say(f"{output}: {len(content) / 1000:,.0f} kB")
