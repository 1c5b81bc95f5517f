"""Parse FBX with ufbx, in a process of its own: nodes, takes, key times, and the transforms of all nodes at times."""

from __future__ import annotations

import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

_shared = runpy.run_path(str(Path(__file__).with_name("_worker.py")))
Refused, packed = _shared["Refused"], _shared["packed"]

_MOST_NODES = 100_000
_MOST_DEPTH = 1_000
_MOST_KEYS = 1_000_000


def parse(data: bytes, request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the nodes and takes of a file, and local transforms (T, N, 10) in a take at `times`.

    Without times the transforms are those at the keys, unless they are more than `most`. A transform is translation,
    quaternion x y z w, scale. The first node is the root, which holds the conversion to metres with Y up.
    """
    import ufbx

    try:
        scene = ufbx.load_memory(
            data,
            ignore_geometry=True,
            ignore_embedded=True,
            load_external_files=False,
            file_format=ufbx.FileFormat.FBX,
            node_depth_limit=_MOST_DEPTH,
            target_axes=ufbx.axes_right_handed_y_up,
            target_unit_meters=1.0,
            inherit_mode_handling=ufbx.InheritModeHandling.COMPENSATE,
        )
    except ufbx.UfbxError as error:
        raise Refused(f"is no FBX file that can be read: {_reason(error)}") from None
    nodes = _kept(list(_kept(scene.nodes)))
    if len(nodes) > _MOST_NODES:
        raise Refused(f"has {len(nodes)} nodes: {_MOST_NODES} can be read")
    number = {node.element_id: place for place, node in enumerate(nodes)}
    parents = [_kept(node.parent) for node in nodes]
    bones = [_kept(node.bone) is not None for node in nodes]
    for cluster in _kept(list(_kept(scene.skin_clusters))):
        bone = _kept(cluster.bone_node)
        if bone is not None:
            bones[number[bone.element_id]] = True
    takes = _kept(list(_kept(scene.anim_stacks)))
    result = {
        "names": packed(node.name for node in nodes),
        "parents": np.array([-1 if parent is None else number[parent.element_id] for parent in parents]),
        "bones": np.array(bones),
        "rest": np.array([_row(_kept(node.local_transform)) for node in nodes]),
        "takes": packed(take.name for take in takes),
        "fps": np.array(float(_kept(scene.settings).frames_per_second)),
    }
    if takes:
        take = takes[min(request["take"], len(takes) - 1)]
        if request["times"] is None:
            moved, keys = _keys(take, number)
            times = sorted(keys)
            result |= {"moved": np.array(sorted(moved), np.int64), "keys": np.array(times)}
        else:
            start, spacing, count = request["times"]
            times = (start + spacing * np.arange(count)).tolist()
        if request["times"] is not None or len(times) * len(nodes) <= request["most"]:
            anim = _kept(take.anim)
            rows = [[_row(node.evaluate_transform(anim, time)) for node in nodes] for time in times]
            result["frames"] = np.array(rows).reshape(len(times), len(nodes), 10)
    return result


_alive: list[Any] = []


def _kept(thing: Any) -> Any:
    """Return an object of ufbx, which is never released: its 0.0.5 frees objects that it hands out a second time."""
    _alive.append(thing)
    return thing


def _reason(error: Exception) -> str:
    text = str(error).partition("\n")[0].strip() or type(error).__name__
    return text[:1].lower() + text[1:]


def _row(transform: Any) -> tuple[float, ...]:
    return (*transform.translation, *transform.rotation, *transform.scale)


def _keys(take: Any, number: Mapping[int, int]) -> tuple[set[int], set[float]]:
    """Return the nodes that a take moves, and the times of its keys; of curves with alike ends only one is asked."""
    moved: set[int] = set()
    times: set[float] = set()
    seen: set[tuple[int, float, float]] = set()
    for layer in _kept(list(_kept(take.layers))):
        for prop in _kept(list(_kept(layer.anim_props))):
            place = number.get(_kept(prop.element).element_id)
            if place is None or not prop.prop_name.startswith("Lcl "):
                continue
            for curve in _kept(_kept(prop.anim_value).curves):
                keyframes = () if curve is None else _kept(curve.keyframes)
                if not keyframes:
                    continue
                moved.add(place)
                ends = (len(keyframes), keyframes[0].time, keyframes[len(keyframes) - 1].time)
                if ends not in seen:
                    seen.add(ends)
                    times.update(key.time for key in keyframes)
                if len(times) > _MOST_KEYS:
                    raise Refused(f"has keys at more than {_MOST_KEYS} times: it may be damaged")
    return moved, times


if __name__ == "__main__":
    _shared["answer"](parse)
