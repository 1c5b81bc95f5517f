"""Parts that `segue transition` and `segue fill` share: options of the solve, sources of fills, and outputs."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

import typer

from segue import io
from segue.cli.console import progress_bar, say
from segue.cli.fill_summary import facts, faults, origin_of, pictured, show
from segue.cli.source import GroundName, Group
from segue.errors import ArgumentError, SegueWarning
from segue.files import save
from segue.filesystem import atomic_write, writable_target
from segue.filling import Options
from segue.filling.prior import AUTO as AUTO_PRIOR
from segue.filling.prior import LEARNED, NONE
from segue.filling.supports import supports_of
from segue.filling.targets import Supports
from segue.io.ground import ground_named
from segue.motion.ground import AUTO
from segue.motion.motion import Motion
from segue.motion.targets import Flight, Footstep, Reach, Target
from segue.spacetime.objectives import OBJECTIVES

if TYPE_CHECKING:
    from segue.library.library_clip import LibraryClip
    from segue.view.picture import Picture


def _fill_options(
    objective: Annotated[
        str, typer.Option(metavar="NAME", help=f"Objective to minimise:  {', '.join(OBJECTIVES)}.")
    ] = "natural",
    coefficients: Annotated[
        int | None, typer.Option(metavar="N", help="Spline coefficients a joint; by the gap's length if not given.")
    ] = None,
    support: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POINT=CHOICE,...", help="Hold left_foot, right_hand, left_heel, ...: auto, enforce or never."
        ),
    ] = None,
    footstep: Annotated[
        list[str] | None,
        typer.Option(metavar="FOOT:START:STOP:X:Z[:HEADING]", help="A foot stands there, in s, m and degrees."),
    ] = None,
    reach: Annotated[
        list[str] | None,
        typer.Option(metavar="POINT:TIME:X:Y:Z", help="A hand, a foot, hips, ... is there at one time, in s and m."),
    ] = None,
    flight: Annotated[
        list[str] | None, typer.Option(metavar="START:STOP", help="Nothing carries the body from start to stop, in s.")
    ] = None,
    root: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Path of the root:  auto falls in jumps, free takes a push that feet can give, given keeps its path.",
        ),
    ] = "auto",
    ground: GroundName = AUTO,
) -> Options:
    choices = supports_of(",".join(support)) if support else {}
    targets: list[Target] = [
        *(Footstep(name, *numbers) for name, numbers in _named("--footstep", footstep, (4, 5))),
        *(Reach(name, *numbers) for name, numbers in _named("--reach", reach, (4,))),
        *(Flight(*numbers) for _, numbers in _named("--flight", flight, (2,), named=False)),
    ]
    supports: Supports = [choices, *targets] if targets else choices
    return Options(objective, coefficients, supports, ground_named(ground), root=root)


def _named(
    option: str, given: Sequence[str] | None, counts: Sequence[int], *, named: bool = True
) -> list[tuple[str, list[float]]]:
    """Return the name and the numbers of each value of an option, which are separated by colons."""
    found = []
    for text in given or ():
        name, *rest = text.split(":") if named else ["", *text.split(":")]
        try:
            numbers = [float(each) for each in rest]
        except ValueError:
            numbers = []
        if len(numbers) not in counts:
            example = {"--footstep": "left_foot:1.5:1.9:0.1:1.6", "--reach": "right_hand:1.6:-0.4:1.5:1.7"}
            raise ArgumentError(f"{option} is '{text}': write it as {example.get(option, '1.1:1.5')}")
        found.append((name, numbers))
    return found


SolveOptions = Annotated[Options, Group(_fill_options)]
"""The options of the solve, with targets and ground, as one parameter of a command."""


@dataclass(frozen=True)
class Outputs:
    """Files of a filled motion: the motion, its report and its picture."""

    out: Annotated[Path, typer.Option("-o", "--out", metavar="OUT", help="The file: .bvh, .glb, .usd, .usda or .usdc.")]
    fps: Annotated[float | None, typer.Option("--fps", metavar="RATE", help="Write so many frames a second.")] = None
    report: Annotated[
        Path | None, typer.Option(metavar="JSON", help="Write how gaps were filled, and how plausible that is.")
    ] = None
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw what was filled: .png, .svg or .pdf.")] = None

    def check(self, *pictures: Path | None, variants: int | None = None) -> None:
        """Raise if a file, or another picture, cannot be written, before any work is done.

        variants: number of files, if there are several versions of the motion.
        """
        io.check_writable(self.out)
        drawn = [path for path in (self.plot, *pictures) if path is not None]
        if drawn:
            from segue.view.picture import check_suffix  # pictures need a library that is slow to import

            for path in drawn:
                check_suffix(path)
        targets: list[Path] = []
        for path in [*self._numbered(variants), *([] if self.report is None else [self.report]), *drawn]:
            target = writable_target(path)
            if target in targets:
                raise ArgumentError(f"{path} would be written twice: give each file its own name")
            targets.append(target)

    def deliver(
        self,
        motions: Sequence[Motion],
        *,
        variants: int | None = None,
        pictures: Mapping[Path, Picture] = MappingProxyType({}),
        misses: bool = True,
        heads: Sequence[str] = (),
    ) -> None:
        """Write a filled motion, with report and picture if the user asks for them, and print a summary.

        variants: number of versions that the user wants; each motion then goes to its own file. pictures: further
        pictures by file. misses: whether to report that a fill uses no clips. heads: lines that are printed first.
        """
        outs = dict(zip(self._numbered(None if variants is None else len(motions)), motions, strict=True))
        with progress_bar(f"Writing {self.out.name}"):
            reports = [{"file": out.name} | facts(motion) for out, motion in outs.items()] if self.report else []
            drawn = dict(pictures)
            if self.plot is not None:
                drawn[self.plot] = pictured({out.name: motion for out, motion in outs.items()})
            suspect = {out: faults(motion) for out, motion in outs.items()}
            for out, motion in outs.items():
                save(motion, out, fps=self.fps)
            if self.report is not None:
                text = json.dumps(reports[0] if variants is None else {"variants": reports}, indent=2, allow_nan=False)
                with atomic_write(self.report) as beside:
                    beside.write_text(text + "\n", encoding="utf-8")
            for path, picture in drawn.items():
                picture.save(path)
        for head in heads:
            say(head)
        for out, motion in outs.items():
            if variants is None:
                show(motion.fills, misses=misses)
            origin = "" if variants is None else f"{origin_of(motion)}; "
            rate = motion.fps if self.fps is None else self.fps
            say(f"{out}: {origin}{motion.duration:.2f} s at {rate:g} frames a second")
        if variants is not None and len(motions) < variants:
            say(f"no more than {len(motions)} of {variants} variants: nothing else differs enough")
        for out, failed in suspect.items():
            if failed:
                say(f"Warning: {out.name} fails its own check where it was filled ({'; '.join(failed)}).")

    def _numbered(self, variants: int | None) -> list[Path]:
        """Return the file of the motion, or the files of its variants."""
        if variants is None:
            return [self.out]
        return [self.out.with_name(f"{self.out.stem}_{k + 1}{self.out.suffix}") for k in range(variants)]


_MOST_VARIANTS = 20


@dataclass(frozen=True)
class FillSources:
    """The sources of fills, and the number of variants."""

    prior: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE",
            help="Source of proposed paths: learned, library, both, none for least effort, or a file of weights. "
            "The default auto is both with a library, and learned without a library. "
            "An --objective is solved without a prior.",
        ),
    ] = AUTO_PRIOR
    library: Annotated[
        list[Path] | None,
        typer.Option(metavar="LIB", help="Fill after similar frames of this library; may be given again."),
    ] = None
    own: Annotated[
        bool | None,
        typer.Option(
            "--self/--no-self",
            help="Also use the clips themselves outside the gap, or not. By default `fill` of the whole body uses "
            "them, even without a library. In clips of minutes, gaps of a second come 20 to 30 % nearer to the "
            "captured motion, in a tenth of a second. By default `transition` uses them only with a library.",
            show_default=False,
        ),
    ] = None
    variants: Annotated[
        int | None,
        typer.Option(metavar="N", help="Write up to N variants, each after a single match: OUT_1, OUT_2, ..."),
    ] = None

    def check(self) -> None:
        """Raise if the options contradict each other, before any file is read."""
        if self.variants is not None and not 1 <= self.variants <= _MOST_VARIANTS:
            raise ArgumentError(f"--variants is {self.variants}: it must be a whole number from 1 to {_MOST_VARIANTS}")
        if self.variants is not None and self.prior == NONE:
            raise ArgumentError("variants need a prior: leave --prior none out")

    @property
    def asked(self) -> bool:
        """Whether the user named a source; then fills that do not use it are reported."""
        return self.library is not None or bool(self.own) or self.prior != AUTO_PRIOR

    def opened(self, options: Options, *, own: bool | None = None) -> Options:
        """Return options with a prior from the libraries. Warns if a library is empty.

        own: default for the search of the clips themselves; None searches them with a library only.
        """
        if self.own is not None:
            own = self.own
        elif self.prior in (LEARNED, NONE):
            own = False
        if self.library is None:
            return replace(options, prior=self.prior, use_own_frames=own)
        from segue.library.frame_index import FrameIndex  # most fills use no library
        from segue.library.library import Library
        from segue.library.library_source import LibrarySource

        entries: list[LibraryClip] = []
        # a library that is given twice counts once, or its variants would be doubled
        for path in {path.resolve(): path for path in self.library}.values():
            found = Library(path)
            if not found.entries:
                warnings.warn(
                    f"the library {path} has no clips: gaps are filled by least effort", SegueWarning, stacklevel=2
                )
            entries += found.entries
        with progress_bar("Indexing the library"):
            return replace(options, prior=self.prior, library=LibrarySource(FrameIndex(entries)), use_own_frames=own)
