"""Methods written as text: how they are split, read and looked up on disk."""

import sys
from types import SimpleNamespace

import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from pycdf.experiment import class_names, specs
from pycdf.experiment.class_names import is_full_name, load_class
from pycdf.experiment.running import _check_overwriting, _has_results


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("", []), (" , ,", []), ("a", ["a"]), (" a , b ", ["a", "b"]),
        ("a(b=1, c=[1, 2]),d", ["a(b=1, c=[1, 2])", "d"]),
        ("a({'x': (1, 2)}, 3),b", ["a({'x': (1, 2)}, 3)", "b"]),
        ("a(b='x,y'),c", ["a(b='x,y')", "c"]), ('a(b="x\',y"),c', ['a(b="x\',y")', "c"]),
        ("a='(',b", ["a='('", "b"]), ("a),b", ["a)", "b"]), ("a)(b,c),d", ["a)(b,c)", "d"]),
        ("a(b,c", ["a(b,c"]),
    ],
)  # fmt: skip
def test_lists_are_split_at_commas_outside_of_brackets_and_quotes(text, items):
    assert specs.split_list(text) == items


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("rf", (None, "rf", {})),
        (" a.B ( c = 1 ) ", (None, "a.B", {"c": 1})),
        ("mine=rf", ("mine", "rf", {})),
        ("mine = a.B(c='=', d=None)", ("mine", "a.B", {"c": "=", "d": None})),
        ("my own=a.B(c=(1, [2]))", ("my own", "a.B", {"c": (1, [2])})),
        ("a.B()", (None, "a.B", {})),
    ],
)
def test_a_name_a_class_and_arguments(text, parsed):
    assert specs.parse(text) == parsed


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a()()", "'a()()' is not a method. Write a method as NAME"),
        ("a(1)", "the arguments in 'a(1)' need names: argument=value."),
        ("a(**b)", "the arguments in 'a(**b)' need names: argument=value."),
        ("a(b=c)", "b=c in 'a(b=c)' is not a literal such as 1, 0.5"),
        ("a(b=1", "'a(b=1' is not a method."),
        ("a b(c=1)", "'a b(c=1)' is not a method."),
        (" =a", "there is no name in front of '=' in ' =a'."),
    ],
)
def test_what_is_no_method(text, told):
    with pytest.raises(ValueError) as refused:  # noqa: PT011 (the message is compared)
        specs.parse(text)
    assert told in str(refused.value)


def test_similar_names_are_suggested():
    assert specs.unknown("KN", ["cdf", "knn", "rknn"]).startswith(
        "there is no method 'KN'. Did you mean knn or rknn? Choose from cdf, knn, rknn, or give"
    )
    assert specs.unknown("zzz", ["cdf"]).startswith("there is no method 'zzz'. Choose from cdf, or")
    assert specs.written({}) == ""
    assert specs.written({"a": 1, "b": "x"}) == "(a=1, b='x')"


class Seeded(ClassifierMixin, BaseEstimator):
    """Has two kinds of seeds, and a part."""

    def __init__(self, seed=None, random_state=None, part=None, other=None):
        self.seed, self.random_state, self.part, self.other = seed, random_state, part, other

    def fit(self, X, y):
        return self

    def predict(self, X):
        return X


def test_seeds_that_are_open_are_set():
    made = specs.construct(Seeded, {"part": Seeded(random_state=4)}, -1)
    assert (made.seed, made.random_state, made.other) == (-1, 2**32 - 1, None)
    assert (made.part.seed, made.part.random_state) == (-1, 4)
    own = Seeded(seed=0)
    copied = specs.seeded_copy(own, 5)
    assert (copied.seed, copied.random_state) == (0, 5)
    assert own.random_state is None
    bare = object()
    assert specs.seeded_copy(bare, 5) is not None
    with pytest.raises(ValueError, match=r"^seed cannot be set in x\(seed=1, a=2\): each split"):
        specs.refuse_seeds("x", {"seed": 1, "a": 2})


def test_a_library_that_is_missing_is_told_later():
    def needs(seed):
        raise ImportError("no such library")

    specs.check_arguments(needs, "x", {})

    def wrong(seed):
        raise TypeError("no argument 'b'")

    with pytest.raises(ValueError, match=r"^x\(b=1\) cannot be built: no argument 'b'\.$"):
        specs.check_arguments(wrong, "x", {"b": 1})


# ---- classes by their full names -----------------------------------------------------------------


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package on the path; importing it leaves a trace."""
    folder = tmp_path / "madeup"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text("import sys; sys.madeup = True\n")
    (folder / "models.py").write_text("class Forest: pass\nclass Florist: pass\nsize = 3\n")
    (folder / "stars.py").write_text("from madeup.models import *\n")
    (folder / "broken.py").write_text("class Forest: pass\nraise SystemExit\n")
    (folder / "worse.py").write_text("class Forest: pass\nraise ValueError('a\\nb' + 'x' * 300)\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delattr(sys, "madeup", raising=False)
    yield
    for name in [name for name in sys.modules if name.startswith("madeup")]:
        del sys.modules[name]
    if hasattr(sys, "madeup"):
        del sys.madeup


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nowhere.Forest", "there is no module nowhere: is its package installed?"),
        ("madeup.none.Forest", "there is no module none in madeup: is its package installed?"),
        ("madeup.models.Forrest",
         "there is no Forrest in madeup.models. Did you mean Forest or Florist?"),
        ("madeup.models.Xyz", "there is no Xyz in madeup.models."),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("package")
def test_a_mistyped_name_runs_nothing(name, told):
    with pytest.raises(ValueError) as refused:  # noqa: PT011 (the whole message is compared)
        load_class(name)
    assert str(refused.value) == told
    assert not hasattr(sys, "madeup")


@pytest.mark.usefixtures("package")
def test_a_class_is_imported():
    assert load_class("madeup.models.Forest").__name__ == "Forest"
    assert sys.madeup
    assert load_class("madeup.stars.Forest") is load_class("madeup.models.Forest")
    for name, told in (
        ("madeup.stars.Forst", "there is no Forst in madeup.stars. Did you mean Forest"),
        ("madeup.models.Forst", "there is no Forst in madeup.models. Did you mean Forest"),
        ("madeup.models.size", "'madeup.models.size' is not a class."),
        ("madeup.broken.Forest", "'madeup.broken.Forest' cannot be imported: SystemExit."),
        ("madeup.worse.Forest", "'madeup.worse.Forest' cannot be imported: a"),
    ):
        with pytest.raises(ValueError) as refused:  # noqa: PT011 (the message is compared)
            load_class(name)
        assert str(refused.value).startswith(told)
        assert len(str(refused.value)) < 260


def test_full_names_have_200_letters_at_most():
    assert is_full_name("a" * 200)
    assert not is_full_name("a" * 201)
    assert is_full_name("a.b")
    for name in ("a..b", "a.1", "", ".a", "a b"):
        assert not is_full_name(name)
    assert class_names._source(None) is None


# ---- running -------------------------------------------------------------------------------------


def test_what_would_be_overwritten(tmp_path):
    _check_overwriting(tmp_path)
    (tmp_path / "report.md").write_text("mine")
    with pytest.raises(ValueError, match=r"has a report\.md that is not from a comparison"):
        _check_overwriting(tmp_path)
    for name in ("manifest.json", "records.jsonl"):
        (tmp_path / name).write_text("")
        _check_overwriting(tmp_path)
        (tmp_path / name).unlink()


def test_a_folder_with_results(tmp_path):
    full, empty = (SimpleNamespace(records=some) for some in ({"a": 1}, {}))
    assert _has_results(full, tmp_path)
    assert not _has_results(empty, tmp_path)
    (tmp_path / "timings.csv").write_text("")
    assert not _has_results(empty, tmp_path)
    (tmp_path / "results.csv").write_text("")
    assert _has_results(empty, tmp_path)
