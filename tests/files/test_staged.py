"""Files that belong together are replaced together."""

import errno

import pytest

from pycdf.files.staged import staged


def contents(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_all_files_move_at_the_end(tmp_path):
    (tmp_path / "a").write_text("old")
    (tmp_path / "other").write_text("stays")
    with staged(tmp_path) as stage:
        (stage / "a").write_text("new")
        (stage / "b").write_text("new, too")
        assert (tmp_path / "a").read_text() == "old"
    assert contents(tmp_path) == {"a": "new", "b": "new, too", "other": "stays"}


def fail(folder, error, name):
    with staged(folder) as stage:
        (stage / "a").write_text("new")
        raise error(errno.ENOSPC, "No space left on device", str(stage / name))


def test_after_an_error_the_folder_is_as_it_was(tmp_path):
    (tmp_path / "a").write_text("old")
    with pytest.raises(OSError, match="No space left") as caught:
        fail(tmp_path, OSError, "b")
    assert caught.value.filename == str(tmp_path / "b")
    assert contents(tmp_path) == {"a": "old"}
    with pytest.raises(KeyboardInterrupt):
        fail(tmp_path, KeyboardInterrupt, "b")
    assert contents(tmp_path) == {"a": "old"}


def test_what_a_killed_process_left_is_not_taken_for_new(tmp_path):
    left = tmp_path / ".unfinished"
    left.mkdir()
    (left / "half").write_text("ha")
    with staged(tmp_path) as stage:
        (stage / "a").write_text("new")
    assert contents(tmp_path) == {"a": "new"}


def test_a_folder_that_is_none(tmp_path):
    with pytest.raises(FileNotFoundError) as caught, staged(tmp_path / "none"):
        pass
    assert caught.value.filename == str(tmp_path / "none")


def test_an_error_without_a_number_stays_as_it_is(tmp_path):
    (tmp_path / "a.txt").write_text("old")

    def fail():
        with staged(tmp_path) as stage:
            (stage / "a.txt").write_text("new")
            raise OSError("not of the system")

    with pytest.raises(OSError, match=r"^not of the system$"):
        fail()
    assert contents(tmp_path) == {"a.txt": "old"}
