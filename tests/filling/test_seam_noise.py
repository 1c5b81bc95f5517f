"""Frames that jitter at a seam: gaps meet their smoothed velocity, and nothing is thrown."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from benchmarks.seam_noise import MOST, departures, new_jumps

import segue as sg
from segue.curves import quaternion
from segue.motion._rate_kernels import steady_rates
from segue.motion.clip import Clip
from tests.mocap import MOCAP, needs_mocap

MORE = MOCAP.parent / "mocap_more"
FPS = 120.0


@lru_cache(maxsize=32)
def captured(name: str) -> sg.Motion:
    """Return a captured clip by the end of its name."""
    found: list[Path] = sorted([*MOCAP.glob(f"cmu/*{name}.bvh"), *MORE.glob(f"{name}.bvh")])
    if not found:
        pytest.skip(f"no clip {name} at ../shared")
    return sg.load(found[0])


def rates_of(values: np.ndarray, *, suspect: bool) -> tuple[float, float]:
    """Return the exact rate at the first of some values, and the one that is met."""
    exact = FPS * np.array([-11 / 6, 3.0, -1.5, 1 / 3]) @ values[:4]
    met, _ = steady_rates(np.ascontiguousarray(values[:, None]), np.array([exact]), 1 / FPS, 1, 1.0, 4.0, suspect)
    return float(exact), float(met[0])


@pytest.mark.parametrize("frequency", [0.5, 2.0, 5.0])
@pytest.mark.parametrize("phase", np.linspace(0.0, 6.0, 7))
def test_rates_of_smooth_movements_are_exact(frequency: float, phase: float) -> None:
    values = np.sin(2 * np.pi * frequency * np.arange(13) / FPS + phase)
    exact, met = rates_of(values, suspect=True)
    assert met == exact


@pytest.mark.parametrize("speed", [0.0, 3.0, -6.0])
def test_a_first_frame_that_is_off_does_not_change_the_rate(speed: float) -> None:
    values = speed * np.arange(13) / FPS
    values[0] += np.radians(7.0)
    exact, met = rates_of(values, suspect=True)
    assert abs(exact - speed) > 20.0
    assert met == pytest.approx(speed, abs=0.1)


def test_rates_of_jittering_frames_are_nearer_to_the_movement() -> None:
    rng = np.random.default_rng(5)
    errors = []
    for _ in range(200):
        speed = rng.uniform(-5.0, 5.0)
        values = speed * np.arange(13) / FPS + np.radians(1.5) * rng.standard_normal(13)
        errors.append([rate - speed for rate in rates_of(values, suspect=True)])
    exact, met = np.sqrt(np.mean(np.square(errors), axis=0))
    assert met < 0.35 * exact


def jittering(clip: Clip, frame: int, degrees: float) -> Clip:
    """Return a clip in one frame of which the left upper arm is turned further."""
    rotations = clip.rotations.copy()
    arm = next(j for j, name in enumerate(clip.names) if "upper_arm" in name.lower() and "l" in name.lower())
    rotations[frame, arm] = quaternion.multiply(rotations[frame, arm], quaternion.exp(np.radians([degrees, 0.0, 0.0])))
    return Clip.from_arrays(clip.skeleton, clip.positions.copy(), rotations, clip.fps)


def test_a_gap_meets_the_smoothed_velocity_and_says_so() -> None:
    clean = sg.clips.stand.clip_source.clip
    noisy = sg.Motion.from_clip(jittering(clean, 0, 12.0))
    start = noisy.start
    assert np.linalg.norm(noisy.state(start).balls.velocity[0], axis=1).max() > 5.0
    whole = sg.transition(sg.clips.walk, noisy, 0.6, leave="end", enter="start")
    seam = sg.clips.walk.stop + 0.6
    met = np.linalg.norm(whole.state(seam - 1e-7).balls.velocity[0], axis=1)
    assert met.max() < 1.0
    assert any("jitter" in note and "shoulder" in note for note in whole.fills[0].notes)
    # the frame itself stays
    frame = whole.to_clip().rotations[round(seam * whole.fps)]
    assert quaternion.angle_between(frame[1:], noisy.clip_source.clip.rotations[0, 1:]).max() < 1e-6


def test_clean_clips_are_met_exactly_and_nothing_is_said() -> None:
    whole = sg.transition(sg.clips.walk, sg.clips.wave, 0.6, leave=1.5, enter=0.5)
    assert not any("jitter" in note for note in whole.fills[0].notes)


PAIRS = [
    ("69_26", "16_17"), ("16_22", "16_17"), ("09_01", "108_13"), ("133_25", "16_17"), ("20_12", "16_34"),
    ("121_09", "16_34"), ("69_02", "61_01"), ("07_12", "07_09"), ("07_12", "05_11"), ("141_03", "16_27"),
    ("60_01", "64_22"), ("102_32", "22_02"), ("108_13", "08_07"), ("13_26", "16_34"), ("64_09", "88_01"),
    ("108_17", "127_23"), ("13_39", "05_11"), ("75_20", "07_01"), ("11_01", "07_02"), ("143_05", "127_23"),
]  # fmt: skip


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_nothing_is_thrown_at_the_ends_of_captured_clips(a: str, b: str) -> None:
    first, second = captured(a), captured(b)
    for prior in ("auto", "none"):
        whole = sg.transition(first, second, leave="end", enter="start", prior=prior)
        report = whole.fills[0]
        assert report.match is not None or report.energy <= report.start_energy
        far = departures(whole, first, second, first.stop, first.stop + 0.6)
        joint = max(far, key=lambda name: far[name])
        assert far[joint] <= MOST, joint


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize(
    ("name", "start", "stop"),
    [("103_04", 2.3887, 3.2549), ("103_04", 2.3807, 3.3844), ("121_09", 1.8111, 2.1209), ("141_16", 0.412, 0.7511)],
)
def test_toes_of_filled_gaps_do_not_jump_where_the_capture_does_not(name: str, start: float, stop: float) -> None:
    assert not [joint for joint in new_jumps(captured(name), start, stop) if "Toe" in joint]
