"""A cost of one's own in a transition, a loop and keyframes: the right hand carries a cup, and keeps it level.

A term is a NumPy function of the path with its derivatives, or without. Run it with:
python examples/21_own_term.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np

import segue as sg
from segue.body.human import HUMAN
from segue.keyframe import Key, inbetween
from segue.spacetime.terms import Acceleration, UserTerm
from segue.view import plot_compared_curves

ELBOW, TWIST = (HUMAN.columns[f"right_{name}"].start for name in ("elbow_flexion", "forearm_pronation"))
LEVEL = np.radians([80.0, 20.0])
"""Angles of elbow and forearm at which a cup in the hand stands upright beside the body."""


def tilted(times: np.ndarray, value: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
    """Return how far elbow and forearm are from carrying the cup, squared, and a little of how fast they turn."""
    arm, rate = value[:, [ELBOW, TWIST]], velocity[:, [ELBOW, TWIST]]
    return ((arm - LEVEL) ** 2).sum(axis=1) + 1e-3 * (rate**2).sum(axis=1)


def slopes(
    times: np.ndarray, value: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the derivatives of `tilted` by value, velocity and acceleration."""
    by_value, by_velocity = np.zeros_like(value), np.zeros_like(velocity)
    by_value[:, [ELBOW, TWIST]] = 2.0 * (value[:, [ELBOW, TWIST]] - LEVEL)
    by_velocity[:, [ELBOW, TWIST]] = 2e-3 * velocity[:, [ELBOW, TWIST]]
    return by_value, by_velocity, np.zeros_like(acceleration)


def bend(motion: sg.Motion, start: float, stop: float) -> float:
    """Return the mean angle of the right elbow between two times, in degrees."""
    angles = motion.at(np.linspace(start, stop, 21)).hinge("right_elbow_flexion")
    return float(np.degrees(angles.mean()))


def main(folder: Path) -> None:
    """Use one term in all three, and compare the transition with a plain one."""
    cup = UserTerm(tilted, slopes, name="cup")
    walk, kick = sg.clips.walk, sg.clips.kick

    plain, carried = (sg.transition(walk, kick, 1.0, leave=2.8, enter=0.7, terms=terms) for terms in ((), [(1e8, cup)]))
    start, stop = carried.fills[0].start, carried.fills[0].stop
    for name, motion in (("plain", plain), ("with the cup", carried)):
        print(f"transition, {name}: elbow at {bend(motion, start + 0.3, stop - 0.3):.0f} degrees in the middle")

    loop = sg.make_loop(walk, terms=[(2e3, cup)])
    print(f"loop with the cup: elbow at {bend(loop, 0.0, loop.stop):.0f} degrees")

    keys = [Key.from_motion(walk, at) for at in (0.0, 0.5, 1.0)]
    between = inbetween(keys, [Acceleration(), (1e5, cup)])
    print(f"keyframes with the cup: elbow at {bend(between, 0.6, 0.9):.0f} degrees between two of them")

    times = np.linspace(start - 0.3, stop + 0.3, 121)
    versions = {"plain": plain.at(times), "with the cup": carried.at(times)}
    plot_compared_curves(versions, ["right_elbow_flexion"], times).save(folder / "cup.png")
    sg.save(sg.repeat(loop, 4), folder / "carrying.bvh")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/21")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
