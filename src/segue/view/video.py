"""Video files: GIF and WebP by Pillow, MP4 by PyAV if it is installed."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Protocol

import numpy as np
from PIL import Image as Pillow

from segue.errors import ArgumentError, FileFormatError
from segue.filesystem import atomic_write
from segue.view.render import Image

SUFFIXES = (".gif", ".webp", ".mp4")

_FASTEST_GIF = 50.0  # frames a second: viewers slow down what claims to be faster
_MOST_WEBP = 1 << 30  # bytes of pictures, which Pillow keeps until the last one is there
_COLOURS = 254  # besides white, which stays white, and one that Pillow needs for what does not change
_SEEN_FOR_COLOURS = 24  # frames that say which colours a GIF needs
_FAIRNESS = 0.4  # a colour that is seen n times counts n to the power of this: limbs are small, and the floor is large
_WEBP_QUALITY = 80
_WEBP_METHOD = 2  # of 6: the slower ones save little
_MP4_QUALITY = "20"  # of x264: less is better


class Film(Protocol):
    """Frames of one size at a constant rate."""

    @property
    def fps(self) -> float:
        """Frames a second."""
        ...

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        ...

    def __len__(self) -> int: ...

    def frame(self, k: int) -> Image:
        """Return one picture."""
        ...

    def frames(self) -> Iterator[Image]:
        """Yield all pictures in order."""
        ...


def check_video(path: str | Path) -> str:
    """Return the suffix of an animation's file in lower case, or raise FileFormatError."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise FileFormatError(f"suffix '{suffix}': animations that can be written end in {', '.join(SUFFIXES)}", path)
    if suffix == ".mp4":
        try:
            import av  # noqa: F401
        except ImportError:
            raise FileFormatError(
                "cannot be written: .mp4 needs PyAV (pip install 'segue[video]'); .gif and .webp need nothing more",
                path,
            ) from None
    return suffix


def save_video(film: Film, path: str | Path, progress: Callable[[int, int], None] | None = None) -> None:
    """Write a film to a file by its suffix. The file appears when it is complete."""
    suffix = check_video(path)
    with atomic_write(path) as beside:
        write_video(film, suffix, beside, progress)


def write_video(
    film: Film, suffix: str, target: Path | io.BytesIO, progress: Callable[[int, int], None] | None = None
) -> None:
    """Write a film to a file or to memory. progress: called with the number of finished frames and of all."""
    _WRITERS[suffix](film, _counted(film, progress), target)


def _counted(film: Film, progress: Callable[[int, int], None] | None) -> Iterator[Image]:
    for k, picture in enumerate(film.frames()):
        yield picture
        if progress is not None:
            progress(k + 1, len(film))


def _gif(film: Film, frames: Iterable[Image], target: Path | io.BytesIO) -> None:
    if film.fps > _FASTEST_GIF:
        raise ArgumentError(
            f"a GIF shows at most {_FASTEST_GIF:g} frames a second, not {film.fps:g}: use .webp or .mp4"
        )
    palette = _palette(film)
    reduced = (Pillow.fromarray(each).quantize(palette=palette, dither=Pillow.Dither.NONE) for each in frames)
    # in hundredths of a second, and none of them lost over a whole film
    edges = np.round(100 * np.arange(len(film) + 1) / film.fps).astype(int)
    durations = [int(10 * hundredths) for hundredths in np.diff(edges)]
    _by_pillow(target, "GIF", reduced, duration=durations, disposal=1, optimize=False)


def _palette(film: Film) -> Pillow.Image:
    """Return one palette for all frames, since a palette for each would make plain surfaces flicker."""
    chosen = np.unique(np.linspace(0, len(film) - 1, _SEEN_FOR_COLOURS).round().astype(int))
    seen = np.concatenate([film.frame(k)[::2, ::2].reshape(-1, 3) for k in chosen.tolist()])
    # without near whites, which Pillow would take for white itself
    seen = np.concatenate([np.zeros((1, 3), np.uint8), seen[seen.min(axis=1) < 248]])
    bins = (seen // 8).astype(np.int64) @ np.array([1024, 32, 1])
    counts = np.bincount(bins)
    kinds = np.flatnonzero(counts)
    means = np.stack([np.bincount(bins, seen[:, k])[kinds] / counts[kinds] for k in range(3)], axis=1)
    fair = np.repeat(means.round().astype(np.uint8), np.ceil(counts[kinds] ** _FAIRNESS).astype(int), axis=0)
    reduced = Pillow.fromarray(fair[None]).quantize(_COLOURS, Pillow.Quantize.MEDIANCUT)
    palette = Pillow.new("P", (1, 1))
    palette.putpalette([*(reduced.getpalette() or [])[: 3 * _COLOURS], 255, 255, 255])
    return palette


def _webp(film: Film, frames: Iterable[Image], target: Path | io.BytesIO) -> None:
    width, height = film.size
    if 3 * width * height * len(film) > _MOST_WEBP:
        raise ArgumentError(
            f"{len(film)} frames of {width} x {height} are too many for a .webp file: use .mp4, fewer or smaller frames"
        )
    edges = np.round(1000 * np.arange(len(film) + 1) / film.fps).astype(int)
    pictures = (Pillow.fromarray(each) for each in frames)
    _by_pillow(target, "WEBP", pictures, duration=np.diff(edges).tolist(), quality=_WEBP_QUALITY, method=_WEBP_METHOD)


def _by_pillow(target: Path | io.BytesIO, form: str, pictures: Iterator[Pillow.Image], **options: object) -> None:
    next(pictures).save(target, form, save_all=True, append_images=pictures, loop=0, **options)


def _mp4(film: Film, frames: Iterable[Image], target: Path | io.BytesIO) -> None:
    import av  # an optional extra: large, and only one format needs it

    # the index first, so that a browser can begin to play before it has the whole file
    options = {"movflags": "+faststart"} if isinstance(target, Path) else {}
    place = str(target) if isinstance(target, Path) else target
    with av.open(place, "w", format="mp4", options=options) as container:
        stream = container.add_stream("libx264", rate=Fraction(film.fps).limit_denominator(1001))
        stream.width, stream.height = film.size
        stream.pix_fmt = "yuv420p"
        # one thread: the same film is the same file, however many processors there are
        stream.options = {"crf": _MP4_QUALITY, "preset": "medium", "threads": "1"}
        for picture in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())


_WRITERS: dict[str, Callable[[Film, Iterable[Image], Path | io.BytesIO], None]] = {
    ".gif": _gif,
    ".webp": _webp,
    ".mp4": _mp4,
}
