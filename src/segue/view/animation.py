"""Animations of one motion, or of several side by side, as GIF, WebP or MP4."""

from __future__ import annotations

import base64
import io
import math
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from matplotlib.font_manager import findfont
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from segue.checks import positive
from segue.errors import ArgumentError
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.typing import Array
from segue.view.camera import Camera
from segue.view.picture import TEXT
from segue.view.render import Image
from segue.view.stage import Stage, check_drawable, set_stages
from segue.view.strips import Fill, filled_tints
from segue.view.video import save_video, write_video

Fills = Iterable[Fill] | Mapping[str, Iterable[Fill]] | Callable[[Motion], Iterable[Fill]]

_TITLE = 28  # pixels for the names of motions
_MOST_FRAMES = 20_000
_LEAST_SIDE, _MOST_SIDE = 32, 4096


def animate(
    motions: Motion | Mapping[str, Motion],
    *,
    fills: Fills = (),
    fps: float = 30.0,
    speed: float = 1.0,
    start: float | None = None,
    stop: float | None = None,
    size: tuple[int, int] = (480, 360),
    camera: Camera | None = None,
    follow: bool | None = None,
    colours: str = "blue to red",
    limbs: str = "green",
    rest: str = "silver",
    ground: Ground | str | None = "auto",
    mesh: bool = True,
) -> Animation:
    """Return an animation of one motion, or of several by name side by side. size: of each in pixels.

    fills: filled gaps, coloured as in `filled`: a list for one motion, lists by name for several, or a function that
    returns the fills of a motion. speed: 0.5 plays at half speed. start, stop: the part to draw, in s. camera: beside
    the path, or in front of a motion that stays, if not given. follow: let the camera follow the figure instead of
    framing the whole path; on for long paths if not given. ground: under all motions; "auto" draws the treads or the
    slope that is found under each. mesh: draw the meshes of files that have one. Frames are drawn when the animation is
    saved.
    """
    named = {"": motions} if isinstance(motions, Motion) else dict(motions)
    if not named:
        raise ArgumentError("there is nothing to animate: at least one motion is needed")
    for motion in named.values():
        if not isinstance(motion, Motion):
            raise ArgumentError(f"only motions can be animated, not {motion!r}")
        check_drawable(motion)
    times = _times(list(named.values()), positive("fps", fps), positive("speed", speed), start, stop)
    tints = {
        name: filled_tints(times, found, colours=colours, limbs=limbs, rest=rest)
        for name, found in _fills_by_name(named, fills).items()
    }
    drawn = [(motion, tints[name]) for name, motion in named.items()]
    stages = set_stages(drawn, times, _even(size), camera, follow, ground, rest, mesh)
    return Animation(tuple(stages), tuple(named), times, float(fps), float(speed))


@dataclass(frozen=True, eq=False)
class Animation:
    """Motions sampled at equal steps of time. `len` is the number of frames.

    times: (T,) of the motions at each frame, in s. fps: frames a second. speed: seconds of motion a second.
    """

    stages: tuple[Stage, ...]
    names: tuple[str, ...]
    times: Array
    fps: float
    speed: float

    def __len__(self) -> int:
        return len(self.times)

    @property
    def duration(self) -> float:
        """Duration of the animation in s."""
        return len(self) / self.fps

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of a frame in pixels."""
        width, height = self.stages[0].view.size
        return len(self.stages) * width, height + (_TITLE if any(self.names) else 0)

    def frame(self, k: int) -> Image:
        """Return one frame, (H, W, 3), counted from 0."""
        if not 0 <= k < len(self):
            raise ArgumentError(f"there is no frame {k}: there are {len(self)}, counted from 0")
        width, height = self.size
        sheet = np.full((height, width, 3), 255, dtype=np.uint8)
        for n, stage in enumerate(self.stages):
            picture = stage.picture(k)
            across = picture.shape[1]
            sheet[height - picture.shape[0] :, n * across : (n + 1) * across] = picture
        return self._lettered(sheet, k)

    def frames(self) -> Iterator[Image]:
        """Yield all frames in order, drawn on all processors."""
        workers = os.cpu_count() or 1
        ahead: deque[Future[Image]] = deque()
        pool = ThreadPoolExecutor(workers)
        try:
            for k in range(len(self)):
                ahead.append(pool.submit(self.frame, k))
                if len(ahead) > 2 * workers:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)

    def save(self, path: str | Path, progress: Callable[[int, int], None] | None = None) -> None:
        """Write the animation as .gif, .webp or .mp4 by the suffix. MP4 needs the extra `video`.

        progress: called with the number of finished frames and of all; an exception stops the work. The file appears
        when it is complete.
        """
        save_video(self, path, progress)

    def _repr_html_(self) -> str:
        buffer = io.BytesIO()
        write_video(self, ".webp", buffer)
        content = base64.b64encode(buffer.getvalue()).decode("ascii")
        return f'<img alt="animation" src="data:image/webp;base64,{content}">'

    def _lettered(self, sheet: Image, k: int) -> Image:
        """Return a frame with the names of the motions above them, and the time in the lower left corner."""
        canvas = Pillow.fromarray(sheet)
        pen = ImageDraw.Draw(canvas)
        width, height = self.size
        across = width // len(self.stages)
        for n, name in enumerate(self.names):
            pen.text((across * (n + 0.5), _TITLE / 2), name, TEXT, _font(14), "mm")
        stamp = f"{self.times[k]:.2f} s" + ("" if self.speed == 1.0 else f"   × {self.speed:g}")
        pen.text((10, height - 8), stamp, TEXT, _font(12), "ls")
        return np.asarray(canvas)


@lru_cache(maxsize=4)
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(findfont("DejaVu Sans"), size)


def _times(motions: list[Motion], fps: float, speed: float, start: float | None, stop: float | None) -> Array:
    earliest, latest = min(motion.start for motion in motions), max(motion.stop for motion in motions)
    first = earliest if start is None else max(float(start), earliest)
    last = latest if stop is None else min(float(stop), latest)
    if not first <= last:
        raise ArgumentError(
            f"nothing lies between {first:g} and {last:g} s: there is motion from {earliest:g} to {latest:g} s"
        )
    # the small number keeps rounding from losing the last frame
    count = math.floor((last - first) * fps / speed + 1e-6) + 1
    if count > _MOST_FRAMES:
        raise ArgumentError(
            f"{last - first:g} s would take {count} frames: no more than {_MOST_FRAMES} can be drawn, lower fps, raise "
            "speed or give start and stop"
        )
    times: Array = np.minimum(first + np.arange(count) * speed / fps, last)
    return times


def _fills_by_name(named: Mapping[str, Motion], fills: Fills) -> dict[str, list[Fill]]:
    if callable(fills):
        return {name: list(fills(motion)) for name, motion in named.items()}
    if isinstance(fills, Mapping):
        strange = next((name for name in fills if name not in named), None)
        if strange is not None:
            raise ArgumentError(f"fills name '{strange}', which is no motion: there are {', '.join(named)}")
        return {name: list(fills.get(name, ())) for name in named}
    found = list(fills)
    if found and len(named) > 1:
        raise ArgumentError("several motions are animated: fills must be given by their names")
    return dict.fromkeys(named, found)


def _even(size: tuple[int, int]) -> tuple[int, int]:
    """Return a size with even sides, as video formats need it, or raise ArgumentError."""
    try:
        width, height = (int(side) for side in size)
    except (TypeError, ValueError):
        raise ArgumentError(f"the size is {size!r}: width and height in pixels are needed, as (480, 360)") from None
    for side in (width, height):
        if not _LEAST_SIDE <= side <= _MOST_SIDE:
            raise ArgumentError(
                f"the size is {width} x {height}: both sides must be from {_LEAST_SIDE} to {_MOST_SIDE} pixels"
            )
    return width + width % 2, height + height % 2
