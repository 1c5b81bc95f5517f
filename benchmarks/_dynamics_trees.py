"""Trees that the dynamics benchmarks share: a person of 44 degrees of freedom, chains and bushes of any size."""

from __future__ import annotations

import numpy as np

from segue.dynamics import Tree


class _Builder:
    """Collects joints one after the other."""

    def __init__(self) -> None:
        self.parents: list[int] = []
        self.axes: list[np.ndarray] = []
        self.offsets: list[tuple[float, float, float]] = []
        self.sliders: list[bool] = []
        self.masses: list[float] = []
        self.lengths: list[float] = []

    def limb(
        self,
        parent: int,
        axes: str,
        offset: tuple[float, float, float],
        mass: float,
        length: float,
        slider: bool = False,
    ) -> int:
        """Add joints along the given axes at one point; the last carries a cylinder that hangs down from there."""
        for k, letter in enumerate(axes):
            last = k == len(axes) - 1
            self.parents.append(parent)
            self.axes.append(np.eye(3)["xyz".index(letter)])
            self.offsets.append(offset if k == 0 else (0.0, 0.0, 0.0))
            self.sliders.append(slider)
            self.masses.append(mass if last else 0.0)
            self.lengths.append(length if last else 0.0)
            parent = len(self.parents) - 1
        return parent

    def tree(self) -> Tree:
        """Return the tree; cylinders have a radius of 6 cm."""
        masses, lengths = np.array(self.masses), np.maximum(self.lengths, 0.1)
        across = masses * (3 * 0.06**2 + lengths**2) / 12
        along = masses * 0.06**2 / 2
        inertias = np.stack([np.diag(moments) for moments in zip(across, along, across, strict=True)])
        centres = np.zeros((len(masses), 3))
        centres[:, 1] = -np.array(self.lengths) / 2
        return Tree(
            parents=np.array(self.parents),
            axes=np.array(self.axes),
            offsets=np.array(self.offsets),
            masses=masses,
            centres=centres,
            inertias=inertias,
            sliders=np.array(self.sliders),
        )


def person() -> Tree:
    """Return a person of 44 degrees of freedom, 6 of them the root's; joints as in the design of the figure."""
    build = _Builder()
    root = build.limb(build.limb(-1, "xyz", (0.0, 0.0, 0.0), 0.0, 0.0, slider=True), "zyx", (0.0, 0.0, 0.0), 11.0, 0.1)
    for side in (-1.0, 1.0):
        hip = build.limb(root, "zyx", (side * 0.1, -0.05, 0.0), 8.0, 0.42)
        knee = build.limb(hip, "x", (0.0, -0.42, 0.0), 3.5, 0.42)
        ankle = build.limb(knee, "xz", (0.0, -0.42, 0.0), 1.0, 0.1)
        build.limb(ankle, "x", (0.0, -0.05, 0.12), 0.3, 0.05)
    back = build.limb(root, "zyx", (0.0, 0.1, 0.0), 25.0, 0.4)
    build.limb(back, "zyx", (0.0, 0.45, 0.0), 5.0, 0.2)
    for side in (-1.0, 1.0):
        clavicle = build.limb(back, "zy", (side * 0.03, 0.4, 0.0), 0.5, 0.1)
        shoulder = build.limb(clavicle, "zyx", (side * 0.15, 0.0, 0.0), 2.0, 0.3)
        elbow = build.limb(shoulder, "xy", (0.0, -0.3, 0.0), 1.5, 0.25)
        build.limb(elbow, "xz", (0.0, -0.25, 0.0), 0.5, 0.1)
    return build.tree()


def random_limbs(joints: int, *, bushy: bool) -> Tree:
    """Return a chain, or a tree of limbs of ten joints each on a trunk of ten; axes x, y, z in turn, full inertias."""
    rng = np.random.default_rng(joints)
    parents = np.arange(joints) - 1
    if bushy:
        starts = np.arange(10, joints, 10)
        parents[starts] = rng.integers(0, 10, len(starts))
    spread = rng.normal(size=(joints, 3, 3)) * 0.1
    covariance = spread @ spread.transpose(0, 2, 1)
    return Tree(
        parents=parents,
        axes=np.eye(3)[np.arange(joints) % 3],
        offsets=rng.normal(size=(joints, 3)) * 0.1,
        masses=rng.uniform(0.5, 2.0, joints),
        centres=rng.normal(size=(joints, 3)) * 0.05,
        inertias=np.trace(covariance, axis1=1, axis2=2)[:, None, None] * np.eye(3) - covariance,
    )
