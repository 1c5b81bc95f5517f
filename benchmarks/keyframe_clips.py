"""Every twelfth frame of real clips as keyframes: how far what lies between them is from what the person did.

Ten clips at 120 frames a second, their first ten seconds, all joints of the clips' own skeletons in centimetres. Beside
it: slerp of each joint; the C2 spline through each joint's quaternions; and the C2 spline of the figure through the
same keyframes, with which improvement begins. All see the keyframes alone.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence

import numpy as np
from scipy.interpolate import CubicSpline
from tests.mocap import MOCAP

import segue as sg
from benchmarks import Row
from segue.curves import quaternion
from segue.errors import SegueWarning
from segue.keyframe import Key, inbetween, inbetween_report, interpolate
from segue.motion.clip import Clip
from segue.typing import Array

CLIPS = (
    "charleston_93_03",
    "climb_steps_13_35",
    "dance_pirouette_05_11",
    "jog_16_35",
    "jump_13_39",
    "run_09_01",
    "salsa_61_01",
    "soccer_kick_10_03",
    "walk_07_01",
    "walk_turn_left_16_27",
)
STRIDE = 12
LONGEST = 1201  # frames


def main() -> list[Row]:
    """Measure all four ways on ten clips."""
    return measure(CLIPS)


def measure(names: Sequence[str]) -> list[Row]:
    """Return a row for each clip, and one for all."""
    if not MOCAP.is_dir():
        return [Row("keyframes of real clips", "skipped: no real clips, see SEGUE_MOCAP")]
    rows, ratios = [], []
    for name in names:
        errors, seconds = _errors(name)
        ratio = errors["improved"] / errors["spline"]
        ratios.append(ratio)
        figure = ", ".join(f"{way} {100 * error:.3f}" for way, error in errors.items())
        rows.append(
            Row(
                f"{name}, cm",
                f"{figure} ({ratio:.3f} of the spline), {seconds:.1f} s",
                errors["spline"] / errors["improved"],
                1.0,
            )
        )
    better = sum(ratio < 1 for ratio in ratios)
    rows.append(
        Row(
            f"{len(ratios)} clips",
            f"{np.mean(ratios):.3f} of the spline on average, better on {better}",
            1 / max(ratios),
            1.0,
        )
    )
    return rows


def _errors(name: str) -> tuple[dict[str, float], float]:
    """Return the mean distance of joints from the truth, m, by way of interpolation, and seconds of improving."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SegueWarning)
        whole = sg.load(next(iter(sorted((MOCAP / "cmu").glob(f"{name}*.bvh")))))
        frames = (min(len(whole), LONGEST) - 1) // STRIDE * STRIDE
        motion = sg.trim(whole, 0.0, frames / whole.fps)
        keys = [Key.from_motion(motion, k * STRIDE / motion.fps) for k in range(frames // STRIDE + 1)]
        improved = inbetween(keys)
        clip = motion.to_clip()
        found = {
            "slerp": _by_slerp(clip),
            "joint spline": _by_spline(clip),
            "spline": interpolate(keys).to_clip(),
            "improved": improved.to_clip(),
        }
    metres = motion.clip_source.space.scale
    errors = {
        way: metres * float(np.linalg.norm(made.world[0] - clip.world[0], axis=2).mean()) for way, made in found.items()
    }
    return errors, inbetween_report(improved).seconds


def _by_slerp(clip: Clip) -> Clip:
    at = np.arange(len(clip)) / STRIDE
    before = np.minimum(at.astype(int), (len(clip) - 1) // STRIDE - 1)
    share = (at - before)[:, None]
    places, turns = clip.positions[::STRIDE], clip.rotations[::STRIDE]
    positions = places[before] + share[:, :, None] * (places[before + 1] - places[before])
    return _with(clip, positions, quaternion.slerp(turns[before], turns[before + 1], share))


def _by_spline(clip: Clip) -> Clip:
    at, keys = np.arange(len(clip)), np.arange(0, len(clip), STRIDE)
    turns = quaternion.make_continuous(clip.rotations[keys])
    positions = CubicSpline(keys, clip.positions[keys], bc_type="natural")(at)
    return _with(clip, positions, quaternion.normalise(CubicSpline(keys, turns, bc_type="natural")(at)))


def _with(clip: Clip, positions: Array, rotations: Array) -> Clip:
    return Clip.from_arrays(clip.skeleton, np.ascontiguousarray(positions), np.ascontiguousarray(rotations), clip.fps)


def _command_line() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("clips", nargs="*", default=CLIPS, help="beginnings of names; all, as 'all', or the ten")
    chosen = parser.parse_args().clips
    for row in measure(sorted(path.stem for path in (MOCAP / "cmu").glob("*.bvh")) if chosen == ["all"] else chosen):
        print(f"{row.subject}: {row.figure} {row.verdict}".rstrip(": "))


if __name__ == "__main__":
    _command_line()
