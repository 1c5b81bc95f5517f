"""A simulated dance as columns over time: torques, the floor's forces, centre of mass and centre of pressure."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from segue.body.human import HUMAN
from segue.dance.simulation.flesh import SOLE_POINTS
from segue.dance.simulation.result import SimulatedDance
from segue.errors import FileFormatError
from segue.filesystem import atomic_write, writable_target
from segue.typing import Array

_SUFFIXES = (".npz", ".csv")
_AXES = ("x", "y", "z")


def series_of(dance: SimulatedDance) -> dict[str, Array]:
    """Return columns (T,) by name, each of which ends in its unit: time, torques, forces on feet, centres.

    Pressure is NaN where hardly anything touches the floor.
    """
    columns: dict[str, Array] = {"time_s": dance.times}
    for k, name in enumerate(HUMAN.dof_names[HUMAN.root_dofs :]):
        columns[f"torque_{name}_Nm"] = dance.torques[:, k]
    for k, side in enumerate(("left", "right")):
        force = dance.forces[:, SOLE_POINTS * k : SOLE_POINTS * (k + 1)].sum(axis=1)
        columns |= {f"force_{side}_foot_{axis}_N": force[:, a] for a, axis in enumerate(_AXES)}
    columns |= {f"mass_centre_{axis}_m": dance.centre[:, a] for a, axis in enumerate(_AXES)}
    columns |= {f"pressure_{axis}_m": dance.pressure[:, a] for a, axis in enumerate(("x", "z"))}
    return columns


def write_series(dance: SimulatedDance, path: str | Path) -> None:
    """Write the columns of a dance: .csv, a row a frame, or .npz, an array a column."""
    check_series(path)
    columns = series_of(dance)
    with atomic_write(path) as beside:
        if beside.suffix.lower() == ".npz":
            np.savez(beside, **columns)  # type: ignore[arg-type]
        else:
            table = np.stack(list(columns.values()), axis=1)
            np.savetxt(beside, table, fmt="%.9g", delimiter=",", header=",".join(columns), comments="", newline="\n")


def check_series(path: str | Path) -> None:
    """Raise where a file of columns could not be written, before any work is done."""
    suffix = Path(path).suffix
    if suffix.lower() not in _SUFFIXES:
        raise FileFormatError(f"suffix '{suffix}': series over time are written as {' or '.join(_SUFFIXES)}", path)
    writable_target(path)
