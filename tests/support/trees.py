"""Trees for tests and benchmarks, and the same trees for Pinocchio."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from segue.dynamics.tree import Tree


def random_tree(
    seed: int,
    joints: int,
    *,
    branching: float = 0.4,
    sliders: float = 0.2,
    aligned: float = 0.5,
    depth_first: bool = True,
) -> Tree:
    """Return a tree with any axes, turns, offsets and inertias; some of each left out, as real trees do."""
    rng = np.random.default_rng(seed)
    parents: list[int] = []
    for i in range(joints):
        if i == 0 or rng.random() > branching:
            parents.append(i - 1)
        elif depth_first:
            # only bodies on the path to the last one keep every subtree in one piece
            path = [-1, *_path(parents, i - 1)]
            parents.append(int(rng.choice(path)))
        else:
            parents.append(int(rng.integers(-1, i)))
    axes = rng.normal(size=(joints, 3))
    straight = rng.random(joints) < aligned
    axes[straight] = np.eye(3)[rng.integers(0, 3, straight.sum())]
    rotations = Rotation.random(joints, rng=rng).as_matrix()
    rotations[rng.random(joints) < 0.5] = np.eye(3)
    offsets = rng.normal(size=(joints, 3)) * 0.3 * (rng.random((joints, 3)) < 0.6)
    masses = rng.uniform(0.1, 3.0, joints) * (rng.random(joints) < 0.8)
    centres = rng.normal(size=(joints, 3)) * 0.2 * (rng.random((joints, 3)) < 0.7)
    spread = rng.normal(size=(joints, 3, 3)) * 0.1
    covariance = spread @ spread.transpose(0, 2, 1)
    inertias = np.trace(covariance, axis1=1, axis2=2)[:, None, None] * np.eye(3) - covariance
    plain = rng.random(joints) < 0.3
    inertias[plain] = inertias[plain] * np.eye(3)
    inertias *= (masses > 0)[:, None, None]
    return Tree(
        parents=np.array(parents),
        axes=axes,
        offsets=offsets,
        masses=masses,
        centres=centres,
        inertias=inertias,
        sliders=rng.random(joints) < sliders,
        rotations=rotations,
    )


def _path(parents: list[int], joint: int) -> list[int]:
    path = []
    while joint >= 0:
        path.append(joint)
        joint = parents[joint]
    return path


def pinocchio_model(tree: Tree, gravity: tuple[float, ...]) -> Any:
    """Return the same tree as a Pinocchio model; its derivatives need depth-first order."""
    import pinocchio as pin

    model = pin.Model()
    model.gravity.linear = np.array(gravity)
    for i in range(len(tree)):
        make = pin.JointModelPrismaticUnaligned if tree.sliders[i] else pin.JointModelRevoluteUnaligned
        placement = pin.SE3(tree.rotations[i], tree.offsets[i])
        joint = model.addJoint(int(tree.parents[i]) + 1, make(tree.axes[i]), placement, f"j{i}")
        inertia = pin.Inertia(float(tree.masses[i]), tree.centres[i], tree.inertias[i])
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    return model


def random_motion(seed: int, samples: int, joints: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    q, qd, qdd = rng.normal(size=(3, samples, joints)) * np.array([1.0, 1.0, 2.0])[:, None, None]
    return q, qd, qdd
