"""The dimensions of a figure, and the mass that goes with them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.body.anthropometry import PROPORTIONS, Inertia, segment_row
from segue.body.human import HUMAN
from segue.typing import Array

_FRONT = np.array([0.0, 0.0, 1.0])
_UP = np.array([0.0, 1.0, 0.0])

# De Leva's trunk has no shoulder girdles and the foot no toes. Each girdle takes 1 % of the body's mass from the upper
# trunk, the toes an eighth of the foot's: our own splits, cut out so that the whole keeps mass, centre and inertia.
_GIRDLE_SHARE_OF_BODY = 0.01
_TOES_SHARE_OF_FOOT = 0.125

# points that lie at the joint of a segment
_JOINT_POINTS = {
    "toe_joint": "toes",
    "ankle": "foot",
    "knee": "shank",
    "hip": "thigh",
    "wrist": "hand",
    "elbow": "forearm",
    "shoulder": "upper_arm",
}


@dataclass(frozen=True, eq=False)
class Build:
    """Lengths of a body in metres; a vector is for the left side in the zero pose, the right is its mirror image.

    half_hip: hip joints' distance from the root, which lies midway between them. lower_back: (3,) from the root. neck
    and clavicle: (3,) from the lower back. shoulder: (3,) from the clavicle joint. upper_arm, forearm, thigh, shank:
    lengths. hand: wrist to knuckles. toe: (3,) from ankle to toe joint. toes: toe joint to tip. heel: how far behind
    the ankle the heel lies. sole: height of the ankle above the sole. head: neck to vertex.
    """

    stature: float
    half_hip: float
    lower_back: Array
    neck: Array
    clavicle: Array
    shoulder: Array
    upper_arm: float
    forearm: float
    hand: float
    thigh: float
    shank: float
    toe: Array
    toes: float
    heel: float
    sole: float
    head: float

    @property
    def implied_stature(self) -> float:
        """The height that goes with the body's mass: the mean of its stature and of what its legs alone imply.

        Capture skeletons often have too few bones in the trunk, and so too short a one; legs are more to be trusted.
        """
        legs = (self.thigh + self.shank) / (PROPORTIONS["thigh"] + PROPORTIONS["shank"])
        return 0.5 * (self.stature + legs)

    def offsets(self) -> Array:
        """Return where each segment's joint lies in its parent's frame, (segments, 3); the root's is zero."""
        down = np.array([0.0, -1.0, 0.0])
        left = {
            "clavicle": self.clavicle,
            "upper_arm": self.shoulder,
            "forearm": np.array([self.upper_arm, 0.0, 0.0]),
            "hand": np.array([self.forearm, 0.0, 0.0]),
            "thigh": np.array([self.half_hip, 0.0, 0.0]),
            "shank": self.thigh * down,
            "foot": self.shank * down,
            "toes": self.toe,
        }
        table = {"pelvis": np.zeros(3), "torso": self.lower_back, "head": self.neck}
        for part, offset in left.items():
            table[f"left_{part}"] = offset
            table[f"right_{part}"] = mirrored(offset)
        return np.array([table[name] for name in HUMAN.segments])

    def points(self) -> dict[str, tuple[str, Array]]:
        """Return the named points as (segment, position in its frame).

        Under the sole: heel, ball (below the toe joint) and toe_tip. At the joints: toe_joint, ankle, knee, hip, wrist,
        elbow and shoulder. On the hand: palm, midway from wrist to knuckles, and knuckles. On the head: head_top.
        """
        toe_ground = -self.sole - self.toe[1]
        left = {
            "heel": ("foot", np.array([0.0, -self.sole, -self.heel])),
            "ball": ("foot", np.array([self.toe[0], -self.sole, self.toe[2]])),
            "toe_tip": ("toes", np.array([0.0, toe_ground, self.toes])),
            "knuckles": ("hand", np.array([self.hand, 0.0, 0.0])),
            "palm": ("hand", np.array([0.5 * self.hand, 0.0, 0.0])),
        }
        left |= {point: (segment, np.zeros(3)) for point, segment in _JOINT_POINTS.items()}
        points = {"head_top": ("head", np.array([0.0, self.head, 0.0]))}
        for name, (segment, point) in left.items():
            points[f"left_{name}"] = (f"left_{segment}", point)
            points[f"right_{name}"] = (f"right_{segment}", mirrored(point))
        return points


def mirrored(vector: Array) -> Array:
    """Return a vector reflected in the body's mid-plane."""
    image: Array = vector * np.array([-1.0, 1.0, 1.0])
    return image


def standard_build(stature: float) -> Build:
    """Return the proportions of the tables' average adult."""
    p = {name: fraction * stature for name, fraction in PROPORTIONS.items()}
    trunk = p["upper_trunk"] + p["middle_trunk"] + p["lower_trunk"]
    # the pivot that stands for the whole spine lies at the navel; C7, where the head begins, lies behind the hip axis
    lower_back = np.array([0.0, p["lower_trunk"], -0.012 * stature])
    neck = np.array([0.0, trunk, -0.012 * stature]) - lower_back
    shoulder_height = trunk - 0.034 * stature
    half_shoulder = p["shoulder_breadth"] / 2
    clavicle = np.array([0.012 * stature, shoulder_height, 0.0]) - lower_back
    return Build(
        stature=stature,
        half_hip=p["hip_breadth"] / 2,
        lower_back=lower_back,
        neck=neck,
        clavicle=clavicle,
        shoulder=np.array([half_shoulder - 0.012 * stature, 0.0, -0.008 * stature]),
        upper_arm=p["upper_arm"],
        forearm=p["forearm"],
        hand=p["hand"],
        thigh=p["thigh"],
        shank=p["shank"],
        toe=np.array([0.0, -0.62 * p["ankle_height"], 0.52 * p["foot"]]),
        toes=0.27 * p["foot"],
        heel=0.21 * p["foot"],
        sole=p["ankle_height"],
        head=p["head"],
    )


def segment_inertias(build: Build, mass: float, sex: str) -> dict[str, Inertia]:
    """Return each segment's inertia in its own frame, by [DeLeva1996] table 4 on the build's lengths."""
    inertias = _trunk(build, mass, sex)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        out = np.array([sign, 0.0, 0.0])
        origin = np.zeros(3)
        limbs = {
            "upper_arm": (build.upper_arm * out, _FRONT),
            "forearm": (build.forearm * out, _FRONT),
            # the table's hand hangs with the palm facing the thigh: what is sagittal there is forward here too
            "hand": (build.hand * out, _FRONT),
            "thigh": (-build.thigh * _UP, _FRONT),
            "shank": (-build.shank * _UP, _FRONT),
        }
        for part, (stop, front) in limbs.items():
            inertias[f"{side}_{part}"] = Inertia.of_segment(segment_row(part, sex), mass, origin, stop, front)
        inertias[f"{side}_foot"], inertias[f"{side}_toes"] = _foot(build, mass, sex, sign)
    return {name: inertias[name] for name in HUMAN.segments}


def _trunk(build: Build, mass: float, sex: str) -> dict[str, Inertia]:
    seventh_cervical = build.lower_back + build.neck
    lengths = np.array([PROPORTIONS[part] for part in ("lower_trunk", "middle_trunk", "upper_trunk")])
    levels = np.cumsum(lengths) / lengths.sum()
    navel, xiphion = levels[0] * seventh_cervical, levels[1] * seventh_cervical
    lower = Inertia.of_segment(segment_row("lower_trunk", sex), mass, navel, np.zeros(3), _FRONT)
    middle = Inertia.of_segment(segment_row("middle_trunk", sex), mass, xiphion, navel, _FRONT)
    upper = Inertia.of_segment(segment_row("upper_trunk", sex), mass, seventh_cervical, xiphion, _FRONT)
    torso = middle.plus(upper).moved(-build.lower_back)

    inertias = {"pelvis": lower}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        reach = build.shoulder if sign > 0 else mirrored(build.shoulder)
        half = float(np.linalg.norm(reach)) / 2
        girdle = Inertia.of_ellipsoid(_GIRDLE_SHARE_OF_BODY * mass, reach / 2, np.array([half, half / 2, half / 2]))
        inertias[f"{side}_clavicle"] = girdle
        joint = build.clavicle if sign > 0 else mirrored(build.clavicle)
        torso = torso.plus(girdle.moved(joint), sign=-1.0)
    inertias["torso"] = torso
    vertex = np.array([0.0, build.head, 0.0])
    inertias["head"] = Inertia.of_segment(segment_row("head", sex), mass, vertex, np.zeros(3), _FRONT)
    return inertias


def _foot(build: Build, mass: float, sex: str, sign: float) -> tuple[Inertia, Inertia]:
    toe = build.toe if sign > 0 else mirrored(build.toe)
    # the table's foot is a straight line from heel to toe tip: halfway between ankle and sole
    height = -build.sole / 2
    heel = np.array([0.0, height, -build.heel])
    tip = np.array([toe[0], height, toe[2] + build.toes])
    whole = Inertia.of_segment(segment_row("foot", sex), mass, heel, tip, _UP)
    half = build.toes / 2
    centre = np.array([0.0, height - toe[1], half])
    toes = Inertia.of_ellipsoid(_TOES_SHARE_OF_FOOT * whole.mass, centre, np.array([half, build.sole / 4, half]))
    return whole.plus(toes.moved(toe), sign=-1.0), toes
