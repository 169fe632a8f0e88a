"""How the suite itself is run: what `pytest` alone chooses, and in which order."""

import itertools
from types import SimpleNamespace

import conftest
import pytest
from programs import python_ok


def config(**options):
    usual = {"file_or_dir": [], "keyword": "", "markexpr": "", "shuffle": None}
    found = SimpleNamespace(option=SimpleNamespace(**usual | options))
    found.getoption = vars(found.option).get
    return found


@pytest.mark.parametrize(
    ("options", "marks"),
    [
        ({}, "not endurance"),
        ({"markexpr": "endurance"}, "endurance"),
        ({"keyword": "cluster"}, ""),
        ({"file_or_dir": ["tests/forest/test_cluster.py"]}, ""),
    ],
    ids=["nothing", "-m", "-k", "a file"],
)
def test_whoever_names_tests_gets_those_of_endurance_too(options, marks):
    ours = config(**options)
    conftest.pytest_configure(ours)
    assert ours.option.markexpr == marks
    workers = 0 if "file_or_dir" in options else None
    assert conftest.pytest_xdist_auto_num_workers(ours) == workers


def test_a_random_order_can_be_repeated_and_keeps_files_whole():
    tests = [SimpleNamespace(path=path, name=name) for path in "abcd" for name in range(9)]
    orders = []
    for seed in (None, "1", "1", "2"):
        items = list(tests)
        conftest.pytest_collection_modifyitems(config(shuffle=seed), items)
        orders.append([(one.path, one.name) for one in items])
    plain, one, again, other = orders
    assert plain == [(test.path, test.name) for test in tests]
    assert one == again != other
    assert plain not in (one, other)
    for order in (one, other):
        assert sorted(order) == plain
        assert sum(a[0] != b[0] for a, b in itertools.pairwise(order)) == 3


def test_help_lists_our_options():
    assert "--shuffle=SEED" in python_ok("-m", "pytest", "--help", cwd=conftest.ROOT)
