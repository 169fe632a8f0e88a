"""A progress bar that keeps what it is told, in place of ``pycdf.support.progress.ProgressBar``."""


class Recorder:
    """The calls of the last bar that was wanted."""

    told: list[tuple[int, int]]

    def __init__(self, wanted=True, unit="trees"):
        self.wanted = wanted
        Recorder.told = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def __call__(self, done, total):
        if self.wanted:
            self.told.append((done, total))
