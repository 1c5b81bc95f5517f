"""Files of priors: arrays of a network, and what it was trained on and how well it does."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from segue.errors import FileFormatError
from segue.filesystem import atomic_write
from segue.typing import Single

FORMAT = "segue prior 1"
_SCALE = ".scale"
_ABOUT = "about"
_LEVELS = 127.0
_LARGE = 100_000
"""Numbers of a matrix from which it is stored in 8 bits."""


@dataclass(frozen=True, eq=False)
class PriorFile:
    """A network by the names of its arrays, and what is known about it, as JSON has it."""

    arrays: Mapping[str, Single]
    about: Mapping[str, Any]


def rounded(values: Single) -> tuple[npt.NDArray[np.int8], Single]:
    """Return a matrix (n, m) as 8-bit integers, and the scale (n, 1) of each row."""
    scale = (np.abs(values).max(axis=1, keepdims=True) / _LEVELS + 1e-12).astype(np.float32)
    return np.round(values / scale).astype(np.int8), scale


def stored(arrays: Mapping[str, Single], *, small: bool) -> dict[str, npt.NDArray[Any]]:
    """Return arrays as they are stored: large matrices in 8 bits if small, in 16 bits otherwise."""
    found: dict[str, npt.NDArray[Any]] = {}
    for name, values in arrays.items():
        if values.ndim < 2:
            found[name] = values.astype(np.float32)
        elif small and values.size >= _LARGE:
            found[name], found[name + _SCALE] = rounded(values)
        else:
            found[name] = values.astype(np.float16)
    return found


def restored(arrays: Mapping[str, npt.NDArray[Any]]) -> dict[str, Single]:
    """Return stored arrays in single precision."""
    found = {}
    for name, values in arrays.items():
        if not name.endswith(_SCALE):
            scale = arrays.get(name + _SCALE)
            found[name] = values.astype(np.float32) * (1 if scale is None else scale)
    return found


def write_prior(
    path: str | Path, arrays: Mapping[str, Single], about: Mapping[str, Any], *, small: bool = True
) -> None:
    """Write a prior; small: 8 bits a weight instead of 16."""
    text = json.dumps({"format": FORMAT, **about}, sort_keys=True)
    with atomic_write(path) as beside, beside.open("wb") as file:
        contents: dict[str, Any] = {_ABOUT: np.array(text), **stored(arrays, small=small)}
        np.savez_compressed(file, **contents)


def read_prior(path: str | Path) -> PriorFile:
    """Return the prior in a file; raise FileFormatError where there is none."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        about = json.loads(str(arrays.pop(_ABOUT)))
    except FileNotFoundError:
        raise FileFormatError("cannot be read: there is no such file", path) from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, RecursionError):
        raise FileFormatError("is not a prior: train one with 'segue prior train'", path) from None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise FileFormatError(f"is not a prior of this version of Segue, which reads '{FORMAT}'", path)
    return PriorFile(restored(arrays), about)
