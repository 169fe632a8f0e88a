"""The project's chores: `nox -l` lists them, `nox -s NAME` runs one."""

import os
import random
import runpy
import shutil
from pathlib import Path

import nox

ROOT = Path(__file__).parent
PROJECT = nox.project.load_toml("pyproject.toml")

nox.options.sessions = ["lint", "tests"]
nox.options.error_on_missing_interpreters = True


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, format and types."""
    session.install(".[plot]", *nox.project.dependency_groups(PROJECT, "lint"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    session.run("mypy", "tests/typing/mistakes.py")


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests that need no R."""
    session.install(".[test]")
    session.run("pytest", *session.posargs)


@nox.session
def endurance(session: nox.Session) -> None:
    """Run the tests that `tests` leaves out, as they are slow by nature: kills, forks, browsers."""
    session.install(".[test]")
    session.run("pytest", "-m", "endurance", *session.posargs)


@nox.session
def random_order(session: nox.Session) -> None:
    """Run the tests in a random order, which is printed (`-- SEED` repeats one)."""
    session.install(".[test]")
    seed, *rest = session.posargs or [str(random.randrange(10**6))]
    session.run("pytest", "--shuffle", seed, *rest)


@nox.session
def coverage(session: nox.Session) -> None:
    """Measure which lines and branches all tests reach; kernels also run as plain Python for it."""
    session.install(".[test]", *nox.project.dependency_groups(PROJECT, "coverage"))
    session.run("coverage", "erase")
    everything = {"PYCDF_PLAIN_PYTHON": "all"}
    for chosen in [session.posargs] if session.posargs else [(), ("-m", "endurance")]:
        session.run("coverage", "run", "-m", "pytest", *chosen, env=everything)
    session.run("coverage", "combine", "--quiet")
    session.run("coverage", "report")
    session.run("coverage", "json", "--quiet", "-o", "build/coverage.json")
    floors = () if session.posargs else ("--floors",)  # some of the tests reach less than all
    session.run("python", "tools/coverage_by_room.py", "build/coverage.json", *floors)


@nox.session
def mutants(session: nox.Session) -> None:
    """Change pycdf in small wrong ways and see whether a test fails (`-- --help`)."""
    session.install(".[test]", *nox.project.dependency_groups(PROJECT, "coverage"))
    session.run("python", "tools/mutants", *session.posargs)


@nox.session
def soak(session: nox.Session) -> None:
    """Use pycdf for long: many rounds, kills, interrupts, full disks, forks (`-- --scale 0.02`)."""
    session.install(".")
    session.run("python", "tools/soak.py", *session.posargs)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Read 10,000 damaged tables of all formats (`-- 1000` for fewer), with limits on each."""
    session.install(".[test]")
    session.run("python", "tests/table_mutations.py", *session.posargs)


@nox.session
def clusters(session: nox.Session) -> None:
    """Grow on real local clusters of dask, Ray and Spark (needs Java), with workers killed."""
    session.install(".[test]", "ray", "pyspark", "joblibspark")
    session.run("pytest", "tests/forest/test_cluster.py", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the pages of docs/ into build/docs; a warning is an error."""
    session.install(".[plot]", *nox.project.dependency_groups(PROJECT, "docs"))
    session.run("sphinx-build", "-W", "--keep-going", "-E", "docs", "build/docs")


@nox.session
def anndata(session: nox.Session) -> None:
    """Run the tests that need AnnData, which does not work with pandas 3 yet."""
    session.install(".[test]", "anndata")
    session.run("pytest", "tests/inputs/test_containers.py", *session.posargs)


@nox.session
def lowest(session: nox.Session) -> None:
    """Run the same tests with the oldest dependencies that pyproject.toml allows."""
    oldest = [name.replace(">=", "==") for name in PROJECT["project"]["dependencies"]]
    session.install(".[test]", *oldest)
    session.run("pytest", *session.posargs)


@nox.session
def prereleases(session: nox.Session) -> None:
    """Run the same tests with the newest numba, NumPy, pandas and scikit-learn, even unreleased."""
    session.install(".[test]")
    # Beyond the upper bound of numba, which the next release of pycdf should raise if this passes.
    newest = ["numba", "numpy", "pandas", "scikit-learn"]
    session.install("--pre", "--upgrade", "--no-deps", *newest, "llvmlite")
    session.run("pytest", *session.posargs)


@nox.session
def parity(session: nox.Session) -> None:
    """Compare with the R package itself, call by call (needs R)."""
    environment = prepare_r(session, "comparators")
    choose = runpy.run_path(str(ROOT / "r_reference" / "choose_rpy2.py"))["requirements"]
    session.install(".[test]")
    # rpy2 is compiled against the R at hand: a wheel in pip's cache may belong to another R.
    requirements = choose(ask_r(session, "format(getRversion())"))
    session.install("--no-cache-dir", *requirements, env=environment)
    session.run("pytest", "parity_tests", *session.posargs, env=environment)


@nox.session(venv_backend="none")
def golden(session: nox.Session) -> None:
    """Record R's golden answers in tests/golden and tests/data anew (needs R)."""
    environment = prepare_r(session)
    for script in ("record_golden.R", "record_text.R"):
        session.run("Rscript", f"r_reference/{script}", env=environment, external=True)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure R, ranger, scikit-learn and pycdf side by side (without R: the Python side)."""
    r_environment = prepare_r(session) if shutil.which("Rscript") else {}
    session.install(".", "-r", "benchmarks/requirements.txt")
    oblique = Path(session.create_tmp()) / "treeple"  # not built for the newest scikit-learn
    session.run("python", "-m", "venv", str(oblique))
    python = oblique / ("Scripts" if os.name == "nt" else "bin") / "python"
    needed = ["treeple==0.10.3", "scikit-learn==1.6.1", "pandas"]
    session.run(str(python), "-m", "pip", "install", "-q", *needed, external=True)
    environment = r_environment | {"PYCDF_TREEPLE_PYTHON": str(python)}
    session.run("python", "-m", "benchmarks", *session.posargs, env=environment)


def prepare_r(session: nox.Session, *more: str) -> dict[str, str]:
    """Fill the project's own R library; return the environment that fixes library and locale."""
    if shutil.which("Rscript") is None:
        session.error(
            "Rscript was not found. Install R 4.2 or later with a compiler and its headers "
            "(Debian, Ubuntu: apt-get install r-base-core r-base-dev; macOS: brew install r)"
        )
    library = Path(os.environ.get("PYCDF_R_LIBRARY", ROOT / ".r-library")).resolve()
    # C.UTF-8 makes R sort labels as ICU's root collation does, on every machine.
    environment = {"LC_ALL": "C.UTF-8", "PYCDF_R_LIBRARY": str(library), "R_LIBS": str(library)}
    session.run("Rscript", "r_reference/install.R", *more, env=environment, external=True)
    # Outside the system's folders the linker finds libR, and a BLAS of R's own, only this way.
    folders = [ask_r(session, 'R.home("lib")'), os.environ.get("LD_LIBRARY_PATH")]
    environment["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, folders))
    return environment


def ask_r(session: nox.Session, code: str) -> str:
    """What R answers, as text."""
    answer = session.run(
        "Rscript", "--vanilla", "-e", f"cat({code})", external=True, silent=True, log=False
    )
    assert isinstance(answer, str)
    return answer.strip()
