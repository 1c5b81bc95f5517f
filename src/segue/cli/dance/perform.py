"""`segue dance perform`: patterns danced by a body with mass, by its joint torques alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from segue import io
from segue.body.figure import Figure
from segue.cli.console import progress_bar, say
from segue.cli.dance.evening import Choice
from segue.cli.dance.preview import Dancing
from segue.cli.dance.surroundings import Surroundings
from segue.cli.grouping import grouped
from segue.cli.pictures import check_picture
from segue.cli.source import Mass, Sex
from segue.dance.notation.model import Part
from segue.dance.patterns import SUFFIX
from segue.dance.simulation import Mode, SimulatedDance, simulate
from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.series import check_series, write_series
from segue.errors import ArgumentError
from segue.files import save
from segue.filesystem import atomic_write, writable_target

__all__ = ["perform"]

_PAGES = (".html", ".htm")
_FELL, _INTERRUPTED = 1, 130


@dataclass(frozen=True)
class Accounts:
    """What is written down of a dance besides its motion."""

    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write how it went: landings, slips, torques, ... as .json.")
    ] = None
    series: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write torques, forces and centres over time: .npz or .csv.")
    ] = None
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw beats, floor, forces and energy: .png, .svg or .pdf.")
    ] = None

    def check(self) -> None:
        """Say now, before any work is done, if a file could not be written."""
        if self.report is not None:
            writable_target(self.report)
        if self.series is not None:
            check_series(self.series)
        if self.plot is not None:
            check_picture(self.plot)

    def write(self, dance: SimulatedDance) -> None:
        """Write what is wanted."""
        if self.report is not None:
            with atomic_write(self.report) as beside:
                text = json.dumps(dance.report(), indent=2) + "\n"
                beside.write_text(text, encoding="utf-8", newline="\n")
        if self.series is not None:
            write_series(dance, self.series)
        if self.plot is not None:
            from segue.view.dance_simulation import simulated_dance  # pictures need a library that is slow to import

            simulated_dance(dance).save(self.plot)


@grouped
def perform(
    dancing: Dancing,
    choice: Choice,
    surroundings: Surroundings,
    accounts: Accounts,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="Write it: .html, .bvh, .glb, ...")],
    pattern: Annotated[
        str | None, typer.Argument(metavar="[PATTERN]", help=f"Such as 'foxtrot/forward basic', or a {SUFFIX} file.")
    ] = None,
    part: Annotated[Part, typer.Option(help="Whose part is danced.")] = Part.LEADER,
    mode: Annotated[
        Mode,
        typer.Option(
            help="By joint torques alone, with help from outside where it would fall, or by the thesis's springs."
        ),
    ] = Mode.TORQUE,
    mass: Mass = None,
    sex: Sex = "average",
) -> None:
    """Dance patterns with a body that has mass: joint torques, gravity and the floor's friction, nothing else.

    Who falls says so, and exit code 1 does. Ctrl-C ends the dance; what was danced so far is written.

    Example: segue dance perform "foxtrot/forward basic" --tempo 120bpm -o foxtrot.bvh --plot foxtrot.png
    """
    mujoco()
    if dancing.partner != Dancing.partner:
        raise ArgumentError("one dancer is simulated at a time: leave --partner out")
    (writable_target if out.suffix.lower() in _PAGES else io.check_writable)(out)
    accounts.check()
    floor, pushes = surroundings.floor(choice.evening), surroundings.pushes()
    own = dancing.stature != Dancing.stature or mass is not None or sex != "average"
    figure = Figure.standard(dancing.stature, mass, sex) if own else None
    plan = choice.plan(dancing, pattern, part, figure)
    with progress_bar("Dancing") as advance:
        dance = simulate(plan, floor, mode=mode, pushes=pushes, progress=advance)
    _write(dance, out)
    accounts.write(dance)
    say(f"{out}: {_in_words(dance)}")
    if dance.fall is not None:
        raise typer.Exit(_FELL)
    if dance.interrupted:
        raise typer.Exit(_INTERRUPTED)


def _write(dance: SimulatedDance, out: Path) -> None:
    if len(dance.positions) < 2:
        raise ArgumentError("the dance was ended before anything was danced: nothing is written")
    if out.suffix.lower() not in _PAGES:
        save(dance.motion, out)
        return
    from segue.view.dance_simulation_page import dance_page  # pages need a library that is slow to import

    dance_page(dance).save(out)


def _in_words(dance: SimulatedDance) -> str:
    """Return how it went, in a sentence."""
    ended = "" if dance.fall is None else f"; {dance.fall}"
    if dance.interrupted:
        ended = "; ended before its time"
    helped = ""
    if dance.mode is not Mode.TORQUE:
        helped = f"; a torque from outside of up to {dance.help.largest:.0f} N m helped, {dance.help.rms:.0f} N m rms"
    hardest = max(dance.efforts, key=lambda joint: dance.efforts[joint])
    return (
        f"{len(dance.landings)} of {dance.due} landings in {dance.times[-1]:.1f} s, within {1e3 * dance.beat_error:.0f}"
        f" ms of the beat and {1e3 * dance.landing_error:.1f} mm of their place; feet slip {1e3 * dance.slip:.1f} mm,"
        f" {hardest.replace('_', ' ')} works hardest, at {dance.efforts[hardest]:.0%} of its strength{helped}{ended}"
    )
