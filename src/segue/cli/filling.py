"""What `segue transition` and `segue fill` share: groups of options, and what is done with them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

import typer

from segue import io
from segue.cli.console import progress_bar, say
from segue.cli.fill_summary import facts, picture_of, show
from segue.cli.source import Mass, Scale, Sex, Up, load_motion
from segue.errors import ArgumentError
from segue.files import save
from segue.filesystem import atomic_write, writable_target
from segue.language.filling import supports_of
from segue.motion.motion import Motion
from segue.spacetime.objectives import OBJECTIVES
from segue.transition import Options, fills
from segue.transition.options import OptionNames

if TYPE_CHECKING:
    from segue.view.picture import Picture

__all__ = ["Body", "Outputs", "Solving"]


@dataclass(frozen=True)
class Solving:
    """How gaps are solved."""

    objective: Annotated[str, typer.Option(metavar="NAME", help=f"What to minimise: {', '.join(OBJECTIVES)}.")] = (
        "natural"
    )
    coefficients: Annotated[
        int | None, typer.Option(metavar="N", help="Spline coefficients a joint; by the gap's length if not given.")
    ] = None
    support: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POINT=CHOICE,...", help="Hold left_foot, right_hand, left_heel, ...: auto, enforce or never."
        ),
    ] = None

    def options(self) -> OptionNames:
        """Return them as functions take them, checked before any file is read."""
        supports = supports_of(",".join(self.support)) if self.support else {}
        chosen = Options(self.objective, self.coefficients, supports)
        return {"objective": chosen.objective, "coefficients": chosen.coefficients, "supports": chosen.supports}


@dataclass(frozen=True)
class Body:
    """How clips are taken, and whose body it is."""

    mass: Mass = None
    sex: Sex = "average"
    scale: Scale = None
    up: Up = None

    def motion(self, name: str, map_file: Path | None) -> Motion:
        """Read a clip as a motion of the figure."""
        return load_motion(name, scale=self.scale, up=self.up, map_file=map_file, mass=self.mass, sex=self.sex)


@dataclass(frozen=True)
class Outputs:
    """Where the motion goes, and what is told of it."""

    out: Annotated[Path, typer.Option("-o", "--out", metavar="OUT", help="The file: .bvh, .glb, .usd, .usda or .usdc.")]
    fps: Annotated[float | None, typer.Option("--fps", metavar="RATE", help="Write so many frames a second.")] = None
    report: Annotated[
        Path | None, typer.Option(metavar="JSON", help="Write how gaps were filled, and how plausible that is.")
    ] = None
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw what was filled: .png, .svg or .pdf.")] = None

    def check(self, *pictures: Path | None) -> None:
        """Raise where a file, or another picture, could not be written, before any work is done."""
        io.check_writable(self.out)
        targets = [writable_target(self.out)]
        drawn = [path for path in (self.plot, *pictures) if path is not None]
        if drawn:
            from segue.view.picture import check_suffix  # pictures need a library that is slow to import

            for path in drawn:
                check_suffix(path)
        for path in drawn if self.report is None else [self.report, *drawn]:
            target = writable_target(path)
            if target in targets:
                raise ArgumentError(f"{path} is to be written twice: give each file a name of its own")
            targets.append(target)

    def deliver(self, motion: Motion, pictures: Mapping[Path, Picture] = MappingProxyType({})) -> None:
        """Write a motion whose gaps were filled, with report and picture where asked for, and print a summary.

        pictures: others that were made already, by the files they go to.
        """
        with progress_bar(f"Writing {self.out.name}"):
            told = None if self.report is None else facts(motion)
            picture = None if self.plot is None else picture_of(motion)
            save(motion, self.out, fps=self.fps)
            if self.report is not None:
                with atomic_write(self.report) as beside:
                    beside.write_text(json.dumps(told, indent=2, allow_nan=False) + "\n", encoding="utf-8")
            if self.plot is not None and picture is not None:
                picture.save(self.plot)
            for path, each in pictures.items():
                each.save(path)
        show(fills(motion))
        rate = motion.fps if self.fps is None else self.fps
        say(f"{self.out}: {motion.duration:.2f} s at {rate:g} frames a second")
