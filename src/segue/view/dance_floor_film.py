"""A film of a dance floor from above: couples as they turn and step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from segue.dance.behaviour.choreography import Choreography
from segue.dance.behaviour.position_verbs import CouplePositions
from segue.dance.behaviour.report import positions_over_time
from segue.errors import ArgumentError
from segue.typing import Array
from segue.view.dance_floor import couple_colour, couple_outlines
from segue.view.render import Image
from segue.view.video import save_video

_SHARP = 3  # oversampling each way, for smooth edges
_FLOOR, _WALL, _INK, _FOOT = "#f6f1e7", "#8a7f6d", "#3b4048", "#55504a"
_SMALLEST, _LARGEST = 160, 4000
_TAIL = 4.0  # s of path drawn behind a couple


@dataclass(frozen=True, eq=False)
class FloorFilm:
    """Frames of a floor. fps: frames a second. speed: seconds of the evening a second of the film.

    start, stop: s of the evening. width: pixels.
    """

    evening: Choreography
    start: float
    stop: float
    fps: float
    speed: float
    width: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, both even, as video formats need them."""
        ground = self.evening.environment.floor
        return self.width, 2 * round(0.5 * (self.width * ground.width / ground.length + self._caption))

    def __len__(self) -> int:
        return max(1, round((self.stop - self.start) * self.fps / self.speed))

    def frames(self) -> Iterator[Image]:
        """Yield all pictures in order."""
        return (self.frame(k) for k in range(len(self)))

    def save(self, path: str | Path, progress: Callable[[int, int], None] | None = None) -> None:
        """Write the film as .gif, .webp or .mp4 by the suffix."""
        save_video(self, path, progress)

    def frame(self, k: int) -> Image:
        """Return one picture."""
        time = self.start + k * self.speed / self.fps
        moment = round((time - self._times[0]) * self._rate)
        picture = self._empty.copy()
        pen = ImageDraw.Draw(picture)
        for number, placing in enumerate(self._placings):
            self._draw_couple(pen, placing, number, min(moment, len(self._times) - 1))
        picture = picture.resize(self.size, Pillow.Resampling.BOX)
        words = ImageDraw.Draw(picture)
        words.text((8, self.size[1] - self._caption + 3), self._said(time), fill=_INK, font=self._font)
        return np.asarray(picture, dtype=np.uint8)

    @property
    def _caption(self) -> int:
        return 22

    @property
    def _rate(self) -> float:
        return self.fps / self.speed

    @cached_property
    def _placed(self) -> tuple[Array, list[CouplePositions]]:
        return positions_over_time(self.evening, self._rate)

    @property
    def _times(self) -> Array:
        return self._placed[0]

    @property
    def _placings(self) -> list[CouplePositions]:
        return self._placed[1]

    @cached_property
    def _font(self) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
        return ImageFont.load_default(12)

    def _pixels(self, points: Array) -> list[tuple[float, float]]:
        """Return points (N, 2) of the floor, z and x, as pixels of the large picture."""
        ground = self.evening.environment.floor
        scale = _SHARP * self.width / ground.length
        return [(scale * (z + 0.5 * ground.length), scale * (0.5 * ground.width - x)) for z, x in points.tolist()]

    @cached_property
    def _empty(self) -> Pillow.Image:
        ground, line = self.evening.environment.floor, self.evening.line
        width, height = self.size
        picture = Pillow.new("RGB", (_SHARP * width, _SHARP * height), "white")
        pen = ImageDraw.Draw(picture)
        half = 0.5 * np.array([ground.length, ground.width])
        (corner, opposite) = self._pixels(np.array([[-half[0], half[1]], [half[0], -half[1]]]))
        pen.rectangle((corner, opposite), fill=_FLOOR, outline=_WALL, width=2 * _SHARP)
        if line is not None:
            lane = self._pixels(np.array([line.point(s)[1::-1] for s in np.arange(0.0, line.lap, 0.12)]))
            for k in range(0, len(lane) - 1, 3):
                pen.line(lane[k : k + 2], fill="#c9bfae", width=_SHARP)
        return picture

    def _draw_couple(self, pen: ImageDraw.ImageDraw, placing: CouplePositions, number: int, moment: int) -> None:
        ink = tuple(round(255 * part) for part in couple_colour(number))
        pale = tuple(round(255 - 0.45 * (255 - part)) for part in ink)
        first = max(0, moment - round(_TAIL * self._rate))
        way = placing.bodies[first : moment + 1, :, 1::-1].mean(axis=1)
        if len(way) > 1:
            pen.line(self._pixels(way), fill=tuple(round(255 - 0.3 * (255 - part)) for part in ink), width=_SHARP)
        (leader, follower), feet = couple_outlines(placing, self.evening.couples[number].planner.shape, moment)
        for foot in feet:
            pen.polygon(self._pixels(foot), fill=_FOOT)
        pen.polygon(self._pixels(leader), fill=ink, outline="white")
        pen.polygon(self._pixels(follower), fill=pale, outline="white")

    def _said(self, time: float) -> str:
        """Return dance, time and bar."""
        tempo = self.evening.tempo
        bar = int(time / (tempo.beat * tempo.beats_per_bar)) + 1
        return f"{self.evening.environment.dance}   {time:5.1f} s   bar {bar}"


def floor_film(
    evening: Choreography,
    *,
    fps: float = 20.0,
    speed: float = 1.0,
    start: float = 0.0,
    stop: float | None = None,
    width: int = 720,
) -> FloorFilm:
    """Return the film of an evening from above. start, stop: in s, the whole evening if not given."""
    stop = evening.duration if stop is None else stop
    for what, value, low, high in (
        ("frames a second", fps, 1.0, 60.0),
        ("speed", speed, 0.1, 100.0),
        ("width in pixels", width, _SMALLEST, _LARGEST),
    ):
        if not low <= value <= high:
            raise ArgumentError(f"the film's {what} is {value}: it must lie between {low:g} and {high:g}")
    if not 0.0 <= start < stop <= evening.duration + 1e-9:
        raise ArgumentError(
            f"the film is to last from {start:g} to {stop:g} s: both must lie, in this order, between 0 and "
            f"{evening.duration:.1f} s"
        )
    return FloorFilm(evening, start, stop, fps, speed, 2 * round(0.5 * width))
