"""The command line: options in light modules, the work in run_* modules that import the heavy ones."""
