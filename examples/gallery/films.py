"""Films and pictures with few bytes, for the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image as Pillow

from segue.filesystem import atomic_write

_COLOURS = 192


def save_film(path: Path, frames: Sequence[Pillow.Image], fps: float, quality: int = 45) -> None:
    """Write frames as an endless .webp."""
    with atomic_write(path) as beside:
        frames[0].save(
            beside,
            "webp",
            save_all=True,
            append_images=list(frames[1:]),
            duration=round(1000 / fps),
            loop=0,
            quality=quality,
            method=6,
        )


def reduce_colours(source: Path, target: Path | None = None) -> None:
    """Write a picture again with 192 colours."""
    with Pillow.open(source) as picture:
        few = picture.convert("RGB").quantize(_COLOURS, dither=Pillow.Dither.NONE)
    few.save(target or source, "png", optimize=True)
