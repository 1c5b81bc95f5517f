"""Keyframes that contradict what is asked of the path between them: told before any work is done."""

from __future__ import annotations

import numpy as np

from segue.errors import ArgumentError
from segue.keyframe.figure.points import FOOT_POINTS
from segue.keyframe.figure.usual import PENALTIES, Scene

_DEEPEST = 0.005  # m inside a box or below the floor
_STRAY = 0.05  # m that a point which is said to stand may move between keyframes


def check_scene(scene: Scene) -> None:
    """Raise ArgumentError where a keyframe cannot go with the floor, a box or a point that is said to stand."""
    figure, poses, times = scene.frames.figure, scene.poses, scene.frames.times
    known = scene.frames.knows(scene.frames.tracks)
    places = {point: figure.point(point, poses) for point in figure.points}
    for name in scene.boxes:
        if name in PENALTIES:
            raise ArgumentError(f"a box is called '{name}', as a penalty is: give it a name of its own")
    for point in figure.points:
        for k in np.flatnonzero(known).tolist():
            if point in FOOT_POINTS and scene.floor is not None and scene.floor - places[point][k, 1] > _DEEPEST:
                raise ArgumentError(
                    f"in the keyframe at {times[k]:g} s the {_words(point)} is "
                    f"{100 * (scene.floor - places[point][k, 1]):.1f} cm below the floor at {scene.floor:g} m, and "
                    "keyframes are met exactly: lower the floor, or raise the pose"
                )
            for name, box in scene.boxes.items():
                depth = float(box.depth(places[point][k])[0])
                if depth > _DEEPEST:
                    raise ArgumentError(
                        f"in the keyframe at {times[k]:g} s the {_words(point)} is {100 * depth:.1f} cm inside "
                        f"'{name}', and keyframes are met exactly: move the box or the pose"
                    )
    for plant in scene.plants or ():
        if plant.point not in places:
            raise ArgumentError(f"the figure has no point '{plant.point}': there are {', '.join(figure.points)}")
        during = np.flatnonzero(known & (times >= plant.start) & (times <= plant.stop))
        if len(during):
            stray = float(np.ptp(places[plant.point][during], axis=0).max())
            if stray > _STRAY:
                raise ArgumentError(
                    f"the {_words(plant.point)} is said to stand from {plant.start:g} to {plant.stop:g} s, but "
                    f"keyframes have it in places {100 * stray:.0f} cm apart: shorten that time, or leave it out"
                )


def _words(point: str) -> str:
    return point.replace("_", " ")
