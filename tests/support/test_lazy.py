"""Names that a package loads on first use."""

import sys

import pytest

from pycdf.support.lazy import attach


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "lazy_example"
    folder.mkdir()
    (folder / "__init__.py").write_text("here = 1\n")
    (folder / "numbers.py").write_text("one = object()\ntwo = object()\n")
    (folder / "words.py").write_text("text = 'a'\n")
    monkeypatch.syspath_prepend(tmp_path)
    import lazy_example

    fetch, names = attach("lazy_example", {"numbers": ("one", "two"), "words": ()})
    lazy_example.__getattr__, lazy_example.__dir__ = fetch, names
    yield lazy_example
    for name in [name for name in sys.modules if name.split(".")[0] == "lazy_example"]:
        del sys.modules[name]


def test_a_module_is_imported_when_its_name_is_used(package):
    assert "lazy_example.numbers" not in sys.modules
    assert package.one is sys.modules["lazy_example.numbers"].one
    assert "lazy_example.words" not in sys.modules
    assert package.words.text == "a"
    assert package.words is sys.modules["lazy_example.words"]
    assert vars(package)["one"] is package.one  # kept


def test_all_names_are_listed_before_they_are_loaded(package):
    assert {"here", "one", "two", "words"} <= set(dir(package))
    assert "numbers" not in dir(package)
    assert dir(package) == sorted(dir(package))


def test_a_name_that_is_not_there(package):
    for name in ("three", "numbers"):
        with pytest.raises(
            AttributeError, match=f"^module 'lazy_example' has no attribute '{name}'$"
        ):
            getattr(package, name)
