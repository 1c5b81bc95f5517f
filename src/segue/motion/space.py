"""The space of a clip: its unit of length, its up axis, where the person faces, and the stature of the person."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

import numpy as np

from segue.body.roles import Roles, Side
from segue.body.shape import bone_lengths, leftness, reaches
from segue.body.skeleton import path_down
from segue.checks import positive
from segue.curves import quaternion
from segue.errors import ArgumentError, SegueWarning, SkeletonError
from segue.motion.clip import Clip
from segue.typing import Array

UNITS = {
    "metre": 1.0,
    "centimetre": 0.01,
    "millimetre": 0.001,
    "inch": 0.0254,
    "CMU unit (1/0.45 inch)": 0.0254 / 0.45,
}
_USUAL_STATURE = (1.2, 2.2)
_ODD_STATURE = (0.6, 4.0)
_POSSIBLE_STATURE = (0.001, 1000.0)  # m; the masses of other figures overflow in the solver
_MEAN_STATURE = 1.7

# fractions of stature: heights of the ankle and of the head joint (base of the skull) above the floor
_ANKLE_HEIGHT = 0.039
_HEAD_JOINT_HEIGHT = 0.91
_CROWN_ABOVE_HEAD = (0.04, 0.2)  # of the length from ankle to head joint, if a tip is plausible

_FRAMES = 1000  # sampled over the clip for the up axis
_FLOOR_SPREAD = 0.05  # of stature
_Y_IS_USUAL = 0.05
_STANDS = 0.6
_SWAPPED_SIDES = -0.15

_TURN_TO_Y_UP = {
    "Y": quaternion.identity(),
    "Z": quaternion.exp(np.array([-np.pi / 2, 0.0, 0.0])),  # (x, y, z) -> (x, z, -y)
}


@dataclass(frozen=True)
class Space:
    """The conversion of a clip's numbers to metres with Y up, and back.

    scale: metres per source unit. unit: that unit in words. up: the source's up axis, "Y" or "Z". stature: the
    person's standing height in metres. facing: the axis of the source the person faces at the start, such as "+Z".
    notes: sentences for the user on how this was found.
    """

    scale: float
    unit: str
    up: str
    stature: float
    facing: str
    notes: tuple[str, ...] = ()

    @property
    def rotation(self) -> Array:
        """The quaternion that takes source axes to Y up."""
        return _TURN_TO_Y_UP[self.up].copy()

    def to_metres(self, positions: Array) -> Array:
        """Return world positions or displacements (..., 3) of the source in metres, Y up."""
        return quaternion.rotate(self.rotation, positions * self.scale)

    def from_metres(self, positions: Array) -> Array:
        """Return world positions or displacements (..., 3) in source units and axes: undoes `to_metres`."""
        return quaternion.rotate(quaternion.conjugate(self.rotation), positions) / self.scale

    def turn(self, rotations: Array) -> Array:
        """Return world rotations (..., 4) of source joints with Y up; the joints' own frames stay as they are."""
        return quaternion.multiply(self.rotation, rotations)

    def turn_back(self, rotations: Array) -> Array:
        """Return world rotations (..., 4) in source axes: undoes `turn`."""
        return quaternion.multiply(quaternion.conjugate(self.rotation), rotations)


def turn_to_y_up(up: str) -> Array:
    """Return the quaternion that takes axes with "Y" or "Z" up to Y up."""
    return _TURN_TO_Y_UP[_given_up(up)[0]].copy()


def find_space(clip: Clip, roles: Roles, *, scale: float | None = None, up: str | None = None) -> Space:
    """Find the space of a clip from the size of the body and from how it stands.

    scale: metres per source unit, if known. up: "Y" or "Z", if known. Warns about unusual values.
    """
    positions = clip.world[0][:: max(1, len(clip) // _FRAMES)]
    height = standing_height(clip, roles)
    metres, unit, notes = _find_unit(height) if scale is None else _given_unit(height, scale)
    axis, why = _find_up(positions, roles, height) if up is None else _given_up(up)
    swapped = leftness(positions, roles.limbs(), roles.chest) < _SWAPPED_SIDES
    if swapped:
        warnings.warn(
            "left and right are swapped in this clip: what is named left is on the right of where feet and knees "
            "point, as in a file with left-handed axes",
            SegueWarning,
            stacklevel=2,
        )
    return Space(
        scale=metres,
        unit=unit,
        up=axis,
        stature=height * metres,
        facing=_facing(positions[0], *((roles.right, roles.left) if swapped else (roles.left, roles.right)), axis),
        notes=(*notes, why),
    )


def _facing(pose: Array, left: Side, right: Side, up: str) -> str:
    """Return the horizontal axis, with its sign, that hips and shoulders face in one pose (J, 3)."""
    hips, shoulders = pose[[left.thigh, right.thigh]], pose[[left.upper_arm, right.upper_arm]]
    across = hips[0] - hips[1] + shoulders[0] - shoulders[1]
    forward = np.cross(across, shoulders.mean(axis=0) - hips.mean(axis=0))
    forward["XYZ".index(up)] = 0.0
    along = int(np.argmax(np.abs(forward)))
    return f"{'-' if forward[along] < 0 else '+'}{'XYZ'[along]}"


def standing_height(clip: Clip, roles: Roles) -> float:
    """Return the height of the person when standing, in source units, from bone lengths alone.

    The heights of the ankle above the sole and of the crown above the head joint are added in proportion.
    """
    skeleton = clip.skeleton
    positions = clip.world[0][:: max(1, len(clip) // 100)]
    lengths = bone_lengths(skeleton, positions)

    def stretch(near: int, far: int) -> float:
        return float(lengths[path_down(skeleton, near, far)[1:]].sum())

    legs = 0.5 * sum(stretch(side.thigh, side.foot) for side in (roles.left, roles.right))
    hips = positions[:, [roles.left.thigh, roles.right.thigh]].mean(axis=1)
    loins = float(np.median(np.linalg.norm(positions[:, roles.spine[0]] - hips, axis=1)))
    to_head = legs + loins + stretch(roles.spine[0], roles.head)
    crown = float(reaches(skeleton, lengths)[roles.head] - lengths[roles.head])
    if _CROWN_ABOVE_HEAD[0] < crown / to_head < _CROWN_ABOVE_HEAD[1]:
        return (to_head + crown) / (1.0 - _ANKLE_HEIGHT)
    return to_head / (_HEAD_JOINT_HEIGHT - _ANKLE_HEIGHT)


def _find_unit(height: float) -> tuple[float, str, tuple[str, ...]]:
    """Return metres per unit, the unit, and a note, for the unit that makes the stature most usual."""
    unit = min(UNITS, key=lambda name: abs(np.log(height * UNITS[name] / _MEAN_STATURE)))
    stature = height * UNITS[unit]
    if not _ODD_STATURE[0] <= stature <= _ODD_STATURE[1]:
        raise SkeletonError(
            f"the person is {height:.4g} units tall, which is no human size in metres, centimetres, millimetres, "
            "inches or CMU units: give the size of a unit (--scale METRES_PER_UNIT)"
        )
    note = f"The unit is taken to be the {unit}: the person is then {stature:.2f} m tall."
    if not _USUAL_STATURE[0] <= stature <= _USUAL_STATURE[1]:
        warnings.warn(
            f"the person is {height:.4g} units tall, and no usual unit makes that {_USUAL_STATURE[0]} to "
            f"{_USUAL_STATURE[1]} m: the {unit} comes nearest, with {stature:.2f} m "
            "(--scale METRES_PER_UNIT sets another unit)",
            SegueWarning,
            stacklevel=3,
        )
    return UNITS[unit], unit, (note,)


def _given_unit(height: float, scale: float) -> tuple[float, str, tuple[str, ...]]:
    """Return metres per unit as given, the unit's name if it has one, and a note."""
    if not (np.isfinite(scale) and scale > 0):
        raise ArgumentError(f"scale is {scale}: it must be a positive number of metres per unit, such as 0.01")
    unit = next((name for name, metres in UNITS.items() if np.isclose(metres, scale, rtol=1e-3)), "given")
    stature = height * scale
    if not _POSSIBLE_STATURE[0] <= stature <= _POSSIBLE_STATURE[1]:
        raise ArgumentError(
            f"scale is {scale:g}: it makes the person {stature:.3g} m tall, and "
            f"{_POSSIBLE_STATURE[0]:g} to {_POSSIBLE_STATURE[1]:g} m are possible"
        )
    if not _ODD_STATURE[0] <= stature <= _ODD_STATURE[1]:
        warnings.warn(
            f"with a scale of {scale:g} metres per unit the person is {stature:.3g} m tall: is that meant?",
            SegueWarning,
            stacklevel=3,
        )
    return float(scale), unit, (f"A unit is {scale:g} m as given: the person is then {stature:.2f} m tall.",)


def _given_up(up: str) -> tuple[str, str]:
    axis = str(up).upper()
    if axis not in _TURN_TO_Y_UP:
        raise ArgumentError(f"up is '{up}': it must be Y or Z, the axis that points up in the source")
    return axis, f"{axis} is up, as given."


def _find_up(positions: Array, roles: Roles, height: float) -> tuple[str, str]:
    """Return the up axis and a note: the axis along which the head is above the feet and the floor is level.

    A person who lies or crawls does not show the first. But the body still rests on the same floor wherever it moves,
    so its lowest point keeps its height, mostly near zero, with many joints close to it.
    """
    feet = positions[:, [roles.left.foot, roles.right.foot]].mean(axis=1)
    rise = (positions[:, roles.head] - feet).mean(axis=0) / height
    body = positions[:, [roles.pelvis, roles.head, *roles.limbs().values()]]
    lowest = body.min(axis=1)
    low, high = np.quantile(lowest, [0.25, 0.75], axis=0)
    level = np.exp((low - high) / (_FLOOR_SPREAD * height))
    at_zero = np.exp(-np.median(np.abs(lowest), axis=0) / (2.0 * _FLOOR_SPREAD * height))
    close = (np.abs(body - np.quantile(lowest, 0.1, axis=0)) < _FLOOR_SPREAD * height).mean(axis=(0, 1))
    # the other weights together are less than the rise of a standing body, which is thin and may be at the origin
    evidence = rise + 0.6 * level + 0.3 * at_zero + 0.4 * close
    axis = "Z" if evidence[2] > evidence[1] + _Y_IS_USUAL else "Y"
    risen = float(rise["XYZ".index(axis)])
    along = int(np.argmax(np.abs(rise)))
    if abs(rise[along]) > _STANDS and risen < 0.5 * _STANDS:
        warnings.warn(
            f"the body is along {'-' if rise[along] < 0 else ''}{'XYZ'[along]} throughout this clip: {axis} is taken "
            "for up, so that it lies or hangs (up can only be Y or Z)",
            SegueWarning,
            stacklevel=3,
        )
    return axis, f"{axis} is up: along it the head is {100 * risen:.0f} % of the stature above the feet on average."


_ASSUMED = "assumed_stature"


def with_stature(clip: Clip, stature: float | None) -> Clip:
    """Return a clip whose bones were assumed with those of another stature in metres; the clip itself if None."""
    if stature is None:
        return clip
    positive("stature", stature, "metres")
    known = assumed_stature(clip)
    if known is None or clip.origin is None:
        raise ArgumentError("stature is only for files without bone lengths, as those of AMASS: this one has them")
    factor = stature / known
    positions = np.array(clip.positions)
    bones = np.array(clip.parents) >= 0
    positions[:, bones] *= factor
    details = {**(clip.origin.details or {}), _ASSUMED: stature}
    origin = replace(clip.origin, details=details)
    return Clip(clip.names, clip.parents, factor * clip.offsets, positions, clip.rotations, clip.fps, origin=origin)


def assumed_stature(clip: Clip) -> float | None:
    """Return the stature in metres that a clip's bones were assumed for; None if its file has bone lengths."""
    details = clip.origin.details if clip.origin is not None else None
    found = (details or {}).get(_ASSUMED)
    return None if found is None else float(found)


def stature_note(clip: Clip) -> tuple[str, ...]:
    """Return the note on assumed bones, if there are any."""
    assumed = assumed_stature(clip)
    if assumed is None:
        return ()
    return (
        f"The file has no bone lengths: they are those of Segue's figure of {assumed:g} m. --stature sets another.",
    )
