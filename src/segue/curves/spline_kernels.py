"""Compiled cubic splines through rows of numbers at a fixed rate: slopes at the rows, values between them.

Shapes: T rows, C columns, P patched rows, H holes. Between two rows a spline is the cubic with the values and slopes at
both. A piece is counted by the row it begins at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.compiled import compiled, copy_into
from segue.typing import Array, Ints


class Knots(NamedTuple):
    """A spline: values, slopes (T, C) a second, of which some rows are replaced, as they are about holes.

    patches: (M, 3): the first and last row of each patch and where it begins in patch_values, patch_slopes (P, C).
    holes: (H, 2): the rows before and after each.
    """

    fps: float
    values: Array
    slopes: Array
    patches: Ints
    patch_values: Array
    patch_slopes: Array
    holes: Ints


@compiled(seconds=1)
def solve_slopes(values: Array, fps: float, clamp_first: bool, clamp_last: bool, slopes: Array) -> None:
    """Write the slopes that make the spline C2; an end is not-a-knot, or clamped to the slope that stands there.

    Thomas's algorithm on the rows s[k-1] + 4 s[k] + s[k+1] = 3 (v[k+1] - v[k-1]) fps. Not-a-knot joins the first two
    pieces into one cubic: s[0] + 2 s[1] = (5 m[0] + m[1]) / 2, with m the slopes of the chords.
    """
    count, columns = values.shape
    last = count - 1
    if count == 1:
        if not (clamp_first or clamp_last):
            slopes[0] = 0.0
        return
    if count == 2:
        for c in range(columns):
            chord = (values[1, c] - values[0, c]) * fps
            if not clamp_first:
                slopes[0, c] = chord
            if not clamp_last:
                slopes[1, c] = chord
        return
    if count == 3 and not (clamp_first or clamp_last):
        for c in range(columns):  # both ends ask for one cubic, which leaves it open: a parabola
            chord, other = (values[1, c] - values[0, c]) * fps, (values[2, c] - values[1, c]) * fps
            slopes[0, c] = 1.5 * chord - 0.5 * other
            slopes[1, c] = 0.5 * (chord + other)
            slopes[2, c] = 1.5 * other - 0.5 * chord
        return
    above = np.empty(count)
    above[0] = 0.0 if clamp_first else 2.0
    if not clamp_first:
        for c in range(columns):
            slopes[0, c] = (2.5 * (values[1, c] - values[0, c]) + 0.5 * (values[2, c] - values[1, c])) * fps
    for k in range(1, last):
        above[k] = 1.0 / (4.0 - above[k - 1])
        for c in range(columns):
            slopes[k, c] = (3.0 * (values[k + 1, c] - values[k - 1, c]) * fps - slopes[k - 1, c]) * above[k]
    if not clamp_last:
        scale = 1.0 / (1.0 - 2.0 * above[last - 1])
        for c in range(columns):
            chord, other = values[last, c] - values[last - 1, c], values[last - 1, c] - values[last - 2, c]
            slopes[last, c] = ((2.5 * chord + 0.5 * other) * fps - 2.0 * slopes[last - 1, c]) * scale
    for k in range(last - 1, -1, -1):
        if above[k] != 0.0:
            for c in range(columns):
                slopes[k, c] -= above[k] * slopes[k + 1, c]


@compiled(seconds=1)
def _end_slope(values: Array, fps: float, at: int, inwards: int, out: Array) -> None:
    """Write the slope at the first row (inwards 1) or the last (inwards -1), `at`, to second order if it can."""
    for c in range(values.shape[1]):
        here = values[at, c]
        if len(values) == 1:
            out[c] = 0.0
        elif len(values) == 2:
            out[c] = inwards * (values[at + inwards, c] - here) * fps
        else:
            near, far = values[at + inwards, c], values[at + 2 * inwards, c]
            out[c] = inwards * 0.5 * (4.0 * near - 3.0 * here - far) * fps


@compiled(seconds=1)
def _track_spans(holes: Ints, rows: int, reach: int) -> Ints:
    """Return patches (M, 3), as in `Knots`: the rows at most `reach` from a hole, those that overlap as one."""
    patches = np.empty((len(holes), 3), dtype=np.int64)
    count, begin = 0, 0
    for h in range(len(holes)):
        start, stop = max(holes[h, 0] - reach, 0), min(holes[h, 1] + reach, rows - 1)
        if count == 0 or start > patches[count - 1, 1]:
            count += 1
            patches[count - 1, 0] = start
        patches[count - 1, 1] = stop
    for p in range(count):
        patches[p, 2] = begin
        begin += patches[p, 1] + 1 - patches[p, 0]
    return patches[:count]


@compiled(seconds=2)
def mend_slopes(
    values: Array, slopes: Array, fps: float, holes: Ints, one_sided: bool, reach: int
) -> tuple[Ints, Array, Array]:
    """Return patches, patch_values and patch_slopes, as in `Knots`, of a spline that gets holes.

    one_sided: whether the spline ends at a hole with the slope of its last three rows, else not-a-knot. reach: rows
    over which that is felt. In a hole the patch is a straight line.
    """
    rows = len(values)
    patches = _track_spans(holes, rows, reach)
    total = patches[-1, 2] + patches[-1, 1] + 1 - patches[-1, 0] if len(patches) else 0
    patch_values, patch_slopes = np.empty((total, values.shape[1])), np.empty((total, values.shape[1]))
    h = 0
    for p in range(len(patches)):
        start, stop, begin = patches[p]
        v, s = patch_values[begin : begin + stop + 1 - start], patch_slopes[begin : begin + stop + 1 - start]
        copy_into(v, values[start : stop + 1])
        copy_into(s, slopes[start : stop + 1])
        first, after_hole = 0, False
        while True:
            before_hole = h < len(holes) and holes[h, 0] <= stop
            last = (holes[h, 0] if before_hole else stop) - start
            side, side_slopes = v[first : last + 1], s[first : last + 1]
            if one_sided and after_hole:
                _end_slope(side, fps, 0, 1, side_slopes[0])
            if one_sided and before_hole:
                _end_slope(side, fps, last - first, -1, side_slopes[last - first])
            # where a patch ends amid rows, the slope of the whole spline stands
            clamp_first = one_sided if after_hole else start > 0
            clamp_last = one_sided if before_hole else stop < rows - 1
            solve_slopes(side, fps, clamp_first, clamp_last, side_slopes)
            if not before_hole:
                break
            first, after_hole = holes[h, 1] - start, True
            for k in range(last + 1, first):
                share = (k - last) / (first - last)
                for c in range(v.shape[1]):
                    v[k, c] = (1.0 - share) * v[last, c] + share * v[first, c]
                    s[k, c] = (v[first, c] - v[last, c]) * fps / (first - last)
            h += 1
    return patches, patch_values, patch_slopes


@compiled(seconds=1)
def _piece_beside(holes: Ints, k: int, at: float, count: int) -> int:
    """Return the piece that counts at a time in rows, in piece k: in the outermost of a hole, the one beside the hole.

    So the curve outside goes on for a row: a cut need not fall on a row, and is not looked at from the wrong side.
    """
    for h in range(len(holes)):
        first, last = holes[h, 0], holes[h, 1]
        if k < first or k >= last:
            continue
        half = 0.5 * (last - first)
        # a side of a single row has no piece that could go on
        if k == first and at - first <= half and first > 0 and (h == 0 or holes[h - 1, 1] < first):
            return k - 1
        if k == last - 1 and last - at <= half and last < count - 1 and (h + 1 == len(holes) or holes[h + 1, 0] > last):
            return k + 1
    return k


@compiled(seconds=1)
def evaluate_row(knots: Knots, time: float, first: int, last: int, out: Array) -> None:
    """Write value, first and second derivative (3, n) of columns first to last - 1 at a time, held within the rows."""
    count = knots.values.shape[0]
    if count == 1:
        for c in range(first, last):
            out[0, c - first] = knots.values[0, c]
            out[1, c - first] = 0.0
            out[2, c - first] = 0.0
        return
    fps = knots.fps
    time = min(max(time, 0.0), (count - 1) / fps)
    k = min(int(time * fps), count - 2)
    # a time that is a row's falls on it exactly, whatever the product above was rounded to
    if k + 1 <= count - 2 and (k + 1) / fps <= time:
        k += 1
    elif k / fps > time:
        k -= 1
    k = _piece_beside(knots.holes, k, time * fps, count)
    values, slopes, row = knots.values, knots.slopes, k
    for p in range(knots.patches.shape[0]):
        if knots.patches[p, 0] <= k < knots.patches[p, 1]:
            values, slopes = knots.patch_values, knots.patch_slopes
            row = k - knots.patches[p, 0] + knots.patches[p, 2]
    since = time - k / fps
    for c in range(first, last):
        start = slopes[row, c]
        chord = (values[row + 1, c] - values[row, c]) * fps
        bend = start + slopes[row + 1, c] - 2.0 * chord
        cubic = bend * fps * fps
        square = (chord - start - bend) * fps
        out[0, c - first] = values[row, c] + since * (start + since * (square + since * cubic))
        out[1, c - first] = start + since * (2.0 * square + since * 3.0 * cubic)
        out[2, c - first] = 2.0 * square + since * 6.0 * cubic


@compiled(seconds=1)
def evaluate_rows(knots: Knots, times: Array, first: int, last: int) -> tuple[Array, Array, Array]:
    """Return values, first and second derivatives, (T, n) each, of columns first to last - 1 at some times."""
    parts = np.empty((3, len(times), last - first))
    for t in range(len(times)):
        evaluate_row(knots, times[t], first, last, parts[:, t])
    return parts[0], parts[1], parts[2]
