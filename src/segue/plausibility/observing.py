"""Observe a motion: take from it the arrays that all measures need."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.motion.motion import Motion
from segue.motion.take import Take
from segue.plausibility.observed import END_SEGMENTS, Observed


def observe(motion: Motion, floor: float | None = None) -> Observed:
    """Return what a whole motion shows at its own frames; floor: its height in m, estimated where not given."""
    if floor is not None and not np.isfinite(floor):
        raise ArgumentError(f"floor is {floor}: it must be a height in metres")
    clip, figure = motion.to_clip(), motion.figure
    at, rotations = clip.world
    tips = np.stack(
        [at[:, j] + quaternion.rotate(rotations[:, j], tip) for j, tip in clip.skeleton.ends.items()] or [at[:, 0]],
        axis=1,
    )
    if isinstance(motion.host, Take):
        space = motion.host.space
        at, tips, rotations = space.to_metres(at), space.to_metres(tips), space.turn(rotations)
        turns = motion.fit().calibration.turns
    else:
        turns = {segment: (s, quaternion.identity()) for s, segment in enumerate(HUMAN.segments)}
    lasts = {turns[segment][0]: segment for segment in END_SEGMENTS}
    body = _without_extremities(clip.parents, set(lasts))
    neck = _ancestors(clip.parents, turns["head"][0]) - _ancestors(clip.parents, turns["torso"][0])
    feet = {joint for joint, segment in lasts.items() if segment.endswith("foot")}
    toes = {j for j in range(len(clip.parents)) if _ancestors(clip.parents, j) & feet and j not in feet}
    shown = [j for j in range(len(clip.parents)) if j in body or j in toes]
    ends = [(k, j) for k, j in enumerate(clip.skeleton.ends) if j in shown]
    return Observed(
        times=motion.times,
        fps=motion.fps,
        figure=figure,
        poses=motion.poses,
        names=clip.names,
        local=quaternion.make_continuous(clip.rotations),
        root=at[:, 0],
        segments={name: quaternion.multiply(rotations[:, j], constant) for name, (j, constant) in turns.items()},
        origins={name: at[:, j] for name, (j, _) in turns.items()},
        body=body,
        kinds=tuple(lasts[j].split("_")[1] if j in lasts else "head" if j in neck else "other" for j in body),
        points=np.concatenate([at[:, shown], tips[:, [k for k, _ in ends]]], axis=1),
        point_names=(*(clip.names[j] for j in shown), *(f"tip of {clip.names[j]}" for _, j in ends)),
        toes=np.array([*(j in toes for j in shown), *(j in toes or j in feet for _, j in ends)]),
        given_floor=floor,
    )


def _ancestors(parents: Sequence[int], joint: int) -> set[int]:
    """Return a joint and all joints that it hangs on."""
    found = set()
    while joint >= 0:
        found.add(joint)
        joint = parents[joint]
    return found


def _without_extremities(parents: Sequence[int], lasts: set[int]) -> tuple[int, ...]:
    """Return the joints that lie not beyond any of the given ones."""
    beyond: set[int] = set()
    for joint, parent in enumerate(parents):
        if parent in lasts or parent in beyond:
            beyond.add(joint)
    return tuple(joint for joint in range(len(parents)) if joint not in beyond)
