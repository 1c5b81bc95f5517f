"""Groups of options of `segue dance simulate`: what is danced, by whom, where, and which files are written."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from segue.body.figure import Figure
from segue.cli.console import progress_bar
from segue.cli.dance.floor import changed, dancers_of
from segue.cli.dance.preview import Dancing
from segue.cli.source import check_picture
from segue.dance import plan as make_plan
from segue.dance.behaviour import both_parts, choreograph, read_environment
from segue.dance.course.hold import hold_of_dance
from segue.dance.notation.model import Part
from segue.dance.patterns import DanceLibrary
from segue.dance.performance.couple import hold_distance
from segue.dance.planning.couple import Couple, plan_couple
from segue.dance.planning.model import PLAIN, Plan, Style, read_tempo
from segue.dance.planning.rest import from_rest
from segue.dance.simulation import Environment, Push, SimulatedDance
from segue.dance.simulation.couple import Lead, SimulatedCouple
from segue.dance.simulation.environment import gravity_of
from segue.dance.simulation.push import read_pushes
from segue.dance.simulation.result import check_series, write_series
from segue.errors import ArgumentError
from segue.filesystem import atomic_write, writable_target

_MOST_MINUTES = 120.0


@dataclass(frozen=True)
class DanceChoice:
    """The dance and its duration."""

    evening: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Dance what the first couple of an environment file chooses."),
    ] = None
    minutes: Annotated[float | None, typer.Option(metavar="MIN", help="Dance for at least this long.")] = None
    arms: Annotated[
        float | None,
        typer.Option(metavar="S", help="Raise the arms before the dance and lower them after it, each in S seconds."),
    ] = None

    def plan(self, dancing: Dancing, pattern: str | None, part: Part, figure: Figure | None) -> Plan:
        """Return the plan of one dancer; figure: None for the default body."""
        self._check_minutes()
        if self.evening is not None:
            couple = self._chosen(self.evening, dancing, pattern, described=figure is not None)
            plan = couple.leader if part is Part.LEADER else couple.follower
        else:
            body = figure or Figure.standard(dancing.stature)
            patterns = self._lasting(dancing, pattern).patterns(pattern, part)
            plan = make_plan(patterns, part=part, tempo=dancing.tempo, figure=body, gestures=dancing.gestures)
        return plan if self.arms is None else from_rest(plan, self.arms)

    def couple(self, dancing: Dancing, pattern: str | None, step_size: float = PLAIN.step_size) -> Couple:
        """Return the plans of both partners; step_size: factor on the length of steps."""
        self._check_minutes()
        if self.arms is not None:
            raise ArgumentError("a couple begins and ends in hold: leave --arms out")
        if self.evening is not None:
            if step_size != PLAIN.step_size:
                raise ArgumentError("--evening decides how long steps are: leave --step-size out")
            return self._chosen(self.evening, dancing, pattern, described=False)
        lasting = self._lasting(dancing, pattern)
        leads, follows = (lasting.patterns(pattern, part) for part in Part)
        tempo = None if dancing.tempo is None else read_tempo(dancing.tempo, leads[0].beats_per_bar)
        leader, follower = Figure.standard(dancing.stature), Figure.standard(dancing.partner)
        hold = hold_distance(leader, follower, hold_of_dance(leads[0].dance))
        style = Style(step_size=step_size)
        return plan_couple(
            leads, follows, leader, follower, tempo=tempo, styles=(style, style), hold=hold, gestures=dancing.gestures
        )

    def _check_minutes(self) -> None:
        if self.minutes is not None and not 0.0 < self.minutes <= _MOST_MINUTES:
            raise ArgumentError(f"--minutes is {self.minutes}: it must be more than 0 and at most {_MOST_MINUTES:g}")

    def _lasting(self, dancing: Dancing, pattern: str | None) -> Dancing:
        """Return the dance with as many bars as the minutes need."""
        if self.minutes is None:
            return dancing
        if dancing.bars is not None or dancing.repeat != Dancing.repeat:
            raise ArgumentError("--minutes sets the length of the dance: leave --bars and --repeat out")
        first = dancing.patterns(pattern, Part.LEADER)[0]
        bars = first.tempo if dancing.tempo is None else read_tempo(dancing.tempo, first.beats_per_bar).bars
        return replace(dancing, bars=math.ceil(self.minutes * bars))

    def _chosen(self, file: Path, dancing: Dancing, pattern: str | None, *, described: bool) -> Couple:
        """Return the plan of an evening's first couple; described: whether options describe a body."""
        others = [option.name for option in fields(dancing) if option.name != "folder"]
        if pattern is not None or described or any(getattr(dancing, each) != getattr(Dancing, each) for each in others):
            raise ArgumentError(
                "--evening decides what is danced and by whom: leave the pattern out, and "
                + ", ".join(f"--{each}" for each in (*others, "mass", "sex"))
            )
        given = changed(read_environment(file), minutes=self.minutes)
        patterns = both_parts(DanceLibrary(dancing.folder), given.dance)
        with progress_bar("Choosing") as advance:
            evening = choreograph(given, patterns, dancers_of(given, file.parent), progress=advance)
        return evening.couples[0].plan


@dataclass(frozen=True)
class Surroundings:
    """Gravity, floor and pushes."""

    environment: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Read gravity and floor from an environment file.")
    ] = None
    gravity: Annotated[str | None, typer.Option(metavar="PLACE", help="earth, moon, mars, or a number of m/s^2.")] = (
        None
    )
    mu: Annotated[float | None, typer.Option(metavar="N", help="Friction of the floor, such as 0.4.")] = None
    push: Annotated[
        list[str] | None,
        typer.Option(metavar="PUSH", help="Such as 't=3 s, 80 N, 0.1 s, left, chest'; repeatable."),
    ] = None
    pushes_file: Annotated[
        Path | None, typer.Option("--pushes", metavar="FILE", help="Read pushes from a file, one per line.")
    ] = None
    believed_mu: Annotated[
        float | None, typer.Option(metavar="N", help="Friction that the dancer assumes; the true one if not given.")
    ] = None

    def floor(self, usual: Path | None = None) -> Environment:
        """Return gravity and floor; usual: the environment file to use if no option names one."""
        file = self.environment or usual
        found = Environment() if file is None else Environment.of(read_environment(file).floor)
        if self.gravity is not None:
            found = replace(found, gravity=gravity_of(self.gravity))
        if self.mu is not None:
            found = replace(found, friction=self.mu)
        return found if self.believed_mu is None else replace(found, believed_friction=self.believed_mu)

    def pushes(self) -> list[Push]:
        """Return the pushes, those of the file first."""
        read = [] if self.pushes_file is None else read_pushes(self.pushes_file)
        return [*read, *(Push.parse(phrase) for phrase in self.push or ())]


@dataclass(frozen=True)
class CoupleOptions:
    """Whether two bodies dance in hold, and how well the follower is led."""

    couple: Annotated[bool, typer.Option("--couple", help="Dance both parts in hold; pushes act on the leader.")] = (
        False
    )
    lead_delay: Annotated[float, typer.Option(metavar="MS", help="Couples: delay of the follower.")] = 1e3 * Lead.delay
    lead_error: Annotated[
        float, typer.Option(metavar="MM", help="Couples: standard deviation of where the follower's feet land.")
    ] = 1e3 * Lead.error
    step_size: Annotated[
        float, typer.Option(metavar="FACTOR", help="Couples: longer or shorter steps, such as 0.75.")
    ] = PLAIN.step_size
    lead_seed: Annotated[int, typer.Option(metavar="N", help="Couples: random seed of these errors.")] = Lead.seed

    def check_alone(self) -> None:
        """Raise if an option of couples is set: one dancer alone is not led."""
        given = [
            option.name for option in fields(self) if getattr(self, option.name) != getattr(CoupleOptions, option.name)
        ]
        if given:
            named = " and ".join(f"--{name.replace('_', '-')}" for name in given)
            raise ArgumentError(f"one dancer alone is not led: leave {named} out, or add --couple")

    def lead(self) -> Lead:
        """Return how well the follower is led."""
        return Lead(1e-3 * self.lead_delay, 1e-3 * self.lead_error, self.lead_seed)


@dataclass(frozen=True)
class Outputs:
    """Files that are written besides the motion."""

    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write landings, slips, torques, ... as .json.")
    ] = None
    series: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write torques, forces, centres of mass and pressure over time: .npz or .csv."
        ),
    ] = None
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw beats, floor, forces and energy: .png, .svg or .pdf.")
    ] = None

    def check(self, files: Sequence[Path], *, couple: bool = False) -> None:
        """Raise before any work is done if a file could not be written; files: those of the motion."""
        if couple and self.series is not None:
            raise ArgumentError("--series is for one dancer: leave --series out, or --couple")
        if self.report is not None:
            writable_target(self.report)
        if self.series is not None:
            check_series(self.series)
        if self.plot is not None:
            check_picture(self.plot)
        wanted = [*files, *(file for file in (self.report, self.series, self.plot) if file is not None)]
        for k, file in enumerate(wanted):
            if file.resolve() in [other.resolve() for other in wanted[:k]]:
                raise ArgumentError(f"{file} would be written twice: give each output its own file")

    def write(self, dance: SimulatedDance) -> None:
        """Write the files of one dancer."""
        self._write_report(dance.report())
        if self.series is not None:
            write_series(dance, self.series)
        if self.plot is not None:
            from segue.view.dance_simulation import simulated_dance  # pictures need a library that is slow to import

            simulated_dance(dance).save(self.plot)

    def write_couple(self, danced: SimulatedCouple) -> None:
        """Write the files of a couple."""
        self._write_report(danced.report())
        if self.plot is not None:
            from segue.view.dance_simulation import simulated_couple

            simulated_couple(danced).save(self.plot)

    def _write_report(self, report: dict[str, Any]) -> None:
        if self.report is not None:
            with atomic_write(self.report) as beside:
                beside.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8", newline="\n")
