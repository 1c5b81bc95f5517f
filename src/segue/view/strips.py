"""Figures in motion: exposures in one scene, filled gaps in colour, rows of frames, and small pictures of poses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.cycle.travel import headings
from segue.errors import ArgumentError
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.motion.tracks import TRACKS, joints_of
from segue.typing import Array, Ints
from segue.view.camera import MARGINS, Camera, View
from segue.view.character import Character, character_of, triangles_of
from segue.view.flesh import Solids, facets_of, ground_under, solids
from segue.view.picture import Label, Picture, colour, course, labelled
from segue.view.render import Image, Look, render

_LABEL_HEIGHT = 24  # pixels
_LABEL_WIDTH = 58
_APART = 0.85  # metres between exposures that would hide each other
_CLEAR = 0.45  # metres between exposures from which they stay in place
_TRAVEL = 0.5  # metres of travel from which the camera is beside the path
_GAP = 8  # pixels between the frames of a filmstrip
_LOOK = Look(border=MARGINS[2])
_PORTRAIT_CAMERA = Camera(-62.0, 6.0, None)  # parallel rays, so that all portraits have one scale
_PORTRAIT_MARGINS = (0.03, 0.05, 0.03)
_PORTRAIT_LOOK = Look(floor=(1.0, 1.0, 1.0), grid=None, samples=3)
_ROOT = HUMAN.ball_names.index("root")
_UP = np.array([0.0, 1.0, 0.0])
_SHADES = 101


def plot_strip(
    figure: Figure,
    poses: Poses,
    *,
    frames: int | Sequence[int] | None = None,
    fps: float | None = None,
    colours: str = "blue to red",
    camera: Camera | None = None,
    spacing: float | None = None,
    height: int = 480,
    ground: Ground | None = None,
) -> Picture:
    """Return several exposures of a motion in one scene, from the first colour to the last.

    frames: how many exposures, or which frames; 8 if not given. fps: labels are in seconds if given, else in frames.
    camera: beside the path, or in front of a motion that stays, if not given. spacing: metres from one exposure to the
    next; 0 leaves them in place; if not given, only exposures that would hide each other are spaced. height: of the
    scene in pixels. ground: drawn under the exposures, which then stay in place; a floor at 0 if not given.
    """
    chosen = _chosen(poses, 8 if frames is None else frames)
    tints = by_segment(course(colours, len(chosen)))
    stamps = [_stamp(frame, fps) for frame in chosen.tolist()]
    return exposures(
        figure, _at(poses, chosen), tints, stamps, camera=camera, spacing=spacing, height=height, ground=ground
    )


def exposures(
    figure: Figure,
    poses: Poses,
    tints: Array,
    stamps: Sequence[str],
    *,
    camera: Camera | None,
    spacing: float | None,
    height: int,
    ground: Ground | None = None,
    character: Character | None = None,
    rest: str = "silver",
) -> Picture:
    """Return every pose in one scene, its segments in colours (T, segments, 3), with a stamp under each pose.

    character: drawn instead of the figure; it takes on the colours that differ from `rest`.
    """
    camera = natural_camera(figure, poses) if camera is None else camera
    facets = None if ground is None else facets_of(ground, poses.root)
    if facets is None:
        shifts = _shifts(poses, camera, spacing)
    else:
        shifts = np.tile([0.0, -facets.floor, 0.0], (len(poses), 1))
        facets = facets.moved(shifts[0])
    shapes = solids(figure, poses, shifts)
    view = stepped_back(camera, shapes).framing(*shapes.spheres(), _checked_height(height))
    mesh = None if character is None else triangles_of(character, slice(None), shifts, tints, colour(rest))
    image = render(shapes, tints.reshape(-1, 3), view, _LOOK, facets=facets, mesh=mesh)
    columns = view.pixels((poses.root + shifts) * np.array([1.0, 0.0, 1.0]))[:, 0]
    return labelled(image, _labels(columns, height + 4, stamps), below=_LABEL_HEIGHT)


def by_segment(tints: Array) -> Array:
    """Return colours (T, segments, 3) of exposures with one colour each, (T, 3)."""
    return np.repeat(tints[:, None], len(HUMAN.segments), axis=1)


def plot_filmstrip(
    figure: Figure,
    poses: Poses,
    *,
    frames: int | Sequence[int] | None = None,
    columns: int = 6,
    fps: float | None = None,
    start: float = 0.0,
    colours: str = "blue to red",
    camera: Camera | None = None,
    height: int = 240,
    ground: Ground | None = None,
    character: Character | None = None,
) -> Picture:
    """Return single frames of a motion in rows. The camera follows the figure.

    frames: how many, or which; 12 if not given. columns: frames a row. start: the time of the first pose, in s.
    character: drawn instead of the figure, at all frames of the poses. Otherwise as `strip`; height: of a row.
    """
    if columns < 1:
        raise ArgumentError(f"columns is {columns}: it must be at least 1")
    chosen = _chosen(poses, 12 if frames is None else frames)
    some = _at(poses, chosen)
    camera = natural_camera(figure, some) if camera is None else camera
    shifts = some.root * np.array([-1.0, 0.0, -1.0])
    facets = None if ground is None else facets_of(ground, some.root)
    if facets is not None:
        shifts[:, 1] -= facets.floor
    together = solids(figure, some, shifts)
    view = stepped_back(camera, together).framing(*together.spheres(), _checked_height(height))
    tints = by_segment(course(colours, len(chosen)))
    images = []
    for k, frame in enumerate(chosen.tolist()):
        one, under = slice(k, k + 1), None if facets is None else facets.moved(shifts[k])
        mesh = None
        if character is not None:
            mesh = triangles_of(character, slice(frame, frame + 1), shifts[one], tints[one], tints[k, 0])
        images.append(render(solids(figure, some[one], shifts[one]), tints[k], view, _LOOK, facets=under, mesh=mesh))
    return _in_rows(images, view, [_stamp(frame, fps, start) for frame in chosen.tolist()], columns)


def _in_rows(images: list[Image], view: View, stamps: Sequence[str], columns: int) -> Picture:
    width, height = view.size
    rows = -(-len(images) // columns)
    across, down = width + _GAP, height + _LABEL_HEIGHT
    sheet = np.full((rows * down, min(columns, len(images)) * across - _GAP, 3), 255, dtype=np.uint8)
    labels = []
    for k, image in enumerate(images):
        top, left = (k // columns) * down, (k % columns) * across
        sheet[top : top + height, left : left + width] = image
        labels.append(Label(left + width / 2, top + height + 4, stamps[k]))
    return labelled(sheet, labels)


def _chosen(poses: Poses, frames: int | Sequence[int]) -> Ints:
    if len(poses) == 0:
        raise ArgumentError("there is no frame to draw: the poses are empty")
    if isinstance(frames, int):
        if frames < 1:
            raise ArgumentError(f"frames is {frames}: at least 1 is needed")
        return np.unique(np.linspace(0, len(poses) - 1, frames).round().astype(np.int64))
    chosen = np.array(frames, dtype=np.int64)
    if len(chosen) == 0 or chosen.min() < 0 or chosen.max() >= len(poses):
        raise ArgumentError(f"frames are {list(frames)}: each must be from 0 to {len(poses) - 1}")
    return chosen


def _at(poses: Poses, chosen: Ints) -> Poses:
    return Poses(poses.root[chosen], poses.balls[chosen], poses.hinges[chosen])


def _checked_height(height: int) -> int:
    if height < 16:
        raise ArgumentError(f"height is {height}: at least 16 pixels are needed")
    return height


def natural_camera(figure: Figure, poses: Poses) -> Camera:
    """Return a camera beside the path of a motion that travels, and nearly in front of a motion that stays."""
    way = poses.root[-1] - poses.root[0]
    if np.hypot(way[0], way[2]) > _TRAVEL:
        return Camera(float(np.degrees(np.arctan2(way[0], way[2]))) - 82.0, 8.0)
    pelvis = figure.forward(poses[:1])[1][0, HUMAN.segments.index("pelvis")]
    front = quaternion.rotate(pelvis, np.array([0.0, 0.0, 1.0]))
    return Camera(float(np.degrees(np.arctan2(front[0], front[2]))) - 30.0)


def stepped_back(camera: Camera, shapes: Solids) -> Camera:
    """Return the camera moved back, so that figures at the ends of a long row are seen from nearly the same side."""
    if camera.distance is None:
        return camera
    centres, _ = shapes.spheres()
    width = float(np.ptp(centres @ camera.axes[0]))
    return Camera(camera.azimuth_deg, camera.elevation_deg, max(camera.distance, 2.5 * width))


def _shifts(poses: Poses, camera: Camera, spacing: float | None) -> Array:
    """Return the displacement of each exposure, (T, 3) in m."""
    right = camera.axes[0]
    if spacing is None:
        steps = np.abs(np.diff(poses.root @ right))
        spacing = 0.0 if len(steps) == 0 or steps.mean() >= _CLEAR else _APART
    if not spacing:
        return np.zeros((len(poses), 3))
    moved: Array = np.arange(len(poses))[:, None] * spacing * right - poses.root * np.array([1.0, 0.0, 1.0])
    return moved


def _labels(columns: Array, row: float, stamps: Sequence[str]) -> list[Label]:
    """Return labels under the exposures, without overlaps, or one label for exposures at one place."""
    labels: list[Label] = []
    for column, stamp in zip(columns.tolist(), stamps, strict=True):
        if all(abs(column - label.column) >= _LABEL_WIDTH for label in labels):
            labels.append(Label(column, row, stamp))
    if len(labels) == 1 and len(stamps) > 1:
        return [Label(float(columns.mean()), row, f"{stamps[0]} to {stamps[-1]}")]
    return labels


def _stamp(frame: int, fps: float | None, start: float = 0.0) -> str:
    return f"frame {frame}" if fps is None else f"{start + frame / fps:.2f} s"


def thumbnails(figure: Figure, poses: Poses, tints: Array, height: int) -> list[Image]:
    """Return a small picture of each pose, on white, in its colour (T, 3), all in one scale and facing one way.

    height: of each picture in pixels.
    """
    here = facing(poses, headings(poses.balls[:, _ROOT]))
    return portraits(figure, here, tints, view_of([(figure, here)], height))


def facing(poses: Poses, turns: Array | float) -> Poses:
    """Return poses moved to the origin and turned back about the vertical by angles in rad, (T,) or one for all."""
    balls = poses.balls.copy()
    back = quaternion.about_up(-np.broadcast_to(turns, len(poses)))
    balls[:, _ROOT] = quaternion.multiply(back, balls[:, _ROOT])
    return Poses(poses.root * _UP, balls, poses.hinges)


def view_of(shown: Sequence[tuple[Figure, Poses]], height: int) -> View:
    """Return a view that holds every pose where it is. height: in pixels."""
    spheres = [solids(figure, poses, np.zeros((len(poses), 3))).spheres() for figure, poses in shown]
    centres, radii = (np.concatenate(part) for part in zip(*spheres, strict=True))
    return _PORTRAIT_CAMERA.framing(centres, radii, height, _PORTRAIT_MARGINS)


def portraits(figure: Figure, poses: Poses, tints: Array, view: View) -> list[Image]:
    """Return a picture of each pose in a view, on white, in its colour (T, 3)."""
    shapes = [solids(figure, poses[k : k + 1], np.zeros((1, 3))) for k in range(len(poses))]
    return [render(shape, tint, view, _PORTRAIT_LOOK) for shape, tint in zip(shapes, by_segment(tints), strict=True)]


@runtime_checkable
class Fill(Protocol):
    """A filled gap with its tracks, as `Motion.fills` has it, or any interval of time with tracks."""

    @property
    def start(self) -> float:
        """Start in s."""
        ...

    @property
    def stop(self) -> float:
        """End in s."""
        ...

    @property
    def tracks(self) -> tuple[str, ...]:
        """The tracks that were filled."""
        ...


def plot_fills(
    motion: Motion,
    fills: Iterable[Fill],
    *,
    times: int | Sequence[float] = 9,
    colours: str = "blue to red",
    limbs: str = "green",
    rest: str = "silver",
    camera: Camera | None = None,
    spacing: float | None = None,
    height: int = 480,
    ground: Ground | str | None = "auto",
    mesh: bool = True,
) -> Picture:
    """Return exposures of a motion in light grey with the filled gaps in colour.

    times: at which to draw it, in s, or how many from its start to its stop. colours: the course of a filled whole body
    from the start of its gap to the stop; limbs: the same for limbs that were filled alone. ground: "auto" draws the
    treads or the slope that is found under the motion. mesh: draw the mesh of the file that the motion was loaded from,
    in its own colours, if there is one. Otherwise as `strip`.
    """
    moments = np.linspace(motion.start, motion.stop, times) if isinstance(times, int) else np.asarray(times, float)
    if moments.ndim != 1 or len(moments) == 0 or not np.isfinite(moments).all():
        raise ArgumentError(f"times are {times!r}: at least one time is needed, in seconds")
    tints = filled_tints(moments, fills, colours=colours, limbs=limbs, rest=rest)
    stamps = [f"{moment:.2f} s" for moment in moments]
    return exposures(
        motion.figure,
        motion.at(moments),
        tints,
        stamps,
        camera=camera,
        spacing=spacing,
        height=height,
        ground=ground_under(motion, ground),
        character=character_of(motion, moments) if mesh else None,
        rest=rest,
    )


def filled_tints(moments: Array, fills: Iterable[Fill], *, colours: str, limbs: str, rest: str) -> Array:
    """Return the colours (T, segments, 3) at some moments of a figure in which some gaps were filled, as `filled`."""
    tints = by_segment(np.tile(colour(rest), (len(moments), 1)))
    for fill in fills:
        whole = set(fill.tracks) >= set(TRACKS)
        _paint(tints, moments, fill, course(colours if whole else limbs, _SHADES))
    return tints


def _paint(tints: Array, moments: Array, fill: Fill, shades: Array) -> None:
    """Colour the segments (T, segments, 3) that a fill moves, while it does."""
    share = (moments - fill.start) / (fill.stop - fill.start)
    inside = np.nonzero((share > -1e-9) & (share < 1 + 1e-9))[0]
    which = np.round(share[inside].clip(0.0, 1.0) * (len(shades) - 1)).astype(int)
    # a joint and the segment that it moves have the same place in their lists
    joints = set(joints_of(fill.tracks))
    moved = np.array([joint in joints for joint in HUMAN.joint_names])
    tints[np.ix_(inside, moved)] = shades[which][:, None]
