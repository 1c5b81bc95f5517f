"""Draw the pictures of the documentation: pictures of the gallery with few colours, and so few bytes.

Run it with: python -m examples.gallery.documentation docs/pictures
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image as Pillow

from examples.gallery.clips import built_in_clips
from examples.gallery.dance import simulated_couple, simulated_dance
from examples.gallery.exhibit import Exhibit, Workshop
from examples.gallery.figures_2_to_6 import SCRIPT, composition, feet
from examples.gallery.figures_7_to_10 import forearm, salute, transition, walk_to_run
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
)
_COLOURS = 192


def draw(folder: Path) -> None:
    """Draw all pictures into a folder, with 192 colours each."""
    with tempfile.TemporaryDirectory() as name:
        shop = Workshop(Path(name), lambda what, share: None)
        for make in _MAKERS:
            make(shop)
        view.composition(operator_of(parse(SCRIPT)), composition()).save(shop.out / "figure_6.png")
        _animate(folder / "transition.gif")
        for target, source in PICTURES.items():
            with atomic_write(folder / target) as beside:
                _reduce(shop.out / source, beside)


def _animate(path: Path) -> None:
    """Write the walk that becomes a run as an animation of less than 200 kB."""
    motion = walk_to_run()
    (fill,) = motion.fills
    start, stop = fill.start - 0.7, fill.stop + 0.7
    view.animate(motion, fills=[fill], fps=10.0, size=(280, 230), start=start, stop=stop).save(path)


def _reduce(source: Path, target: Path) -> None:
    with Pillow.open(source) as picture:
        picture.convert("RGB").quantize(_COLOURS, dither=Pillow.Dither.NONE).save(target, optimize=True)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
