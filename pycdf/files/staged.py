"""Write several files that belong together: all of them are replaced, or none."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """A folder to write files to; at the end of the ``with`` block they move to ``folder``.

    If something fails before that, for example because the disk is full, ``folder`` is as it was.
    An ``OSError`` names the file as it would have been called.
    """
    stage = folder / ".unfinished"
    shutil.rmtree(stage, ignore_errors=True)  # left by a process that was killed
    try:
        stage.mkdir()
        yield stage
        for path in sorted(stage.iterdir()):
            os.replace(path, folder / path.name)
    except OSError as error:
        if error.errno is None:
            raise
        name = Path(os.fsdecode(error.filename or stage)).name
        wanted = folder if name == stage.name else folder / name
        raise OSError(error.errno, error.strerror, str(wanted)) from None
    finally:
        shutil.rmtree(stage, ignore_errors=True)
