"""Load a clip, see what is in it, look at it, and save it in other formats and at another rate.

Run it with: python examples/01_load_look_save.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np

import segue as sg
from segue import view


def main(folder: Path) -> None:
    """Make a file as yours may be, then load, look at and save it."""
    source = folder / "wave.bvh"
    sg.save(sg.clips.wave, source)

    # Units, axes, skeleton and the person's size are found; `notes` says how.
    motion = sg.load(source)
    figure = motion.figure
    print(f"{len(motion)} frames at {motion.fps:g} a second, {len(motion.clip_source.skeleton.names)} joints")
    print(f"a person of {figure.stature:.2f} m and {figure.mass:.0f} kg")
    for note in motion.notes:
        print(f"  {note}")

    # The figure with 44 degrees of freedom follows the clip: how closely?
    report = motion.report()
    print(f"the figure's joints lie {report.mean_cm:.2f} cm from the clip's, on average")

    # A motion is a function of time, not a list of frames.
    elbow = motion.at([1.0, 1.0 + 1 / 240]).hinge("right_elbow_flexion")
    print(f"the right elbow at 1 s: {np.degrees(elbow[0]):.1f} degrees, 1/240 s later {np.degrees(elbow[1]):.1f}")

    # Pictures: exposures side by side, frames in rows, joint angles.
    view.plot_strip(figure, motion.poses, frames=8, fps=motion.fps).save(folder / "wave.png")
    view.plot_filmstrip(figure, motion.poses, frames=12, fps=motion.fps).save(folder / "wave_film.png")
    view.plot_curves(motion.poses, ["right_elbow_flexion"], fps=motion.fps).save(folder / "wave_elbow.png")

    # The suffix says the format. Frames that nothing changed are written as they were read, to the last digit.
    sg.save(motion, folder / "wave.glb")
    sg.save(motion, folder / "wave_30.bvh", fps=30.0)
    sg.save(motion, folder / "wave_again.bvh")
    same = (folder / "wave_again.bvh").read_bytes() == source.read_bytes()
    print(f"written back unchanged: {'byte for byte the same' if same else 'not the same'}")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/01")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
