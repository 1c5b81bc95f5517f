"""What a dancer chooses to dance: an evening's environment, of which one dancer's steps are taken."""

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
from segue.dance.planning.model import Plan
from segue.dance.planning.rest import from_rest
from segue.dance.planning.tempo import read_tempo
from segue.errors import ArgumentError

__all__ = ["Choice"]

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
        if self.minutes is not None and not 0.0 < self.minutes <= _MOST_MINUTES:
            raise ArgumentError(f"--minutes is {self.minutes}: it must be more than 0 and at most {_MOST_MINUTES:g}")
        plan = (
            self._chosen(dancing, pattern, part, figure) if self.evening else self._told(dancing, pattern, part, figure)
        )
        return plan if self.arms is None else from_rest(plan, self.arms)

    def _told(self, dancing: Dancing, pattern: str | None, part: Part, figure: Figure | None) -> Plan:
        """Return the plan of a pattern or a program."""
        if self.minutes is not None:
            if dancing.bars is not None or dancing.repeat != Dancing.repeat:
                raise ArgumentError("--minutes says how long is danced: leave --bars and --repeat out")
            first = dancing.patterns(pattern, part)[0]
            bars = first.tempo if dancing.tempo is None else read_tempo(dancing.tempo, first.beats_per_bar).bars
            dancing = replace(dancing, bars=math.ceil(self.minutes * bars))
        body = figure or Figure.standard(dancing.stature)
        return planned(dancing.patterns(pattern, part), part=part, tempo=dancing.tempo, figure=body)

    def _chosen(self, dancing: Dancing, pattern: str | None, part: Part, figure: Figure | None) -> Plan:
        """Return what one dancer of an evening's first couple dances."""
        assert self.evening is not None
        others = [option.name for option in fields(dancing) if option.name != "folder"]
        if (
            pattern is not None
            or figure is not None
            or any(getattr(dancing, each) != getattr(Dancing, each) for each in others)
        ):
            raise ArgumentError(
                "--evening decides what is danced and by whom: leave the pattern out, and "
                + ", ".join(f"--{each}" for each in (*others, "mass", "sex"))
            )
        given = changed(read_environment(self.evening), minutes=self.minutes)
        patterns = both_parts(DanceLibrary(dancing.folder), given.dance)
        with progress_bar("Choosing") as advance:
            evening = choreograph(given, patterns, dancers_of(given, self.evening.parent), progress=advance)
        couple = evening.couples[0].plan
        return couple.leader if part is Part.LEADER else couple.follower
