"""FBX files: Blender's exports against Blender's own importer, and the format's formula on a hand-written file."""

from __future__ import annotations

import lzma
from pathlib import Path

import fbx_text
import numpy as np
import pytest

import segue as sg
from segue import io
from segue.errors import FileFormatError, SegueError, SegueWarning
from segue.io.files import split_take
from segue.io.scene import read_fbx

pytest.importorskip("ufbx", reason="the FBX library (ufbx) is not installed")

FILES = Path(__file__).parent / "fbx"
NAMES = sorted(file.name.removesuffix(".fbx.xz") for file in FILES.glob("*.xz"))


def unpacked(name: str, folder: Path) -> Path:
    path = folder / f"{name}.fbx"
    path.write_bytes(lzma.decompress((FILES / f"{name}.fbx.xz").read_bytes()))
    return path


def test_there_are_twelve_exports_and_a_text() -> None:
    assert len(NAMES) == 13


@pytest.mark.parametrize("name", NAMES)
def test_joints_are_where_blender_finds_them(name: str, tmp_path: Path) -> None:
    path = unpacked(name, tmp_path)
    with np.load(FILES / f"{name.removesuffix('_ascii')}.npz") as known:
        takes = [key for key in known if key != "names"]
        for take in takes:
            clip = read_fbx(path, take=take if len(takes) > 1 else None)
            joints = [clip.names.index(bone) for bone in known["names"]]
            assert len(clip) == len(known[take])
            assert clip.fps == (24.0 if "24" in name else 60.0)
            np.testing.assert_allclose(clip.world[0][:, joints], known[take], atol=1e-4)


@pytest.mark.parametrize(("unit", "up"), [(1.0, 1), (2.54, 1), (100.0, 2)])
def test_pre_and_post_rotations_orders_pivots_units_and_axes(unit: float, up: int, tmp_path: Path) -> None:
    path = tmp_path / "text.fbx"
    path.write_text(fbx_text.text(unit, up), encoding="utf-8")
    clip = read_fbx(path)
    assert (clip.fps, len(clip)) == (30.0, 31)
    assert clip.names == ("bone0", "bone1", "bone2", "bone3")
    step = (len(clip) - 1) // 2
    np.testing.assert_allclose(clip.world[0][::step], fbx_text.positions(unit, up), atol=1e-6)


def test_the_largest_of_several_skeletons_is_read(tmp_path: Path) -> None:
    path = tmp_path / "text.fbx"
    path.write_text(fbx_text.text(others=("sword", "shield")), encoding="utf-8")
    with pytest.warns(SegueWarning, match="has 3 skeletons, the largest below 'bone0' is read, not 'sword', 'shield'"):
        clip = read_fbx(path)
    assert clip.names == ("bone0", "bone1", "bone2", "bone3")


def test_a_take_is_chosen_behind_the_name(tmp_path: Path) -> None:
    path = unpacked("two_takes", tmp_path)
    with pytest.warns(SegueWarning, match=r"has 2 takes, 'clip\|slow' is read; others are #clip\|usual"):
        first = io.read(path)
    assert len(first) == 23
    for take in ("usual", "clip|usual", "1"):
        assert len(io.read(f"{path}#{take}")) == 12
    with pytest.raises(FileFormatError, match=r"has no take 'usal': there are clip\|slow, clip\|usual"):
        io.read(f"{path}#usal")
    (tmp_path / "odd#name.bvh").write_bytes(b"")
    assert split_take(tmp_path / "odd#name.bvh")[1] is None
    with pytest.raises(FileFormatError, match="#2 chooses an animation"):
        io.read(tmp_path / "walk.bvh#2")


def test_a_person_is_recognised_and_written_on(tmp_path: Path) -> None:
    path = unpacked("mixamo_units", tmp_path)
    motion = sg.load(path)
    assert motion.clip_source.space.scale == 1.0
    sg.save(motion, tmp_path / "out.glb")
    again = io.read(tmp_path / "out.glb")
    np.testing.assert_allclose(again.world[0], io.read(path).world[0], atol=1e-5)


def test_a_file_without_a_skeleton_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.fbx"
    path.write_text("; FBX 7.4.0 project file\nObjects:  {\n}\n", encoding="utf-8")
    with pytest.raises(FileFormatError, match="there is no skeleton to read"):
        read_fbx(path)


@pytest.mark.parametrize(
    "content", [b"", b"Kaydara FBX Binary  \0\x1a\0", b"solid\n", b"\xff" * 300, b"v 0 0 0\nf 1 1 1\n"]
)
def test_other_content_is_refused_in_one_sentence(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.fbx"
    path.write_bytes(content)
    with pytest.raises(FileFormatError) as raised:
        read_fbx(path)
    assert "crash" not in str(raised.value)


@pytest.mark.parametrize(
    ("library", "sentence"),
    [
        ("raise ImportError", r'pip install "segue\[fbx\]"'),
        ("import os; os.abort()", "ends the FBX library with a crash"),
        ("x = ' ' * 2**60", "needs more memory"),
    ],
)
def test_trouble_of_the_library_is_one_sentence(
    library: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ufbx.py").write_text(library, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(SegueError, match=sentence):
        read_fbx(unpacked("plain", tmp_path))
