"""The command `tune`: search for the settings of a forest that suit the data."""

from typing import Any

from pycdf.cli.console import say
from pycdf.cli.output import check_escaping, show_table
from pycdf.cli.picture_output import picture_format
from pycdf.cli.run_forest import say_seed
from pycdf.cli.table_checks import check_training, in_file_words
from pycdf.cli.table_input import check_folder, check_output, read_table
from pycdf.files.atomic import write_whole
from pycdf.files.model import save_model
from pycdf.inputs.data_checks import check_rows
from pycdf.inputs.label_checks import class_counts
from pycdf.inputs.labels import read_labels
from pycdf.inputs.notes import warn_of
from pycdf.inputs.prepare import clean
from pycdf.inputs.tables import read_matrix
from pycdf.plots.files import picture_bytes
from pycdf.tuning.search import search_settings

_SEARCH = ("budget", "seconds", "measure", "nested", "ntrees", "seed")


def run_tune(
    data: str, label: str, output: str, model: str | None, picture: str | None, **given: Any
) -> None:
    """Search, and write the table, the model and the picture; the data are cleaned as in R."""
    check_output(output)
    check_escaping(output, given["escape_formulas"])
    for path in (model, picture):
        if path is not None:
            check_folder(path)
    form = None if picture is None else picture_format(picture)
    table = read_table(data, label, given)
    labels, told = check_training(table, label, given)
    say(class_counts(labels))
    with in_file_words(table.name, label, told=told):
        read = read_labels(table.labels)
        matrix = read_matrix(table.features, "xtrain")
        check_rows(matrix, read)
        cleaned = clean(matrix, read_matrix(table.features.iloc[:0], "xtest"), read, given["jobs"])
        warn_of(cleaned.notes)
        found = search_settings(
            cleaned.training, space=None, n_jobs=given["jobs"], progress=True,
            **{name: given[name] for name in _SEARCH},
        )  # fmt: skip
    show_table(found.table.reset_index(), output, given["escape_formulas"])
    if model is not None:
        save_model(found.estimator.model_, model)
    if picture is not None and form is not None:
        write_whole(picture, picture_bytes(found.plot(), form))
    say_seed(given, found.seed)
    for line in repr(found).splitlines():
        say(line)
