"""Dancers in pictures: colours by side or by partner, several dancers in one scene, and sheets to put them on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.layout import side_of
from segue.typing import Array
from segue.view.camera import Camera, View
from segue.view.flesh import Solids, solids
from segue.view.picture import DPI, TEXT, Picture, blank, colour
from segue.view.render import Image

SIDE_COLOURS = {"left": "blue", "right": "vermilion", "centre": "silver"}
"""Colours of the sides of a body. [Lake1990] tells the sides of its figures apart by colour too."""

COUPLE_COLOURS = ("blue", "vermilion")
"""Colours of the leader and the follower."""

RULE, FAINT, PAPER = "#c9ced6", "#7d8590", "#f3f5f8"


def sided_tints() -> Array:
    """Return a colour for every segment, (segments, 3), by its side of the body."""
    return np.stack([colour(SIDE_COLOURS[side_of(segment)]) for segment in HUMAN.segments])


def dancer_tints(names: Sequence[str]) -> Array:
    """Return colours (dancers * segments, 3) of several dancers in one scene. names: a colour for each dancer."""
    return np.concatenate([np.tile(colour(name), (len(HUMAN.segments), 1)) for name in names])


def still(poses: Poses, frame: int, over: Array | None = None) -> Poses:
    """Return one frame of poses, moved along the floor until a point (3,), by default the root, is over the origin."""
    chosen = poses[frame : frame + 1]
    point = chosen.root[0] if over is None else over
    return Poses(chosen.root - point * np.array([1.0, 0.0, 1.0]), chosen.balls, chosen.hinges)


def in_one_scene(dancers: Sequence[tuple[Figure, Poses]]) -> Solids:
    """Return the shapes of several dancers, one frame each. The owners of a dancer follow those of the one before."""
    shapes = [solids(figure, poses, np.zeros((len(poses), 3))) for figure, poses in dancers]
    owners = [each.owners + k * len(HUMAN.segments) for k, each in enumerate(shapes)]
    capsules = [len(each.starts) for each in shapes]
    starts, stops, radii, centres, forms = (
        np.concatenate([getattr(each, part) for each in shapes])
        for part in ("starts", "stops", "radii", "centres", "shapes")
    )
    first = [each[:count] for each, count in zip(owners, capsules, strict=True)]
    rest = [each[count:] for each, count in zip(owners, capsules, strict=True)]
    return Solids(starts, stops, radii, centres, forms, np.concatenate(first + rest))


def spheres_of(scenes: Sequence[Solids]) -> tuple[Array, Array]:
    """Return centres (N, 3) and radii (N,), in m, of spheres that hold the shapes of every scene."""
    centres, radii = (np.concatenate(part) for part in zip(*(scene.spheres() for scene in scenes), strict=True))
    return centres, radii


def fitting_view(
    scenes: Sequence[Solids], camera: Camera, size: tuple[int, int], margins: tuple[float, float, float]
) -> View:
    """Return one view that shows every scene in the same scale. size: in pixels. margins: as for `Camera.fitting`."""
    return camera.fitting(*spheres_of(scenes), size, margins)


class Sheet:
    """A picture that is put together from texts, lines, boxes and images, in pixels from its upper left corner."""

    def __init__(self, width: int, height: int) -> None:
        self._width, self._height = width, height
        self._canvas = blank((width / DPI, height / DPI))

    @property
    def picture(self) -> Picture:
        """The finished picture."""
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
        align: str = "left",
    ) -> None:
        """Write a text. row: of its top. size: in points. align: left, center or right of the column."""
        look: dict[str, Any] = {"fontsize": size, "fontweight": weight, "color": shade}
        self._canvas.text(column / self._width, 1 - row / self._height, text, ha=align, va="top", **look)

    def rule(self, first: float, last: float, row: float) -> None:
        """Draw a thin horizontal line."""
        at = 1 - row / self._height
        self._canvas.add_artist(Line2D([first / self._width, last / self._width], [at, at], color=RULE, linewidth=0.6))

    def box(self, left: float, top: float, right: float, bottom: float, shade: str) -> None:
        """Fill a box."""
        x, y, width, height = self._shares(left, top, right, bottom)
        self._canvas.add_artist(Rectangle((x, y), width, height, color=shade, zorder=-1, linewidth=0))

    def axes(self, left: float, top: float, right: float, bottom: float) -> Axes:
        """Return axes that fill a box."""
        return self._canvas.add_axes(self._shares(left, top, right, bottom))

    def _shares(self, left: float, top: float, right: float, bottom: float) -> tuple[float, float, float, float]:
        """Return the left and lower edges, the width and the height of a box as shares of the sheet."""
        width, height = self._width, self._height
        return left / width, 1 - bottom / height, (right - left) / width, (bottom - top) / height

    def side_legend(self, right: float, row: float) -> None:
        """Explain the colours of both sides of a body, in a row that ends at a column."""
        for name in ("right", "left"):
            self.text(right, row, f"{name} side", size=9.5, align="right")
            right -= 72
            self.box(right - 12, row + 2, right, row + 13, to_hex(tuple(colour(SIDE_COLOURS[name]).tolist())))
            right -= 28
