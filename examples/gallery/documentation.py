"""Draw the pictures of the documentation: pictures of the gallery with few colours, and so few bytes.

Run it with: python -m examples.gallery.documentation docs/pictures
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image as Pillow

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
_RATE = 16.0  # pictures a second
_WIDE, _HIGH = 400, 400  # pixels of each figure
_LEGS = 0.56  # share of the picture above the legs


def draw(folder: Path) -> None:
    """Draw all pictures into a folder, with 192 colours each."""
    with tempfile.TemporaryDirectory() as name:
        shop = Workshop(Path(name), lambda what, share: None)
        for make in _MAKERS:
            make(shop)
        view.composition(operator_of(parse(SCRIPT)), composition()).save(shop.out / "figure_6.png")
        _animate(folder / "cross_fade.webp")
        for target, source in PICTURES.items():
            with atomic_write(folder / target) as beside:
                reduce_colours(shop.out / source, beside)


def _animate(path: Path) -> None:
    """Write a cross-fade, as engines make it, beside a transition of Segue, seen near the feet.

    Both have the same clips, the same cut points and the same duration. Titles give the slide that `check` measures.
    """
    stop = _LEAVE + _FADE
    joined = sg.transition(clips.walk, clips.kick, _FADE, leave=_LEAVE, enter=_ENTER)
    versions = {}
    for name, motion in (("Cross-fade", cross_fade(clips.walk, clips.kick)), ("Segue", joined)):
        worst = sg.check(motion, start=_LEAVE - 0.1, stop=stop + 0.1).measures.slide.worst
        slide = 0.0 if worst is None else 100 * worst.slide
        versions[f"{name}: a planted foot slides {slide:.1f} cm"] = motion
    animation = view.animate(
        versions,
        fills=dict.fromkeys(versions, joined.fills),
        fps=_RATE,
        speed=0.75,
        size=(_WIDE, _HIGH),
        start=_LEAVE - 0.8,
        stop=stop + 1.2,
        camera=view.Camera(-75.0, 9.0, 4.0),
    )
    frames = [Pillow.fromarray(frame) for frame in animation.frames()]
    title = frames[0].height - _HIGH
    cut = [_joined(frame, title, int(_LEGS * _HIGH)) for frame in frames]
    save_film(path, cut, _RATE)


def cross_fade(first: sg.Motion, second: sg.Motion) -> sg.Motion:
    """Return two motions whose joints are blended while both play; their roots meet in the middle of the fade."""
    before, after = sg.trim(first, 0.0, _LEAVE + _FADE), sg.trim(second, _ENTER - _FADE, second.stop)
    half = 0.5 * _FADE
    here, there, begun = (
        motion.at([when]).root[0] for motion, when in ((before, _LEAVE + half), (after, half), (after, 0.0))
    )
    offset = here - there + begun
    return sg.blend(before, sg.retime(sg.move_to(after, (float(offset[0]), float(offset[2]))), _LEAVE))


def _joined(frame: Pillow.Image, title: int, top: int) -> Pillow.Image:
    """Return the titles of a frame, and the frame from `top` pixels below them."""
    cut = Pillow.new("RGB", (frame.width, frame.height - top), "white")
    cut.paste(frame.crop((0, title + top, frame.width, frame.height)), (0, title))
    cut.paste(frame.crop((0, 0, frame.width, title)), (0, 0))
    return cut


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
