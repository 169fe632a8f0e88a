"""Pictures that commands write: the format by the file's name, and no window."""

from pathlib import Path

import click

from pycdf.plots.files import picture_forms
from pycdf.plots.style import need_matplotlib


def picture_format(output: str) -> str:
    """The format of a picture, from its file name."""
    _draw_to_files_only()
    suffix = Path(output).suffix.lower().lstrip(".")
    formats = picture_forms()
    if suffix not in formats:
        raise click.UsageError(
            f"{output}: the name must end with a picture format, such as .svg, .png or .pdf "
            f"(supported: {', '.join(formats)})."
        )
    return suffix


def _draw_to_files_only() -> None:
    """Choose a backend without windows, even if there is a display."""
    try:
        need_matplotlib()
    except ImportError as error:
        raise click.ClickException(str(error)) from None
    import matplotlib

    matplotlib.use("Agg")
