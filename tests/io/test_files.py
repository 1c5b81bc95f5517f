"""Files appear whole or not at all, and a suffix chooses the format."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from segue import io
from segue.curves import quaternion
from segue.errors import FileFormatError
from segue.filesystem import atomic_write, read_bytes
from segue.io.files import READERS, WRITERS
from segue.motion.clip import Clip, Origin

as_user = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind the superuser"
)


@pytest.fixture
def clip() -> Clip:
    # metres with Y up, as its origin says: every format can take it as it is
    still = np.zeros((1, 1, 3))
    return Clip(["root"], [-1], still[0], still, quaternion.identity(1, 1), 30.0, origin=Origin("glb"))


def test_the_file_appears_only_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "out.usda"
    with atomic_write(path) as beside:
        assert beside.parent == tmp_path
        assert beside.suffix == ".usda"
        beside.write_text("whole")
        assert not path.exists()
    assert path.read_text() == "whole"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_failure_keeps_what_was_there(error: type[BaseException], tmp_path: Path) -> None:
    path = tmp_path / "out.bvh"
    path.write_text("old")

    def write_half() -> None:
        with atomic_write(path) as beside:
            beside.write_text("half")
            raise error

    with pytest.raises(error):
        write_half()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "no space is left"),
        (errno.EACCES, "permission is denied"),
        (errno.EROFS, "the file system is read-only"),
        (errno.EIO, f"the system reports '{os.strerror(errno.EIO)}'"),
    ],
)
def test_a_failure_of_the_file_system_is_a_clear_error(
    number: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> bytes:
        raise OSError(number, "as the system says it")

    path = tmp_path / "out.bvh"
    with pytest.raises(FileFormatError, match=rf"out\.bvh: cannot be written: {words}"), atomic_write(path):
        fails()
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(Path, "open", fails)
    with pytest.raises(FileFormatError, match=rf"out\.bvh: cannot be read: {words}"):
        io.read(path)


def test_permissions_are_those_of_any_new_file_or_of_the_old_one(tmp_path: Path) -> None:
    plain, path = tmp_path / "plain", tmp_path / "out.bvh"
    plain.write_text("")
    with atomic_write(path):
        pass
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    path.chmod(0o640)
    with atomic_write(path) as beside:
        beside.write_text("new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_symbolic_link_keeps_pointing_at_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    real, link = folder / "real.bvh", tmp_path / "link.bvh"
    real.write_text("old")
    link.symlink_to(real)
    with atomic_write(link) as beside:
        beside.write_text("new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_a_long_name_can_still_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250 + ".bvh")
    with atomic_write(path) as beside:
        beside.write_text("new")
    assert path.read_text() == "new"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("absent/out.bvh", "there is no folder"),
        ("file/out.bvh", "there is no folder"),
        (".", "it is a folder"),
        ("nul\0.bvh", "not a valid one"),
        ("x" * 300 + ".bvh", "too long"),
    ],
)
def test_places_that_cannot_be_written_are_named(name: str, words: str, tmp_path: Path, clip: Clip) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileFormatError, match=f"cannot be written: .*{words}"), atomic_write(tmp_path / name):
        pytest.fail("nothing should be written")


@as_user
def test_a_protected_file_is_not_replaced(tmp_path: Path) -> None:
    kept = tmp_path / "kept.bvh"
    kept.write_text("mine")
    kept.chmod(0o400)
    with pytest.raises(FileFormatError, match="write-protected"), atomic_write(kept):
        pytest.fail("nothing should be written")
    assert kept.read_text() == "mine"


@as_user
def test_a_folder_without_permission_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(FileFormatError, match="permission is denied"), atomic_write(tmp_path / "out.bvh"):
        pytest.fail("nothing should be written")
    tmp_path.chmod(0o700)


@as_user
def test_a_file_without_permission_is_named(tmp_path: Path) -> None:
    path = tmp_path / "in.bvh"
    path.write_text("HIERARCHY")
    path.chmod(0)
    with pytest.raises(FileFormatError, match=r"in\.bvh: cannot be read: permission is denied"):
        io.read(path)


@pytest.mark.parametrize(
    ("name", "words"),
    [("absent.bvh", "no such file"), (".", "folder"), ("file/x", "a folder is needed"), ("nul\0", "not a valid one")],
)
def test_files_that_cannot_be_read_are_named(name: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileFormatError, match=f"cannot be read: .*{words}"):
        read_bytes(tmp_path / name)


@pytest.mark.parametrize("name", ["walk.c3d", "walk", "walk.", ".bvh", "walk.bvh.gz"])
def test_an_unknown_suffix_lists_the_known_ones(name: str, tmp_path: Path, clip: Clip) -> None:
    with pytest.raises(
        FileFormatError, match=r"can be read end in \.bvh, \.fbx, \.glb, \.gltf, \.npz, \.usd, \.usda, \.usdc"
    ):
        io.read(tmp_path / name)
    with pytest.raises(
        FileFormatError,
        match=r"can be written end in \.bvh, \.csv, \.glb, \.mot, \.npz, \.sto, \.usd, \.usda, \.usdc, \.xml",
    ):
        io.write(clip, tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", sorted(WRITERS))
def test_every_known_suffix_can_be_written(suffix: str, tmp_path: Path, clip: Clip) -> None:
    if suffix.startswith(".usd"):
        pytest.importorskip("pxr", reason="usd-core is not installed")
    path = tmp_path / f"out{suffix.upper()}"
    io.write(clip, path)
    assert path.stat().st_size > 0
    if suffix in READERS:
        assert io.read(path).names == clip.names


def test_formats_are_imported_when_they_are_met() -> None:
    code = "import sys, segue.io; print([m for m in ('segue.io.bvh', 'pygltflib', 'pxr') if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
