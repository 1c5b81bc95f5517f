"""Formats that hold motions of the figure, not clips of a skeleton: simulators and learning pipelines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from segue.checks import hint
from segue.errors import ArgumentError
from segue.motion.motion import Motion


def later(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a module, which is imported when the function is first called."""

    def call(*arguments: Any, **options: Any) -> Any:
        return getattr(import_module(module), name)(*arguments, **options)

    return call


class FigureFormat(NamedTuple):
    """The writer of a motion as a format, and the suffix of its files; write takes a motion, a path and a rate."""

    suffix: str
    write: Callable[[Motion, str | Path, float | None], Any]


FIGURE_FORMATS: Mapping[str, FigureFormat] = MappingProxyType(
    {
        "mjcf": FigureFormat(".xml", later("segue.io.mjcf", "write_mjcf")),
        "qpos": FigureFormat(".csv", later("segue.io.mjcf", "write_qpos")),
        "rajagopal2016": FigureFormat(".mot", later("segue.io.opensim", "write_rajagopal2016")),
        "gait2392": FigureFormat(".mot", later("segue.io.opensim", "write_gait2392")),
        "moments": FigureFormat(".sto", later("segue.io.opensim", "write_moments")),
        "amass": FigureFormat(".npz", later("segue.io.npz", "write_amass")),
    }
)
"""Formats of the figure's motion by name; the first with a suffix is that suffix's own."""


def figure_format(path: str | Path, name: str | None) -> FigureFormat | None:
    """Return the format of a name, or of a file's suffix; None if neither means a motion of the figure."""
    suffix = Path(path).suffix.lower()
    if name is None:
        return next((each for each in FIGURE_FORMATS.values() if each.suffix == suffix), None)
    if name not in FIGURE_FORMATS:
        raise ArgumentError(f"there is no format '{name}': {hint(name, FIGURE_FORMATS, 'there are')}")
    found = FIGURE_FORMATS[name]
    if found.suffix != suffix:
        raise ArgumentError(f"files of the format {name} end in {found.suffix}, not in '{suffix}'")
    return found
