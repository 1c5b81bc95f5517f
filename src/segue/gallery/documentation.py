"""Pictures of the documentation: those of the gallery, small enough to be kept beside the text.

`python -m segue.gallery.documentation docs/pictures` makes them anew; they need no captured clips.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image as Pillow

import segue as sg
from segue import clips, view
from segue.filesystem import atomic_write
from segue.gallery.dancing_by_torques import dancing_by_torques, draw_couple_in_hold
from segue.gallery.exhibit import Exhibit, Workshop
from segue.gallery.figure_2 import feet
from segue.gallery.figure_6 import SCRIPT
from segue.gallery.figure_8 import joining, walk_to_run
from segue.gallery.figure_9 import saluting
from segue.gallery.figure_10 import lowering
from segue.gallery.library import built_in_clips
from segue.gallery.six_motions import chain
from segue.language import evaluate, parse
from segue.language.operators_seen import operator_of
from segue.motion.motion import Motion

__all__ = ["PICTURES", "draw"]

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
"""What they are called in the documentation, and in the gallery."""

_MAKERS: tuple[Callable[[Workshop], Exhibit | None], ...] = (
    feet,
    joining,
    chain,
    saluting,
    lowering,
    dancing_by_torques,
    draw_couple_in_hold,
    built_in_clips,
)
_COLOURS = 192


def draw(folder: Path) -> None:
    """Make the pictures in a folder, in as few bytes as 192 colours need."""
    with tempfile.TemporaryDirectory() as name:
        shop = Workshop(Path(name), lambda what, share: None)
        for make in _MAKERS:
            make(shop)
        composed = evaluate(SCRIPT)
        assert isinstance(composed, Motion), "the script ends in a motion"
        view.composition(operator_of(parse(SCRIPT)), composed).save(shop.out / "figure_6.png")
        _animated(folder / "transition.gif")
        for target, source in PICTURES.items():
            with atomic_write(folder / target) as beside:
                _reduce(shop.out / source, beside)


def _animated(path: Path) -> None:
    """Write the walk that becomes a run as an animation of less than 200 kB."""
    motion = walk_to_run()
    (fill,) = sg.fills(motion)
    start, stop = fill.start - 0.7, fill.stop + 0.7
    view.animate(motion, fills=[fill], fps=10.0, size=(280, 230), start=start, stop=stop).save(path)


def _reduce(source: Path, target: Path) -> None:
    with Pillow.open(source) as picture:
        picture.convert("RGB").quantize(_COLOURS, dither=Pillow.Dither.NONE).save(target, optimize=True)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
