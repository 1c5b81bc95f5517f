"""Pictures: blank figures to draw on, and finished pictures for notebooks and files."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas

from segue.errors import ArgumentError, FileFormatError
from segue.filesystem import atomic_write
from segue.view.render import Image

DPI = 100
TEXT = "#3b4048"
_SUFFIXES = (".png", ".svg", ".pdf")


def blank(size: tuple[float, float], *, constrained: bool = False) -> Canvas:
    """Return an empty Matplotlib figure that needs no screen. size: width and height in inches.

    constrained: let Matplotlib place axes and legends so that they do not overlap.
    """
    canvas = Canvas(figsize=size, dpi=DPI, facecolor="white", layout="constrained" if constrained else None)
    FigureCanvasAgg(canvas)
    return canvas


def check_suffix(path: str | Path) -> str:
    """Return the suffix of a picture's file in lower case, or raise FileFormatError."""
    suffix = Path(path).suffix.lower()
    if suffix not in _SUFFIXES:
        raise FileFormatError(f"suffix '{suffix}': pictures that can be written end in {', '.join(_SUFFIXES)}", path)
    return suffix


class Label(NamedTuple):
    """A text centred at a column, its top at a row, in pixels from the upper left."""

    column: float
    row: float
    text: str


@dataclass(frozen=True, eq=False)
class Picture:
    """A drawing on a Matplotlib figure. Global state of Matplotlib stays unchanged."""

    canvas: Canvas

    def save(self, path: str | Path) -> None:
        """Write the picture as .png, .svg or .pdf by the suffix. The same picture gives the same bytes."""
        suffix = check_suffix(path)
        with atomic_write(path) as beside:
            beside.write_bytes(self._encoded(suffix[1:]))

    def pixels(self) -> Image:
        """Return the picture as red, green and blue, (H, W, 3)."""
        agg = FigureCanvasAgg(self.canvas)
        agg.draw()  # type: ignore[no-untyped-call]
        drawn: Image = np.array(agg.buffer_rgba(), dtype=np.uint8)  # type: ignore[no-untyped-call]
        return drawn[..., :3]

    def below(self, share: float) -> Picture:
        """Return the part below a share of the height, as pixels. 0.5 gives the lower half."""
        if not 0 <= share < 1:
            raise ArgumentError(f"the share is {share}: it must be at least 0 and less than 1")
        image = self.pixels()
        return labelled(image[int(share * len(image)) :], ())

    def _repr_png_(self) -> bytes:
        return self._encoded("png")

    def _encoded(self, form: str) -> bytes:
        # without a date and with fixed identifiers, so that the same picture is the same file
        metadata = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[form]
        buffer = io.BytesIO()
        # letters stay letters: they can be searched, and read aloud
        with matplotlib.rc_context({"svg.hashsalt": "segue", "svg.fonttype": "none"}):
            self.canvas.savefig(buffer, format=form, dpi=DPI, metadata=metadata)
        return buffer.getvalue()


def labelled(image: Image, labels: Sequence[Label], below: int = 0) -> Picture:
    """Return an image as a picture, pixel for pixel, with labels. below: blank pixels under the image."""
    height, width = image.shape[0] + below, image.shape[1]
    canvas = blank((width / DPI, height / DPI))
    canvas.figimage(image, 0, below, origin="upper")
    for label in labels:
        canvas.text(
            label.column / width, 1 - label.row / height, label.text, ha="center", va="top", fontsize=9, color=TEXT
        )
    return Picture(canvas)
