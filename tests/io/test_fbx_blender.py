"""FBX files made now by Blender, where its Python module is installed (pip install bpy), which is rare."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.io.fbx import make

from segue.io.scene import read_fbx

pytest.importorskip("bpy", reason="Blender's Python module (bpy) is not installed")
pytest.importorskip("ufbx", reason="the FBX library (ufbx) is not installed")


@pytest.mark.parametrize("name", make.KINDS)
def test_joints_are_where_blender_finds_them(name: str, tmp_path: Path) -> None:
    path = make.make(name, tmp_path)
    known = make.blender_positions(path)
    takes = [key for key in known if key != "names"]
    for take in takes:
        clip = read_fbx(path, take=take if len(takes) > 1 else None)
        joints = [clip.names.index(bone) for bone in known["names"]]
        np.testing.assert_allclose(clip.world[0][:, joints], known[take], atol=1e-3)
