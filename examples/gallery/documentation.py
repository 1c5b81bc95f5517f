"""Draw the pictures of the documentation: pictures of the gallery with few colours, and so few bytes.

Run it with: python -m examples.gallery.documentation docs/pictures
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw

import segue as sg
from examples.gallery.clips import built_in_clips, filled_from_library
from examples.gallery.dance import simulated_couple, simulated_dance
from examples.gallery.exhibit import Exhibit, Workshop
from examples.gallery.figures_2_to_6 import SCRIPT, composition, feet
from examples.gallery.figures_7_to_10 import forearm, salute, transition
from examples.gallery.films import reduce_colours, save_film
from examples.gallery.six_motions import six_motions
from segue import clips, view
from segue.filesystem import atomic_write
from segue.language import parse
from segue.language.operators_seen import operator_of
from segue.plausibility.slide import PlantedFoot
from segue.typing import Array
from segue.view.camera import View
from segue.view.stage import Stage

PICTURES = {
    "transition.png": "figure_8_transition.png",
    "salute.png": "figure_9_salute.png",
    "forearm.png": "figure_10_forearm.png",
    "feet.png": "figure_2_feet.png",
    "animation.png": "animation.png",
    "figure_6.png": "figure_6.png",
    "library.png": "library_fill.png",
    "library_map.png": "library_map.png",
    **{
        f"dance_simulated_{what}.png": f"simulated_{what}.png"
        for what in ("film", "floor", "forces", "energy", "couple")
    },
    **{f"clip_{name}.png": f"clip_{name}.png" for name in clips.NAMES},
}
"""Names in the gallery, by names in the documentation."""

_MAKERS: tuple[Callable[[Workshop], Exhibit | None], ...] = (
    feet,
    transition,
    six_motions,
    salute,
    forearm,
    simulated_dance,
    simulated_couple,
    built_in_clips,
    filled_from_library,
)
_LEAVE, _ENTER, _FADE = 1.8, 0.7, 0.6  # s of the animation
_RATE = 9.0  # pictures a second
_QUALITY = 20  # of each picture: the camera moves, so that pictures have little in common
_SHOWN, _SECONDS = (_LEAVE - 0.6, _LEAVE + _FADE + 0.9), 4.0  # s of the motions, and s that they take to play
_WIDE, _HIGH = 410, 360  # pixels of each figure
_ACROSS = 1.15  # m that a picture shows
_MARK = 0.07  # m around the place where a foot stands


def draw(folder: Path) -> None:
    """Draw all pictures into a folder, with 192 colours each."""
    with tempfile.TemporaryDirectory() as name:
        shop = Workshop(Path(name), lambda what, share: None)
        for make in _MAKERS:
            make(shop)
        view.plot_composition(operator_of(parse(SCRIPT)), composition()).save(shop.out / "figure_6.png")
        _animate(folder / "cross_fade.webp")
        for target, source in PICTURES.items():
            with atomic_write(folder / target) as beside:
                reduce_colours(shop.out / source, beside)


def _animate(path: Path) -> None:
    """Write a cross-fade, as engines make it, beside a transition of Segue, with the camera on the feet.

    Both have the same clips, the same cut points and the same duration. Titles give the slide that `check` measures. A
    ring on the floor marks where the foot stands at the start of the fade that then slides most in the cross-fade.
    """
    joined = sg.transition(clips.walk, clips.kick, _FADE, leave=_LEAVE, enter=_ENTER)
    faded = cross_fade(clips.walk, clips.kick)
    foot = _worst(faded)
    versions = {
        f"{name}: a planted foot slides {100 * _worst(motion).slide:.1f} cm": motion
        for name, motion in (("Cross-fade", faded), ("Segue", joined))
    }
    animation = view.animate(
        versions,
        fills=dict.fromkeys(versions, joined.fills),
        fps=_RATE,
        speed=(_SHOWN[1] - _SHOWN[0]) / _SECONDS,
        size=(_WIDE, _HIGH),
        start=_SHOWN[0],
        stop=_SHOWN[1],
        camera=view.Camera(-75.0, 9.0, 4.0),
        follow=True,
    )
    animation = replace(animation, stages=tuple(_near_the_feet(stage) for stage in animation.stages))
    places = [motion.figure.point(foot.point, motion.at([_LEAVE]))[0] for motion in versions.values()]
    frames = [Pillow.fromarray(frame) for frame in animation.frames()]
    for k, frame in enumerate(frames):
        if _LEAVE - 0.1 <= animation.times[k] <= _LEAVE + _FADE:
            for n, (stage, place) in enumerate(zip(animation.stages, places, strict=True)):
                _ring(frame, n, stage.view.moved(stage.way[k]), place)
    save_film(path, frames, _RATE, _QUALITY)


def _worst(motion: sg.Motion) -> PlantedFoot:
    """Return the planted foot that slides most in the fade or the transition."""
    worst = sg.check(motion, start=_LEAVE - 0.1, stop=_LEAVE + _FADE + 0.1).measures.slide.worst
    assert worst is not None
    return worst


def _near_the_feet(stage: Stage) -> Stage:
    """Return a stage whose picture shows the lower legs, with the floor at the bottom."""
    seen = stage.view
    low = seen.corner[1] - seen.size[1] / seen.scale
    middle = seen.corner[0] + 0.5 * seen.size[0] / seen.scale
    scale = _WIDE / _ACROSS
    view_of_feet = replace(seen, scale=scale, corner=(middle - 0.5 * _ACROSS, low + _HIGH / scale), size=(_WIDE, _HIGH))
    return replace(stage, view=view_of_feet)


def _ring(frame: Pillow.Image, column: int, seen: View, place: Array) -> None:
    """Draw a ring on the floor around a place, in one column of a frame."""
    angles = np.linspace(0.0, 2.0 * np.pi, 60)
    points = np.stack([np.cos(angles), 0.0 * angles, np.sin(angles)], axis=1) * _MARK + [place[0], 0.0, place[2]]
    x, y = np.add(seen.pixels(points), [column * _WIDE, frame.height - _HIGH]).T
    if column * _WIDE < x.min() and x.max() < (column + 1) * _WIDE:
        ImageDraw.Draw(frame).line(list(zip(x.tolist(), y.tolist(), strict=True)), fill=(220, 60, 40), width=3)


def cross_fade(first: sg.Motion, second: sg.Motion) -> sg.Motion:
    """Return two motions whose joints are blended while both play; their roots meet in the middle of the fade."""
    before, after = sg.trim(first, 0.0, _LEAVE + _FADE), sg.trim(second, _ENTER - _FADE, second.stop)
    half = 0.5 * _FADE
    here, there, begun = (
        motion.at([when]).root[0] for motion, when in ((before, _LEAVE + half), (after, half), (after, 0.0))
    )
    offset = here - there + begun
    return sg.blend(before, sg.retime(sg.move_to(after, (float(offset[0]), float(offset[2]))), _LEAVE))


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
