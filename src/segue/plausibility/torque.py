"""Torque peaks: what the joints of a body of this mass would have to do for the motion.

Inverse dynamics of the figure. Its poses are low-passed at 8 Hz first, since captured noise, differentiated twice,
would drown everything else. The push of the ground follows from the motion of the whole body. It goes to the foot that
stands. If both stand, each gets a part in proportion to how near it is to the centre of pressure. Frames in which a
part other than a foot is at the floor, with forces that nobody knows, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.curves.chart import EulerChart
from segue.curves.sampled import low_passed
from segue.dynamics import FigureTree, Kinematics, forward_kinematics, inverse_dynamics
from segue.errors import ArgumentError
from segue.typing import Array, Flags

STRENGTH = MappingProxyType(
    {
        # legs: isometric maxima of young men, the stronger direction [Anderson2007], [Sarabon2021], rounded up
        "hip": 3.5,
        "knee": 3.5,
        "ankle": 2.5,
        # trunk and arms: round numbers of the order that dynamometers show
        "lower_back": 4.5,
        "neck": 1.0,
        "shoulder": 1.5,
        "elbow": 1.2,
        "wrist": 0.4,
    }
)
"""N m per kg of body mass. Clavicles and toes are not listed: they share their load with what no joint shows."""

_PIECE = 0.5  # s that share a chart of the ball joints, halved where they turn too far for one
_FEET = ("left", "right")
_FOOT_BODIES = [HUMAN.dof_names.index(f"{side}_ankle_inversion") for side in _FEET]
_PELVIS = HUMAN.dof_names.index("root_rotation_z")
# the angles of every ball joint in the figure's tree; where it starts from does not matter here
_CHART = EulerChart(quaternion.identity(), "XYZ")
_LEVEL = [0, 2]
_TINY = 1e-9
_LEAST_FORCE = 1.0  # N: with less to bear there is no centre of pressure


def strength_of(joint: str) -> float | None:
    """Return the torque a joint of the figure reaches, N m per kg of body mass, or None where none is listed."""
    return STRENGTH.get(joint.removeprefix("left_").removeprefix("right_"))


@dataclass(frozen=True)
class Torque:
    """The largest torque of one joint, in N m per kg of body mass, when, and what strong people reach there."""

    joint: str
    largest: float
    time: float
    strength: float

    @property
    def effort(self) -> float:
        """The torque as a multiple of strength."""
        return self.largest / self.strength


@dataclass(frozen=True)
class Torques:
    """Every joint's largest torque, the hardest effort first; none where there are too few frames."""

    joints: tuple[Torque, ...]

    @property
    def worst(self) -> Torque | None:
        """The joint with the hardest effort."""
        return self.joints[0] if self.joints else None


def torque_peaks(times: Array, torques: Mapping[str, Array], chosen: Flags) -> Torques:
    """Return each joint's largest torque of (T,) N m/kg in the chosen frames; frames that are NaN do not count."""
    peaks = []
    for name, sizes in torques.items():
        known = np.where(chosen & np.isfinite(sizes), sizes, 0.0)
        strength = strength_of(name)
        if strength is not None and known.any():
            frame = int(known.argmax())
            peaks.append(Torque(name, float(known[frame]), float(times[frame]), strength))
    return Torques(tuple(sorted(peaks, key=lambda peak: -peak.effort)))


def joint_moments(
    figure: Figure, poses: Poses, fps: float, standing: Mapping[str, Flags], known: Flags
) -> dict[str, Array]:
    """Return for each joint the torque of its muscles in N m; NaN where it is not known.

    (T, 3) along the axes of the segment that it moves for a ball joint, (T, 1) or (T, 2) about its hinges else.
    standing: for "left" and "right", whether that foot stands. known: frames in which nothing else carries the body.
    """
    found = {joint.name: np.full((len(poses), joint.dof_count), np.nan) for joint in HUMAN.joints[1:]}
    if len(poses) < 3:
        return found
    stands = np.stack([standing[side] for side in _FEET], axis=1)
    for inner, tree, q, qd, qdd in smooth_motion(figure, poses, fps):
        tau = _torques(tree, q, qd, qdd, stands[inner])
        for name, moment in _moments(q, tau).items():
            found[name][inner] = np.where(known[inner, None], moment, np.nan)
    return found


def smooth_motion(figure: Figure, poses: Poses, fps: float) -> Iterator[tuple[slice, FigureTree, Array, Array, Array]]:
    """Yield pieces of a motion low-passed at 8 Hz: its frames, a tree, and joint values, rates and accelerations.

    The first and the last frame are in no piece, nor is a frame at which a joint jumps.
    """
    dt = 1.0 / fps
    balls = quaternion.normalise(low_passed(quaternion.make_continuous(poses.balls), dt))
    smooth = Poses(low_passed(poses.root, dt), balls, low_passed(poses.hinges, dt))
    for first, stop, tree, q in _pieces(figure, smooth, max(2, round(_PIECE * fps))):
        yield slice(first, stop), tree, q[1:-1], (q[2:] - q[:-2]) / (2 * dt), (q[2:] - 2 * q[1:-1] + q[:-2]) / dt**2


def _pieces(figure: Figure, poses: Poses, length: int) -> Iterator[tuple[int, int, FigureTree, Array]]:
    """Yield pieces: first frame, last plus one, a tree, and its joint values from a frame before to a frame after."""
    waiting = [(k, min(k + length, len(poses) - 1)) for k in range(1, len(poses) - 1, length)]
    while waiting:
        first, stop = waiting.pop()
        around = poses[first - 1 : stop + 1]
        tree = FigureTree.about(figure, around)
        try:
            yield first, stop, tree, tree.coordinates(around)
        except ArgumentError:
            middle = (first + stop) // 2
            # a single frame that turns too far from its neighbours is a jump, and has no torque
            waiting += [(first, middle), (middle, stop)] if middle > first else []


def _torques(tree: FigureTree, q: Array, qd: Array, qdd: Array, stands: Flags) -> Array:
    """Return the joints' torques (T, 44), the ground's push taken into account."""
    tau = inverse_dynamics(tree.tree, q, qd, qdd)
    kinematics = forward_kinematics(tree.tree, q)
    build = tree.figure.build
    heel, tip = np.array([0.0, -build.sole, -build.heel]), np.array([0.0, -build.sole, build.toe[2] + build.toes])
    soles = kinematics.points([body for body in _FOOT_BODIES for _ in range(2)], np.stack([heel, tip] * 2))
    soles = soles.reshape(len(q), 2, 2, 3)
    root, moment = root_moment(kinematics, q, tau)
    pressure = centre_of_pressure(soles.mean(axis=(1, 2))[:, 1], root, tau[:, :3], moment)
    middles = soles.mean(axis=2)
    shares = _shares(middles, pressure, stands)[:, :, None]
    pushes = shares * tau[:, None, :3]
    # Both feet push as far from their middles, so that together they push from the centre of pressure. But a foot
    # pushes from under its sole, and cannot pull: what it cannot balance stays unbalanced.
    off = pressure - (shares * middles).sum(axis=1)
    arms = _on_soles(soles, middles + off[:, None]) - soles[:, :, 0]
    return tau - kinematics.pull_back(_FOOT_BODIES, np.stack([heel] * 2), pushes, np.cross(arms, pushes))


def root_moment(kinematics: Kinematics, q: Array, tau: Array) -> tuple[Array, Array]:
    """Return (T, 3) where the root is and the moment about it that moves the whole body, N m in world axes."""
    turned = np.einsum("tij,tj->ti", kinematics.rotations[:, _PELVIS], _ball_moment("root", q, tau))
    return kinematics.positions[:, _PELVIS], turned


def centre_of_pressure(height: Array, root: Array, force: Array, moment: Array) -> Array:
    """Return (T, 3) where the push that the body needs has no moment about level axes, at a height (T,).

    force, moment: (T, 3), about the root. Under the root, where hardly any push is needed.
    """
    vertical = np.where(np.abs(force[:, 1]) > _LEAST_FORCE, force[:, 1], np.inf)
    down = height - root[:, 1]
    x = root[:, 0] + (moment[:, 2] + down * force[:, 0]) / vertical
    z = root[:, 2] + (down * force[:, 2] - moment[:, 0]) / vertical
    return np.stack([x, height, z], axis=1)


def _shares(feet: Array, pressure: Array, stands: Flags) -> Array:
    """Return (T, 2) how much of the push each foot takes, feet (T, 2, 3); all zero where neither stands."""
    left, across = feet[:, 0][:, _LEVEL], (feet[:, 1] - feet[:, 0])[:, _LEVEL]
    apart = np.maximum((across**2).sum(axis=1), _TINY)
    on_right = np.clip(((pressure[:, _LEVEL] - left) * across).sum(axis=1) / apart, 0.0, 1.0)
    shares = np.stack([1.0 - on_right, on_right], axis=1)
    return np.where((stands[:, 0] & stands[:, 1])[:, None], shares, stands.astype(float))


def _on_soles(soles: Array, points: Array) -> Array:
    """Return (T, 2, 3) what lies between heel and toe tip, soles (T, 2, 2, 3), nearest to a point for each foot."""
    along = soles[:, :, 1] - soles[:, :, 0]
    from_heel = points - soles[:, :, 0]
    length = np.maximum((along**2).sum(axis=2), _TINY)
    share = np.clip((from_heel * along).sum(axis=2) / length, 0.0, 1.0)
    nearest: Array = soles[:, :, 0] + share[:, :, None] * along
    return nearest


def _moments(q: Array, tau: Array) -> dict[str, Array]:
    """Return each joint's torque in N m, without the root's: (T, 3) of ball joints, else one column a hinge."""
    found = {}
    for joint in HUMAN.joints[1:]:
        hinges = [HUMAN.dof_names.index(hinge.name) for hinge in joint.hinges]
        found[joint.name] = _ball_moment(joint.name, q, tau) if joint.ball else tau[:, hinges]
    return found


def _ball_moment(joint: str, q: Array, tau: Array) -> Array:
    """Return a ball joint's torque (T, 3) along its segment's axes: what does the same work as its three angles."""
    columns = [HUMAN.dof_names.index(f"{joint}_rotation_{axis}") for axis in "xyz"]
    rates = _CHART.rate_matrix(q[:, columns])
    return np.asarray(np.linalg.solve(np.swapaxes(rates, 1, 2), tau[:, columns, None]), dtype=float)[:, :, 0]
