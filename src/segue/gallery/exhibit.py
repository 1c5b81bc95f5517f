"""What the gallery shows: an exhibit for each figure of the paper, and the workshop in which its files are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import segue as sg
from segue import view

__all__ = ["Exhibit", "Shown", "Timing", "Workshop"]

_FPS = 20.0
_SMALL = 0.3  # of the pixels each way, where speed counts more than looks


@dataclass(frozen=True)
class Shown:
    """A picture or an animation of an exhibit: its file, and what one sees in it."""

    file: str
    alt: str


@dataclass(frozen=True)
class Timing:
    """A transition as it was solved: ours and the paper's seconds."""

    what: str
    joints: int
    gap: float
    coefficients: int
    iterations: int
    ours: float
    paper: float


@dataclass(frozen=True)
class Exhibit:
    """A figure of the paper, made by us: one sentence on what it shows there, one on what ours shows.

    files: motions to open elsewhere. pages: viewers, by what they show.
    """

    title: str
    paper: str
    ours: str
    shown: tuple[Shown, ...]
    files: tuple[str, ...] = ()
    pages: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Workshop:
    """Where the gallery is made: its folder, how large pictures are, and whom to tell what is being made.

    tell: called with a few words, and how much of them is done, from 0 to 1.
    """

    out: Path
    tell: Callable[[str, float], None]
    small: bool = False

    def height(self, pixels: int) -> int:
        """Return the height of a picture in pixels."""
        return max(48, round(_SMALL * pixels)) if self.small else pixels

    def picture(self, name: str, picture: view.Picture, alt: str) -> Shown:
        """Write a picture; name: with its suffix."""
        picture.save(self.out / name)
        return Shown(name, alt)

    def animation(
        self, name: str, motions: sg.Motion | Mapping[str, sg.Motion], alt: str, *, speed: float = 1.0, wide: int = 400
    ) -> Shown:
        """Write an animation, what was filled in colour; wide: pixels for each motion."""
        size = (self.height(wide), self.height(300))
        fps = 5.0 if self.small else _FPS
        made = view.animate(motions, fills=sg.fills, fps=fps, speed=speed, size=size)
        made.save(self.out / name, lambda done, of: self.tell(f"{name}, frame {done} of {of}", done / of))
        return Shown(name, alt)

    def page(self, name: str, motions: sg.Motion | Mapping[str, sg.Motion], title: str) -> str:
        """Write a viewer, which needs a browser and nothing else."""
        view.page(motions, fills=sg.fills, title=title).save(self.out / name)
        return name

    def motion(self, name: str, motion: sg.Motion, *suffixes: str) -> tuple[str, ...]:
        """Write a motion in some formats."""
        for suffix in suffixes:
            sg.save(motion, self.out / f"{name}{suffix}")
        return tuple(f"{name}{suffix}" for suffix in suffixes)
