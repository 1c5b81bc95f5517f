"""`segue dance preview`: preview patterns by a figure or a couple; couples as two clips, one scene or a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from segue import dance, io
from segue.body.figure import Figure
from segue.cli.console import progress_bar, say
from segue.cli.dance.patterns import Folder
from segue.cli.source import grouped
from segue.dance.notation.model import Part, Pattern
from segue.dance.patterns import SUFFIX, DanceLibrary
from segue.dance.patterns.program import read_program, repeated
from segue.dance.performance.couple import CoupleMotions, couple_clip
from segue.errors import ArgumentError
from segue.files import save
from segue.filesystem import writable_target
from segue.motion.motion import Motion

PAGES = (".html", ".htm")
"""Suffixes of web pages."""


def checked_files(out: Path, couple: bool) -> tuple[Path, ...]:
    """Check and return the files that will be written."""
    suffix = out.suffix.lower()
    if couple and suffix == ".bvh":
        files: tuple[Path, ...] = tuple(out.with_name(f"{out.stem}_{part}{out.suffix}") for part in Part)
    else:
        files = (out,)
    for file in files:
        (writable_target if suffix in PAGES else io.check_writable)(file)
    return files


def write_couple(danced: CoupleMotions, files: tuple[Path, ...], fps: float | None = None) -> None:
    """Write both motions to the files that `checked_files` found; fps: of clips, the motions' own if not given."""
    if files[0].suffix.lower() in PAGES:
        write_page(files[0], danced.motions)
    elif len(files) == 1:
        io.write(couple_clip(danced, fps), files[0], scale=1.0, up="Y")
    else:
        for motion, file in zip(danced.motions.values(), files, strict=True):
            save(motion, file, fps=fps)


def write_page(out: Path, motions: Mapping[str, Motion]) -> None:
    """Write a page that shows motions together."""
    from segue.view.web import page  # pages need a library that is slow to import

    page(dict(motions), together=True).save(out)


@dataclass(frozen=True)
class Dancing:
    """Options for pattern or program, tempo, length and statures."""

    program: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Dance a program: a file with one pattern per line.")
    ] = None
    tempo: Annotated[
        str | None, typer.Option(metavar="TEMPO", help="Bars a minute, as 30, or beats, as 120bpm; the pattern's own.")
    ] = None
    repeat: Annotated[int, typer.Option(metavar="N", help="How often the whole is danced.")] = 1
    bars: Annotated[int | None, typer.Option(metavar="N", help="Instead of --repeat: the least number of bars.")] = None
    stature: Annotated[float, typer.Option(metavar="M", help="The dancer's height; of a couple the leader's.")] = 1.75
    partner: Annotated[float, typer.Option(metavar="M", help="The follower's height, of a couple.")] = 1.66
    folder: Folder = None
    gestures: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Gesture files that replace those of Segue.")
    ] = None

    def patterns(self, named: str | None, part: Part) -> tuple[Pattern, ...]:
        """Return one part of the named pattern or of the program, repeated."""
        library = DanceLibrary(self.folder)
        if (named is None) == (self.program is None):
            raise ArgumentError("name a pattern such as 'foxtrot/forward basic', or give --program FILE, one of both")
        if self.program is None:
            return repeated([library.pattern(str(named), part)], self.repeat, self.bars)
        program = read_program(self.program)
        return repeated(program.patterns(lambda title: library.pattern(title, part)), self.repeat, self.bars)


@grouped
def preview_patterns(
    dancing: Dancing,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="Write it: .html, .bvh, .glb, ...")],
    pattern: Annotated[
        str | None, typer.Argument(metavar="[PATTERN]", help=f"Such as 'foxtrot/forward basic', or a {SUFFIX} file.")
    ] = None,
    couple: Annotated[bool, typer.Option("--couple", help="Both parts, in hold.")] = False,
    part: Annotated[Part | None, typer.Option(help="Whose part, of one dancer alone; the leader's.")] = None,
    fps: Annotated[float, typer.Option(metavar="N", help="Frames a second of a clip.")] = 60.0,
) -> None:
    """Preview patterns without dynamics, as a clip or as a page: feet planted, on the beat, arms in hold.

    A couple is written as one page or one scene, or as two files NAME_leader.bvh and NAME_follower.bvh.

    Example: segue dance preview "foxtrot/forward basic" --bars 16 --couple -o foxtrot.html
    """
    if couple and part is not None:
        raise ArgumentError("--couple dances both parts: leave --part out")
    files = checked_files(out, couple)
    if couple:
        said = _dance_together(dancing, pattern, files, fps)
    else:
        said = _dance_alone(dancing, pattern, part or Part.LEADER, out, fps)
    say(f"{' and '.join(str(file) for file in files)}: {said}")


def _dance_alone(dancing: Dancing, pattern: str | None, part: Part, out: Path, fps: float) -> str:
    """Write one dancer's motion, and return a summary."""
    patterns = dancing.patterns(pattern, part)
    plan = dance.plan(
        patterns, part=part, tempo=dancing.tempo, figure=Figure.standard(dancing.stature), gestures=dancing.gestures
    )
    with progress_bar("Dancing") as advance:
        motion = dance.preview(plan)
        advance(1, 3)
        found = dance.measure(plan, motion)
        advance(2, 3)
        if out.suffix.lower() in PAGES:
            write_page(out, {patterns[0].title: motion})
        else:
            save(motion, out, fps=fps)
    return (
        f"{len(plan.steps)} steps in {plan.stop:.1f} s at {plan.tempo.bars:g} bars a minute; planted feet move"
        f" {1e3 * found.planted:.2f} mm, landings are within {1e3 * abs(found.landing):.0f} ms of the beat"
    )


def _dance_together(dancing: Dancing, pattern: str | None, files: tuple[Path, ...], fps: float) -> str:
    """Write a couple's motions, and return a summary."""
    leads, follows = (dancing.patterns(pattern, part) for part in Part)
    with progress_bar("Dancing") as advance:
        danced = dance.preview_couple(
            leads,
            follows,
            leader=Figure.standard(dancing.stature),
            follower=Figure.standard(dancing.partner),
            tempo=dancing.tempo,
            gestures=dancing.gestures,
        )
        advance(1, 3)
        found = dance.measure_couple(danced)
        advance(2, 3)
        write_couple(danced, files, fps)
    plan = danced.plan.leader
    return (
        f"{len(plan.steps)} steps in {plan.stop:.1f} s at {plan.tempo.bars:g} bars a minute; hands are joined"
        f" {found.joined:.0%} of the time, trunks come within {1e3 * found.trunks:.0f} mm"
    )
