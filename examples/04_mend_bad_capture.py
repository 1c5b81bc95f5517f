"""Mend bad capture: a clip whose arm went wrong for a while is checked, erased there, filled anew, and checked again.

Run it with: python examples/04_mend_bad_capture.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np

import segue as sg
from segue.curves import quaternion
from segue.view import plot_compared_curves


def damaged(clip: sg.Clip, joint: str, start: float, stop: float) -> sg.Clip:
    """Return a clip in which a joint trembles between two times, as markers do that are taken for each other."""
    j, rotations = clip.skeleton.index(joint), clip.rotations.copy()
    bad = np.flatnonzero((clip.times >= start) & (clip.times <= stop))
    shaking = 0.6 * np.random.default_rng(7).standard_normal((len(bad), 3))
    rotations[bad, j] = quaternion.multiply(rotations[bad, j], quaternion.exp(shaking))
    return sg.Clip.from_arrays(clip.skeleton, clip.positions.copy(), rotations, clip.fps)


def main(folder: Path) -> None:
    """Damage a clip, find what is wrong with it, and mend it."""
    good = sg.clips.clip("walk")
    sg.save(damaged(good, "left_upper_arm", 1.25, 1.55), folder / "bad.bvh")

    bad = sg.load(folder / "bad.bvh")
    for problem in sg.check(bad).problems():
        print(f"bad: {problem}")

    # Frames at both ends of a gap stay, so begin before the first bad one and end after the last. The whole body is
    # filled; "left_arm" as a third argument would keep all the rest as it was captured.
    mended = sg.fill(bad, [(1.2, 1.6)])
    (report,) = mended.fills
    print(f"filled {report.start:.2f} to {report.stop:.2f} s: {report.status}")
    print(f"mended: {sg.check(mended).problems() or 'nothing is wrong'}")

    # Beside what was really there, which the fill has never seen.
    truth = sg.clips.walk
    times = np.linspace(1.0, 1.8, 120)
    versions = {"captured": truth.at(times), "bad": bad.at(times), "mended": mended.at(times)}
    plot_compared_curves(versions, ["left_shoulder", "left_elbow_flexion"], times).save(folder / "mended.png")
    hands = {name: truth.figure.point("left_knuckles", poses) for name, poses in versions.items()}
    for name in ("bad", "mended"):
        off = np.linalg.norm(hands[name] - hands["captured"], axis=1).max()
        print(f"the hand is up to {100 * off:.1f} cm from where it was: {name}")
    sg.save(mended, folder / "mended.bvh")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/04")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
