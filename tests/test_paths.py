"""Writing a folder: it is whole or as it was, whenever the writer stops."""

import errno
import os
import signal
import subprocess
import sys
import time
from collections import namedtuple
from pathlib import Path

import pytest

from cwr import paths


def content(folder):
    return {file.name: file.read_text() for file in folder.iterdir()}


def test_the_new_folder_takes_the_place_of_the_old_one(tmp_path):
    for text in ("old", "new"):
        with paths.replacing(tmp_path / "results") as scratch:
            (scratch / "a.txt").write_text(text)
    assert content(tmp_path / "results") == {"a.txt": "new"}
    assert os.listdir(tmp_path) == ["results"]


def test_an_error_leaves_the_old_folder_and_nothing_else(tmp_path):
    with paths.replacing(tmp_path / "results") as scratch:
        (scratch / "a.txt").write_text("old")
    with (
        pytest.raises(ZeroDivisionError),
        paths.replacing(tmp_path / "results") as scratch,
    ):
        (scratch / "a.txt").write_text("half")
        raise ZeroDivisionError
    assert content(tmp_path / "results") == {"a.txt": "old"}
    assert os.listdir(tmp_path) == ["results"]


KILLED = """
import pathlib, time
from cwr import paths
with paths.replacing(pathlib.Path({target!r})) as scratch:
    (scratch / "a.txt").write_text("half")
    print("writing", flush=True)
    time.sleep(60)
"""


def test_a_file_is_replaced_whole_and_an_error_leaves_the_old_one(tmp_path, monkeypatch):
    file = tmp_path / "new" / "a.json"
    paths.write_text(file, "old")
    paths.write_text(file, "nëw")
    assert file.read_text(encoding="utf-8") == "nëw" and os.listdir(file.parent) == [
        "a.json"
    ]
    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space left"):
        paths.write_text(file, "half")
    assert file.read_text(encoding="utf-8") == "nëw" and os.listdir(file.parent) == [
        "a.json"
    ]


@pytest.mark.parametrize(("durable", "flushed"), [(True, 3), (False, 0)])
def test_a_folder_is_flushed_if_it_is_to_outlast_a_power_failure(
    tmp_path, monkeypatch, durable, flushed
):
    calls = []
    monkeypatch.setattr(os, "fsync", calls.append)
    with paths.replacing(tmp_path / "results", durable) as scratch:
        (scratch / "a.txt").write_text("a")
        (scratch / "b.txt").write_text("b")
    assert len(calls) == flushed
    assert content(tmp_path / "results") == {"a.txt": "a", "b.txt": "b"}


def test_the_nearest_mounted_disk_decides_whether_a_folder_is_local(tmp_path, monkeypatch):
    disk = namedtuple("disk", "mountpoint fstype")
    place = tmp_path.resolve()
    mounted = [
        disk("/", "ext4"),
        disk(str(place), "nfs4"),
        disk(str(place / "own"), "xfs"),
    ]
    monkeypatch.setattr("psutil.disk_partitions", lambda all: mounted)
    assert paths.is_local(place.parent)
    assert not paths.is_local(place) and not paths.is_local(place / "cache" / "new")
    assert paths.is_local(place / "own" / "cache")
    monkeypatch.setattr("psutil.disk_partitions", lambda all: [])
    assert not paths.is_local(place)  # unknown: as if others read it


def full_disk(descriptor):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_the_half_file_of_a_killed_writer_is_cleared_by_the_next_one(tmp_path):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    half = tmp_path / f".a.json.part-{dead.pid}"
    half.write_text("half")
    (tmp_path / f".b.json.part-{os.getpid()}").write_text("of another file")
    paths.write_text(tmp_path / "a.json", "new")
    assert sorted(os.listdir(tmp_path)) == [f".b.json.part-{os.getpid()}", "a.json"]


def test_what_a_killed_writer_left_is_cleared_by_the_next_one(tmp_path):
    target = tmp_path / "results"
    with paths.replacing(target) as scratch:
        (scratch / "a.txt").write_text("old")
    writer = subprocess.Popen(
        [sys.executable, "-c", KILLED.format(target=str(target))], stdout=subprocess.PIPE
    )
    assert writer.stdout.readline() == b"writing\n"
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    assert content(target) == {"a.txt": "old"}
    assert len(os.listdir(tmp_path)) == 2
    with paths.replacing(target) as scratch:
        (scratch / "a.txt").write_text("new")
    assert content(target) == {"a.txt": "new"}
    assert os.listdir(tmp_path) == ["results"]


def test_a_killed_writer_that_nobody_has_waited_for_counts_as_dead(tmp_path):
    target = tmp_path / "results"
    writer = subprocess.Popen(
        [sys.executable, "-c", KILLED.format(target=str(target))], stdout=subprocess.PIPE
    )
    assert writer.stdout.readline() == b"writing\n"
    writer.kill()
    time.sleep(0.3)  # a zombie: dead, and still in the list of processes
    with paths.replacing(target) as scratch:
        (scratch / "a.txt").write_text("new")
    assert os.listdir(tmp_path) == ["results"]
    writer.wait()


def test_a_writer_that_is_alive_keeps_its_scratch_folder(tmp_path):
    target = tmp_path / "results"
    writer = subprocess.Popen(
        [sys.executable, "-c", KILLED.format(target=str(target))], stdout=subprocess.PIPE
    )
    assert writer.stdout.readline() == b"writing\n"
    with paths.replacing(target) as scratch:
        (scratch / "a.txt").write_text("new")
    assert len(os.listdir(tmp_path)) == 2
    writer.kill()
    writer.wait()


def test_a_folder_set_aside_by_a_killed_writer_comes_back(tmp_path):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    time.sleep(0.05)
    aside = tmp_path / f".results.old-{dead.pid}"
    aside.mkdir()
    (aside / "a.txt").write_text("old")
    paths.recover(tmp_path / "results")
    assert content(tmp_path / "results") == {"a.txt": "old"}


@pytest.mark.parametrize(
    "text", ["~nosuchuser/x", "a" * 5000, "\ud800", "a\0b", "/nowhere/at/all", "lee"]
)
def test_a_text_that_names_nothing_is_no_path(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert paths.named(text) in (None, Path(".")) and (text == "") == (
        paths.named(text) is not None
    )


def test_a_text_names_what_is_there_and_the_home_folder(tmp_path, monkeypatch):
    (tmp_path / "text.txt").touch()
    monkeypatch.setenv("HOME", str(tmp_path))
    assert paths.named(str(tmp_path)) == tmp_path
    assert paths.named("~/text.txt") == tmp_path / "text.txt"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("my-model.v2", "my-model.v2"),
        ("<img src=x onerror=alert(1)>", "_img src_x onerror_alert_1__"),
        ("a|b`c`*d*", "a_b_c__d_"),
        ("two\nlines", "two_lines"),
        ("naïve модель", "naïve модель"),
        ("minilm", "folder minilm"),
        (" ", "folder  "),
    ],
)
def test_a_folder_is_called_by_a_name_that_is_no_markup_and_no_model_of_the_book(
    tmp_path, name, expected
):
    (tmp_path / name).mkdir()
    assert paths.name_of(tmp_path / name, reserved=["minilm"]) == expected
    (tmp_path / name).rmdir()
    (tmp_path / name).touch()
    assert paths.name_of(tmp_path / name, ["minilm"]) == expected.replace("folder", "file")


def test_folders_of_data_that_are_not_there_are_passed_over(tmp_path, monkeypatch):
    texts = [str(tmp_path), "~nosuchuser/x", "a" * 5000, "", "/nowhere"]
    monkeypatch.setenv("CWR_DATA", os.pathsep.join(texts))
    assert paths.data_roots() == [tmp_path]
