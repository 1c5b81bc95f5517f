"""What the tests of the language share."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import segue as sg
from segue import clips

FIGURE_6 = "retime(wave_arm, 1.3) + (walk - retime(wave_arm, 1.0, 1.5))"
WAVE_ARM = "wave_arm = trim(only(clips.wave, right_arm), 1, 2)"
"""One second of the wave, so that all of it happens while the walk lasts."""


def figure_6_in_python() -> sg.Motion:
    """Return the composition of the paper's figure 6 before sp: with its two gaps."""
    walk, wave = (sg.Motion.from_clip(clips.clip(name)) for name in ("walk", "wave"))
    wave_arm = sg.trim(sg.only(wave, "right_arm"), 1, 2)
    return sg.retime(wave_arm, 1.3) + (walk - sg.retime(wave_arm, 1.0, 1.5))


def edges(motion: sg.Motion) -> dict[str, list[tuple[float, float, int]]]:
    """Return when each track is defined, and by how many functions."""
    return {
        name: [(part.start, part.stop, len(part.functions)) for part in track] for name, track in motion.tracks.items()
    }


def assert_identical(one: sg.Motion, other: sg.Motion) -> None:
    """Check that two motions have the same tracks, the same edges and the same values, to the last bit."""
    assert edges(one) == edges(other)
    for name, times in _inside(one):
        for a, b in zip(one.sample(name, times), other.sample(name, times), strict=True):
            np.testing.assert_array_equal(a, b)


def _inside(motion: sg.Motion) -> Iterator[tuple[str, np.ndarray]]:
    for name, track in motion.tracks.items():
        yield name, np.concatenate([np.linspace(part.start, part.stop, 5) for part in track])
