"""The layout of the package: rooms import in one direction, and what is private stays private."""

import ast
from pathlib import Path

import pytest

import pycdf

PACKAGE = Path(pycdf.__file__).parent
# A room imports only from itself and from rooms above it. The kernel room imports from no other:
# its cache key covers its own files alone.
ROOMS = (
    ("support",),
    ("datasets",),
    ("kernels",),
    ("base_r",),
    ("inputs",),
    ("forest",),
    ("files",),
    ("api", "result", "classifier", "fitted_forest", "loading", "laboratory", "validation"),
    ("explain",),
    ("plots",),
    ("report",),
    ("experiment",),
    ("tuning",),
    ("cli",),
)
LEVEL = {name: level for level, names in enumerate(ROOMS) for name in names}
MODULES = sorted(PACKAGE.rglob("*.py"))
LONGEST = 300  # lines of a module; a few more are no defect
# Underscored names that are public by convention: namedtuples' methods, and what numba and the
# interpreter offer under such a name.
FOREIGN = {
    "_asdict", "_fields", "_getframe", "_make", "_replace", "_cache", "_lock", "_rebuild",
    "_reduce", "_check_llvm_bugs", "_linking_libraries",
}  # fmt: skip


def room_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def name_of(path):
    return str(path.relative_to(PACKAGE))


def imported(tree):
    """Pairs of a module of the package and a name taken from it; None for the module itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield node.module, alias.name
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, None


def rooms_used(tree):
    for module, name in imported(tree):
        parts = module.split(".")
        if parts[0] == "pycdf":
            room = parts[1] if len(parts) > 1 else name
            if room in LEVEL:  # not so pycdf.__version__
                yield room


def test_every_module_is_in_a_room():
    found = {room_of(path) for path in MODULES} - {"__init__", "__main__"}
    assert found == set(LEVEL)


@pytest.mark.parametrize("path", [p for p in MODULES if room_of(p) in LEVEL], ids=name_of)
def test_a_room_imports_only_from_rooms_above_it(path):
    room = room_of(path)
    used = set(rooms_used(ast.parse(path.read_text(encoding="utf-8"))))
    later = {other for other in used if LEVEL[other] > LEVEL[room]}
    assert not later
    if room == "kernels":
        assert used <= {"kernels"}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_module_reads_what_is_private_to_another(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("self", "cls")
    }
    own |= {
        node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    }
    own |= {
        node.target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    own |= {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    read = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and is_private(node.attr)
    }
    taken = {
        name
        for module, name in imported(tree)
        if module.startswith("pycdf") and name and is_private(name)
    }
    assert read - own - FOREIGN == set()
    assert taken == set()


def is_private(name):
    return name.startswith("_") and not name.endswith("__")


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_has_one_idea(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST * 1.1


def test_tests_mirror_the_rooms():
    tests = Path(__file__).parents[1]
    folders = {path.name for path in tests.iterdir() if list(path.glob("test_*.py"))}
    assert folders - {"project"} <= {room for rooms in ROOMS for room in rooms}
