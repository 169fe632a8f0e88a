"""A real notebook in a real kernel: what users see below their cells."""

import json
import sys

import pytest

pytestmark = pytest.mark.endurance

CELLS = {
    "load": """
from pycdf import CDF, CDFClassifier, compare, explain, load_darwin, plots
from pycdf.support import progress
progress._DELAY = 0.0  # bars appear at once, also for short fits
X, y = load_darwin()
""",
    "bar": "model = CDFClassifier(ntrees=300, seed=1, progress=True).fit(X, y)",
    "stopped": """
try:
    with progress.ProgressBar() as bar:
        bar(1, 10)
        bar(4, 10)
        raise KeyboardInterrupt
except KeyboardInterrupt:
    pass
""",
    "estimator": "model",
    "fit": "CDF(X[::2], y[::2], X[1::2], ntrees=20, seed=1)",
    "model": "model.model_",
    "forest": "model.model_.forest",
    "compare": "compare(methods=['cdf(ntrees=20)', 'knn'], splits=2, quick=True, progress=True)",
    "stability": "explain.stability(X, y, seeds=2, ntrees=20)",
    "table": "explain.confusion(y, model.predict(X))",
    "picture": "plots.plot_importance(model, 5);",
    "two pictures": """
from matplotlib import pyplot
figure, axes = pyplot.subplots(1, 2, figsize=(9, 4), layout="constrained")
plots.plot_importance(model, 5, ax=axes[0])
plots.plot_confusion(model, X, y, out_of_bag=True, ax=axes[1]);
""",
    "bar as text": """
import sys
for name in [name for name in sys.modules if name.startswith("tqdm")]:
    del sys.modules[name]
sys.modules["ipywidgets"] = None  # as if it were not installed
CDFClassifier(ntrees=300, seed=1, progress=True).fit(X, y)
""",
}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """The outputs of each cell, by its name."""
    for name in ("matplotlib", "nbclient", "ipykernel", "ipywidgets"):
        pytest.importorskip(name)
    from nbclient import NotebookClient
    from nbformat.v4 import new_code_cell, new_notebook

    folder = tmp_path_factory.mktemp("jupyter")
    spec = folder / "kernels" / "pycdf" / "kernel.json"
    spec.parent.mkdir(parents=True)
    launch = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec.write_text(json.dumps({"argv": launch, "display_name": "pycdf", "language": "python"}))
    notebook = new_notebook(cells=[new_code_cell(code.strip()) for code in CELLS.values()])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(folder))
        patch.setenv("IPYTHONDIR", str(folder))
        patch.setenv("PYCDF_QUIET", "1")  # kernels may not be compiled yet
        # Where the physical cores cannot be counted, as in some containers, joblib would warn.
        patch.setenv("LOKY_MAX_CPU_COUNT", "1")
        NotebookClient(notebook, timeout=300, kernel_name="pycdf").execute()
    return {name: cell.outputs for name, cell in zip(CELLS, notebook.cells, strict=True)}


def shown(outputs, name):
    """The data of the last output of a cell, by MIME type."""
    return outputs[name][-1]["data"]


def test_cells_print_nothing_by_the_way(outputs):
    kinds = {name: [one["output_type"] for one in cell] for name, cell in outputs.items()}
    text = kinds.pop("bar as text")
    assert text[:-1] == ["stream"] * (len(text) - 1)
    assert text[-1] == "execute_result"
    assert kinds == {
        "load": [],
        "bar": ["display_data"],
        "stopped": ["display_data"],
        **{key: ["execute_result"] for key in ["estimator", "fit", "model", "forest"]},
        "compare": ["display_data", "execute_result"],
        **{key: ["execute_result"] for key in ["stability", "table"]},
        **{key: ["display_data"] for key in ["picture", "two pictures"]},
    }


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("fit", "Centroid decision forest: 20 trees, "),
        ("model", "Model: a centroid decision forest\n  classes     2: P, H\n"),
        ("forest", "Forest: 300 trees, "),
        ("compare", "Comparison of 2 methods on 1 data set, 2 splits, "),
        ("stability", "Stability over 2 seeds, 450 features\n"),
        ("estimator", "CDFClassifier(ntrees=300, progress=True, seed=1)"),
        ("table", "predicted "),
    ],
)
def test_objects_show_short_text_and_html(outputs, name, first):
    data = shown(outputs, name)
    assert set(data) == {"text/plain", "text/html"}
    assert data["text/plain"].startswith(first)
    assert len(data["text/plain"]) < 1000
    if name != "estimator":  # that is scikit-learn's diagram, with its style sheet
        assert len(data["text/html"]) < 4000
        assert "<table" in data["text/html"]


@pytest.mark.parametrize("name", ["picture", "two pictures"])
def test_pictures_are_shown_below_the_cell(outputs, name):
    assert set(shown(outputs, name)) == {"image/png", "text/plain"}


@pytest.mark.parametrize(("name", "unit"), [("bar", "trees"), ("stopped", "trees")])
def test_progress_is_a_widget(outputs, name, unit):
    data = shown(outputs, name)
    assert set(data) == {"application/vnd.jupyter.widget-view+json", "text/plain"}
    assert f"? {unit}/s]" in data["text/plain"]


def test_progress_is_text_without_ipywidgets(outputs):
    streams = outputs["bar as text"][:-1]
    assert {one["name"] for one in streams} == {"stdout"}  # on stderr it would look like an error
    text = "".join(one["text"] for one in streams)
    assert text.endswith("\n")
    lines = text.strip().split("\r")
    assert lines[-1].startswith("100%|██████████| 300/300 [00:00<00:00, ")
    assert all("trees/s]" in line for line in lines)
