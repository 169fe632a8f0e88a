"""Results survive a kill: lines are only added, and a broken end is cut off."""

import json

import numpy as np
import pytest

from pycdf.experiment.records import (
    DONE,
    FAILED,
    ONE_CLASS,
    Journal,
    Record,
    as_line,
    tidy,
    times,
)

ANSWER = Record(
    "colon",
    "rf",
    3,
    DONE,
    43,
    19,
    {"accuracy": 1 / 3, "kappa": None},
    {"depth": 4},
    seconds={"tune": 0.0, "fit": 1.5, "predict": None},
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "records.jsonl"


def written(path, *records):
    with Journal(path) as journal:
        for one in records:
            journal.add(one)


def test_what_is_kept_comes_back_to_the_last_bit(path):
    other = Record("b", "svm", 1, FAILED, message="ValueError: no\nway", warnings=("W: ü",))
    written(path, ANSWER, other)
    assert [json.loads(line)["split"] for line in path.read_text().splitlines()] == [3, 1]
    with Journal(path) as journal:
        assert list(journal.records.values()) == [ANSWER, other]


def test_each_record_is_in_the_file_before_the_next_one_is_made(path):
    with Journal(path) as journal:
        journal.add(ANSWER)
        assert path.read_text() == as_line(ANSWER)


@pytest.mark.parametrize("cut", [1, 2, 40, len(as_line(ANSWER).encode())])
def test_a_half_written_end_is_cut_off_and_can_be_done_again(path, cut):
    first = Record("colon", "cdf", 1, DONE, measures={"accuracy": 0.5})
    written(path, first, ANSWER)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    with Journal(path) as journal:
        assert list(journal.records) == [first.key]
        journal.add(ANSWER)
    assert path.read_bytes() == whole


def test_a_last_line_of_zeros_is_cut_off_too(path):
    written(path, ANSWER)
    whole = path.read_bytes()
    path.write_bytes(whole + b"\0\0\0\n")
    with Journal(path) as journal:
        assert list(journal.records) == [ANSWER.key]
    assert path.read_bytes() == whole


@pytest.mark.parametrize("damage", ["{}", "[1]", "x", '{"data": "a", "new": 1}'])
def test_damage_in_the_middle_is_told_with_its_line(path, damage):
    path.write_text(f"{as_line(ANSWER)}{damage}\n{as_line(ANSWER)}")
    with pytest.raises(ValueError, match=r"line 2 is damaged\. Delete that line") as caught:
        Journal(path)
    assert "records.jsonl" in str(caught.value)


def test_a_failure_never_hides_an_answer_and_an_answer_replaces_it(path):
    failed = Record(*ANSWER.key, FAILED, message="no memory")
    for order in ([failed, ANSWER], [ANSWER, failed]):
        with Journal() as journal:
            for one in order:
                journal.add(one)
            assert journal.records[ANSWER.key] == ANSWER
    assert not failed.settled
    assert ANSWER.settled
    assert Record("a", "b", 1, ONE_CLASS).settled


def test_a_full_disk_is_told_with_its_file_and_what_was_written_stays(path):
    resource = pytest.importorskip("resource")  # Windows has none
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    first = Record("colon", "cdf", 1, DONE, measures={"accuracy": 0.5})
    with Journal(path) as journal:
        journal.add(first)
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 9, usual[1]))
        try:
            with pytest.raises(OSError, match=r"records\.jsonl") as caught:
                journal.add(ANSWER)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert caught.value.filename == str(path)
    assert path.read_text() == as_line(first)  # no half of a line
    with Journal(path) as journal:
        assert first.key in journal.records


def test_numbers_of_numpy_and_other_parameters_are_written():
    odd = Record("a", "b", 1, DONE, parameters={"C": np.float64(0.1), "n": np.int64(3), "f": max})
    parts = json.loads(as_line(odd))["parameters"]
    assert parts == {"C": 0.1, "n": 3, "f": str(max)}


def test_the_tidy_table_has_answers_only():
    table = tidy([ANSWER, Record("a", "b", 1, FAILED, message="x")])
    assert table.shape == (1, 12)
    row = table.iloc[0]
    assert (row["data"], row["method"], row["split"], row["train"]) == ("colon", "rf", 3, 43)
    assert row["accuracy"] == 1 / 3
    assert np.isnan(row["kappa"])
    assert row["parameters"] == '{"depth": 4}'
    assert tidy([]).columns.tolist() == table.columns.tolist()


def test_times_of_tuning_training_and_prediction():
    table = times([ANSWER, Record("a", "b", 1, FAILED, message="x")])
    assert table.columns.tolist() == ["data", "method", "split", "tune", "fit", "predict"]
    assert table.iloc[0].tolist()[:5] == ["colon", "rf", 3, 0.0, 1.5]
    assert table["predict"].isna().all()
    assert table["fit"].isna().tolist() == [False, True]


def test_a_line_has_no_empty_fields():
    assert as_line(ANSWER) == (
        '{"data": "colon", "method": "rf", "split": 3, "status": "done", "train": 43, "test": 19, '
        '"measures": {"accuracy": 0.3333333333333333, "kappa": null}, "parameters": {"depth": 4}, '
        '"seconds": {"tune": 0.0, "fit": 1.5, "predict": null}}\n'
    )


def test_one_run_at_a_time(path):
    with Journal(path):
        with pytest.raises(ValueError) as error:  # noqa: PT011 (the whole message is compared)
            Journal(path)
        assert str(error.value) == (
            f"{path.parent} is in use by another run: wait for it, or choose another folder."
        )
    with Journal(path):
        pass  # the lock is gone with the run
