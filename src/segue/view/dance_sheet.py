"""Sheets that the dance's pictures are made on: texts, rules, boxes and images, placed in pixels."""

from __future__ import annotations

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from segue.view.dance_figures import SIDE_COLOURS
from segue.view.palette import colour
from segue.view.picture import DPI, TEXT, Picture
from segue.view.render import Image

__all__ = ["FAINT", "PAPER", "RULE", "Sheet"]

RULE, FAINT, PAPER = "#c9ced6", "#7d8590", "#f3f5f8"


class Sheet:
    """A blank picture on which texts, rules, boxes and images are put in pixels from the upper left."""

    def __init__(self, width: int, height: int) -> None:
        self._width, self._height = width, height
        self._canvas = Canvas(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor="white")
        FigureCanvasAgg(self._canvas)

    @property
    def picture(self) -> Picture:
        """What was drawn."""
        return Picture(self._canvas)

    def image(self, left: float, top: float, image: Image) -> None:
        """Put an image, pixel for pixel."""
        self._canvas.figimage(image, round(left), round(self._height - top - image.shape[0]), origin="upper")

    def text(
        self,
        column: float,
        row: float,
        text: str,
        *,
        size: float,
        weight: str = "normal",
        shade: str = TEXT,
        centred: bool = False,
        right: bool = False,
    ) -> None:
        """Write a text whose top is at a row."""
        align = "right" if right else "center" if centred else "left"
        self._canvas.text(
            column / self._width,
            1 - row / self._height,
            text,
            ha=align,
            va="top",
            fontsize=size,
            fontweight=weight,
            color=shade,
        )

    def rule(self, first: float, last: float, row: float) -> None:
        """Draw a thin level line."""
        at = 1 - row / self._height
        self._canvas.add_artist(Line2D([first / self._width, last / self._width], [at, at], color=RULE, linewidth=0.6))

    def box(self, left: float, top: float, right: float, bottom: float, shade: str) -> None:
        """Fill a box."""
        corner = (left / self._width, 1 - bottom / self._height)
        size = ((right - left) / self._width, (bottom - top) / self._height)
        self._canvas.add_artist(Rectangle(corner, *size, color=shade, zorder=-1, linewidth=0))

    def side_legend(self, right: float, row: float) -> None:
        """Say which colour is which side of a body, ending at a column."""
        for name in ("right", "left"):
            self.text(right, row, f"{name} side", size=9.5, right=True)
            right -= 72
            self.box(right - 12, row + 2, right, row + 13, to_hex(tuple(colour(SIDE_COLOURS[name]).tolist())))
            right -= 28
