"""Use pycdf for long and badly: many rounds, kills, interrupts, full disks, forks.

    nox -s soak                      the whole, about half an hour
    nox -s soak -- --scale 0.02      a quick look
    nox -s soak -- saving forks      some parts only

Every part checks all that it does, says what it did in a line, and stops at the first fault.
"""

import argparse
import contextlib
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import numpy as np

from pycdf import CDFClassifier, load, load_darwin

X, Y = load_darwin()
ROWS = X.to_numpy()
FLAT = 8.0  # megabytes that the second half of the rounds may add
PATIENCE = 120  # seconds until a child counts as hanging
Random = random.Random


def same_forest(one: CDFClassifier, other: CDFClassifier) -> bool:
    """Whether all arrays of two forests are equal."""
    pairs = zip(one.model_.forest, other.model_.forest, strict=True)
    return all(np.array_equal(a, b) for a, b in pairs)


def check(right: object, fault: str) -> None:
    """Stop with a sentence if something is not as it has to be."""
    if not right:
        raise SystemExit(f"soak: {fault}")


# ---- processes -----------------------------------------------------------------------------------


def fork(work: Callable[[], None]) -> int:
    """Run work in a forked child, which ends with exit code 0 if it returns."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        work()
        code = 0
    except BaseException as problem:
        print(f"child: {problem!r}", file=sys.stderr, flush=True)
    os._exit(code)


def exit_code(pid: int) -> int:
    """Wait for a child, but not forever."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    raise SystemExit(f"soak: a child hung for {PATIENCE} s")


def megabytes() -> float:
    """Memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


# ---- the parts -----------------------------------------------------------------------------------


def rounds(count: int, rng: Random, folder: Path) -> str:
    """Fit, predict, save, load; memory, threads and open files stay as they are."""
    path = folder / "model.cdf"
    memory = []
    for number in range(count):
        columns = rng.sample(range(ROWS.shape[1]), rng.randint(5, 60))
        model = CDFClassifier(
            ntrees=rng.randint(1, 40), depth=rng.randint(1, 4), seed=number,
            streams=rng.choice(["r", "per_tree"]), n_jobs=rng.choice([None, 1, 2]),
            oob_score=rng.random() < 0.2,
        ).fit(ROWS[:, columns], Y)  # fmt: skip
        answer = model.predict_proba(ROWS[:, columns])
        model.save(path)
        again = load(path)
        check(same_forest(model, again), f"round {number}: the file holds another forest")
        same = np.array_equal(again.predict_proba(ROWS[:, columns]), answer)
        check(same, f"round {number}: the loaded model answers otherwise")
        memory.append(megabytes())
    half, end = max(memory[: count // 2 + 1]), max(memory[count // 2 :])
    check(end - half < FLAT, f"memory grew from {half:.0f} to {end:.0f} MB")
    check(threading.active_count() == 1, "threads are left")
    return f"memory at most {half:.0f} MB in the first half, {end:.0f} MB in the second"


def saving(count: int, rng: Random, folder: Path) -> str:
    """SIGKILL while two models are saved in turn: the file is always one of them."""
    path = folder / "model.cdf"
    models = [CDFClassifier(ntrees=n, seed=n).fit(ROWS, Y) for n in (30, 300)]
    begin = time.monotonic()
    for model in models:
        model.save(path)
    usual = time.monotonic() - begin
    met, left = [0, 0], 0

    def save_forever() -> None:
        while True:
            for model in models:
                model.save(path)

    for _ in range(count):
        pid = fork(save_forever)
        time.sleep(rng.uniform(0, 3) * usual)
        os.kill(pid, signal.SIGKILL)
        check(exit_code(pid) == -signal.SIGKILL, "the child ended by itself")
        found = [same_forest(load(path), model) for model in models]
        check(any(found), "after a kill the file is none of the models that were saved")
        met[found.index(True)] += 1
        left += len(list(folder.glob(".*.part")))
        for part in folder.glob(".*.part"):
            part.unlink()
    return f"the file was whole each time ({met[0]} and {met[1]}); {left} hidden parts were left"


def interrupts(count: int, rng: Random, folder: Path) -> str:
    """SIGINT in fits and predictions: they stop soon, and the model is as before."""
    few = CDFClassifier(ntrees=20, seed=3).fit(ROWS, Y)
    many = np.tile(ROWS, (200, 1))
    wide = CDFClassifier(ntrees=2_000, depth=2, k=5, mtry=10, seed=3).fit(ROWS, Y)
    expected = few.predict_proba(ROWS), wide.predict_proba(ROWS)
    slowest = 0.0
    for number in range(count):
        ready, begun = os.pipe()
        n_jobs, fits = rng.choice([1, 2]), number % 2 == 0

        def work(begun: int = begun, n_jobs: int = n_jobs, fits: bool = fits) -> None:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            model = few if fits else wide
            model.set_params(n_jobs=n_jobs, warm_start=True)
            try:
                os.write(begun, b".")
                while True:
                    if fits:
                        model.set_params(ntrees=2_000_000).fit(ROWS, Y)
                    else:
                        model.predict(many)
            except KeyboardInterrupt:
                pass
            # One that was being started is not waited for; it was told to stop all the same.
            end = time.monotonic() + 5
            while threading.active_count() > 1 and time.monotonic() < end:
                time.sleep(0.01)
            check(threading.active_count() == 1, "an interrupt left threads")
            same = np.array_equal(model.predict_proba(ROWS), expected[0 if fits else 1])
            check(same, "after an interrupt the model answers otherwise")

        pid = fork(work)
        os.read(ready, 1)
        time.sleep(rng.uniform(0, 0.3))
        sent = time.monotonic()
        os.kill(pid, signal.SIGINT)
        check(exit_code(pid) == 0, "a child failed after an interrupt")
        slowest = max(slowest, time.monotonic() - sent)
        os.close(ready)
        os.close(begun)
    return f"the slowest took {slowest:.2f} s to stop and to answer again"


def disks(count: int, rng: Random, folder: Path) -> str:
    """A disk that fills up at any byte of a file: an error, and the file is as before."""
    path = folder / "model.cdf"
    small, large = (CDFClassifier(ntrees=n, seed=n).fit(ROWS, Y) for n in (5, 100))
    large.save(path)
    size = path.stat().st_size
    small.save(path)
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    for _ in range(count):
        resource.setrlimit(resource.RLIMIT_FSIZE, (rng.randrange(size), limit[1]))
        try:
            large.save(path)
        except OSError:
            full = True
        else:
            full = False
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        check(full, "a file was written to a full disk without an error")
        check(same_forest(load(path), small), "a full disk cost the file that was there")
        check(os.listdir(folder) == [path.name], "a full disk left parts of a file")
    return "each was an error, and the old file stayed"


def forks(count: int, rng: Random, folder: Path) -> str:
    """Forks while threads of the parent fit and predict: every child grows the same forest."""
    model = CDFClassifier(ntrees=30, seed=1).fit(ROWS, Y)
    stop = threading.Event()

    def busy(seed: int) -> None:
        while not stop.is_set():
            other = CDFClassifier(ntrees=20, seed=seed, n_jobs=2).fit(ROWS, Y)
            other.predict(ROWS)

    def work() -> None:
        again = CDFClassifier(ntrees=30, seed=1, n_jobs=2).fit(ROWS, Y)
        check(same_forest(again, model), "a child grew another forest")

    threads = [threading.Thread(target=busy, args=(seed,)) for seed in (5, 6)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(count):
            time.sleep(rng.uniform(0, 0.05))
            check(exit_code(fork(work)) == 0, "a child failed")
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    return "every child grew the same forest"


def comparisons(count: int, rng: Random, folder: Path) -> str:
    """SIGKILL of `pycdf compare` at any moment: the same command goes on to the same results."""
    X.iloc[:, :20].assign(Y=Y).to_csv(folder / "data.csv", index=False)
    few = ("--methods", "cdf(ntrees=20),cart,knn", "--splits", "40", "--quick")
    command = [sys.executable, "-m", "pycdf", "compare", "data.csv", *few, "-o"]
    how = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    begin = time.monotonic()
    done = subprocess.run([*command, "whole"], check=False, **how)
    usual = time.monotonic() - begin
    check(done.returncode == 0, f"compare failed: {done.stderr}")
    whole, kills, number = (folder / "whole" / "results.csv").read_bytes(), 0, 0
    while kills < count:
        out = folder / f"out{number}"
        while True:
            process = subprocess.Popen([*command, out.name], start_new_session=True, **how)
            with contextlib.suppress(subprocess.TimeoutExpired):
                _, said = process.communicate(timeout=rng.uniform(0.2, 1.3) * usual)
                check(process.returncode == 0, f"compare failed: {said}")
                break
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            kills += 1
        check((out / "results.csv").read_bytes() == whole, "a resumed run has other results")
        number += 1
    return f"{kills} kills; {number} runs came to the same end"


PARTS: dict[str, tuple[Callable[[int, Random, Path], str], int]] = {
    "rounds": (rounds, 2_000),
    "saving": (saving, 100),
    "interrupts": (interrupts, 100),
    "disks": (disks, 100),
    "forks": (forks, 100),
    "comparisons": (comparisons, 20),
}


def main() -> NoReturn:
    """Parse the command line and run the parts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", help=f"some of: {', '.join(PARTS)}")
    parser.add_argument("--scale", type=float, default=1.0, help="of all counts")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    os.environ["PYCDF_QUIET"] = "1"
    for name in options.parts or PARTS:
        work, times = PARTS[name]
        count, begin = max(2, round(times * options.scale)), time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            told = work(count, Random(f"{options.seed} {name}"), Path(folder))
        print(f"{name}: {count} times in {time.monotonic() - begin:.0f} s; {told}", flush=True)
    sys.exit(0)


if __name__ == "__main__":
    main()
