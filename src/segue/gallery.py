"""Pictures of transitions for `make demo`, each after a figure of [Rose1996]."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

import segue as sg
from segue import view
from segue.curves.quaternion import Array
from segue.spacetime.objectives import torque

__all__ = ["Cut", "draw_animation", "draw_arm", "draw_feet", "draw_forearm", "draw_transition"]

_BESIDE = view.Camera(-75.0, 8.0)
_DURATION = 0.6


class Cut(NamedTuple):
    """A motion in a chain: when it is entered, and how much of its end is left out, in s."""

    name: str
    motion: sg.Motion
    enter: float = 0.0
    omit: float = 0.0


def draw_transition(out: Path) -> None:
    """Draw figure 8: a walk becomes a run in 0.6 s, coloured from blue to red on the way."""
    motion = sg.transition(sg.clips.walk, sg.clips.run, _DURATION, leave=1.9, enter=0.2)
    (fill,) = sg.fills(motion)
    moments = fill.start + np.array([-0.6, -0.3, *np.linspace(0.0, _DURATION, 5), 0.8, 1.0, 1.2])
    view.filled(motion, [fill], times=moments.tolist(), spacing=0.0, height=300).save(out / "figure_8_transition.png")
    sg.save(motion, out / "figure_8_transition.bvh")
    sg.save(motion, out / "figure_8_transition.glb")


def draw_arm(out: Path) -> None:
    """Draw figure 9: a walker salutes; two transitions of 0.3 s on the joints of one arm alone, in green."""
    arm = sg.clip(sg.select(sg.clips.salute, "right_arm"), 0.9, 1.9)
    motion = sg.sp(sg.affine(arm, 1.1) + (sg.clips.walk - sg.affine(arm, 0.8, 1.6)))
    moments = np.arange(0.65, 2.6, 0.15)
    camera = view.Camera(-65.0, 8.0)
    view.filled(motion, sg.fills(motion), times=moments.tolist(), camera=camera, height=260).save(
        out / "figure_9_salute.png"
    )
    sg.save(motion, out / "figure_9_salute.bvh")


def draw_forearm(out: Path) -> None:
    """Draw figure 10: a forearm is lowered; interpolation moves nothing else, least torque lets the whole arm go."""
    still = _standing(90.0, 0.0, 91)
    raised, lowered = (sg.select(_standing(*each), "right_arm") for each in ((140.0, 0.0, 31), (90.0, 1.0, 31)))
    gap = raised + lowered + (still - sg.select(still, "right_arm"))
    # with less of the cost of accelerations than usual, so that torques decide
    least = sg.sp(gap, objective=torque(acceleration=0.05))
    versions = {"interpolation": sg.sp(gap, iterations=0), "spacetime, least torque": least}
    moments = np.linspace(0.5, 1.0, 61)
    names = ["right_elbow_flexion", "right_shoulder", "right_wrist_flexion"]
    curves = view.compared_curves({name: each.at(moments) for name, each in versions.items()}, names, moments)
    view.arranged([_side_by_side(versions, moments), {"": curves}]).save(out / "figure_10_forearm.png")


def _standing(elbow_deg: float, start: float, frames: int) -> sg.Motion:
    """Return a person who stands still with the right forearm raised."""
    stand = sg.clips.stand
    poses = stand.at(np.full(frames, 0.5))
    poses.hinge("right_elbow_flexion")[:] = np.radians(elbow_deg)
    return sg.Motion.from_poses(stand.figure, poses, 60.0, start=start)


def draw_feet(out: Path) -> None:
    """Draw figure 2: the end of a kick is filled anew; the standing foot drifts unless it is held as a support."""
    kick, span = sg.clips.kick, (1.2, 2.0)
    free = sg.fill(kick, [span], objective="torque", supports={"left_foot": "never", "right_foot": "never"})
    versions = {"supports let go": free, "supports held": sg.fill(kick, [span], objective="torque")}
    moments = np.linspace(*span, 61)
    paths = view.compared_paths(kick.figure, {name: each.at(moments) for name, each in versions.items()})
    view.arranged([_side_by_side(versions, moments), {"": paths}]).save(out / "figure_2_feet.png")


def _side_by_side(versions: dict[str, sg.Motion], moments: Array) -> dict[str, view.Picture]:
    """Return five exposures of each version in one place."""
    times = moments[:: (len(moments) - 1) // 4].tolist()
    return {
        name: view.filled(
            motion, sg.fills(motion), times=times, limbs="blue to red", camera=_BESIDE, spacing=0.0, height=340
        )
        for name, motion in versions.items()
    }


def draw_animation(chain: Sequence[Cut], path: Path) -> sg.Motion:
    """Draw a row for each transition of a longer animation, between the middles of the motions it joins; return it."""
    motion = chain[0].motion
    for left, entered in pairwise(chain):
        leave = motion.stop - left.omit
        motion = sg.transition(motion, entered.motion, _DURATION, leave=leave, enter=entered.enter)
    fills = sg.fills(motion)
    edges = [motion.start, *(0.5 * (a.stop + b.start) for a, b in pairwise(fills)), motion.stop]
    rows = []
    for k, fill in enumerate(fills):
        before, after = np.linspace(edges[k], fill.start, 4)[:-1], np.linspace(fill.stop, edges[k + 1], 4)[1:]
        moments = np.concatenate([before, np.linspace(fill.start, fill.stop, 5), after])
        drawn = view.filled(motion, fills, times=moments.tolist(), spacing=0.9, height=150)
        rows.append({f"{chain[k].name} to {chain[k + 1].name}": drawn})
    view.arranged(rows).save(path)
    return motion
