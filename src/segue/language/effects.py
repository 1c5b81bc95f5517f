"""Functions that reach beyond the script: files, pictures and the terminal."""

from __future__ import annotations

from pathlib import Path

from segue.errors import ArgumentError
from segue.files import load as load_file
from segue.files import save as save_file
from segue.filesystem import counted_reads
from segue.io.files import check_writable
from segue.language.limits import Budget
from segue.language.signature import Context
from segue.language.source import Place
from segue.language.track_timeline import timeline
from segue.language.values import Value, describe
from segue.motion.motion import Motion

_PICTURES = (".pdf", ".png", ".svg")


def load(context: Context, file: str, scale: float | None, up: str | None, mass: float | None, sex: str) -> Motion:
    """Read a clip below the workspace's folder."""
    path = context.workspace.to_read(file)
    context.budget.reading(path.stat().st_size, context.place)
    counted = {path}

    def count(file: Path, size: int) -> None:
        """Count what the clip has in other files, or reads of its own once more."""
        if file in counted:
            counted.remove(file)
        else:
            context.budget.reading(size, context.place)

    with counted_reads(count):
        return load_file(path, scale=scale, up=up, mass=mass, sex=sex)


def save(context: Context, motion: Motion, file: str, fps: float | None) -> None:
    """Write a motion below the workspace's folder."""
    path = context.workspace.to_write(file)
    check_writable(path)
    write(motion, path, context.budget, context.place, fps)
    context.say(f"saved {file}: {motion.duration:g} s at {motion.fps if fps is None else fps:g} frames a second")


def write(motion: Motion, path: Path, budget: Budget, place: Place, fps: float | None = None) -> None:
    """Write a motion to a file, after a look at how many frames that would make."""
    if not motion.tracks:
        raise ArgumentError("the motion defines nothing: there are no frames to write")
    rate = motion.fps if fps is None else fps
    if rate <= 0:
        raise ArgumentError(f"fps is {rate:g}: it must be a positive number of frames a second")
    budget.writing(motion.duration * rate + 1, place)
    save_file(motion, path, fps=fps)


def plot(context: Context, motion: Motion, file: str) -> None:
    """Draw the time line of a motion into a picture below the workspace's folder."""
    from segue.view.expressions import timeline as draw  # pictures need a library that is slow to import

    path = context.workspace.to_write(file, _PICTURES)
    context.budget.drawing(sum(len(track.intervals) for track in motion.tracks.values()), context.place)
    draw(motion).save(path)
    context.say(f"saved {file}")


def show(context: Context, value: Value) -> None:
    """Say what a value is; of a motion, the time line of its tracks."""
    context.say(timeline(value) if isinstance(value, Motion) else describe(value))
