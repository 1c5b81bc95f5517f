"""USD files: what the USD library itself finds in them."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_samples import (
    CMU,
    CMU_SCALE,
    LAFAN1,
    LAFAN1_SCALE,
    Z_UP,
    first_frames,
    mocap_clip,
    random_clip,
    world_in_metres,
)

from segue.errors import FileFormatError, SegueError
from segue.io.gltf import read_glb, write_glb
from segue.io.usd import joint_paths, write_usd
from segue.motion.clip import Clip
from segue.typing import Array

pxr: Any = pytest.importorskip("pxr", reason="the USD library (usd-core) is not installed")
from pxr import Gf, Usd, UsdGeom, UsdSkel  # noqa: E402

IDENTITY = (1.0, 0.0, 0.0, 0.0)
KINDS: dict[str, tuple[Callable[[], Clip], float, Any]] = {
    "plain": (lambda: random_clip(ends={3: [0, 0.1, 0]}), 1.0, IDENTITY),
    "scaled and turned": (random_clip, 0.01, Z_UP),
    "several roots": (lambda: random_clip((-1, 0, -1, 2)), 1.0, Z_UP),
    "one frame": (lambda: random_clip(frames=1), 1.0, IDENTITY),
    "one joint": (lambda: random_clip((-1,)), 1.0, IDENTITY),
    "odd names": (
        lambda: random_clip(names=("mixamorig:Hips", "mixamorig_Hips", "", "1st", "腰", "\ud800")),
        1.0,
        IDENTITY,
    ),
    "CMU": (lambda: mocap_clip(CMU), CMU_SCALE, IDENTITY),
    "LAFAN1": (lambda: first_frames(mocap_clip(LAFAN1), 300), LAFAN1_SCALE, IDENTITY),
}


@pytest.fixture(params=KINDS, scope="module")
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Clip, Array, Any]:
    """Return a clip, its world positions in metres, and the stage that was written of it."""
    make, scale, rotation = KINDS[request.param]
    clip = make()
    path = tmp_path_factory.mktemp("usd") / "clip.usdc"
    write_usd(clip, path, scale=scale, rotation=rotation)
    return clip, world_in_metres(clip, scale, rotation), Usd.Stage.Open(str(path))


def skeleton_query(stage: Any) -> Any:
    cache = UsdSkel.Cache()
    cache.Populate(UsdSkel.Root(stage.GetDefaultPrim()), Usd.PrimDefaultPredicate)
    return cache.GetSkelQuery(UsdSkel.Skeleton.Get(stage, "/Figure/Skeleton"))


def test_usd_finds_every_joint_where_it_is(written: tuple[Clip, Array, Any]) -> None:
    clip, expected, stage = written
    query = skeleton_query(stage)
    assert query.GetAnimQuery()
    for frame in range(len(clip)):
        transforms = np.array(query.ComputeJointSkelTransforms(frame))
        np.testing.assert_allclose(transforms[:, 3, :3], expected[frame], atol=1e-5)


def test_the_stage_says_what_its_numbers_mean(written: tuple[Clip, Array, Any]) -> None:
    clip, _, stage = written
    assert UsdGeom.GetStageUpAxis(stage) == "Y"
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert stage.GetTimeCodesPerSecond() == clip.fps
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, len(clip) - 1)
    assert stage.GetDefaultPrim().IsA(UsdSkel.Root)


def test_names_are_kept_and_tokens_are_valid(written: tuple[Clip, Array, Any]) -> None:
    clip, _, stage = written
    skeleton = UsdSkel.Skeleton.Get(stage, "/Figure/Skeleton")
    tokens = skeleton.GetJointsAttr().Get()
    assert len(set(tokens)) == len(clip.names)
    assert all(re.fullmatch(r"[A-Za-z_]\w*(/[A-Za-z_]\w*)*", token, re.ASCII) for token in tokens)
    originals = [name.encode("utf-8", "replace").decode() for name in clip.names]
    assert list(skeleton.GetJointNamesAttr().Get()) == originals
    topology = UsdSkel.Topology(tokens)
    assert topology.Validate()
    assert list(topology.GetParentIndices()) == list(clip.parents)


def test_rest_and_bind_transforms_are_one_pose(written: tuple[Clip, Array, Any]) -> None:
    _, _, stage = written
    skeleton = UsdSkel.Skeleton.Get(stage, "/Figure/Skeleton")
    topology = UsdSkel.Topology(skeleton.GetJointsAttr().Get())
    world = UsdSkel.ConcatJointTransforms(topology, skeleton.GetRestTransformsAttr().Get())
    np.testing.assert_allclose(np.array(world), np.array(skeleton.GetBindTransformsAttr().Get()), atol=1e-6)


def test_the_mesh_follows_the_skeleton(written: tuple[Clip, Array, Any]) -> None:
    """Skinned by the USD library, the figure stays as near to its joints in the last frame as in the bind pose."""
    clip, expected, stage = written
    cache, root = UsdSkel.Cache(), UsdSkel.Root(stage.GetDefaultPrim())
    cache.Populate(root, Usd.PrimDefaultPredicate)
    (binding,) = cache.ComputeSkelBindings(root, Usd.PrimDefaultPredicate)
    (skinning,) = binding.GetSkinningTargets()
    mesh = UsdGeom.Mesh.Get(stage, "/Figure/Bones")
    points = mesh.GetPointsAttr().Get()
    carriers = np.array(UsdSkel.BindingAPI(mesh.GetPrim()).GetJointIndicesPrimvar().Get())
    query = cache.GetSkelQuery(binding.GetSkeleton())
    bind = np.array(query.GetJointWorldBindTransforms())[:, 3, :3]
    last = len(clip) - 1
    transforms = query.ComputeSkinningTransforms(last)
    moved = type(points)(points)
    assert skinning.ComputeSkinnedPoints(transforms, moved, last)
    before = np.linalg.norm(np.array(points) - bind[carriers], axis=1)
    after = np.linalg.norm(np.array(moved) - expected[last][carriers], axis=1)
    np.testing.assert_allclose(after, before, atol=1e-4)
    low, high = mesh.GetExtentAttr().Get()
    assert Gf.Range3f(low, high).Contains(points[0])


def test_the_library_validates_the_stage(written: tuple[Clip, Array, Any]) -> None:
    validation = pytest.importorskip("pxr.UsdValidation", reason="this version of usd-core has no validators")
    _, _, stage = written
    context = validation.ValidationContext(validation.ValidationRegistry().GetOrLoadAllValidators())
    assert [error.GetErrorAsString() for error in context.Validate(stage)] == []


@pytest.mark.parametrize(("suffix", "head"), [(".usda", b"#usda"), (".usdc", b"PXR-USDC"), (".usd", b"PXR-USDC")])
def test_the_suffix_chooses_text_or_binary(suffix: str, head: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"clip{suffix}"
    write_usd(random_clip(), path)
    assert path.read_bytes().startswith(head)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_the_rest_pose_of_a_glb_is_kept(tmp_path: Path) -> None:
    clip = random_clip()
    write_glb(clip, tmp_path / "clip.glb")
    again = read_glb(tmp_path / "clip.glb")
    write_usd(
        Clip.from_arrays(again.skeleton, again.positions[5:], again.rotations[5:], 30, origin=again.origin),
        tmp_path / "clip.usda",
    )
    stage = Usd.Stage.Open(str(tmp_path / "clip.usda"))
    rest = np.array(UsdSkel.Skeleton.Get(stage, "/Figure/Skeleton").GetBindTransformsAttr().Get())
    np.testing.assert_allclose(rest[:, 3, :3], clip.world[0][0], atol=1e-6)


def test_without_a_mesh(tmp_path: Path) -> None:
    write_usd(random_clip(), tmp_path / "clip.usda", mesh=False)
    stage = Usd.Stage.Open(str(tmp_path / "clip.usda"))
    assert [prim.GetName() for prim in stage.Traverse()] == ["Figure", "Skeleton", "Animation"]


def test_names_that_become_the_same_are_told_apart() -> None:
    names = ["a:b", "a.b", "a_b", "9", "", "ä", "ö", "a_b_2"]
    paths = joint_paths(names, [-1, 0, 0, 1, 1, 1, 1, 0])
    leaves = [path.split("/")[-1] for path in paths]
    assert len(set(leaves)) == len(names)
    assert paths[3] == f"{paths[1]}/_9"
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", leaf) for leaf in leaves)


def test_another_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"suffix '.usdz': USD files end in .usd, .usda, .usdc"):
        write_usd(random_clip(), tmp_path / "clip.usdz")


def test_without_the_library_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real_import = builtins.__import__

    def no_pxr(name: str, *arguments: Any, **options: Any) -> Any:
        if name.startswith("pxr"):
            raise ImportError(name)
        return real_import(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", no_pxr)
    with pytest.raises(SegueError, match=r'pip install "segue\[usd\]"'):
        write_usd(random_clip(), tmp_path / "clip.usd")
    assert list(tmp_path.iterdir()) == []
