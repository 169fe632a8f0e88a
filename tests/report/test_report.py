"""The report: the answer first, each figure as explain computes it, and names that stay text."""

import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from page_parts import Page
from programs import python_run
from sklearn.datasets import load_iris

from pycdf import (
    CDF,
    CDFClassifier,
    DuplicatedNamesWarning,
    RStream,
    TrainingRowsWarning,
    load_darwin,
)
from pycdf.explain import (
    calibration,
    confusion,
    importance_table,
    performance,
    row_table,
    selection_note,
)
from pycdf.explain.evidence import split_evidence
from pycdf.explain.text import export_text
from pycdf.report.html import html_report
from pycdf.report.page import html, name, table

EVIL = '<script>alert("x")</script>'
SECTIONS = [
    "How good is it?",
    "On which samples is it wrong or unsure?",
    "What decides?",
    "How do the samples lie?",
    "What does one tree look like?",
    "Model, data, and how this was made",
]


@pytest.fixture(scope="module")
def darwin():
    X, y = load_darwin()
    X, y = X.iloc[::2, :25], y.iloc[::2]
    return CDFClassifier(ntrees=80, seed=1, oob_score=True).fit(X, y), X, y


@pytest.fixture(scope="module")
def others():
    """Rows that were not in training."""
    X, y = load_darwin()
    return {"X_test": X.iloc[1::2, :25], "y_test": y.iloc[1::2]}


@pytest.fixture(scope="module")
def text(darwin):
    ids = pd.Series([f"S{i}" for i in range(len(darwin[1]))], name="patient")
    return html_report(*darwin, title="darwin.cdf", ids=ids, date="2025-01-31")


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


@pytest.fixture(scope="module")
def alone(darwin):
    """Without rows."""
    return Page(html_report(darwin[0]))


@pytest.fixture(scope="module")
def tested(darwin, others):
    return Page(html_report(*darwin, **others))


@pytest.fixture(scope="module")
def evil():
    """Classes, features, ids and a title that would run if they were not escaped; 14 classes."""
    codes = np.tile(np.arange(14), 4)
    values = RStream(3).uniform(len(codes) * 16).reshape(len(codes), 16)
    values[:, :14] += codes[:, np.newaxis] == np.arange(14)
    names = [f"{EVIL}{j}" for j in range(14)] + ['" onerror="alert(1)', "a & b\n<i>"]
    labels = np.array([f"{EVIL} & 'class' {code}" for code in codes], dtype=object)
    X = pd.DataFrame(values, columns=names)
    ids = [f"</style>{EVIL}{i}" for i in range(len(X))]
    fit = CDFClassifier(ntrees=80, seed=1).fit(X, labels)
    return html_report(fit, X, labels, title=EVIL, ids=ids)


# ---- one file ------------------------------------------------------------------------------------


def test_the_page_asks_nothing_of_the_network(text, page):
    for tag, attributes in page.tags:
        assert tag not in ("script", "iframe", "object", "embed", "base", "form", "img", "use")
        for attribute in ("src", "href", "srcset", "data", "action", "poster"):
            address = attributes.get(attribute, "data:")
            assert address.startswith(("data:", "#")), (tag, address)
        assert not any(attribute.startswith("on") for attribute in attributes)
    style = "".join(page.texts["style"])
    assert "url(" not in style
    assert "@import" not in style
    assert "http" not in text.replace('http-equiv="Content-Security-Policy"', "")
    (policy,) = [one for tag, one in page.tags if "http-equiv" in one]
    assert "default-src 'none'" in policy["content"]


def test_the_page_can_be_read_without_seeing_it(page):
    assert page.tags[0] == ("html", {"lang": "en"})
    assert page.texts["h1"] == ["darwin.cdf"]
    assert page.texts["h2"] == SECTIONS
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert all(later <= before + 1 for before, later in pairwise(levels))
    pictures = [one for tag, one in page.tags if tag == "svg" and "aria-hidden" not in one]
    assert len(pictures) == 6
    for attributes in pictures:
        assert attributes["role"] == "img"
        assert len(attributes["aria-label"]) > 20
    assert all("scope" in attributes for tag, attributes in page.tags if tag == "th")
    figures = sum(tag == "figure" for tag, _ in page.tags)
    assert figures == len(page.texts["figcaption"])
    assert all(page.texts["figcaption"])
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    assert [link.removeprefix("#") for link in links] == ids
    assert len({*ids}) == len(ids) == 6


def test_the_same_fit_and_date_give_the_same_page(darwin, monkeypatch):
    fit = darwin[0]
    assert html_report(fit, date="2025-01-31") == html_report(fit, date="2025-01-31")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert ["date", "1970-01-02"] in Page(html_report(fit)).table("Versions")


@pytest.mark.endurance
def test_the_page_needs_neither_matplotlib_nor_scikit_learn():
    """Both take longer to import than the report takes to make."""
    done = python_run("-c", """if True:
        import sys
        from pycdf import CDF, html_report, load_darwin
        X, y = load_darwin()
        fit = CDF(X.iloc[:, :8], y, X.iloc[:1, :8], ntrees=20, seed=1)
        html_report(fit, X.iloc[:, :8], y)
        print(sorted({"matplotlib", "sklearn", "scipy.stats"} & {*sys.modules}))
    """)  # fmt: skip
    assert done.stdout == "[]\n", done.stderr


# ---- how good ------------------------------------------------------------------------------------


def test_the_answer_comes_first(darwin, page):
    fit, X, y = darwin
    found = performance(fit, X, y, out_of_bag=True).iloc[0]
    right = round(found["value"] * len(y))
    start = page.text[page.text.index("How good is it?") :]
    assert f"{fit.oob_score_:.1%} right: {right} of {len(y)} training rows" in start[:200]
    limits = f"{100 * found['low']:.1f}–{found['high']:.1%}"
    assert f"95% confidence interval: {limits}" in start[:400]
    most = y.value_counts().max()
    baseline = f"the most frequent class, which is right for {most} of {len(y)} rows"
    assert f"Better than always answering “P”, {baseline}" in start[:700]


def test_the_confusion_matrix(darwin, page):
    fit, _, y = darwin
    found = fit.classes_[np.argmax(fit.oob_decision_function_, axis=1)]
    wanted = confusion(y, found)
    head, *lines = page.table("Confusion matrix of 87 training rows")
    assert head[1:] == ["H", "P"]
    assert [line[0] for line in lines] == [f"{one} ({(y == one).sum()})" for one in "HP"]
    assert [line[1:] for line in lines] == wanted.astype(str).to_numpy().tolist()


def test_each_class_has_its_measures(darwin, page):
    fit, X, y = darwin
    found = performance(fit, X, y, out_of_bag=True).set_index(["class", "measure"])
    for line in page.table("Each class against all others")[1:]:
        label = line[0][0]
        for measure, shown in zip(("sensitivity", "specificity"), line[1:3], strict=True):
            one = found.loc[(label, measure)]
            assert shown == f"{one['value']:.1%}{100 * one['low']:.0f}–{one['high']:.0%}"
        area = found.loc[(label, "auc")]
        assert line[3] == f"{area['value']:.3f}{area['low']:.2f}–{area['high']:.2f}"


def test_the_numbers_of_the_calibration(darwin, page):
    fit, X, y = darwin
    wanted = calibration(fit, X, y, out_of_bag=True)
    lines = page.table("Calibration")[1:]
    assert [int(line[1]) for line in lines] == wanted["rows"].tolist()
    assert [line[2] for line in lines] == [f"{one:.1%}" for one in wanted["predicted"]]
    assert [line[3].split("%")[0] for line in lines] == [
        f"{100 * one:.1f}" for one in wanted["observed"]
    ]


def test_test_rows_decide_how_good_it_is(darwin, others, tested):
    fit = darwin[0]
    found = performance(fit, others["X_test"], others["y_test"]).iloc[0]
    right = round(found["value"] * 87)
    assert f"{found['value']:.1%} right: {right} of 87 test rows" in tested.text
    both = tested.table("Test rows and training rows")[1:]
    assert both[0][:3] == ["test rows", "87", f"{found['value']:.1%}"
                           f"{100 * found['low']:.0f}–{found['high']:.0%}"]  # fmt: skip
    assert both[1][2].startswith(f"{fit.oob_score_:.1%}")
    assert tested.has_table("Confusion matrix of 87 test rows")


def test_training_rows_among_test_rows_do_not_count(darwin, others, tested):
    fit, X, y = darwin
    X_test, y_test = pd.concat([X[:9], others["X_test"]]), pd.concat([y[:9], others["y_test"]])
    with pytest.warns(TrainingRowsWarning, match="9 of the 96 labelled rows of X_test"):
        mixed = Page(html_report(fit, X, y, X_test=X_test, y_test=y_test))
    assert "They are left out of everything below." in mixed.text
    for caption in ("Confusion matrix of 87 test rows", "Each class", "Samples, the wrong"):
        assert mixed.table(caption) == tested.table(caption)


def test_test_rows_that_are_all_training_rows_are_not_used(darwin):
    fit, X, y = darwin
    with pytest.warns(TrainingRowsWarning, match="all 87 labelled rows"):
        only = Page(html_report(fit, X_test=X, y_test=y))
    assert "All 87 labelled rows of X_test are training rows" in only.text
    assert not only.has_table("Confusion matrix")
    with pytest.warns(TrainingRowsWarning):
        both = Page(html_report(fit, X, y, X_test=X, y_test=y))
    assert both.has_table("Confusion matrix of 87 training rows")


def test_a_forest_that_has_learnt_nothing_is_not_called_better():
    values = RStream(1).uniform(40 * 30).reshape(40, 30)
    labels = np.array(["a"] * 22 + ["b"] * 18)
    fit = CDFClassifier(ntrees=60, seed=1).fit(values, labels)
    page = Page(html_report(fit, values, labels))
    assert "Not clearly different from always answering “a”" in page.text
    assert "Better than" not in page.text


def test_a_forest_that_is_worse_than_a_constant_answer_is_called_so(darwin):
    fit, X, _ = darwin
    wrong = np.where(fit.predict(X) == "P", "H", "P")
    with pytest.warns(TrainingRowsWarning):
        html_report(fit, X_test=X, y_test=wrong)
    page = Page(html_report(fit, X_test=X + 1e-9, y_test=wrong))
    assert "0.0% right" in page.text
    assert "Worse than always answering" in page.text


# ---- samples -------------------------------------------------------------------------------------


def test_samples_are_listed_by_id_the_wrong_ones_first(darwin, page):
    fit, X, y = darwin
    wanted = row_table(fit, X, y, out_of_bag=True)
    head, *first = page.table("Samples, the wrong ones first")
    assert head[0] == "patient"
    _, *rest = page.table("Further samples")
    lines = first + rest
    assert [line[0] for line in lines] == [f"S{row}" for row in wanted.index]
    assert [line[1] for line in lines] == wanted["true"].tolist()
    for line, one in zip(lines, wanted.itertuples(), strict=True):
        assert line[2] == f"{one.predicted} {one.share:.0%}"
        votes = {
            part.split(":\xa0")[0]: int(part.split(":\xa0")[1]) for part in line[3].split(", ")
        }
        assert max(votes, key=votes.get) == one.predicted
        assert sum(votes.values()) == one.trees
    wrong = (~wanted["right"]).sum()
    assert f"{wrong} training rows are predicted wrongly" in page.text


def test_wrong_samples_have_their_id_on_the_map(darwin, page):
    fit, X, y = darwin
    wrong = row_table(fit, X, y, out_of_bag=True).query("not right")
    tips = page.texts["title"][1:]  # the first one is the page's
    assert len(tips) == len(y) + len(calibration(fit, X, y, out_of_bag=True))
    for row, one in wrong.iterrows():
        assert f"S{row}: {one['true']}, predicted {one['predicted']}" in tips
    shown = {text for text in page.texts["text"] if re.fullmatch(r"S\d+", text)}
    assert shown <= {f"S{row}" for row in wrong.index}
    assert len(shown) >= len(wrong) / 2


def test_rows_without_ids_have_the_index_of_their_table_or_are_counted(darwin, others):
    fit, X, y = darwin
    page = Page(html_report(fit, X_test=others["X_test"], y_test=others["y_test"]))
    rows = [int(line[0]) for line in page.table("Samples")[1:]]
    assert {*rows} <= {*range(1, 174, 2)}
    named = X.set_axis([f"row {i}" for i in range(len(X))]).rename_axis("donor")
    page = Page(html_report(fit, named, y))
    assert page.table("Samples")[0][0] == "donor"
    plain = Page(html_report(fit, X.to_numpy(), y))
    assert "Rows are numbered from 0." in plain.text
    several = pd.DataFrame({"clinic": "A", "patient": range(len(X))})
    page = Page(html_report(fit, X, y, ids=several))
    assert page.table("Samples")[0][0] == "clinic / patient"
    assert page.table("Samples")[1][0].startswith("A / ")


def test_of_many_rows_the_page_lists_and_draws_some():
    values = RStream(2).uniform(900 * 3).reshape(900, 3)
    labels = np.where(values[:, 0] > 0.5, "a", "b")
    labels[::10] = "a"
    fit = CDFClassifier(ntrees=15, depth=2, seed=1).fit(values, labels)
    text = html_report(fit, values, labels)
    page = Page(text)
    listed = page.table("Samples")[1:] + page.table("Further")[1:]
    assert len(listed) == 400
    assert "further rows" in page.text
    assert "rows 600 are drawn" in page.text
    assert len(text) < 400_000


# ---- what decides, one tree, facts ---------------------------------------------------------------


def test_features_that_contribute_most(darwin, page):
    """With 25 columns selections are chance, and are not shown."""
    fit, X, y = darwin
    wanted = importance_table(fit, X, y, seed=1).head(15)
    head, *lines = page.table("The 15 features that contribute most")
    assert head == ["feature", "contribution", "accuracy lost"]
    assert [line[0] for line in lines] == wanted.index.tolist()
    for line, one in zip(lines, wanted.itertuples(), strict=True):
        assert line[1] == f"{one.contribution:.1%}"
        assert line[2].startswith(f"{one.permutation:.2%}".replace("-", "−"))
        assert line[2].endswith(f" to {one.high:.2%}".replace("-", "−"))
    assert selection_note(fit) in page.text
    means = page.table("The centroids")[1:]
    assert [line[0] for line in means] == wanted.index.tolist()
    for line in means:
        for shown, label in zip(line[1:], "HP", strict=True):
            mean = X.loc[y == label, line[0]].mean()
            assert float(shown.replace("−", "-")) == pytest.approx(mean, rel=0.06)


def test_pale_bars_may_be_chance(darwin, text):
    fit, X, y = darwin
    shown = importance_table(fit, X, y, seed=1).head(15)
    assert text.count('class="bar pale"') == (shown["low"] <= 0).sum() > 0


def test_selections_are_shown_where_they_mean_something():
    X, y = load_darwin()
    fit = CDFClassifier(ntrees=60, seed=1).fit(X, y)
    assert selection_note(fit) is None
    page = Page(html_report(fit))
    head, *lines = page.table("The 15 features that contribute most")
    assert head == ["feature", "contribution", "selected"]
    shares = pd.Series(fit.feature_importances_, index=X.columns)
    assert [line[2] for line in lines] == [f"{shares[line[0]]:.2%}" for line in lines]


def test_features_with_the_same_name_are_told_apart(darwin):
    _, X, y = darwin
    twins = X.iloc[:, :6].set_axis(["a", "a", "b", "b", "b", "c"], axis=1)
    with pytest.warns(DuplicatedNamesWarning):
        fit = CDF(twins, y, twins[:1], ntrees=40, seed=1)
    page = Page(html_report(fit, twins.to_numpy(), y))
    lines = page.table("The 6 features")[1:]
    assert sorted(line[0] for line in lines) == ["a", "a", "b", "b", "b", "c"]
    assert sum(float(line[1].rstrip("%")) for line in lines) == pytest.approx(100, abs=0.3)


def test_the_first_tree(darwin, page):
    fit, X, y = darwin
    assert page.texts["pre"] == [export_text(fit, 0)]
    wanted = split_evidence(fit, X, y, 0).query("node == 0")
    head, *lines = page.table("The root of the first tree")
    assert head == ["feature", "p", "H", "P"]
    assert [line[0] for line in lines] == wanted["feature"].tolist()
    for line, p in zip(lines, wanted["p_adjusted"], strict=True):
        assert float(line[1].replace("−", "-")) == pytest.approx(p, rel=0.5)


def test_facts(darwin, page):
    fit, _, y = darwin
    used = {one: value for one, value, _ in page.table("Parameters")[1:]}
    for parameter, value in fit.model_.parameters.items():
        assert used[parameter] == f"{value:,}"
    assert used["seed"] == "1"
    assert dict(page.table("Rows and columns")) == {"training rows": "87", "columns": "25"}
    sizes = {label: str(count) for label, count in y.value_counts().items()}
    assert dict(page.table("Classes")[1:]) == sizes  # whole numbers, not means over trees
    made = dict(page.table("Versions"))
    assert made["date"] == "2025-01-31"
    assert made["pycdf"] == "0.1.0"
    assert "command" not in made
    assert "Centroid Decision Forest. arXiv:2503.19306" in page.text


def test_missing_cells_and_unused_columns_are_noted(darwin):
    _, X, y = darwin
    holes = X.iloc[:, :8].assign(same=1.0)
    holes.iloc[:3, :2] = np.nan
    with pytest.warns(UserWarning, match="same"):
        fit = CDF(holes, y, holes[:1], ntrees=30, seed=1)
    page = Page(html_report(fit, holes, y))
    assert "6 cells of the training rows are missing (0.86%), in 2 columns and 3 rows." in page.text
    assert "1 column without any use for a forest" in page.text
    assert dict(page.table("Rows"))["columns"] == "9, of which 8 are used"


# ---- what cannot be shown ------------------------------------------------------------------------


def test_without_rows_there_is_what_the_forest_knows(alone):
    assert alone.texts["h2"] == SECTIONS
    assert alone.texts["h1"] == ["Centroid decision forest"]
    assert "pass the training rows as X and y" in alone.text
    assert alone.text.count("Not shown: this needs labelled rows.") == 2
    assert alone.has_table("The 15 features that contribute most")
    assert alone.table("The centroids")[0] == ["feature", "H", "P"]
    assert alone.table("Classes")[0] == ["class", "share of the rows of a tree, on average"]


def test_what_cannot_be_shown_is_said_not_hidden(darwin):
    _, X, y = darwin
    fit = CDFClassifier(ntrees=1, depth=0, bootstrap=False, seed=1).fit(X, y)
    flat = Page(html_report(fit, X, y))
    assert flat.texts["h2"] == SECTIONS
    assert flat.text.count("no tree left out any training row") == 4
    assert "there is no split" in flat.text


def test_few_trees_columns_without_names_and_labels_that_are_numbers():
    X, y = load_darwin()
    values, numbers = X.iloc[::3, :8].to_numpy(), (y.iloc[::3] == "P").astype(int)
    fit = CDF(values, numbers, values, ntrees=3, seed=1)
    page = Page(html_report(fit, values, numbers))
    unseen = int((fit.forest.inbag > 0).all(axis=0).sum())
    assert f"{unseen} rows cannot be judged: every tree was grown on them." in page.text
    listed = page.text.split("Not judged, because every tree was grown on them: ")[1].split(".")[0]
    assert unseen <= 20
    assert listed.count(",") + listed.count(" and ") == unseen - 1
    assert "Are there enough trees?" in page.text
    two = Page(html_report(CDFClassifier(ntrees=2, seed=1).fit(values, numbers), values, numbers))
    assert "Are there enough trees?" in two.text
    assert re.search(r"Not judged, because .* and \d+ more\.", two.text)
    one = Page(html_report(CDFClassifier(ntrees=1, seed=1).fit(values, numbers), values, numbers))
    assert "Are there enough trees?" not in one.text
    assert "too few trees to use only those" in page.text
    assert {line[0] for line in page.table("The 8 features")[1:]} == {str(j) for j in range(8)}


def test_classes_with_one_row_have_no_figures_out_of_bag():
    values = RStream(5).uniform(9 * 4).reshape(9, 4)
    labels = np.array(list("aaaabbbcd"))
    fit = CDFClassifier(ntrees=40, seed=1).fit(values, labels)
    page = Page(html_report(fit, values, labels))
    assert "There is only one training row of each of the classes “c” and “d”: the" in page.text
    assert "With 9 training rows, all figures are rough" in page.text
    lines = {line[0]: line[1:] for line in page.table("Each class")[1:]}
    assert lines["c (1)"][0] == lines["c (1)"][2] == "–"
    assert lines["a (4)"][0] != "–"
    assert "mean AUC" not in page.text
    assert page.text.count("ROC curve") == 1  # the caption; pictures have theirs in aria-label


def test_the_class_with_one_row():
    values = RStream(5).uniform(8 * 4).reshape(8, 4)
    labels = np.array(list("aaaabbbc"))
    page = Page(html_report(CDFClassifier(ntrees=40, seed=1).fit(values, labels), values, labels))
    assert "There is only one training row of class “c”: the trees" in page.text


def test_votes_for_classes_that_are_called_by_numbers():
    """'1 28, 0 2' would be a riddle."""
    X, y = load_darwin()
    X, numbers = X.iloc[::3, :25], (y.iloc[::3] == "P").astype(int)
    page = Page(html_report(CDFClassifier(ntrees=30, seed=1).fit(X, numbers), X, numbers))
    for line in page.table("Samples")[1:]:
        assert re.fullmatch(r"[01]:\s\d+(, [01]:\s\d+)?", line[3]), line


def test_when_no_prediction_is_wrong_and_when_none_is_right():
    values = np.repeat([[0.0, 0.0], [9.0, 9.0]], 12, axis=0) + RStream(1).uniform(48).reshape(24, 2)
    labels = np.repeat(["a", "b"], 12)
    fit = CDFClassifier(ntrees=40, seed=1).fit(values, labels)
    page = Page(html_report(fit, values, labels))
    assert (
        "No training row is predicted wrongly; none of 24 right predictions is unsure" in page.text
    )
    assert "The least sure predictions come first." in page.text
    assert page.has_table("Samples, the least sure first")
    swapped = np.where(labels == "a", "b", "a")
    page = Page(html_report(fit, X_test=values + 0.01, y_test=swapped))
    assert "24 test rows are predicted wrongly, and none rightly." in page.text
    assert "Then come right predictions" not in page.text


def test_a_class_that_is_mostly_missed_is_named():
    """An accuracy above the baseline can hide it."""
    values = RStream(1).uniform(400).reshape(200, 2)
    labels = np.repeat(["well", "ill"], [140, 60])
    values[:140, 0] += 0.2
    fit = CDFClassifier(ntrees=60, seed=1).fit(values, labels)
    measured = performance(fit, values, labels, out_of_bag=True).set_index(["measure", "class"])
    ill = measured.loc[("sensitivity", "ill")]
    page = Page(html_report(fit, values, labels))
    assert ill["high"] < 0.5
    said = f"Most rows of class “ill” are not recognised: {round(60 * ill['value'])} of 60 are."
    assert said in page.text
    assert "of class “well” are not recognised" not in page.text


def test_class_weights_are_among_the_parameters(darwin):
    _, X, y = darwin
    assert "class_weight" not in Page(html_report(darwin[0])).text
    for given, shown in (("balanced", "balanced"), ({"P": 2.5, "H": 1}, "H: 1, P: 2.5")):
        fit = CDFClassifier(ntrees=5, seed=1, class_weight=given).fit(X, y)
        lines = {line[0]: line[1] for line in Page(html_report(fit)).table("Parameters")[1:]}
        assert lines["class_weight"] == shown


def test_test_rows_of_one_class(darwin, others):
    fit = darwin[0]
    own = (others["y_test"] == "P").to_numpy()
    page = Page(html_report(fit, X_test=others["X_test"][own], y_test=others["y_test"][own]))
    assert "No test row is of class “H”." in page.text
    assert "ROC curves are not shown" in page.text
    assert page.table("Each class")[1][1] == "–"


def test_three_classes_and_fourteen(evil):
    X, y = load_iris(return_X_y=True)
    fit = CDFClassifier(ntrees=40, seed=1).fit(X, y)
    page = Page(html_report(fit, X, y))
    assert "of the predictions with a given share of the votes, how many are right?" in page.text
    for parts, classes in ((page, 3), (Page(evil), 14)):
        small = [one for tag, one in parts.tags if one.get("class") == "small-chart"]
        assert len(small) == classes
        assert len(parts.table("Confusion matrix")) == classes + 1


# ---- names and mistakes --------------------------------------------------------------------------


def test_names_cannot_break_out(evil):
    page = Page(evil)
    assert "<script" not in evil.lower()
    assert evil.lower().count("</style") == 1
    for _, attributes in page.tags:
        assert not any(attribute.startswith("on") for attribute in attributes)
    assert page.texts["title"][0] == EVIL
    names = [line[0] for line in page.table("The 15 features")[1:]]
    assert all(one.startswith((EVIL, '" onerror', "a & b <i>")) for one in names)
    classes = [line[0] for line in page.table("Classes")[1:]]
    assert len(classes) == 14
    assert all(one.startswith(EVIL) for one in classes)
    assert page.table("Samples")[1][0].startswith("</style><script>")


def test_helpers_escape():
    assert html("<&>\"'") == "&lt;&amp;&gt;&quot;&#x27;"
    made = table("<c>", [("<r>", "<d>", "<n>")], ("<h>", "<i>", "<j>"), 1)
    assert "<c>" not in made
    for letter in "crdnhij":
        assert f"&lt;{letter}&gt;" in made


def test_names_break_after_punctuation_and_long_ones_are_shortened():
    assert name("worst_area.se") == "worst_<wbr>area.<wbr>se"
    assert name("mean area") == "mean area"
    assert name("<b>-1") == "&lt;b&gt;-<wbr>1"
    long = name("x" * 70 + "<", 20)
    assert long == f'<span title="{"x" * 70}&lt;">{"x" * 10}…{"x" * 8}&lt;</span>'


def test_wrong_rows_are_refused(darwin, others):
    fit, X, y = darwin
    with pytest.raises(TypeError, match="both X and y"):
        html_report(fit, X)
    with pytest.raises(TypeError, match="both X_test and y_test"):
        html_report(fit, X, y, X_test=X)
    with pytest.raises(ValueError, match="training rows and labels"):
        html_report(fit, X[:5], y[:5])
    with pytest.raises(ValueError, match="X_test has 87 rows and y_test 3 labels"):
        html_report(fit, X_test=others["X_test"], y_test=y[:3])
    with pytest.raises(ValueError, match="y_test has a label that the model does not have"):
        html_report(fit, X_test=others["X_test"], y_test=["Q"] * 87)
    with pytest.raises(ValueError, match="ids has 2 ids for 87 rows"):
        html_report(fit, X, y, ids=["a", "b"])
    with pytest.raises(TypeError, match="ids_test identifies the rows of X_test"):
        html_report(fit, X, y, ids_test=["a", "b"])
    with pytest.raises(TypeError, match="pass a fitted"):
        html_report(5)
