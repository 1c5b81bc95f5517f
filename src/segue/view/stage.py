"""A motion in an animation: a camera that frames the whole path or follows the figure, and the picture at a frame."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import scipy

from segue.body.figure import Figure, Poses
from segue.errors import ArgumentError
from segue.motion.ground import Ground
from segue.motion.motion import Motion, conflicts, gaps
from segue.motion.tracks import TRACKS
from segue.typing import Array
from segue.view.camera import MARGINS, Camera, View
from segue.view.character import Character, character_of, triangles_of
from segue.view.flesh import Facets, facets_of, ground_under, solids
from segue.view.picture import colour
from segue.view.render import Image, Look, render
from segue.view.strips import natural_camera, stepped_back

_LOOK = Look(fade=1.6, border=0.1)
_STEADY = 0.35  # s of smoothing of the camera's path, against nodding with every step
_WALKING_DISTANCE = 2.5  # metres of travel from which the camera follows
_SAMPLES = 60  # frames used to frame a motion
_AROUND = 0.5  # metres of floor around a figure that the camera follows


@dataclass(frozen=True, eq=False)
class Stage:
    """A motion sampled at the frames of an animation.

    tints: (T, segments, 3). way: (T, 3) displacement of the camera at each frame. view: without displacement. facets:
    the ground that stands on the floor; None where there is the floor alone. character: drawn instead of the figure; it
    takes on tints that differ from the colour `rest`.
    """

    figure: Figure
    poses: Poses
    tints: Array
    way: Array
    view: View
    follows: bool
    facets: Facets | None = None
    character: Character | None = None
    rest: str = "silver"

    def picture(self, frame: int) -> Image:
        """Return the picture at a frame."""
        shapes = solids(self.figure, self.poses[frame : frame + 1], np.zeros((1, 3)))
        view, floor = self.view.moved(self.way[frame]), self._floor(frame)
        mesh = None
        if self.character is not None:
            chosen = slice(frame, frame + 1)
            mesh = triangles_of(self.character, chosen, np.zeros((1, 3)), self.tints[chosen], colour(self.rest))
        return render(shapes, self.tints[frame], view, _LOOK, floor, facets=self.facets, mesh=mesh)

    def _floor(self, frame: int) -> tuple[float, ...]:
        """Return the box of the floor that does not fade: around the figure, or around its whole path."""
        places = (self.way[frame : frame + 1] if self.follows else self.poses.root)[:, [0, 2]]
        low, high = places.min(axis=0) - _AROUND, places.max(axis=0) + _AROUND
        return (*low.tolist(), *high.tolist())


def check_drawable(motion: Motion) -> None:
    """Raise ArgumentError with joint and time if a motion has gaps or conflicts."""
    missing = next((track for track in TRACKS if track not in motion.tracks), None)
    if missing is not None:
        raise ArgumentError(f"the motion has no values of {missing.replace('_', ' ')}: only a whole body can be drawn")
    for stretches, fault, cure in (
        (gaps(motion), "undefined", "fill it with fill_gaps"),
        (conflicts(motion), "in conflict", "resolve it with override or blend"),
    ):
        if stretches:
            raise ArgumentError(f"the motion is {fault} at {stretches[0]}; {cure} before it is drawn")


def set_stages(
    motions: Iterable[tuple[Motion, Array]],
    times: Array,
    size: tuple[int, int],
    camera: Camera | None,
    follow: bool | None,
    ground: Ground | str | None = None,
    rest: str = "silver",
    mesh: bool = True,
) -> list[Stage]:
    """Return a stage for each motion with its colours (T, segments, 3), all from one side and in one scale.

    times: (T,) s, at equal steps. Motions stand still before their start and after their end. camera, follow,
    ground, rest, mesh: as for `animate`.
    """
    chosen, facets, characters = [], [], []
    for motion, tints in motions:
        poses = motion.at(np.clip(times, motion.start, motion.stop))
        under = ground_under(motion, ground)
        own = None if under is None else facets_of(under, poses.root)
        character = character_of(motion, times) if mesh else None
        if own is not None:
            lift = np.array([0.0, -own.floor, 0.0])
            poses, own = Poses(poses.root + lift, poses.balls, poses.hinges), own.moved(lift)
            character = None if character is None else character.moved(lift)
        chosen.append((motion, poses, tints))
        facets.append(own)
        characters.append(character)
    if camera is None:
        camera = natural_camera(chosen[0][0].figure, chosen[0][1])
    follows = max(_travelled(poses) for _, poses, _ in chosen) > _WALKING_DISTANCE if follow is None else follow
    step = float(times[1] - times[0]) if len(times) > 1 else 1.0
    ways = [_way(poses, step) if follows else np.zeros((len(times), 3)) for _, poses, _ in chosen]
    some = np.unique(np.linspace(0, len(times) - 1, _SAMPLES).round().astype(int))
    views = []
    for (motion, poses, _), way in zip(chosen, ways, strict=True):
        shapes = solids(motion.figure, Poses(poses.root[some], poses.balls[some], poses.hinges[some]), -way[some])
        views.append(stepped_back(camera, shapes).fitting(*shapes.spheres(), size, MARGINS))
    return [
        Stage(motion.figure, poses, tints, way, view, follows, own, character, rest)
        for (motion, poses, tints), way, view, own, character in zip(
            chosen, ways, _alike(views), facets, characters, strict=True
        )
    ]


def _travelled(poses: Poses) -> float:
    """Return the extent of the root's path over the floor in metres."""
    return float(np.hypot(*np.ptp(poses.root[:, [0, 2]], axis=0)))


def _way(poses: Poses, step: float) -> Array:
    """Return the smoothed path of the root over the floor, (T, 3)."""
    way = poses.root * np.array([1.0, 0.0, 1.0])
    return np.asarray(
        scipy.ndimage.gaussian_filter1d(way, min(_STEADY / step, len(way)), axis=0, mode="nearest"), dtype=float
    )


def _alike(views: list[View]) -> list[View]:
    """Return centred views in the smallest scale, with the floor at one height."""
    least = min(views, key=lambda view: view.scale)
    alike = []
    for view in views:
        smaller = least.scale / view.scale
        middle = view.corner[0] + 0.5 * view.size[0] / view.scale
        foot = view.corner[1] - view.size[1] / view.scale
        corner = (middle - 0.5 * view.size[0] / least.scale, foot + view.size[1] / least.scale)
        alike.append(View(view.camera, view.target, view.scale * smaller, corner, view.size))
    return alike
