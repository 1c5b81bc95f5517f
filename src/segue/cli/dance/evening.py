"""What a dancer chooses to dance: an evening's environment, of which one dancer's steps are taken, or a couple's."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated

import typer

from segue.body.figure import Figure
from segue.cli.console import progress_bar
from segue.cli.dance.floor import changed, dancers_of
from segue.cli.dance.preview import Dancing
from segue.dance.behaviour import both_parts, choreograph, read_environment
from segue.dance.notation.model import Part
from segue.dance.patterns import DanceLibrary
from segue.dance.performance import planned
from segue.dance.performance.couple import footing_of
from segue.dance.performance.hold import hold_of_dance
from segue.dance.planning.couple import Couple, plan_couple
from segue.dance.planning.model import Plan
from segue.dance.planning.rest import from_rest
from segue.dance.planning.style import PLAIN, Style
from segue.dance.planning.tempo import read_tempo
from segue.errors import ArgumentError

_MOST_MINUTES = 120.0


@dataclass(frozen=True)
class Choice:
    """Who decides what is danced, how long, and what the arms do before and after."""

    evening: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Dance what the first couple of an environment's file chooses to."),
    ] = None
    minutes: Annotated[float | None, typer.Option(metavar="MIN", help="For so long at least.")] = None
    arms: Annotated[
        float | None,
        typer.Option(metavar="S", help="Raise the arms before, and lower them after, in so many seconds."),
    ] = None

    def plan(self, dancing: Dancing, pattern: str | None, part: Part, figure: Figure | None) -> Plan:
        """Return the plan of what was asked for; figure: None for a body that was not described."""
        self._check_minutes()
        if self.evening is not None:
            couple = self._chosen(self.evening, dancing, pattern, described=figure is not None)
            plan = couple.leader if part is Part.LEADER else couple.follower
        else:
            body = figure or Figure.standard(dancing.stature)
            patterns = self._lasting(dancing, pattern).patterns(pattern, part)
            plan = planned(patterns, part=part, tempo=dancing.tempo, figure=body)
        return plan if self.arms is None else from_rest(plan, self.arms)

    def couple(self, dancing: Dancing, pattern: str | None, step_size: float = PLAIN.step_size) -> Couple:
        """Return the plans of both partners of what was asked for; step_size: factor on the length of steps."""
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
        hold = footing_of(leader, follower, hold_of_dance(leads[0].dance))
        style = Style(step_size=step_size)
        return plan_couple(leads, follows, leader, follower, tempo=tempo, styles=(style, style), hold=hold)

    def _check_minutes(self) -> None:
        if self.minutes is not None and not 0.0 < self.minutes <= _MOST_MINUTES:
            raise ArgumentError(f"--minutes is {self.minutes}: it must be more than 0 and at most {_MOST_MINUTES:g}")

    def _lasting(self, dancing: Dancing, pattern: str | None) -> Dancing:
        """Return what is danced, for as long as it is wanted."""
        if self.minutes is None:
            return dancing
        if dancing.bars is not None or dancing.repeat != Dancing.repeat:
            raise ArgumentError("--minutes says how long is danced: leave --bars and --repeat out")
        first = dancing.patterns(pattern, Part.LEADER)[0]
        bars = first.tempo if dancing.tempo is None else read_tempo(dancing.tempo, first.beats_per_bar).bars
        return replace(dancing, bars=math.ceil(self.minutes * bars))

    def _chosen(self, file: Path, dancing: Dancing, pattern: str | None, *, described: bool) -> Couple:
        """Return what an evening's first couple dances; described: whether a body was, which an evening decides."""
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
