"""Eight time samples in one value: a numba type ``<8 x double>`` with arithmetic, loads, stores and sine with cosine.

Numba's own vectoriser leaves most of a recursion over joints scalar, because it cannot tell that time samples are
independent. With the samples spelt out as lanes there is nothing to find out. LLVM maps the eight lanes to what the
machine has: one AVX-512 register, two AVX2 registers, four NEON registers.

Kernels see memory as plain pointers: numba counts references to arrays each time one is handed on, which would cost
more than the arithmetic. Offsets are counted in numbers from the pointer and are not checked.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from segue.compiled import NumbaFunction, compiled
from segue.typing import Array

Pointer = Any
"""A pointer inside a kernel."""

Lanes = Any
"""Eight doubles inside a kernel."""

LANES = 8
"""Time samples handled by one instruction, as seen by the kernels."""

_TYPES = "segue.dynamics._lane_types"  # which imports numba

doubles_at: Any = NumbaFunction(_TYPES, "doubles_at")
integers_at: Any = NumbaFunction(_TYPES, "integers_at")
load: Any = NumbaFunction(_TYPES, "load")
store: Any = NumbaFunction(_TYPES, "store")
number: Any = NumbaFunction(_TYPES, "number")
put: Any = NumbaFunction(_TYPES, "put")
window: Any = NumbaFunction(_TYPES, "window")
copy_turned: Any = NumbaFunction(_TYPES, "copy_turned")
splat: Any = NumbaFunction(_TYPES, "splat")
total: Any = NumbaFunction(_TYPES, "total")
_nearest: Any = NumbaFunction(_TYPES, "_nearest")
_to_quadrant: Any = NumbaFunction(_TYPES, "_to_quadrant")
_remainder: Any = NumbaFunction(_TYPES, "_remainder")


def aligned(*shape: int) -> Array:
    """Return zeros that start on a cache line, so that no vector straddles two."""
    size = math.prod(shape)
    memory = np.zeros(size + LANES)
    first = (-address_of(memory) // 8) % LANES
    return memory[first : first + size].reshape(shape)


def address_of(array: npt.NDArray[Any]) -> int:
    """Return where an array begins; quicker than ``array.ctypes.data``, which makes an object first."""
    return int(array.__array_interface__["data"][0])


def blocks_of(samples: int) -> int:
    """Return how many groups of eight hold the samples."""
    return -(-samples // LANES)


_QUARTERS_PER_RADIAN = 2.0 / math.pi


@compiled(seconds=1, inline=True)
def sincos(angle: Lanes) -> tuple[Lanes, Lanes]:
    """Return sine and cosine, to 2e-16 of 1 for angles up to 1e4 in size; the polynomials are fdlibm's."""
    turns = _nearest(angle * _QUARTERS_PER_RADIAN)
    rest = _remainder(angle, turns)
    z = rest * rest
    sine = 2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)
    sine = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * sine)
    sine = rest + rest * z * (-1.66666666666666324348e-01 + z * sine)
    cosine = -2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)
    cosine = -1.38888888888741095749e-03 + z * (2.48015872894767294178e-05 + z * cosine)
    cosine = 1.0 - 0.5 * z + z * z * (4.16666666666666019037e-02 + z * cosine)
    pair: tuple[Lanes, Lanes] = _to_quadrant(turns, sine, cosine)
    return pair
