"""Mutated tables: damaged files of every format must be read or refused, at once.

``python tests/table_mutations.py 10000`` (`nox -s fuzz`) mutates files at random, in processes of
their own, and reports what crashed, hung, took much memory or raised anything but DataFileError. A
file is named by its number, so ``--only NUMBER`` repeats it. tests/files/test_damaged_tables.py
runs a few hundred.
"""

import argparse
import collections
import faulthandler
import gzip
import io
import resource
import signal
import subprocess
import sys
import tempfile
import time
import warnings
import zipfile
from pathlib import Path

import numpy as np

SECONDS = 20  # for one file, on a busy machine
MEGABYTES = 700  # more than before; 512 are always allowed
HERE = Path(__file__).parent


def seeds():
    """Sound files by name."""
    from messy_files import FILES

    found = {
        file.label: file.content
        for file in FILES
        if file.refused is None and len(file.content) < 20_000
    }
    for path in sorted((HERE / "data" / "tables").iterdir()):
        found[path.name] = path.read_bytes()
    return found


def mutated(data, others, random):
    """A damaged copy: bytes changed, removed, repeated, moved or taken from another file."""
    made = bytearray(data)
    for _ in range(int(random.integers(1, 6))):
        size = max(len(made), 1)
        at, length = int(random.integers(size)), int(random.integers(1, 64))
        how = random.integers(8)
        if how == 0:
            made[at : at + 1] = bytes([random.integers(256)])
        elif how == 1:
            del made[at : at + length]
        elif how == 2:
            made[at:at] = made[at : at + length] * int(random.integers(1, 50))
        elif how == 3:
            del made[at:]
        elif how == 4:
            made[at : at + 4] = random.choice(
                [b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x00\x00\x00\x00", b"\xff\xff\xff\x7f"]
            )
        elif how == 5:
            other = others[random.integers(len(others))]
            start = int(random.integers(max(len(other), 1)))
            made[at : at + length] = other[start : start + length]
        elif how == 6:
            made[at:at] = random.choice(
                [b'"', b",", b";", b"\n", b"\r", b"\0", b"\xff", b"{", b"'", b"9" * 40]
            )
        else:
            bit = 1 << int(random.integers(8))
            if at < len(made):
                made[at] ^= bit
    return bytes(made)


def damaged(number, sound):
    """The file of this number: the name of the sound one, and the damaged content."""
    random = np.random.default_rng(number)
    names, contents = list(sound), list(sound.values())
    name = names[number % len(names)]
    data = sound[name]
    inside = random.random() < 0.7  # otherwise only the packing would ever be damaged
    if inside and data[:2] == b"\x1f\x8b":
        return name, gzip.compress(mutated(gzip.decompress(data), contents, random), 1)
    if inside and data[:4] == b"PK\x03\x04":
        file = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
            members = old.namelist()
            chosen = members[random.integers(len(members))] if members else None
            for member in members:
                content = old.read(member)
                new.writestr(
                    member, mutated(content, contents, random) if member == chosen else content
                )
        return name, file.getvalue()
    return name, mutated(data, contents, random)


def outcome(path):
    """What came of a file: "read", "refused", or the error."""
    from pycdf import DataFileError, read_table

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frame = read_table(path)
    except DataFileError as error:
        text = str(error).removeprefix(f"{path}: ")
        return "refused" if text.strip() and "\n" not in text else f"message {text!r}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "read" if frame.shape[0] and frame.shape[1] else f"shape {frame.shape}"


def run(first, last):
    """Read the files of these numbers in this process; print one line for each that went wrong."""
    faulthandler.enable()
    sound = seeds()
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.dat"
        path.write_bytes(b"a,b\n1,2\n")
        outcome(path)  # kernels are compiled and libraries imported
        for name in ("frame_gzip.rds", "libreoffice.xlsx", "csr.h5ad"):
            path.write_bytes(sound[name])
            outcome(path)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for number in range(first, last):
            name, content = damaged(number, sound)
            path.write_bytes(content)
            print(f"at {number} {name}", flush=True)
            signal.alarm(SECONDS)
            started = time.perf_counter()
            found = outcome(path)
            signal.alarm(0)
            counts[found if found in ("read", "refused") else "wrong"] += 1
            if found not in ("read", "refused"):
                print(f"WRONG {number} {name}: {found}", flush=True)
            taken = time.perf_counter() - started
            if taken > SECONDS / 4:
                print(f"SLOW {number} {name}: {taken:.1f} s", flush=True)
            now = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            if now - before > MEGABYTES * 1024:
                print(f"LARGE {number} {name}: {(now - before) // 1024} MB", flush=True)
                before = now
    print("counts", *(f"{kind}={count}" for kind, count in sorted(counts.items())), flush=True)


def main():
    """Run many files in processes of a few hundred; exit with 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=10_000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--within", type=int, nargs=2)
    given = parser.parse_args()
    if given.within:
        run(*given.within)
        return
    if given.only is not None:
        run(given.only, given.only + 1)
        return
    totals, wrong, told = collections.Counter(), [], 0
    at, end = given.start, given.start + given.count
    while at < end:
        last = min(at + 500, end)
        done = subprocess.run(
            [sys.executable, __file__, "--within", str(at), str(last)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        lines = done.stdout.splitlines()
        wrong += [line for line in lines if line.startswith(("WRONG", "SLOW", "LARGE"))]
        reached = [line.split()[1] for line in lines if line.startswith("at ")]
        for line in lines:
            if line.startswith("counts"):
                totals.update({k: int(v) for k, v in (one.split("=") for one in line.split()[1:])})
        if done.returncode and not reached:
            sys.exit(done.stderr)
        if done.returncode:
            wrong.append(f"CRASH {reached[-1]}: code {done.returncode}: {done.stderr[-400:]}")
            at = int(reached[-1]) + 1  # the counts of this part are lost
        else:
            at = last
        print(
            f"{at - given.start} of {given.count}",
            dict(totals),
            *wrong[told:],
            sep="\n",
            flush=True,
        )
        told = len(wrong)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
