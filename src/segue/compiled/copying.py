"""Copying arrays in kernels."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from segue.compiled.kernel import compiled


@compiled(seconds=1, inline=True)
def copy_into(target: npt.NDArray[np.generic], source: npt.NDArray[np.generic]) -> None:
    """Copy an array into another of the same shape, which is not checked.

    In a kernel `target[:] = source` does the same, but numba then compiles code that writes both shapes as text into an
    error message: two seconds for each kind of array.
    """
    for index in np.ndindex(target.shape):
        target[index] = source[index]
