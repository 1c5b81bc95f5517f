"""Figures 7 to 10 of [Rose1996]: transitions of the whole body, of one arm, and interpolation against spacetime."""

from __future__ import annotations

import numpy as np

import segue as sg
from examples.gallery.exhibit import Exhibit, Workshop
from segue import view
from segue.spacetime.objectives import torque

DURATION, COEFFICIENTS = 0.6, 5
"""Duration in s, and coefficients for each degree of freedom, of the paper's transition of the whole body."""

_LEAVE, _ENTER = 1.9, 0.2  # s
_ARM_GAP = 0.3  # s
_SALUTE_START, _SALUTE_STOP = 0.9, 1.9  # s
_RAISED, _LEVEL = 140.0, 90.0  # degrees of the elbow
_ARM_JOINTS = ("right_elbow_flexion", "right_shoulder", "right_wrist_flexion")


def walk_to_run() -> sg.Motion:
    """Return a walk that becomes a run in the time, and with the coefficients, of the paper's example."""
    return sg.transition(sg.clips.walk, sg.clips.run, DURATION, leave=_LEAVE, enter=_ENTER, coefficients=COEFFICIENTS)


def transition(shop: Workshop) -> Exhibit:
    """Draw figures 7 and 8: the last pose of a walk, the first pose of a run, and the transition, blue to red."""
    motion = walk_to_run()
    (fill,) = motion.fills
    ends = view.plot_fills(motion, [fill], times=[fill.start, fill.stop], spacing=0.0, height=shop.height(300))
    times = fill.start + np.array([-0.75, -0.4, *np.linspace(0.0, DURATION, 5), 0.8, 1.0, 1.2])
    strip = view.plot_fills(motion, [fill], times=times.tolist(), spacing=0.0, height=shop.height(300))
    shown = (
        shop.picture("figure_7_ends.png", ends, "The end of the walk in blue and the beginning of the run in red"),
        shop.picture("figure_8_transition.png", strip, "A walk becomes a run, blue to red"),
        shop.animation("figure_8_transition.gif", motion, "The same, moving"),
    )
    return Exhibit(
        "Figures 7 and 8: from one motion into another",
        "The paper shows the end of one soccer motion and the beginning of the next, and a multiple exposure of the "
        "transition of 0.6 s between them, blue to red.",
        f"Segue joins a walk and a run, also in {DURATION:g} s and with {COEFFICIENTS} coefficients: frames of the "
        f"clips are grey, and solving the others took {1000 * sum(fill.seconds):.0f} ms in this run.",
        shown,
        shop.motion("figure_8_transition", motion, ".bvh", ".glb"),
        {"the transition": shop.page("figure_8_transition.html", motion, "A walk becomes a run")},
    )


def walk_and_salute() -> sg.Motion:
    """Return a walker who salutes, with filled gaps of 0.3 s in one arm before and after the salute."""
    arm = sg.trim(sg.only(sg.clips.salute, "right_arm"), _SALUTE_START, _SALUTE_STOP)
    stretched = (arm.duration + 2 * _ARM_GAP) / arm.duration
    return sg.fill_gaps(sg.retime(arm, 0.8 + _ARM_GAP) + (sg.clips.walk - sg.retime(arm, 0.8, stretched)))


def salute(shop: Workshop) -> Exhibit:
    """Draw figure 9: the walker who salutes, with the filled arm in green."""
    motion = walk_and_salute()
    fills = motion.fills
    times = np.concatenate([[0.6], *[np.linspace(fill.start, fill.stop, 4) for fill in fills], [1.45, 1.75, 2.65]])
    strip = view.plot_fills(
        motion, fills, times=np.sort(times).tolist(), camera=view.Camera(-62.0, 8.0), height=shop.height(280)
    )
    spent = 1000 * sum(sum(fill.seconds) for fill in fills)
    return Exhibit(
        "Figure 9: walk, salute, walk",
        "The paper puts a salute into a walk: two transitions of 0.3 s which move the joints of one arm alone, drawn "
        "in green.",
        "Segue does the same with its built-in walk and salute: it filled the green arm, all other joints are the "
        f"walk's, and both solves together took {spent:.0f} ms.",
        (
            shop.picture("figure_9_salute.png", strip, "A walker salutes; the arm is green where it was filled"),
            shop.animation("figure_9_salute.gif", motion, "The same, moving"),
        ),
        shop.motion("figure_9_salute", motion, ".bvh"),
        {"the motion": shop.page("figure_9_salute.html", motion, "Walk, salute, walk")},
    )


def forearm(shop: Workshop) -> Exhibit:
    """Draw figure 10: a lowered forearm, by interpolation and by least torque."""
    still = _standing(_LEVEL, 0.0, 91)
    raised, level = (sg.only(_standing(*each), "right_arm") for each in ((_RAISED, 0.0, 31), (_LEVEL, 1.0, 31)))
    gap = raised + level + (still - sg.only(still, "right_arm"))
    # a lower cost of accelerations than usual, so that the torques decide
    least = sg.fill_gaps(gap, objective=torque(acceleration=0.05))
    versions = {"interpolation": sg.fill_gaps(gap, iterations=0), "spacetime, least torque": least}
    times = np.linspace(0.5, 1.0, 61)
    bodies = {
        name: view.plot_fills(
            motion,
            motion.fills,
            times=times[::15].tolist(),
            limbs="blue to red",
            camera=view.Camera(-75.0, 8.0),
            spacing=0.0,
            height=shop.height(380),
        )
        for name, motion in versions.items()
    }
    poses = {name: motion.at(times) for name, motion in versions.items()}
    curves = view.plot_compared_curves(poses, _ARM_JOINTS, times)
    alt = "A forearm lowered by interpolation and by least torque, and the angles of elbow, shoulder and wrist"
    return Exhibit(
        "Figure 10: interpolation against spacetime",
        "The paper lowers a forearm while shoulder and wrist begin and end alike: interpolation moves the elbow alone, "
        "spacetime optimisation every joint of the arm.",
        "Segue shows the same: the elbow moves alike in both, but by least torque the shoulder swings and the wrist "
        "gives way while the forearm falls.",
        (shop.picture("figure_10_forearm.png", view.arrange([bodies, {"": curves}]), alt),),
        pages={"both, side by side": shop.page("figure_10_forearm.html", versions, "A forearm is lowered")},
    )


def _standing(elbow_deg: float, start: float, frames: int) -> sg.Motion:
    """Return a person who stands still with the right elbow bent."""
    stand = sg.clips.stand
    poses = stand.at(np.full(frames, 0.5))
    poses.hinge("right_elbow_flexion")[:] = np.radians(elbow_deg)
    return sg.Motion.from_poses(stand.figure, poses, 60.0, start=start)
