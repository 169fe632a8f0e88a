"""Forests from one reading of the data: the estimator's forests, and one progress for all."""

import pytest
from recorder import Recorder
from same_forest import assert_same_forest

from pycdf import CDFClassifier, RStream, load_darwin
from pycdf.explain import chance, curves, permutation, seeds
from pycdf.explain.many_forests import grow, part_of, read_data, read_settings
from pycdf.forest.training import grow_like


def darwin():
    X, y = load_darwin()
    return X.iloc[::3, :25], y.iloc[::3]


@pytest.mark.parametrize(
    "parameters",
    [{}, {"k": 3, "mtry": 9, "depth": 2, "mnode": 5}, {"spread": "population", "collation": "C"}],
)
def test_the_estimators_forest(parameters):
    X, y = darwin()
    settings = read_settings({"ntrees": 4, **parameters}, "nothing")
    data = read_data(X, y)
    model = grow(data, settings, 3)
    own = CDFClassifier(ntrees=4, seed=3, **parameters).fit(X, y).model_
    again = grow_like(own, data, RStream(3), None, None)
    for other in (model, again):
        assert_same_forest(other.forest, own.forest)
        assert (other.parameters, other.options) == (own.parameters, own.options)
        assert other.feature_names == own.feature_names


def test_progress_of_one_forest_among_several():
    bar = Recorder()
    part_of(bar, 2, 5, 100)(30, 100)
    assert bar.told == [(230, 500)]


@pytest.mark.parametrize(
    ("module", "total", "call"),
    [
        (seeds, 3 * 6, lambda X, y, **shown: seeds.stability(
            X, y, seeds=3, top=2, ntrees=6, **shown)),
        (chance, 4 * 6, lambda X, y, **shown: chance.selection_chance(
            CDFClassifier(ntrees=6, seed=1).fit(X, y), X, y, n_repeats=4, **shown)),
        (curves, 2 * 4 * 6, lambda X, y, **shown: curves.parameter_curves(
            X, y, splits=2, ntrees=6, mtry_shares=[0.5], ks=[1, 2], **shown)),
        (permutation, 6, lambda X, y, **shown: permutation.permutation_importance(
            CDFClassifier(ntrees=6, seed=1).fit(X, y), X, y, **shown)),
    ],
)  # fmt: skip
def test_progress_is_shown_if_asked_for(module, total, call, monkeypatch):
    monkeypatch.setattr(module, "ProgressBar", Recorder)
    call(*darwin(), progress=True)
    told = [done for done, of in Recorder.told if of == total]
    assert len(told) == len(Recorder.told)
    assert told == sorted(told)
    assert told[-1] == total
    call(*darwin())
    assert Recorder.told == []


@pytest.mark.parametrize("form", [{"streams": "per_tree"}, {"bootstrap": False}])
def test_the_form_of_a_forest_is_kept(form):
    X, y = darwin()
    own = CDFClassifier(ntrees=4, seed=3, **form).fit(X, y).model_
    other = grow(read_data(X, y), read_settings({"ntrees": 4, **form}, ""), 3)
    assert_same_forest(other.forest, own.forest)
    assert grow_like(own, read_data(X, y), RStream(3), None, None).options == own.options
