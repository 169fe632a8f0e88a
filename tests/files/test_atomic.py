"""Parts of files: those of a process that was killed are cleared, those being written are not."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from programs import new_process

from pycdf.files.atomic import write_whole

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and locks of POSIX")
SIZE = 60_000_000
SAVING = """
import sys
from pycdf.files.atomic import write_whole
while True:
    write_whole(sys.argv[1], bytes(int(sys.argv[2])))
"""


def parts(folder):
    return sorted(path for path in folder.iterdir() if path.name.endswith(".part"))


def saving(target):
    """A process that saves again and again, and has been stopped while it did."""
    process = subprocess.Popen([sys.executable, "-c", SAVING, str(target), str(SIZE)],
                               env=new_process())  # fmt: skip
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if parts(target.parent):
            process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED)
            if any(path.stat().st_size for path in parts(target.parent)):  # it is being written
                return process
            process.send_signal(signal.SIGCONT)
    process.kill()
    raise AssertionError("the process did not save")


def test_a_killed_save_is_cleared_by_the_next_and_a_running_one_is_not(tmp_path):
    target = tmp_path / "m.cdf"
    process = saving(target)
    try:
        running = parts(tmp_path)
        assert len(running) == 1
        write_whole(target, b"ours")
        assert parts(tmp_path) == running
        assert target.read_bytes() == b"ours"
    finally:
        process.kill()
        process.wait()
    assert parts(tmp_path) == running
    write_whole(tmp_path / "other.cdf", b"other")
    assert parts(tmp_path) == running
    write_whole(target, b"ours again")
    assert parts(tmp_path) == []
    assert target.read_bytes() == b"ours again"


def test_only_parts_of_this_file_are_cleared(tmp_path):
    name = ".m.cdf.0123456789ab.part"
    others = [".m.cdf.part", ".m_cdf.0123456789ab.part", ".m.cdf.0123456789abc.part",
              ".m.cdf.0123456789aB.part", "m.cdf.0123456789ab.part",
              ".m.cdf.0123456789ab.part.x", ".x.m.cdf.0123456789ab.part"]  # fmt: skip
    for other in (name, *others):
        (tmp_path / other).write_bytes(b"")
    write_whole(tmp_path / "m.cdf", b"1")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*others, "m.cdf"])


def test_a_part_that_cannot_be_deleted_stops_nothing(tmp_path):
    (tmp_path / ".m.cdf.0123456789ab.part").mkdir()
    (tmp_path / ".m.cdf.ba9876543210.part").write_bytes(b"")
    write_whole(tmp_path / "m.cdf", b"1")
    assert [path.name for path in parts(tmp_path)] == [".m.cdf.0123456789ab.part"]


def test_parts_of_a_link_are_beside_its_target(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder/m.cdf")
    (tmp_path / "folder" / ".m.cdf.0123456789ab.part").write_bytes(b"")
    write_whole(tmp_path / "link", b"1")
    assert [path.name for path in (tmp_path / "folder").iterdir()] == ["m.cdf"]


def test_many_saves_at_once(tmp_path):
    """Nobody deletes what another is writing, even before it is locked."""
    target = tmp_path / ("m" * 250)
    failed = []

    def save(content):
        try:
            for _ in range(50):
                write_whole(target, content)
        except OSError as error:
            failed.append(error)

    threads = [threading.Thread(target=save, args=(bytes([at]) * 100,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert [path.name for path in tmp_path.iterdir()] == [target.name]
    assert len(set(target.read_bytes())) == 1


class FullDisk:
    """A file that Ctrl-C interrupts while the disk is full."""

    def __init__(self, opened):
        self.opened, self.closed = opened, False

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def write(self, data):
        raise KeyboardInterrupt

    def close(self):
        if not self.closed:
            self.closed = True
            os.close(self.opened)
            raise OSError(28, "No space left on device")


def test_an_interrupt_stays_one_if_the_disk_is_full(tmp_path, monkeypatch):
    target = tmp_path / "m.cdf"
    target.write_bytes(b"old")
    monkeypatch.setattr(os, "fdopen", lambda opened, mode: FullDisk(opened))
    with pytest.raises(KeyboardInterrupt):
        write_whole(target, b"new")
    monkeypatch.undo()
    assert parts(tmp_path) == []
    assert target.read_bytes() == b"old"


def test_an_error_names_the_path_as_it_was_given(tmp_path):
    (tmp_path / "folder").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "folder")
    with pytest.raises(IsADirectoryError) as caught:
        write_whole(link, b"new")
    assert caught.value.filename == str(link)
    with pytest.raises(FileNotFoundError) as caught:
        write_whole(tmp_path / "none" / "m.cdf", b"new")
    assert caught.value.filename == str(tmp_path / "none" / "m.cdf")


def test_the_folder_is_synced_after_the_renaming(tmp_path, monkeypatch):
    """Without it a crash may bring the old file back. No system call says so afterwards."""
    target, synced, sync = tmp_path / "m.cdf", [], os.fsync

    def note(opened):
        facts = os.fstat(opened)
        synced.append((facts.st_ino, target.exists()))
        sync(opened)

    monkeypatch.setattr(os, "fsync", note)
    write_whole(target, b"new")
    assert synced == [(target.stat().st_ino, False), (tmp_path.stat().st_ino, True)]
