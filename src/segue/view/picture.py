"""Pictures: colours that differ for any colour vision, blank figures to draw on, and finished pictures."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas

from segue.errors import ArgumentError, FileFormatError
from segue.filesystem import atomic_write
from segue.typing import Array
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


COLOURS = MappingProxyType(
    {
        # [OkabeIto2008]
        "black": (0, 0, 0),
        "orange": (230, 159, 0),
        "sky blue": (86, 180, 233),
        "green": (0, 158, 115),
        "yellow": (240, 228, 66),
        "blue": (0, 114, 178),
        "vermilion": (213, 94, 0),
        "purple": (204, 121, 167),
        # for those who ask for it by its plain name: as dark as the blue, so that a course keeps its lightness
        "red": (202, 60, 45),
        "grey": (128, 132, 138),
        # for what stays as it was, beside any other colour: so light that nobody takes green for it
        "silver": (184, 188, 194),
    }
)
"""Red, green and blue, 0 to 255, by name; those that stand beside each other differ for all [Machado2009]."""

# Oklab [Ottosson2020]: linear RGB to cone responses, and their cube roots to lightness and two opponent colours
_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def colour(name: str) -> Array:
    """Return a colour by name, (3,), red, green and blue from 0 to 1."""
    if name not in COLOURS:
        raise ArgumentError(f"there is no colour '{name}': there are {', '.join(COLOURS)}")
    return np.array(COLOURS[name]) / 255.0


def course(name: str, count: int) -> Array:
    """Return colours (count, 3) of a single colour, or of a gradient such as "blue to red".

    Lightness, chroma and hue change evenly in Oklab, the hue in the shorter direction.
    """
    names = [part.strip() for part in name.split(" to ")]
    if len(names) > 2:
        raise ArgumentError(f"the colours '{name}' name {len(names)} colours: give one, or two as in 'blue to red'")
    first, last = (_to_polar(colour(names[end])) for end in (0, -1))
    turn = (last[2] - first[2] + np.pi) % (2 * np.pi) - np.pi
    share = np.linspace(0.0, 1.0, count)[:, None]
    polar = first + share * (np.array([last[0], last[1], first[2] + turn]) - first)
    return _from_polar(polar)


def _to_polar(rgb: Array) -> Array:
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    lightness, a, b = _TO_LAB @ np.cbrt(_TO_CONES @ linear)
    return np.array([lightness, np.hypot(a, b), np.arctan2(b, a)])


def _from_polar(polar: Array) -> Array:
    lab = np.stack([polar[:, 0], polar[:, 1] * np.cos(polar[:, 2]), polar[:, 1] * np.sin(polar[:, 2])], axis=1)
    linear = (lab @ np.linalg.inv(_TO_LAB).T) ** 3 @ np.linalg.inv(_TO_CONES).T
    linear = np.clip(linear, 0.0, 1.0)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
