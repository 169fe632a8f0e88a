"""The names of options of commands, for messages of functions (:mod:`pycdf.support.options`)."""

import shlex

from pycdf.support.options import UNSAID

_NAMES = {"label": "-y", "n_jobs": "--jobs", "n_repeats": "--repeats", "seeds": "--repeats"}


def as_option(name: str, value: object) -> str:
    """An argument of a function as the option of a command."""
    if name == "out_of_bag":  # training rows are predicted out of bag, other rows by all trees
        return "--data" if value else "--test"
    option = _NAMES.get(name, f"--{name.replace('_', '-')}")
    if value is None or value is False:
        return f"no {option}"
    if value is UNSAID or value is True:
        return option
    typed = str(value).replace("\t", "\\t")
    return f"{option} {shlex.quote(typed)}"
