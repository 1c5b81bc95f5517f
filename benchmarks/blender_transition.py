"""A transition of two actions of 300 frames each, in Blender.

It needs Blender's module: .venv-blender/bin/python -m benchmarks blender_transition.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from tests.blender.rigs import add_action, make_rig, positions_of, use_action

from benchmarks import Row

FRAMES, RUNS = 300, 7
KINDS = ("mixamo", "scaled", "rigify")


def main() -> list[Row]:
    sys.path.insert(0, str(Path(__file__).parents[1] / "blender"))
    import segue_blender

    segue_blender.register()
    rows = []
    for kind in KINDS:
        rows += _measured(kind)
    segue_blender.unregister()
    return rows


def _measured(kind: str) -> list[Row]:
    from segue_blender.child import CHILD
    from segue_blender.rig import Rig

    seconds, spent = [], []
    for run in range(RUNS + 1):
        owner = make_rig(bpy, kind)
        walk = add_action(bpy, owner, kind, "walk", FRAMES)
        add_action(bpy, owner, kind, "run", FRAMES)
        use_action(owner, walk)
        owner.location.z = 0.001 * run  # other clips each time: Segue remembers the fit of clips that it was sent
        bpy.context.view_layer.update()
        began, before = time.perf_counter(), _processor_time(CHILD.pid)
        bpy.ops.segue.transition(second="run")
        if run:  # the first starts Segue's process and loads its code
            seconds.append(time.perf_counter() - began)
            spent.append(_processor_time(CHILD.pid) - before)
    copies = [each for each in bpy.data.objects if each.name.endswith("(Segue)")]
    target = copies[0] if copies else owner
    prefix = "DEF-" if kind == "rigify" else ""
    action = target.animation_data.action
    low, high = (int(each) for each in action.frame_range)
    joined = positions_of(bpy, target, range(low, high + 1), prefix)
    first = positions_of(bpy, owner, range(1, FRAMES + 1), prefix) if copies else _original(owner, walk)
    leave = _last_equal(joined, first)
    gap = len(joined) - leave - _tail(joined, owner, kind, prefix)
    rig = Rig(target, bpy.context.scene)
    frames = np.arange(low, high + 1, dtype=float)
    shape, arrays = rig.message(0, rig.sampled(action, action.slots[0], frames))
    feet = CHILD.call("check", {"clips": [shape]}, arrays).wait()[0]["feet"]
    within = [each["slide"] for each in feet if each["stop"] >= leave and each["start"] <= leave + gap]
    apart = float(np.abs(joined[:leave] - first[:leave]).max())
    lasts, works, slides = statistics.median(seconds), statistics.median(spent), max(within, default=0.0)
    load = os.getloadavg()[0]
    return [
        Row(f"{kind}: transition, all in", f"{1000 * lasts:.0f} ms at a load of {load:.1f}", 1.0 / lasts, 1.0),
        Row("  processor time of Blender and Segue", f"{1000 * works:.0f} ms", 1.0 / works, 1.0),
        Row(
            "  first action before the gap", f"{1e6 * apart:.2f} um apart, {leave} frames", 1e-6 / max(apart, 1e-9), 1.0
        ),
        Row("  planted feet in the gap", f"{1000 * slides:.1f} mm", 0.005 / max(slides, 1e-6), 1.0),
    ]


def _processor_time(pid: int | None) -> float:
    """Return the processor time in s of this process, and of another that runs."""
    own = time.process_time()
    try:
        parts = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return own
    return own + (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def _original(owner: Any, action: Any) -> Any:
    made = owner.animation_data.action
    use_action(owner, action)
    first = positions_of(bpy, owner, range(1, FRAMES + 1))
    use_action(owner, made)
    return first


def _last_equal(joined: Any, first: Any) -> int:
    """Return how many frames at the start are those of the first action."""
    count = min(len(joined), len(first))
    apart = np.abs(joined[:count] - first[:count]).max(axis=(1, 2)) > 1e-4
    return int(np.argmax(apart)) if apart.any() else count


def _tail(joined: Any, owner: Any, kind: str, prefix: str) -> int:
    """Return how many frames at the end have the poses of the second action, wherever they are."""
    use_action(owner, bpy.data.actions["run"])
    second = positions_of(bpy, owner, range(1, FRAMES + 1), prefix)
    count = min(len(joined), len(second))

    def shape(points: Any) -> Any:
        return np.linalg.norm(points[:, :, None] - points[:, None], axis=3)

    apart = np.abs(shape(joined[-count:]) - shape(second[-count:])).max(axis=(1, 2)) > 1e-4
    return count - 1 - int(np.flatnonzero(apart)[-1]) if apart.any() else count
