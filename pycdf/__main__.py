"""`python -m pycdf`: the demo on the shipped data; with arguments, the command line `pycdf`."""

import sys

from pycdf.cli.main import main


def run() -> None:
    """Run the command; options alone, such as --seed, are the demo's."""
    given = sys.argv[1:]
    wants_demo = not given or given[0].startswith("--seed")
    main(["demo", *given] if wants_demo else given, prog_name="python -m pycdf")


if __name__ == "__main__":
    run()
