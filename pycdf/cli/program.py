"""Run a command, and report its errors in one line, without usage or traceback.

Exit codes: 0 for success, 1 for unusable data, 2 for a wrong command line, 130 for an interrupt.
"""

import errno
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from pycdf.cli.console import say
from pycdf.cli.option_names import as_option
from pycdf.support.options import spelled_by
from pycdf.support.wording import visible

_DISK_FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


class Program(click.Group):
    """A group of commands that reports errors in one line, without usage or traceback."""

    def main(self, args: Sequence[str] | None = None, **extra: Any) -> Any:  # type: ignore[override]
        """Run a command, and exit with the matching code."""
        extra["standalone_mode"] = False
        extra["obj"] = list(sys.argv[1:] if args is None else args)  # as typed, for the report
        try:
            with spelled_by(as_option):
                code = super().main(args, **extra)
            sys.stdout.flush()
        except click.UsageError as error:
            command = error.ctx.command_path if error.ctx else "pycdf"
            click.echo(f"{command}: {visible(error.format_message())}", err=True)
            click.echo(f"Try '{command} --help'.", err=True)
            sys.exit(2)
        except click.ClickException as error:
            _fail(error.format_message())
        except (click.Abort, KeyboardInterrupt):
            click.echo("", err=True)
            sys.exit(130)
        except BrokenPipeError:  # the reader, such as `head`, has stopped reading
            _close_stdout()
            sys.exit(1)
        except OSError as error:
            name = error.filename
            if name is None and error.errno in _DISK_FULL:
                name = "stdout"
                _close_stdout()
            what = error.strerror or str(error)
            _fail(f"{name}: {what}" if name else what)
        except (ValueError, TypeError) as error:
            _fail(str(error))
        sys.exit(code if isinstance(code, int) else 0)


def work_of(command: str) -> Any:
    """The module that does the work of a command, such as `run_cv`, imported if it has not been.

    What is imported stays until the end. To look for garbage among these 300,000 objects, while
    they come and once more on exit, would take a tenth of the time of a short command.
    """
    name = f"pycdf.cli.run_{command}"
    if name in sys.modules:
        return sys.modules[name]
    gc.disable()
    try:
        return import_module(name)
    finally:
        gc.freeze()
        gc.enable()


def _close_stdout() -> None:
    """Send what is left of the output to nowhere: Python would try again to write it on exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _fail(message: str) -> None:
    say(message)
    sys.exit(1)
