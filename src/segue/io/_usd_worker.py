"""Parse USD with Pixar's library, in a process of its own: the first skeleton, and its animation at times.

The file is opened as a layer without a place, and every path to another file is taken out of it before it is composed.
"""

from __future__ import annotations

import contextlib
import re
import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

_shared = runpy.run_path(str(Path(__file__).with_name("_worker.py")))
Refused, packed = _shared["Refused"], _shared["packed"]

_MOST_JOINTS = 10_000
_MOST_TIMES = 1_000_000
_MOST_DEPTH = 1_000
_ABOVE = 2  # nodes above the joints: the stage, which holds unit and up axis, and the skeleton's own transform


def parse(data: bytes, request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the nodes and animations of a file, and local transforms (T, N, 10) in an animation at `times`.

    Without times the transforms are those at the time samples, unless they are more than `most`. A transform is
    translation, quaternion x y z w, scale.
    """
    from pxr import Tf, Usd, UsdSkel

    try:
        layer, outside = _opened(data)
        stage = Usd.Stage.Open(layer)
        skeleton, others, takes = _skeleton(stage, outside)
        if takes and request["take"]:
            target = takes[min(request["take"], len(takes) - 1)].GetPath()
            UsdSkel.BindingAPI.Apply(skeleton.GetPrim()).CreateAnimationSourceRel().SetTargets([target])
        query = _query(skeleton)
        joints = [str(joint) for joint in query.GetJointOrder()]
        parents = [int(parent) for parent in query.GetTopology().GetParentIndices()]
        if len(joints) > _MOST_JOINTS:
            raise Refused(f"has a skeleton of {len(joints)} joints: {_MOST_JOINTS} can be read")
        if not joints or any(parent >= place for place, parent in enumerate(parents)):
            raise Refused(f"the skeleton {skeleton.GetPath()} has no joints, or joints before their parents")
        rate = float(stage.GetTimeCodesPerSecond())
        rest = query.ComputeJointLocalTransforms(Usd.TimeCode.Default(), True)
        if not rest:
            raise Refused(f"the skeleton {skeleton.GetPath()} has no valid rest transforms for its joints")
        given = skeleton.GetJointNamesAttr().Get() or ()
        names = given if len(given) == len(joints) else [joint.rpartition("/")[2] for joint in joints]
        result = {
            "names": packed(["stage", "skeleton", *map(str, names)]),
            "parents": np.array([-1, 0, *(parent + _ABOVE if parent >= 0 else 1 for parent in parents)]),
            "bones": np.array([False] * _ABOVE + [True] * len(joints)),
            "rest": _rows(stage, skeleton, [rest], [Usd.TimeCode.EarliestTime()])[0],
            "takes": packed(take.GetName() for take in takes),
            "others": packed(str(other.GetPath()) for other in others),
            "fps": np.array(0.0),  # a stage's own rate is that of its clock, often much finer than the samples
        }
        animation = query.GetAnimQuery()
        if not animation:
            return result | {"keys": np.empty(0)}
        if request["times"] is None:
            wanted = sorted(set(animation.GetJointTransformTimeSamples()) | _moved(skeleton))
            if len(wanted) > _MOST_TIMES:
                raise Refused(f"has more than {_MOST_TIMES} time samples: it may be damaged")
            result["keys"] = np.array(wanted) / rate
            if not wanted or len(wanted) * len(joints) > request["most"]:
                return result
        else:
            start, spacing, count = request["times"]
            wanted = ((start + spacing * np.arange(count)) * rate).tolist()
        poses = [query.ComputeJointLocalTransforms(code, False) for code in wanted]
        if not all(poses):
            raise Refused("the animation has samples that do not fit its joints")
        return result | {"frames": _rows(stage, skeleton, poses, wanted)}
    except (Tf.ErrorException, RuntimeError) as error:
        # the library names its own functions and files, which help nobody
        text = ""
        with contextlib.suppress(UnicodeDecodeError):  # it may quote any bytes
            text = str(error)
        place = re.search(r"layer\.usda:(\d+):", text)
        where = f"line {place[1]} is wrong" if place else "it is damaged"
        raise Refused(f"is no USD file that can be read: {where}") from None


def _opened(data: bytes) -> tuple[Any, list[str]]:
    """Return the file as an anonymous layer without paths to other files, and those paths."""
    from pxr import Sdf

    if data.startswith(b"PK"):
        raise Refused("is a .usdz package: unpack it, or write it as .usdc")
    name = "layer.usdc" if data.startswith(b"PXR-USDC") else "layer.usda"
    if name.endswith("a") and not data.lstrip().startswith((b"#usda", b"#sdf")):
        raise Refused("is no USD file: it begins neither with PXR-USDC nor with #usda")
    if name.endswith("a") and _depth(data) > _MOST_DEPTH:
        raise Refused(f"nests brackets deeper than {_MOST_DEPTH}: it may be damaged")
    Path(name).write_bytes(data)
    layer = Sdf.Layer.OpenAsAnonymous(name)
    if not layer:
        raise Refused("is no USD file that can be read")
    outside = [str(path) for path in layer.GetCompositionAssetDependencies()]
    for path in outside:
        layer.UpdateCompositionAssetDependency(path, "")
    specs: list[Any] = []
    layer.Traverse(Sdf.Path.absoluteRootPath, specs.append)
    for path in specs:
        prim = layer.GetPrimAtPath(path)
        if prim and prim.HasInfo("clips"):
            prim.ClearInfo("clips")
            outside.append("value clips")
    return layer, outside


def _depth(data: bytes) -> int:
    """Return how deep brackets are nested, those in texts and comments too; the library's parser is recursive."""
    text = np.frombuffer(data, np.uint8)
    opening, closing = np.isin(text, list(b"([{")), np.isin(text, list(b")]}"))
    return int((np.cumsum(opening) - np.cumsum(closing)).max(initial=0))


def _skeleton(stage: Any, outside: list[str]) -> tuple[Any, list[Any], list[Any]]:
    """Return the first skeleton of a stage, the other skeletons, and all animations, first the one bound to it."""
    from pxr import Usd, UsdSkel

    everything = Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)
    prims = list(Usd.PrimRange.Stage(stage, everything))
    found = [prim for prim in prims if prim.IsA(UsdSkel.Skeleton)]
    if not found:
        elsewhere = f"; other files, as {outside[0]}, are not followed, flatten it before" if outside else ""
        raise Refused(f"has no UsdSkel skeleton{elsewhere}")
    skeleton = UsdSkel.Skeleton(found[0])
    bound = _query(skeleton).GetAnimQuery()
    animations = [prim for prim in prims if prim.IsA(UsdSkel.Animation)]
    return skeleton, found[1:], sorted(animations, key=lambda prim: not bound or prim != bound.GetPrim())


def _query(skeleton: Any) -> Any:
    """Return the query of a skeleton with the animation that is bound to it or to what stands above it."""
    from pxr import Usd, UsdSkel

    root = UsdSkel.Root.Find(skeleton.GetPrim())
    cache = UsdSkel.Cache()
    if root:
        cache.Populate(root, Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate))
    query = cache.GetSkelQuery(skeleton)
    if not query:
        raise Refused(
            f"the skeleton {skeleton.GetPath()} is not valid: its joints, bind and rest transforms do not fit"
        )
    return query


def _moved(skeleton: Any) -> set[float]:
    """Return the time samples of the transforms above the joints."""
    from pxr import UsdGeom

    codes: set[float] = set()
    prim = skeleton.GetPrim()
    while prim and not prim.IsPseudoRoot():
        if prim.IsA(UsdGeom.Xformable):
            codes.update(UsdGeom.Xformable(prim).GetTimeSamples())
        prim = prim.GetParent()
    return codes


def _rows(stage: Any, skeleton: Any, poses: list[Any], codes: list[Any]) -> Any:
    """Return transforms (T, N, 10) of the stage, of the skeleton and of its joints."""
    from pxr import UsdGeom
    from scipy.spatial.transform import Rotation

    above = [UsdGeom.XformCache(code).GetLocalToWorldTransform(skeleton.GetPrim()) for code in codes]
    matrices = np.concatenate([np.array(above)[:, None], np.array([np.array(pose) for pose in poses])], axis=1)
    axes, size = matrices[..., :3, :3], np.linalg.norm(matrices[..., :3, :3], axis=-1)
    if not np.isfinite(matrices).all() or not (size > 0.0).all():
        raise Refused("has a joint whose transform is not finite, or flattens space")
    axes = axes / size[..., None]
    mirrored = np.linalg.det(axes) < 0.0
    axes, size = np.where(mirrored[..., None, None], -axes, axes), np.where(mirrored[..., None], -size, size)
    if np.abs(np.linalg.det(axes)).min() < 1e-6:
        raise Refused("has a joint whose transform flattens space")
    turns = Rotation.from_matrix(axes.reshape(-1, 3, 3).transpose(0, 2, 1)).as_quat().reshape(*size.shape[:2], 4)
    rows = np.empty((len(matrices), matrices.shape[1] + 1, 10))
    rows[:, 1:] = np.concatenate([matrices[..., 3, :3], turns, size], axis=-1)
    half = np.sqrt(0.5)
    up = (-half, 0.0, 0.0, half) if UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.z else (0.0, 0.0, 0.0, 1.0)
    rows[:, 0] = (0.0, 0.0, 0.0, *up, *[UsdGeom.GetStageMetersPerUnit(stage)] * 3)
    return rows


if __name__ == "__main__":
    _shared["answer"](parse)
