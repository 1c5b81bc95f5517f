"""The network in NumPy: a transformer over frames; `segue.prior.training.figure` is the same in PyTorch."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from segue.errors import FileFormatError
from segue.prior.tables import CONTEXT, GROUPS, HEAD, LONGEST, PLACING
from segue.typing import Single

_lock = threading.Lock()
_inside = 0
_before = 0


@cache
def _thread_count() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """Return the functions that get and set the number of threads of NumPy's OpenBLAS, or None for other libraries."""
    for module in ("numpy._core._multiarray_umath", "numpy.core._multiarray_umath"):
        path = getattr(sys.modules.get(module), "__file__", None)
        library = ctypes.CDLL(path) if path else None
        for name in ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads"):
            if library is not None and hasattr(library, name.format("set")):
                return getattr(library, name.format("get")), getattr(library, name.format("set"))
    return None


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let BLAS multiply matrices on the calling thread alone until the block ends.

    Threads of BLAS wait for each other by spinning. On a busy machine a product of small matrices then takes many
    times as long as on one thread. The number of threads also decides how sums are rounded, so that results would
    depend on the machine. The limit holds for the process. It ends when the last of several threads leaves its block.
    """
    global _inside, _before
    functions = _thread_count()
    if functions is None:
        yield
        return
    get, set_to = functions
    with _lock:
        if _inside == 0:
            _before = get()
            set_to(1)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                set_to(_before)


CONTACTS = 4
_TINY = 1e-5  # added to variances


class Answer(NamedTuple):
    """Output of the network for a gap of N frames.

    added: (N, 65) what to add to the cubic path, before `profile`. contacts: (N, 4) probabilities. error: (N,) mean
    distance of points in legs. distance: of the gap from those of the training set, 1 for 99 % of gaps left out.
    """

    added: Single
    contacts: Single
    error: Single
    distance: float


class _Block(NamedTuple):
    """Weights of a block, each matrix with its inputs first."""

    attend: tuple[Single, Single]
    gather: tuple[Single, Single]
    widen: tuple[Single, Single]
    narrow: tuple[Single, Single]


class Network:
    """A network of given arrays; raises FileFormatError where they do not fit together."""

    def __init__(self, arrays: Mapping[str, Single], inputs: int, rows: int, path: str | Path | None = None) -> None:
        self._arrays, self.rows = arrays, rows
        try:
            width = arrays["enter.bias"].shape[0]
            positions = LONGEST + 2 * CONTEXT
            self._fits("enter.weight", (width, inputs + len(GROUPS) + 1))
            for name, shape in (
                ("from_start.weight", (positions, width)),
                ("from_stop.weight", (positions, width)),
                ("way.weight", (PLACING + 1, width)),
                ("input_mean", (inputs,)),
                ("input_scale", (inputs,)),
                ("output_scale", (rows,)),
                ("leave.weight", (rows + CONTACTS + 1, width)),
            ):
                self._fits(name, shape)
            names = ("attend", "gather", "widen", "narrow")
            count = sum(name.endswith("attend.weight") for name in arrays)
            self._blocks = [_Block(*(self._layer(f"blocks.{k}.{name}") for name in names)) for k in range(count)]
            for block in self._blocks:
                block.attend[0][:, :width] /= np.sqrt(HEAD)  # of the queries
                block.attend[1][:width] /= np.sqrt(HEAD)
            self._enter, self._leave = self._layer("enter"), self._layer("leave")
            self._familiar = tuple(arrays[f"familiar_{name}"] for name in ("mean", "directions", "usual"))
            nothing = np.zeros((2 * CONTEXT + 1, 1), np.float32)
            asked = np.repeat(nothing, inputs, axis=1), nothing, nothing, 1, 0
            self._last: tuple[Any, Answer] = None, self._answer(*asked)  # raises where shapes do not fit
        except (KeyError, ValueError, IndexError):
            raise FileFormatError("is not a prior that this version of Segue can use: train it again", path) from None

    def _fits(self, name: str, shape: tuple[int, ...]) -> None:
        if self._arrays[name].shape != shape or not np.isfinite(self._arrays[name]).all():
            raise ValueError(name)

    def _layer(self, name: str) -> tuple[Single, Single]:
        weight, bias = self._arrays[f"{name}.weight"], self._arrays[f"{name}.bias"]
        return np.ascontiguousarray(weight.T), bias.copy()

    def __call__(self, described: Single, visible: Single, flags: Single, frames: int, way: int = 0) -> Answer:
        """Return the answer for a gap of some frames.

        described: (W, inputs) the frames, used where visible (W, 1). flags: (W, groups + 1) which groups are known, and
        whether the frame is in the gap. way: 0 for the mean path, one of the other ways, or `PLACING`. The last answer
        is remembered: a gap is often asked for again once its second motion has been placed.
        """
        asked = frames, way, described.tobytes(), visible.tobytes(), flags.tobytes()
        asked_last, answer = self._last
        if asked != asked_last:
            answer = self._answer(described, visible, flags, frames, way)
            self._last = asked, answer
        return answer

    @one_blas_thread()
    def _answer(self, described: Single, visible: Single, flags: Single, frames: int, way: int) -> Answer:
        length, arrays = len(described), self._arrays
        scaled = (described - arrays["input_mean"]) / arrays["input_scale"] * visible
        flags = np.broadcast_to(flags, (length, len(GROUPS) + 1))
        x = _linear(np.concatenate([scaled, flags], axis=1), self._enter)
        x += arrays["from_start.weight"][:length] + arrays["from_stop.weight"][length - 1 :: -1]
        x += arrays["way.weight"][way]
        gap = slice(CONTEXT, CONTEXT + frames)
        for block in self._blocks:
            seen = _attention(_linear(_normalised(x), block.attend))
            if block is self._blocks[-1]:  # what it makes of the context is not read
                x, seen = x[gap], seen[gap]
            x += _linear(seen, block.gather)
            wide = np.maximum(_linear(_normalised(x), block.widen), 0.0)
            wide *= wide
            x += _linear(wide, block.narrow)
        tokens = _normalised(x)
        out = _linear(tokens, self._leave)
        mean, directions, usual = self._familiar
        distance = np.sqrt(np.square((tokens.mean(axis=0) - mean) @ directions.T).mean()) / usual[2]
        return Answer(
            out[:, : self.rows] * arrays["output_scale"],
            np.reciprocal(1 + np.exp(-np.clip(out[:, self.rows : -1], -30, 30))),
            np.exp(np.clip(out[:, -1], -20, 3)),
            float(distance),
        )


def _linear(x: Single, layer: tuple[Single, Single]) -> Single:
    y: Single = x @ layer[0]
    y += layer[1]
    return y


def _normalised(x: Single) -> Single:
    """Return rows with mean 0 and variance 1 (Ba et al. 2016, eq. 4, without gain and bias)."""
    centred: Single = x - x.mean(axis=1, keepdims=True)
    variance: Single = np.einsum("ij,ij->i", centred, centred) / np.float32(x.shape[1])
    centred /= np.sqrt(variance + np.float32(_TINY))[:, None]
    return centred


def _attention(x: Single) -> Single:
    """Return attention between rows of queries, keys and values, (W, 3 d) -> (W, d) (Vaswani et al. 2017, eq. 1)."""
    length = len(x)
    query, key, value = x.reshape(length, 3, -1, HEAD).transpose(1, 2, 0, 3)
    weight = query @ key.transpose(0, 2, 1)
    weight -= weight.max(axis=-1, keepdims=True)
    np.exp(weight, out=weight)
    weight /= weight.sum(axis=-1, keepdims=True)
    return np.asarray((weight @ value).transpose(1, 0, 2).reshape(length, -1), np.float32)
