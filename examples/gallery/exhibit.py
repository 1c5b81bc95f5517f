"""Exhibits of the gallery, and the workshop that writes their files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import segue as sg
from segue import view

_FPS = 20.0
_SMALL = 0.3  # scale of pictures with --small, each way


@dataclass(frozen=True)
class Shown:
    """A picture or an animation: its file name, and a text for readers who do not see it."""

    file: str
    alt: str


@dataclass(frozen=True)
class Timing:
    """Measurement of a solved transition.

    joints: degrees of freedom. gap: s. coefficients: for each degree of freedom. ours, paper: s.
    """

    what: str
    joints: int
    gap: float
    coefficients: int
    iterations: int
    ours: float
    paper: float


@dataclass(frozen=True)
class Exhibit:
    """One section of the page: a sentence about the paper, a sentence about Segue, and the pictures.

    files: names of motion files. pages: names of viewers, by what they show.
    """

    title: str
    paper: str
    ours: str
    shown: tuple[Shown, ...]
    files: tuple[str, ...] = ()
    pages: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Workshop:
    """Writes the files of exhibits to one folder.

    report: called with a few words about the current step, and the share of the exhibit that is done, from 0 to 1.
    """

    out: Path
    report: Callable[[str, float], None]
    small: bool = False

    def height(self, pixels: int) -> int:
        """Return the height of a picture in pixels, smaller with --small."""
        return max(48, round(_SMALL * pixels)) if self.small else pixels

    def picture(self, name: str, picture: view.Picture, alt: str) -> Shown:
        """Write a picture. name: with its suffix."""
        picture.save(self.out / name)
        return Shown(name, alt)

    def animation(self, name: str, motions: sg.Motion | Mapping[str, sg.Motion], alt: str, *, wide: int = 400) -> Shown:
        """Write an animation with the filled frames in colour. wide: pixels for each motion."""
        size = (self.height(wide), self.height(300))
        fps = 5.0 if self.small else _FPS
        made = view.animate(motions, fills=lambda motion: motion.fills, fps=fps, size=size)
        made.save(self.out / name, lambda done, of: self.report(f"{name}, frame {done} of {of}", done / of))
        return Shown(name, alt)

    def page(self, name: str, motions: sg.Motion | Mapping[str, sg.Motion], title: str) -> str:
        """Write a viewer, a page that needs only a browser."""
        view.page(motions, fills=lambda motion: motion.fills, title=title).save(self.out / name)
        return name

    def motion(self, name: str, motion: sg.Motion, *suffixes: str) -> tuple[str, ...]:
        """Write a motion in each format, and return the file names."""
        for suffix in suffixes:
            sg.save(motion, self.out / f"{name}{suffix}")
        return tuple(f"{name}{suffix}" for suffix in suffixes)
