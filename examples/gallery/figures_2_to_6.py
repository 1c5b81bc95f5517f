"""Figures 2, 3 and 6 of [Rose1996]: feet, an endless walk, and a wave put into a walk."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import segue as sg
from examples.gallery.exhibit import Exhibit, Workshop
from segue import view
from segue.curves import quaternion
from segue.language import evaluate, parse
from segue.language.operators_seen import operator_of
from segue.view.charts import joint_values

_LEAVE, _ENTER, _DURATION = 1.8, 0.7, 0.6  # s
_NO_SUPPORTS = {"left_foot": "never", "right_foot": "never"}
_LEGS = 0.58  # share of the picture above the legs

_PERIODS = 3
_JOINTS = ("left_hip_rotation_x", "left_knee_flexion", "right_shoulder_rotation_x", "right_elbow_flexion")
# Periods of the sways in s. No period is a multiple of a step's time.
_BALL_SWAYS = {"lower_back": 3.1, "neck": 2.7, "left_shoulder": 2.3, "right_shoulder": 1.9}
_HINGE_SWAYS = {"left_elbow_flexion": 2.8, "right_elbow_flexion": 2.2}
_SWAY = np.radians(5.0)

_WAVE_ARM = "wave_arm = trim(only(clips.wave, right_arm), 1, 2)\n"
_COMPOSED = "retime(wave_arm, 1.3) + (clips.walk - retime(wave_arm, 1.0, 1.5))"
SCRIPT = f"{_WAVE_ARM}{_COMPOSED}\n"
"""Expression of figure 6, with two gaps around the wave."""


def feet(shop: Workshop) -> Exhibit:
    """Draw figure 2: a walk that becomes a kick, with joints interpolated and with the feet held."""
    walk, kick = sg.clips.walk, sg.clips.kick
    free = sg.transition(walk, kick, _DURATION, leave=_LEAVE, enter=_ENTER, iterations=0, supports=_NO_SUPPORTS)
    held = sg.transition(walk, kick, _DURATION, leave=_LEAVE, enter=_ENTER)
    versions = {"joints interpolated": free, "feet held": held}
    times = np.linspace(_LEAVE, _LEAVE + _DURATION, 61)
    legs = {
        name: view.plot_fills(
            motion,
            motion.fills,
            times=times[::15].tolist(),
            camera=view.Camera(-90.0, 6.0),
            spacing=0.0,
            height=shop.height(720),
        ).below(_LEGS)
        for name, motion in versions.items()
    }
    poses = {name: motion.at(times) for name, motion in versions.items()}
    paths = view.plot_compared_paths(walk.figure, poses, seen="beside")
    alt = "The legs of a walker who comes to kick, interpolated and held, and the paths of heels and toes from the side"
    toe = walk.figure.point("left_toe_tip", poses["joints interpolated"])
    overshoot, height = 100 * (toe[:, 2].max() - toe[-1, 2]), 100 * toe[:, 1].max()
    return Exhibit(
        "Figure 2: feet stay where they stand",
        "The paper turns its kinematic constraints off and on: without them the standing leg drifts and the other one "
        "misses the floor.",
        f"Segue joins a walk and a kick in {_DURATION:g} s: interpolated, the toes of the standing foot rise to "
        f"{height:.0f} cm, overshoot by {overshoot:.0f} cm and glide back; held, the foot lands once and stays.",
        (shop.picture("figure_2_feet.png", view.arrange([legs, {"": paths}]), alt),),
        pages={"both, side by side": shop.page("figure_2_feet.html", versions, "Feet interpolated, and held")},
    )


def cycle(shop: Workshop, captured: Path | None) -> Exhibit:
    """Draw figure 3: the seam of a stride before and after, and the endless walk. captured: a captured walk, if any."""
    walk = swaying_walk() if captured is None else sg.load(captured)
    closed = sg.make_loop(walk)
    endless, looped = sg.repeat(closed, _PERIODS), cut_and_repeated(walk, closed, _PERIODS)
    versions = {"cut and repeated": looped, "cyclified": endless}
    ends = sg.trim(walk, *_seam(closed))
    poses = ends.at([ends.start, ends.stop])
    jump = max(float(np.ptp(joint_values(poses, name))) for name in _JOINTS)
    shown = (
        shop.picture(
            "figure_3_seam.png", view.plot_seam(walk, closed, _JOINTS), "Joint values over three periods, and the seam"
        ),
        shop.picture(
            "figure_3_endless.png",
            view.plot_strip(endless.figure, endless.poses, frames=10, fps=endless.fps, height=shop.height(240)),
            "Three periods of the endless walk, blue to red",
        ),
        shop.animation("figure_3_endless.webp", versions, "The walk cut and repeated, and cyclified", wide=320),
    )
    source = "a captured walk" if captured else "its built-in walk with a slow sway, so that every stride differs"
    return Exhibit(
        "Figure 3: an endless walk",
        "The paper finds where a walk comes back to itself, spreads the difference of both ends over the period, and "
        "fits a cyclic spline.",
        f"Segue takes {source}: cut and repeated, joints jump by up to {jump:.1f} degrees at every seam; cyclified, "
        "no joint jumps, the travel is kept and the feet stay planted.",
        shown,
        shop.motion("figure_3_endless", endless, ".bvh"),
        {"both, side by side": shop.page("figure_3_endless.html", versions, "A walk cut and repeated, and cyclified")},
    )


def _seam(closed: sg.Motion) -> tuple[float, float]:
    """Return the start and the end, in s, of the stride that a cycle was made from."""
    seam = sg.loop_of(closed).seam
    return seam.start, seam.stop


def cut_and_repeated(walk: sg.Motion, closed: sg.Motion, count: int) -> sg.Motion:
    """Return the stride that a cycle was made from, repeated unchanged. Each repeat starts where the last ended."""
    stride = sg.trim(walk, *_seam(closed))
    motion = stride
    for _ in range(count - 1):
        x, _, z = motion.at([motion.stop]).root[0].tolist()
        motion = sg.concatenate(motion, sg.move_to(stride, (x, z)))
    return motion


def swaying_walk() -> sg.Motion:
    """Return the built-in walk with slow sways of trunk and arms, so that every stride differs."""
    walk = sg.clips.walk
    poses, times = walk.poses, walk.times
    for joint, period in _BALL_SWAYS.items():
        angle = _SWAY * np.sin(2 * np.pi * times / period)
        turn = quaternion.exp(angle[:, None] * np.array([1.0, 0.0, 0.0]))
        poses.ball(joint)[:] = quaternion.multiply(poses.ball(joint), turn)
    for hinge, period in _HINGE_SWAYS.items():
        poses.hinge(hinge)[:] += _SWAY * (1.0 - np.cos(2 * np.pi * times / period))
    joints = ("trunk", "left_arm", "right_arm")
    return sg.override(sg.Motion.from_poses(walk.figure, poses, walk.fps, joints=joints), walk)


def walk_wave_walk(shop: Workshop) -> Exhibit:
    """Draw figure 6: the expression as a tree and as time lines before and after filling, and the motion."""
    composed = composition()
    filled = sg.fill_gaps(composed)
    fills = filled.fills
    script = f"{_WAVE_ARM}fill_gaps({_COMPOSED})\n"
    (shop.out / "figure_6.segue").write_text(script, encoding="utf-8")
    lines = view.arrange(
        [{"two gaps around the wave": view.plot_timeline(composed)}, {"filled": view.plot_timeline(filled)}]
    )
    times = [fill.start + share * (fill.stop - fill.start) for fill in fills for share in (0, 0.5, 1)]
    times = sorted([0.8, *times, 1.6, 1.95, 2.9, 3.1])
    result = view.plot_fills(filled, fills, times=times, camera=view.Camera(-70.0, 8.0), height=shop.height(260))
    interpolated = sg.fill_gaps(composed, iterations=0)
    torques = view.plot_torques({"interpolated": interpolated, "spacetime": filled}, start=0.9, stop=2.7)
    shown = (
        shop.picture(
            "figure_6_tree.svg", view.plot_operator_tree(operator_of(parse(script))), "The expression as a tree"
        ),
        shop.picture("figure_6_timelines.png", lines, "Time lines before and after the gaps are filled"),
        shop.picture("figure_6_result.png", result, "A walker waves; the right arm is green where it was filled"),
        shop.animation("figure_6_result.webp", filled, "The walker who waves"),
        shop.picture("figure_6_torques.svg", torques, "Torques over time, interpolated and solved"),
        shop.picture("figure_6_energies.svg", view.plot_energies(fills), "Energies of both gaps, before and after"),
    )
    return Exhibit(
        "Figure 6: walk, wave, walk",
        "The paper takes an arm out of a walk for longer than a wave lasts, adds the wave, and lets the spacetime "
        "operator fill both gaps. It draws a tree of operators and a time line.",
        "Segue runs the same expression: the tree, the time lines before and after, the motion with the filled arm in "
        "green, and the torques of the interpolated and of the solved motion.",
        shown,
        (*shop.motion("figure_6_result", filled, ".bvh", ".glb"), "figure_6.segue"),
        {"the motion": shop.page("figure_6_result.html", filled, "Walk, wave, walk")},
    )


def composition() -> sg.Motion:
    """Return the motion of `SCRIPT`, with its gaps unfilled."""
    motion = evaluate(SCRIPT)
    assert isinstance(motion, sg.Motion), "the script ends in a motion"
    return motion
