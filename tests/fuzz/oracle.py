"""The oracle: an input gives a value, or one clear sentence, and nothing else."""

from __future__ import annotations

import os
import tempfile
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

import segue
from segue.errors import SegueError, SegueWarning

__all__ = ["Attempt", "Finding", "Outcome", "check_poses", "check_sentence", "judged"]

_LONGEST = 1000  # characters of a sentence
_SOURCE = str(Path(segue.__file__).parent)

Attempt = Callable[[Path, bytes], object]
"""Takes an empty folder and an input, and does with it what users do; files that it makes are called `out`."""


class Finding(Exception):
    """Something is wrong with Segue that is no exception by itself."""


@dataclass(frozen=True)
class Outcome:
    """What became of an input. refused: by a sentence. finding: what is wrong, and kind: where, to know it again."""

    refused: bool = False
    finding: str | None = None
    kind: str = ""


def judged(attempt: Attempt, data: bytes) -> Outcome:
    """Run an attempt in a folder of its own and return what is to be said of it."""
    before = Path.cwd()
    # deep enough that a few `..` stay inside
    with tempfile.TemporaryDirectory(prefix="segue-fuzz-") as top, warnings.catch_warnings():
        folder = Path(top, "a", "b", "c")
        folder.mkdir(parents=True)
        os.chdir(folder)
        told: list[_Warning] = []
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", ResourceWarning)
        warnings.showwarning = lambda message, category, *_: told.append(
            _Warning(category, str(message), _place_of(traceback.extract_stack()))
        )
        refused = False
        try:
            try:
                attempt(folder, data)
            except SegueError as error:
                refused = True
                check_sentence(str(error))
            _check_warnings(told)
            _check_files(Path(top), refused)
        except Exception as error:
            return Outcome(refused, "".join(traceback.format_exception(error)), _kind(error))
        finally:
            os.chdir(before)
    return Outcome(refused)


def check_sentence(said: str) -> None:
    """Raise unless what is said is one printable line that is not too long."""
    if not said.strip() or len(said) > _LONGEST or not said.isprintable():
        raise Finding(f"not one clear sentence: {len(said)} characters, {said[:200]!r}")


def check_poses(motion: segue.Motion) -> None:
    """Raise unless all poses of a motion are finite."""
    poses = motion.poses
    if not all(np.isfinite(part).all() for part in (poses.root, poses.balls, poses.hinges)):
        raise Finding("poses that are not finite")


class _Warning(NamedTuple):
    category: type[Warning]
    message: str
    place: str


def _check_warnings(told: list[_Warning]) -> None:
    for category, message, place in told:
        if issubclass(category, SegueWarning):
            check_sentence(message)
        else:
            raise Finding(f"{category.__name__} at {place}: {message}")


def _check_files(folder: Path, refused: bool) -> None:
    names = [path.name for path in folder.rglob("*")]
    left = [name for name in names if name.startswith((".segue-", "out" if refused else ".segue-"))]
    if left:
        raise Finding(f"files left behind: {', '.join(left)}")


def _kind(error: Exception) -> str:
    if isinstance(error, Finding):
        return str(error)[:60]
    return f"{type(error).__name__} at {_place_of(traceback.extract_tb(error.__traceback__))}"


def _place_of(frames: traceback.StackSummary) -> str:
    """Return the innermost place in Segue."""
    ours = [frame for frame in frames if frame.filename.startswith(_SOURCE)] or list(frames)
    return f"{ours[-1].filename.removeprefix(_SOURCE).lstrip(os.sep)}:{ours[-1].lineno}"
