"""USD in and out: a UsdSkel skeleton with its animation; written in metres with Y up, with a mesh."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from segue.curves import quaternion
from segue.errors import FileFormatError, SegueError
from segue.filesystem import atomic_write
from segue.io.bvh.record import unique_names
from segue.io.placement import COLOURS, IDENTITY, BoneMesh, PlacedClip, bone_mesh, place_clip
from segue.io.scene import SceneFormat, read_scene
from segue.motion.clip import Clip
from segue.typing import Array

_SUFFIXES = (".usd", ".usda", ".usdc")
_USD = SceneFormat("usd", "_usd_worker.py", "USD", "usd", "animation")


def read_usd(path: str | Path, *, take: str | int | None = None, fps: float | None = None) -> Clip:
    """Return the first skeleton of a USD file and an animation, in metres with Y up.

    The stage's unit and up axis, and the transforms above the skeleton, are folded into the root. Joints that the
    animation leaves out keep their rest pose. Sublayers, references, payloads and value clips in other files are not
    followed.

    take: name or number of a SkelAnimation, the one that is bound to the skeleton if not given. fps: frames a second to
    sample at; if not given, the rate of the time samples.
    """
    return read_scene(path, _USD, take, fps)


def write_usd(
    clip: Clip, path: str | Path, *, scale: float = 1.0, rotation: npt.ArrayLike = IDENTITY, mesh: bool = True
) -> None:
    """Write a clip as USD: a SkelRoot with a Skeleton, its SkelAnimation, and a mesh that shows the bones.

    scale: metres per unit of the clip. rotation: the quaternion (w, x, y, z) that takes the clip's axes to Y up. The
    suffix chooses text (.usda) or binary (.usd, .usdc). The rest pose is that of `place_clip`.
    """
    if Path(path).suffix.lower() not in _SUFFIXES:
        raise FileFormatError(f"suffix '{Path(path).suffix}': USD files end in {', '.join(_SUFFIXES)}", path)
    pxr = _import_pxr()
    placed = place_clip(clip, scale, rotation)
    stage = _new_stage(pxr, placed)
    root = pxr.UsdSkel.Root.Define(stage, "/Figure")
    stage.SetDefaultPrim(root.GetPrim())
    skeleton = _define_skeleton(pxr, stage, placed)
    _define_animation(pxr, stage, placed, skeleton)
    if mesh:
        _define_mesh(pxr, stage, bone_mesh(placed), skeleton)
    with atomic_write(path) as beside:
        written = False
        with contextlib.suppress(pxr.Tf.ErrorException):  # it says less than the sentence below
            written = stage.GetRootLayer().Export(str(beside))
        if not written:
            raise FileFormatError("cannot be written by the USD library, is there space on the disk?", path)


def _import_pxr() -> Any:
    """Return the modules of the USD library that are used here."""
    try:
        from pxr import Gf, Sdf, Tf, Usd, UsdGeom, UsdSkel, Vt
    except ImportError as error:
        raise SegueError('USD files need the USD library: pip install "segue[usd]"') from error
    return SimpleNamespace(Gf=Gf, Sdf=Sdf, Tf=Tf, Usd=Usd, UsdGeom=UsdGeom, UsdSkel=UsdSkel, Vt=Vt)


def _new_stage(pxr: Any, clip: PlacedClip) -> Any:
    stage = pxr.Usd.Stage.CreateInMemory()
    pxr.UsdGeom.SetStageUpAxis(stage, pxr.UsdGeom.Tokens.y)
    pxr.UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetTimeCodesPerSecond(clip.fps)
    stage.SetFramesPerSecond(clip.fps)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(len(clip.positions) - 1)
    return stage


def joint_paths(names: Sequence[str], parents: Sequence[int]) -> list[str]:
    """Return the joints as USD paths such as Hips/Spine, of identifiers that are valid and each unlike any other.

    An identifier has letters, digits and underscores of ASCII: newer versions of USD allow more, other programs do not.
    """
    valid = [re.sub(r"\A(?=[0-9]|\Z)", "_", re.sub(r"[^A-Za-z0-9_]", "_", name)) for name in names]
    paths: list[str] = []
    for name, parent in zip(unique_names(valid), parents, strict=True):
        paths.append(name if parent < 0 else f"{paths[parent]}/{name}")
    return paths


def _define_skeleton(pxr: Any, stage: Any, clip: PlacedClip) -> Any:
    skeleton = pxr.UsdSkel.Skeleton.Define(stage, "/Figure/Skeleton")
    pxr.UsdSkel.BindingAPI.Apply(skeleton.GetPrim())
    names = clip.skeleton.names
    skeleton.CreateJointsAttr(joint_paths(names, clip.skeleton.parents))
    skeleton.CreateJointNamesAttr([name.encode("utf-8", "replace").decode() for name in names])
    skeleton.CreateBindTransformsAttr(_matrices(pxr, clip.bind_positions, clip.bind_rotations))
    skeleton.CreateRestTransformsAttr(_matrices(pxr, clip.rest_positions, clip.rest_rotations))
    return skeleton


def _matrices(pxr: Any, positions: Array, rotations: Array) -> Any:
    """Return transforms as USD has them: acting on row vectors."""
    matrices = np.zeros((len(positions), 4, 4))
    matrices[:, :3, :3] = quaternion.to_matrix(rotations).transpose(0, 2, 1)
    matrices[:, 3, :3] = positions
    matrices[:, 3, 3] = 1.0
    return pxr.Vt.Matrix4dArray.FromNumpy(matrices)


def _define_animation(pxr: Any, stage: Any, clip: PlacedClip, skeleton: Any) -> None:
    animation = pxr.UsdSkel.Animation.Define(stage, "/Figure/Animation")
    animation.CreateJointsAttr(skeleton.GetJointsAttr().Get())
    # all three are needed for the animation to count, also where nothing is scaled
    ones = np.ones((len(clip.skeleton), 3), np.float16)
    animation.CreateScalesAttr(pxr.Vt.Vec3hArray.FromNumpy(ones))
    translations, rotations = animation.CreateTranslationsAttr(), animation.CreateRotationsAttr()
    moved = np.asarray(clip.positions, dtype=np.float32)
    turned = np.asarray(clip.rotations[..., [1, 2, 3, 0]], dtype=np.float32)  # in memory the real part stands last
    for frame in range(len(moved)):
        translations.Set(pxr.Vt.Vec3fArray.FromNumpy(moved[frame]), frame)
        rotations.Set(pxr.Vt.QuatfArray.FromNumpy(turned[frame]), frame)
    binding = pxr.UsdSkel.BindingAPI(skeleton.GetPrim())
    binding.CreateAnimationSourceRel().SetTargets([animation.GetPath()])


def _define_mesh(pxr: Any, stage: Any, bones: BoneMesh, skeleton: Any) -> None:
    """Add the figure, bound to the skeleton: every triangle belongs wholly to one joint."""
    mesh = pxr.UsdGeom.Mesh.Define(stage, "/Figure/Bones")
    points = pxr.Vt.Vec3fArray.FromNumpy(np.asarray(bones.points, dtype=np.float32))
    faces = len(bones.joints)
    mesh.CreatePointsAttr(points)
    mesh.CreateFaceVertexCountsAttr(pxr.Vt.IntArray.FromNumpy(np.full(faces, 3, np.int32)))
    mesh.CreateFaceVertexIndicesAttr(pxr.Vt.IntArray.FromNumpy(np.arange(3 * faces, dtype=np.int32)))
    mesh.CreateNormalsAttr(pxr.Vt.Vec3fArray.FromNumpy(np.asarray(bones.normals, dtype=np.float32)))
    mesh.SetNormalsInterpolation(pxr.UsdGeom.Tokens.vertex)
    mesh.CreateSubdivisionSchemeAttr(pxr.UsdGeom.Tokens.none)
    mesh.CreateExtentAttr(pxr.UsdGeom.PointBased.ComputeExtent(points))
    colours = mesh.CreateDisplayColorPrimvar(pxr.UsdGeom.Tokens.uniform)
    colours.Set(pxr.Vt.Vec3fArray.FromNumpy(np.array([COLOURS[side] for side in bones.sides], dtype=np.float32)))
    binding = pxr.UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateSkeletonRel().SetTargets([skeleton.GetPath()])
    carriers = np.repeat(bones.joints, 3).astype(np.int32)
    binding.CreateJointIndicesPrimvar(False, 1).Set(pxr.Vt.IntArray.FromNumpy(carriers))
    binding.CreateJointWeightsPrimvar(False, 1).Set(pxr.Vt.FloatArray.FromNumpy(np.ones(3 * faces, np.float32)))
    binding.CreateGeomBindTransformAttr(pxr.Gf.Matrix4d(1.0))
