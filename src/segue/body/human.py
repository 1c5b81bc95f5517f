"""The joints of the human figure: tree, axes, names, groups and limits of 44 degrees of freedom.

In the zero pose the figure stands in a T pose with palms down, facing +Z, its left along +X, and every segment's frame
is parallel to the world's. A ball joint is a unit quaternion; every other joint is one or two hinges whose axes are
given in that zero pose. Positive hinge angles mean the same movement of the body on both sides.

Limits are the mean active range of healthy adults plus three standard deviations [BooneAzen1979], rounded to whole
degrees: a limit should stop what no body does, not what a supple one does. If that survey has no figure, the source
stands beside the number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import MappingProxyType

import numpy as np

from segue.body.layout import Hinge, Joint, Layout
from segue.body.limits import BallLimit, HingeLimit

_X, _Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
_SUBTALAR = (math.sin(math.radians(42)), math.cos(math.radians(42)))


def _hinge(name: str, axis: Sequence[float], low_deg: float, high_deg: float) -> Hinge:
    x, y, z = axis
    return Hinge(name, (x, y, z), HingeLimit.degrees(low_deg, high_deg))


def _trunk() -> list[Joint]:
    return [
        Joint("root", "pelvis", None, BallLimit.free(_Y)),
        # thoracolumbar spine: 80 forward, 30 back, 35 to each side, 45 turned [AAOS1965], opened by 15
        Joint("lower_back", "torso", "pelvis", BallLimit.degrees(_Y, (25, 0, 0), (70, 65, 50), (-60, 60))),
        # cervical spine: 60 forward, 75 back, 45 to each side, 80 turned [AAOS1965], opened by 15
        Joint("neck", "head", "torso", BallLimit.degrees(_Y, (-8, 0, 0), (82, 82, 60), (-95, 95))),
    ]


def _arm(side: str, s: float) -> list[Joint]:
    """Return the joints of one arm; s is +1 on the left, -1 on the right."""
    out = (s, 0.0, 0.0)
    return [
        # sternoclavicular joint: raised 45, lowered 10, forward and back 25 [Inman1944], opened by 15
        Joint(
            f"{side}_clavicle",
            f"{side}_clavicle",
            "torso",
            hinges=(
                _hinge(f"{side}_clavicle_elevation", (0, 0, s), -25, 60),
                _hinge(f"{side}_clavicle_protraction", (0, -s, 0), -40, 40),
            ),
        ),
        # The cone is centred 30 degrees forward of sideways and 15 down, and reaches straight up, behind the body
        # (extension 57 + 3 * 8) and across the chest; axial rotation 67 in, 100 out + 3 s.d. about its centre.
        Joint(
            f"{side}_shoulder",
            f"{side}_upper_arm",
            f"{side}_clavicle",
            BallLimit.degrees(out, (0, -30 * s, -15 * s), (120, 120, 120), (-115, 115)),
        ),
        Joint(
            f"{side}_elbow",
            f"{side}_forearm",
            f"{side}_upper_arm",
            hinges=(
                _hinge(f"{side}_elbow_flexion", (0, -s, 0), -8, 155),
                _hinge(f"{side}_forearm_pronation", _X, -93, 92),
            ),
        ),
        Joint(
            f"{side}_wrist",
            f"{side}_hand",
            f"{side}_forearm",
            hinges=(
                _hinge(f"{side}_wrist_flexion", (0, 0, -s), -94, 95),
                _hinge(f"{side}_wrist_deviation", (0, -s, 0), -47, 33),
            ),
        ),
    ]


def _leg(side: str, s: float) -> list[Joint]:
    """Return the joints of one leg; s is +1 on the left, -1 on the right."""
    down = (0.0, -1.0, 0.0)
    return [
        # flexion 121, extension 12, abduction 41, adduction 26, rotation 44 + 3 s.d.; the ellipse is widened by a
        # tenth, since flexed and abducted together the hip reaches further than either range alone
        Joint(
            f"{side}_hip",
            f"{side}_thigh",
            "pelvis",
            BallLimit.degrees(down, (-55, 0, 8 * s), (95, 95, 65), (-62, 62)),
        ),
        Joint(
            f"{side}_knee",
            f"{side}_shank",
            f"{side}_thigh",
            hinges=(_hinge(f"{side}_knee_flexion", _X, -7, 157),),
        ),
        # Dorsiflexion under load, knee bent: 45 [Bennell1998]; unloaded surveys stop at 24. The foot inverts about the
        # subtalar axis, which rises 42 degrees forwards [Inman1976]: so inverting also turns the toes inwards.
        Joint(
            f"{side}_ankle",
            f"{side}_foot",
            f"{side}_shank",
            hinges=(
                _hinge(f"{side}_ankle_flexion", (-1, 0, 0), -72, 45),
                _hinge(f"{side}_ankle_inversion", (0, -s * _SUBTALAR[0], -s * _SUBTALAR[1]), -34, 49),
            ),
        ),
        # metatarsophalangeal joints: 70 up, 45 down [AAOS1965], opened by 15
        Joint(
            f"{side}_toe",
            f"{side}_toes",
            f"{side}_foot",
            hinges=(_hinge(f"{side}_toe_extension", (-1, 0, 0), -60, 85),),
        ),
    ]


def _groups(joints: Sequence[Joint]) -> dict[str, tuple[str, ...]]:
    arm = ("clavicle", "shoulder", "elbow", "wrist")
    leg = ("hip", "knee", "ankle", "toe")
    groups: dict[str, tuple[str, ...]] = {"root": ("root",), "trunk": ("lower_back", "neck")}
    for side in ("left", "right"):
        groups[f"{side}_arm"] = tuple(f"{side}_{part}" for part in arm)
        groups[f"{side}_leg"] = tuple(f"{side}_{part}" for part in leg)
    groups["arms"] = groups["left_arm"] + groups["right_arm"]
    groups["legs"] = groups["left_leg"] + groups["right_leg"]
    groups["upper_body"] = groups["trunk"] + groups["arms"]
    groups["lower_body"] = groups["root"] + groups["legs"]
    groups["whole_body"] = tuple(joint.name for joint in joints)
    return groups


def _human() -> Layout:
    joints = (*_trunk(), *_arm("left", 1.0), *_arm("right", -1.0), *_leg("left", 1.0), *_leg("right", -1.0))
    return Layout(joints, MappingProxyType(_groups(joints)))


HUMAN = _human()
"""The layout of the 44-DOF figure of [Rose1996]; the elbow carries both flexion and the forearm's pronation."""

assert HUMAN.dof_count == 44, "the figure of the paper has 44 degrees of freedom"
assert np.allclose(np.linalg.norm(HUMAN.hinge_axes, axis=1), 1.0), "hinge axes are unit vectors"
