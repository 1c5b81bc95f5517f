"""USD files in: what is written comes back, and what other programs write is understood."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_samples import Z_UP, random_clip, world_in_metres

import segue as sg
from segue import io
from segue.errors import FileFormatError, SegueError, SegueWarning
from segue.io.usd import read_usd, write_usd

pxr: Any = pytest.importorskip("pxr", reason="the USD library (usd-core) is not installed")
from pxr import Gf, Sdf, Usd, UsdGeom, UsdSkel, Vt  # noqa: E402


def stage_with(path: Path, codes: list[float], *, rate: float = 24.0) -> Any:
    """Return a new stage with a chain of three joints, of which the animation moves the first two."""
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetTimeCodesPerSecond(rate)
    stage.SetFramesPerSecond(rate)
    UsdSkel.Root.Define(stage, "/Person")
    skeleton = UsdSkel.Skeleton.Define(stage, "/Person/Rig")
    joints = ["hip", "hip/knee", "hip/knee/ankle"]
    skeleton.CreateJointsAttr(joints)
    rest = [Gf.Matrix4d().SetTranslate(Gf.Vec3d(0, -3, k)) for k in range(3)]
    skeleton.CreateRestTransformsAttr(rest)
    skeleton.CreateBindTransformsAttr(UsdSkel.ConcatJointTransforms(UsdSkel.Topology(joints), rest))
    for name, lift in (("Walk", 1.0), ("Run", 5.0)):
        animation = UsdSkel.Animation.Define(stage, f"/Person/{name}")
        animation.CreateJointsAttr(joints[1::-1])  # in another order
        animation.CreateScalesAttr(Vt.Vec3hArray(2, Gf.Vec3h(1)))
        for code in codes:
            half = 0.01 * code
            turn = Gf.Quatf(float(np.cos(half)), float(np.sin(half)), 0, 0)
            animation.CreateTranslationsAttr().Set(Vt.Vec3fArray([(0, -3, 1), (0, lift * code, 0)]), code)
            animation.CreateRotationsAttr().Set(Vt.QuatfArray([Gf.Quatf(1), turn]), code)
    binding = UsdSkel.BindingAPI.Apply(skeleton.GetPrim())
    binding.CreateAnimationSourceRel().SetTargets(["/Person/Walk"])
    return stage


@pytest.mark.parametrize("suffix", [".usda", ".usdc", ".usd"])
@pytest.mark.parametrize(("scale", "rotation"), [(1.0, (1.0, 0.0, 0.0, 0.0)), (0.01, Z_UP)])
def test_what_was_written_is_read_back(suffix: str, scale: float, rotation: Any, tmp_path: Path) -> None:
    clip = random_clip()
    write_usd(clip, tmp_path / f"a{suffix}", scale=scale, rotation=rotation)
    again = io.read(tmp_path / f"a{suffix}")
    assert (again.names, again.parents, again.fps) == (clip.names, clip.parents, clip.fps)
    np.testing.assert_allclose(again.world[0], world_in_metres(clip, scale, rotation), atol=1e-5)


def test_units_up_axis_and_transforms_above_go_into_the_root(tmp_path: Path) -> None:
    path = tmp_path / "a.usda"
    stage = stage_with(path, [0.0, 1.0, 2.0])
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(stage, 0.01)
    moved = UsdGeom.Xformable(stage.GetPrimAtPath("/Person"))
    moved.AddTranslateOp().Set(Gf.Vec3d(10, 20, 30))
    moved.AddScaleOp().Set(Gf.Vec3f(2, 2, 2))
    stage.Save()
    clip = read_usd(path, take=0)
    assert clip.names == ("hip", "knee", "ankle")
    query = UsdSkel.Cache().GetSkelQuery(UsdSkel.Skeleton.Get(stage, "/Person/Rig"))
    for frame in range(3):
        world = query.ComputeJointWorldTransforms(UsdGeom.XformCache(frame))
        x, y, z = 0.01 * np.array(world)[:, 3, :3].T
        np.testing.assert_allclose(clip.world[0][frame], np.stack([x, z, -y], axis=1), atol=1e-6)


@pytest.mark.parametrize(("codes", "rate", "fps"), [([0, 1, 2], 24.0, 24.0), ([5, 15, 25], 1000.0, 100.0)])
def test_time_samples_at_any_rate(codes: list[float], rate: float, fps: float, tmp_path: Path) -> None:
    stage_with(tmp_path / "a.usdc", codes, rate=rate).Save()
    clip = read_usd(tmp_path / "a.usdc", take=0)
    assert (clip.fps, len(clip)) == (pytest.approx(fps), 3)
    np.testing.assert_allclose(clip.positions[:, 0, 1], codes, atol=1e-5)


def test_an_animation_is_chosen_by_its_name(tmp_path: Path) -> None:
    stage_with(tmp_path / "a.usda", [0, 1, 2]).Save()
    with pytest.warns(SegueWarning, match="has 2 animations, 'Walk' is read; others are #Run"):
        walk = io.read(tmp_path / "a.usda")
    run = io.read(f"{tmp_path / 'a.usda'}#Run")
    np.testing.assert_allclose(run.positions[:, 0, 1], 5 * walk.positions[:, 0, 1], atol=1e-5)


def test_only_the_first_of_several_skeletons_is_read(tmp_path: Path) -> None:
    stage = stage_with(tmp_path / "a.usda", [0, 1, 2])
    UsdSkel.Skeleton.Define(stage, "/Somebody/Else")
    stage.Save()
    with pytest.warns(SegueWarning, match="has 2 skeletons, only the first is read, not /Somebody/Else"):
        clip = read_usd(tmp_path / "a.usda", take="Walk")
    assert clip.names == ("hip", "knee", "ankle")


def test_a_stage_without_an_animation_is_its_rest_pose(tmp_path: Path) -> None:
    stage = stage_with(tmp_path / "a.usda", [0])
    for name in ("Walk", "Run"):
        stage.RemovePrim(f"/Person/{name}")
    stage.Save()
    with pytest.warns(SegueWarning, match="has no animation, the clip is its rest pose"):
        clip = read_usd(tmp_path / "a.usda")
    np.testing.assert_allclose(clip.world[0][0], [[0, -3, 0], [0, -6, 1], [0, -9, 3]], atol=1e-6)


@pytest.mark.parametrize("arc", ["reference", "payload", "sublayer"])
def test_other_files_are_not_opened(arc: str, tmp_path: Path) -> None:
    other = tmp_path / "other.usda"
    stage_with(other, [0, 1]).Save()
    stage = Usd.Stage.CreateNew(str(tmp_path / "a.usda"))
    if arc == "sublayer":
        stage.GetRootLayer().subLayerPaths.append(str(other))
    else:
        prim = stage.DefinePrim("/Person")
        (prim.GetReferences().AddReference if arc == "reference" else prim.GetPayloads().AddPayload)(
            str(other), "/Person"
        )
    stage.Save()
    with pytest.raises(
        FileFormatError, match=r"has no UsdSkel skeleton; other files, as .*other.usda, are not followed"
    ):
        read_usd(tmp_path / "a.usda")


def test_value_clips_in_other_files_are_not_opened(tmp_path: Path) -> None:
    stage_with(tmp_path / "other.usda", [0, 50]).Save()
    stage = stage_with(tmp_path / "a.usda", [0.0, 1.0])
    clips = Usd.ClipsAPI(stage.GetPrimAtPath("/Person/Walk"))
    clips.SetClipAssetPaths([Sdf.AssetPath(str(tmp_path / "other.usda"))])
    clips.SetClipPrimPath("/Person/Walk")
    clips.SetClipActive([(0, 0)])
    stage.Save()
    assert len(read_usd(tmp_path / "a.usda", take="Walk")) == 2


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is no USD file"),
        (b"#usda 1.0\n", "has no UsdSkel skeleton"),
        (b'#usda 1.0\ndef Skeleton "a" {}\n', "has no joints|is not valid|rest transforms"),
        (b"#usda 1.0\n(((", "is no USD file that can be read: line 2 is wrong"),
        (b"#usda 1.0\n" + b"(" * 5000, "nests brackets deeper"),
        (b'#usda 1.0\ndef "\xff" {\n', "is no USD file that can be read"),
        (
            b'#usda 1.0\ndef Skeleton "a" {\n uniform token[] joints = ["a"]\n uniform tokem[] jointNames = ["a"]\n'
            b" uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]\n"
            b" uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]\n}\n",
            "holds a value where another kind of value belongs",
        ),
        (b"PK\x03\x04", "usdz package"),
        (b"PXR-USDC" + bytes(80), "is no USD file that can be read"),
        (b"\xff\xfe" * 40, "is no USD file"),
    ],
)
def test_other_content_is_refused_in_one_sentence(content: bytes, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "a.usd").write_bytes(content)
    with pytest.raises(FileFormatError, match=sentence) as raised:
        read_usd(tmp_path / "a.usd")
    assert "crash" not in str(raised.value)


def test_without_the_library_the_error_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_usd(random_clip(), tmp_path / "a.usda")
    (tmp_path / "pxr.py").write_text("raise ImportError", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(SegueError, match=r'pip install "segue\[usd\]"'):
        read_usd(tmp_path / "a.usda")


def test_a_person_is_recognised(tmp_path: Path) -> None:
    sg.save(sg.clips.clip("wave"), tmp_path / "wave.usdc")
    motion = sg.load(tmp_path / "wave.usdc")
    assert motion.clip_source.space.scale == 1.0
