"""Simulators: one motion for MuJoCo, OpenSim, AMASS pipelines and NumPy, with the forces behind it.

Run it with: python examples/22_simulators.py [FOLDER]
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import segue as sg


def main(folder: Path) -> None:
    """Write a walk for every simulator and draw what OpenSim would draw."""
    walk = sg.clips.walk

    # MuJoCo: the figure as a model with masses and motors, and qpos and qvel beside it.
    sg.save(walk, folder / "walk.xml", fps=50.0)
    with np.load(folder / "walk.qpos.npz") as motion:
        print(f"walk.xml: {motion['qpos'].shape[1]} positions, {motion['qvel'].shape[1]} velocities a frame")

    # OpenSim: coordinates of two models, and the moments of the joints with the push of the ground under the feet.
    sg.save(walk, folder / "walk.mot")
    sg.save(walk, folder / "walk_gait2392.mot", format="gait2392")
    sg.save(walk, folder / "walk.sto")
    angles = np.genfromtxt(folder / "walk.mot", skip_header=6, names=True)
    moments = np.genfromtxt(folder / "walk.sto", skip_header=6, names=True)
    knee = angles["knee_angle_r"]
    print(f"walk.mot: the right knee bends from {knee.min():.0f} to {knee.max():.0f} degrees")

    # Learning pipelines: poses of SMPL-H as AMASS has them, or plain arrays with names and units.
    sg.save(walk, folder / "walk_amass.npz", format="amass")
    np.savez(folder / "walk_arrays.npz", **walk.to_arrays(fps=30.0))
    again = sg.load(folder / "walk_arrays.npz")
    print(f"walk_arrays.npz: {len(again)} frames at {again.fps:g} a second")

    image, (above, below) = plt.subplots(2, 1, figsize=(7, 5), sharex=True, layout="constrained")
    for joint, line in (("hip_flexion_r", "-"), ("knee_angle_r", "--"), ("ankle_angle_r", ":")):
        above.plot(angles["time"], angles[joint], line, label=joint)
        below.plot(moments["time"], moments[f"{joint}_moment"], line)
    above.set(ylabel="angle (degrees)")
    above.legend(ncols=3, loc="upper center", bbox_to_anchor=(0.5, 1.25))
    below.set(xlabel="time (s)", ylabel="moment (N m)")
    image.savefig(folder / "walk_opensim.png", dpi=120)
    plt.close(image)


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/22")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
