"""A couple in pictures: moments of a dance in rows, both partners in one scene, the camera going along."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from segue.dance.performance import CouplePerformance
from segue.errors import ArgumentError
from segue.view.camera import Camera
from segue.view.dance_figures import dancer_tints, in_one_scene, still
from segue.view.dance_sheet import FAINT, Sheet
from segue.view.picture import Picture
from segue.view.render import Look, render

__all__ = ["COUPLE_COLOURS", "couple_film"]

COUPLE_COLOURS = ("blue", "vermilion")
"""The leader's colour and the follower's."""

_LABEL = 26  # pixels
_GAP = 8
_MARGINS = (0.03, 0.02, 0.04)


def couple_film(
    performance: CouplePerformance,
    times: int | Sequence[float] = 6,
    *,
    columns: int = 6,
    camera: Camera | None = None,
    size: tuple[int, int] = (200, 280),
) -> Picture:
    """Return moments of a couple's dance in rows.

    times: how many, at equal steps from the first landing to the end, or when in s. camera: from the leader's left and
    a little from above, if not given. size: of a moment, in pixels.
    """
    moments = _moments(performance, times)
    if columns < 1:
        raise ArgumentError(f"columns is {columns}: it must be at least 1")
    if camera is None:
        camera = Camera(60.0 + float(np.degrees(performance.plan.leader.begins.heading)), 14.0, None)
    motions = (performance.leader, performance.follower)
    poses = [motion.at(moments) for motion in motions]
    middles = 0.5 * (poses[0].root + poses[1].root)
    scenes = [
        in_one_scene([(motion.figure, still(each, k, middles[k])) for motion, each in zip(motions, poses, strict=True)])
        for k in range(len(moments))
    ]
    spheres = [scene.spheres() for scene in scenes]
    view = camera.fitting(
        np.concatenate([centres for centres, _ in spheres]),
        np.concatenate([radii for _, radii in spheres]),
        size,
        _MARGINS,
    )
    rows = -(-len(moments) // columns)
    across, down = size[0] + _GAP, size[1] + _LABEL
    sheet = Sheet(min(columns, len(moments)) * across - _GAP, rows * down)
    look = Look(grid=0.25, fade=0.6, border=0.08)
    for k, (scene, moment) in enumerate(zip(scenes, moments, strict=True)):
        left, top = (k % columns) * across, (k // columns) * down
        sheet.image(left, top, render(scene, dancer_tints(COUPLE_COLOURS), view, look))
        sheet.text(left + size[0] / 2, top + size[1] + 4, f"{moment:.2f} s", size=9, shade=FAINT, centred=True)
    return sheet.picture


def _moments(performance: CouplePerformance, times: int | Sequence[float]) -> list[float]:
    plan = performance.plan.leader
    if isinstance(times, int):
        if times < 1:
            raise ArgumentError(f"times is {times}: at least 1 moment is needed")
        return [float(time) for time in np.linspace(plan.lead_in, plan.steps[-1].stop, times)]
    chosen = [float(time) for time in times]
    if not chosen or min(chosen) < 0.0 or max(chosen) > performance.leader.stop:
        raise ArgumentError(f"times are {chosen}: each must be from 0 to {performance.leader.stop:.2f} s")
    return chosen
