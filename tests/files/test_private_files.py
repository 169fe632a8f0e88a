"""Who may read the files that pycdf writes: as the umask says, or nobody else."""

import os
import stat

import pytest
from programs import python_ok

import pycdf
from pycdf.files.atomic import write_whole
from pycdf.files.private import private
from pycdf.files.tables.reading import read_data

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


def mode(path):
    return oct(stat.S_IMODE(path.stat().st_mode))


@pytest.fixture
def open_umask():
    before = os.umask(0)
    yield
    os.umask(before)


def test_a_private_file_is_private_whatever_the_umask(tmp_path, open_umask):
    with open(tmp_path / "one", "wb", opener=private) as file:
        file.write(b"1")
    assert mode(tmp_path / "one") == "0o600"
    assert (tmp_path / "one").read_bytes() == b"1"


def test_a_path_with_a_null_character_is_named(tmp_path):
    for use in (
        lambda: write_whole(tmp_path / "a\0b", b""),
        lambda: pycdf.load(str(tmp_path / "a\0b")),
        lambda: read_data(str(tmp_path / "a\0b")),
    ):
        with pytest.raises(ValueError, match=r"is not a path: it contains a null character\.$"):
            use()


def test_a_new_file_has_the_mode_of_open(tmp_path):
    for umask in (0o000, 0o022, 0o077):
        before = os.umask(umask)
        try:
            write_whole(tmp_path / f"{umask}", b"1")
            (tmp_path / f"{umask}-open").write_bytes(b"1")
        finally:
            os.umask(before)
        assert mode(tmp_path / f"{umask}") == mode(tmp_path / f"{umask}-open")


def test_a_private_file_is_never_readable_while_it_is_replaced(tmp_path):
    """The new file is written under another name; it must be private before it has content."""
    target = tmp_path / "secret"
    target.write_bytes(b"old")
    target.chmod(0o600)
    code = (
        "import os, sys\n"
        "from pycdf.files.atomic import write_whole\n"
        "os.umask(0)\n"
        "def look(event, arguments):\n"
        f"    if event in ('os.chmod', 'os.rename') and {str(tmp_path)!r} in str(arguments[0]):\n"
        "        print(event, oct(os.stat(arguments[0]).st_mode & 0o777))\n"
        "sys.addaudithook(look)\n"
        f"write_whole({str(target)!r}, b'new')\n"
    )
    assert python_ok("-c", code).splitlines() == ["os.chmod 0o600", "os.rename 0o600"]
    assert (mode(target), target.read_bytes()) == ("0o600", b"new")
    assert list(tmp_path.iterdir()) == [target]
