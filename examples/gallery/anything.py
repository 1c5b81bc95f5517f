"""Draw a walk that becomes six other motions, left and entered at random times.

Run it with: python -m examples.gallery.anything docs/pictures/walk_to_anything.webp
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image as Pillow

import segue as sg
from examples.gallery.films import save_film
from segue import clips, view

SEED = 1996
_BESIDE, _DURATION = 0.6, 0.9  # s of the clips on both sides, and of the transitions
_COLUMNS = 3
_SIZE = (270, 250)
_RATE, _SPEED, _QUALITY = 10.0, 0.75, 35


def transitions(seed: int = SEED) -> dict[str, sg.Motion]:
    """Return transitions from the walk to each other built-in clip, each from 0 s, by titles."""
    numbers = np.random.default_rng(seed)
    found = {}
    for name in clips.NAMES:
        if name == "walk":
            continue
        other = clips.motion(name)
        leave = float(numbers.uniform(_BESIDE, clips.walk.stop - _DURATION))
        enter = float(numbers.uniform(0.1, other.stop - _BESIDE - 0.1))
        joined = sg.transition(clips.walk, other, _DURATION, leave=leave, enter=enter)
        title = f"walk, {leave:.1f} s, to {name}, {enter:.1f} s"
        found[title] = sg.trim(joined, leave - _BESIDE, leave + _DURATION + _BESIDE)
    return found


def draw(path: Path, seed: int = SEED) -> None:
    """Write the film: three transitions in a row, the frames that Segue made in colour."""
    made = list(transitions(seed).items())
    rows = [dict(made[k : k + _COLUMNS]) for k in range(0, len(made), _COLUMNS)]
    films = [
        view.animate(
            row,
            fills={title: motion.fills for title, motion in row.items()},
            fps=_RATE,
            speed=_SPEED,
            size=_SIZE,
            camera=view.Camera(-60.0, 10.0, 4.5),
            follow=True,
        )
        for row in rows
    ]
    frames = [np.concatenate(together) for together in zip(*(film.frames() for film in films), strict=True)]
    save_film(path, [Pillow.fromarray(frame) for frame in frames], _RATE, _QUALITY)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
