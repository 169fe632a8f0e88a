"""The command line. Options are in light modules; ``run_*`` modules import the heavy ones."""
