"""Dynamics: the torques of a clip, the force that carries it, and how hard its joints work.

Run it with: python examples/09_torques.py [FOLDER]
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.interpolate import make_smoothing_spline

import segue as sg
from segue.body.human import HUMAN
from segue.dynamics import GRAVITY, FigureTree, inverse_dynamics
from segue.plausibility import observe


def main(folder: Path) -> None:
    """Compute torques in two ways and draw them."""
    walk = sg.clips.walk
    figure, times = walk.figure, walk.times

    # Inverse dynamics of the bare figure: 44 joint values with two derivatives give 44 forces and torques. Capture
    # trembles, and accelerations tremble more: smooth first.
    model = FigureTree.about(figure, walk.poses)
    curve = make_smoothing_spline(times, model.coordinates(walk.poses), lam=1e-7)
    path = [curve(times)] + [curve.derivative(order)(times) for order in (1, 2)]
    efforts = inverse_dynamics(model.tree, *path)
    print(f"{efforts.shape[1]} forces and torques at {len(efforts)} frames")

    # Nothing carries the bare figure, so its root does: this is the push of the ground.
    lift = efforts[:, HUMAN.dof_names.index("root_y")]
    weight = -figure.mass * GRAVITY[1]
    print(f"the ground carries {lift.mean() / weight:.3f} of the weight on average, {lift.max() / weight:.2f} at most")

    # With that push under the feet that stand, the torques at the joints are those of a leg that bears a body.
    torques = observe(walk).torques
    for joint in ("left_hip", "left_knee", "left_ankle"):
        print(f"{joint}: at most {np.nanmax(torques[joint]):.2f} N m per kg of body mass")

    image, (above, below) = plt.subplots(2, 1, figsize=(7, 5), sharex=True, layout="constrained")
    above.plot(times, lift / weight, color="black")
    above.set(ylabel="push of the ground\n(body weights)", ylim=(0, None))
    for joint, line in (("left_hip", "-"), ("left_knee", "--"), ("left_ankle", ":")):
        below.plot(times, torques[joint], line, label=joint.replace("_", " "))
    below.set(xlabel="time (s)", ylabel="torque (N m/kg)")
    below.legend(ncols=3, loc="upper center", bbox_to_anchor=(0.5, 1.25))
    image.savefig(folder / "torques.png", dpi=120)
    plt.close(image)
    np.savez(folder / "torques.npz", times=times, efforts=efforts)


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/09")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
