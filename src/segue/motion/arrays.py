"""Clips and motions as plain arrays with names, shapes and units, for machine learning."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource

if TYPE_CHECKING:
    from segue.motion.motion import Motion

_CLIP = {
    "names": ["(J,)", "joint names, parents before children"],
    "parents": ["(J,)", "index of each joint's parent, -1 for a root"],
    "offsets": ["(J, 3)", "length", "rest offset of each joint from its parent"],
    "positions": ["(T, J, 3)", "length", "of each joint in its parent's frame, of a root in the world"],
    "rotations": ["(T, J, 4)", "unit quaternions w x y z, of each joint in its parent's frame"],
    "fps": ["()", "frames/s"],
    "end_joints": ["(E,)", "joints that carry the tip of a bone"],
    "ends": ["(E, 3)", "length", "tips in the frames of these joints"],
}
_MOTION = {
    "times": ["(T,)", "s"],
    "world_positions": ["(T, J, 3)", "m", "of the joints in the world, Y up"],
    "figure_root": ["(T, 3)", "m", "position of the figure's root in the world"],
    "figure_balls": ["(T, 7, 4)", "unit quaternions w x y z of the figure's ball joints"],
    "figure_hinges": ["(T, 20)", "rad", "of the figure's hinges"],
    "figure_velocities": ["(T, 44)", "m/s and rad/s, of ball joints in the frame of the segment that moves"],
    "figure_ball_names": ["(7,)"],
    "figure_hinge_names": ["(20,)"],
    "figure_dof_names": ["(44,)", "names of the columns of figure_velocities"],
    "figure_mass": ["()", "kg"],
    "figure_stature": ["()", "m"],
}


def clip_arrays(clip: Clip, length: str = "the source's own unit") -> dict[str, Any]:
    """Return a clip as arrays; `about` is JSON with the shape, the unit and the meaning of each.

    length: the unit of lengths, for `about`. `Clip` of these arrays is the same clip, number for number.
    """
    ends = clip.skeleton.ends
    return {
        "about": np.array(_about(_CLIP, length)),
        "names": np.array(clip.names),
        "parents": np.array(clip.parents),
        "offsets": np.array(clip.offsets),
        "positions": np.array(clip.positions),
        "rotations": np.array(clip.rotations),
        "fps": np.array(clip.fps),
        "end_joints": np.array(list(ends), np.int64),
        "ends": np.array(list(ends.values()), float).reshape(-1, 3),
    }


def motion_arrays(motion: Motion, fps: float | None = None) -> dict[str, Any]:
    """Return a motion as arrays in metres with Y up, on its source's skeleton and on the figure."""
    from segue.motion.tracks import velocities_of

    clip = _in_metres(motion.to_clip(fps), motion)
    times = motion.times_at(fps)
    state = motion.state(times)
    arrays = clip_arrays(clip, "m")
    return arrays | {
        "about": np.array(_about(_CLIP | _MOTION, "m")),
        "times": times,
        "world_positions": np.array(clip.world[0]),
        "figure_root": state.poses.root,
        "figure_balls": state.poses.balls,
        "figure_hinges": state.poses.hinges,
        "figure_velocities": velocities_of(state),
        "figure_ball_names": np.array(HUMAN.ball_names),
        "figure_hinge_names": np.array(HUMAN.hinge_names),
        "figure_dof_names": np.array(HUMAN.dof_names),
        "figure_mass": np.array(motion.figure.mass),
        "figure_stature": np.array(motion.figure.stature),
    }


def _about(table: dict[str, list[str]], length: str) -> str:
    return json.dumps({name: [length if part == "length" else part for part in row] for name, row in table.items()})


def _in_metres(clip: Clip, motion: Motion) -> Clip:
    """Return a motion's clip in metres with Y up."""
    if not isinstance(motion.source, ClipSource):
        return clip
    space = motion.source.space
    positions, rotations = clip.positions * space.scale, np.array(clip.rotations)
    roots = [joint for joint, parent in enumerate(clip.parents) if parent < 0]
    positions[:, roots] = space.to_metres(clip.positions[:, roots])
    rotations[:, roots] = space.turn(rotations[:, roots])
    ends = {joint: tip * space.scale for joint, tip in clip.skeleton.ends.items()}
    offsets = clip.offsets * space.scale
    offsets[roots] = space.to_metres(clip.offsets[roots])
    return Clip(clip.names, clip.parents, offsets, positions, quaternion.normalise(rotations), clip.fps, ends=ends)
